"""The requests that need no more than a connection."""

from __future__ import annotations

from abc import ABC, abstractmethod

from . import wire
from .arguments import MAX_NUMBER, MAX_TOUCH, integer, path_bytes, shown
from .changes import Change, Contact
from .errors import RequestError


class Requests(ABC):
    """What Connection is asked for without keeping anything in mind for the answer. Each returns
    the serial that its answer bears, over 0, and raises RequestError for an argument out of range,
    FullError, AwayError, or EndedError."""

    def set(self, *changes: Change) -> int:
        """Changes views and windows that this program holds, or that are in one that it holds; on
        the control socket any. The changes are made in their order and all at once, between two
        frames, or, where one cannot be made, none is. Done follows, or Error.

        What is set outlasts a reload of the configuration and this connection, but not the daemon,
        and is not repeated: a program that needs it sets it at Welcome, which comes from each new
        daemon.
        """
        for change in changes:
            if not isinstance(change, Change):
                raise RequestError(f"set takes Change, not {shown(change)}")
        packed = [part for change in changes for part in change.packed()]
        if not packed:
            raise RequestError("there is nothing to set")
        return self._request(wire.SET, "II", len(packed), rest=b"".join(packed))

    def describe(self, path: str = "", first: int = 0, count: int = 0) -> int:
        """Asks for the views of a responder, or with no path for every view of every window, in
        the order that touches' targets count, and behind them for the recognisers that lie in
        them: first counts on. View and DescribedGesture follow for each, then Done; a page without
        any is the end. Behind a View come ViewDetails and each ViewProperty of it."""
        count = integer(count, "the count of views of one answer", 0, wire.DESCRIBE_PAGE)
        first = integer(first, "the first view to describe", 0, MAX_NUMBER)
        data = path_bytes(path)
        return self._request(wire.DESCRIBE, "IIII", first, count, len(data), rest=data)

    def ping(self) -> int:
        """Asks for Pong, which comes after the answers to everything asked before."""
        return self._request(wire.PING, "II", 0)

    def status(self) -> int:
        """On the control socket: asks for the items of status; Done follows."""
        return self._request(wire.STATUS, "II", 0)

    def reload(self) -> int:
        """On the control socket: has the configuration read again. Done follows, with what changed,
        or Error with what is wrong."""
        return self._request(wire.RELOAD, "II", 0)

    def inject(self, *contacts: Contact, screen: int = 0) -> int:
        """On the control socket: a frame of a touchscreen that there is not, at the time at which
        the daemon reads it. The touchscreen is this connection's, and when that ends, or is lost,
        its touches are cancelled: DEVICE_REMOVED. Done follows, whose total is the device of the
        touches, or Error.

        contacts: the fingers that change in this frame. screen: index into those of Welcome;
        another one than before only with no finger down.
        """
        if not contacts:
            raise RequestError("a frame to inject needs a contact")
        for contact in contacts:
            if not isinstance(contact, Contact):
                raise RequestError(f"inject takes Contact, not {shown(contact)}")
        screen = integer(screen, "the screen's index", 0, MAX_NUMBER)
        packed = b"".join(contact.packed() for contact in contacts)
        return self._request(wire.INJECT, "IIII", screen, len(contacts), 0, rest=packed)

    def cancel(self, touch: int | None) -> int:
        """On the control socket: cancels a touch for everybody who gets it, or with None every
        touch that is live: REQUESTED. Done follows, whose total says how many were."""
        number = 0 if touch is None else integer(touch, "a touch's id", 1, MAX_TOUCH)
        return self._request(wire.CANCEL, "IIQ", 0, number)

    @abstractmethod
    def _request(self, opcode: int, layout: str, *fields: int, rest: bytes = b"") -> int:
        """Sends a request: its struct, which begins with the serial, and what follows that."""
