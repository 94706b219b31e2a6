"""The requests whose answers change nothing in the connection."""

from __future__ import annotations

from abc import ABC, abstractmethod

from . import wire
from .arguments import MAX_NUMBER, MAX_TOUCH, integer, path_bytes, shown
from .changes import Change, Contact
from .errors import RequestError


class Requests(ABC):
    """Requests of a Connection that it does not repeat after a reconnection.

    Each returns the serial of its answer, which is over 0. Raises RequestError for an argument out
    of range, FullError, AwayError or EndedError."""

    def set(self, *changes: Change) -> int:
        """Overrides properties of views and windows that this program holds, and of views in them.
        Other views need an access rule that names this program's user, or the control socket. The
        changes take effect in their order and all at once, between two frames. If one is
        impossible, none takes effect. Done or Error follows.

        An override ends with the attachment through which it was set. One by a rule's right ends
        with the connection. One of the control socket stays (rule L6). All survive a reload, and a
        restart by the service manager. None survives a daemon that dies, and the library does not
        repeat them. So set what you need after each Attached, or after each Welcome if you need no
        attachment for it.
        """
        for change in changes:
            if not isinstance(change, Change):
                raise RequestError(f"set takes Change, not {shown(change)}")
        packed = [part for change in changes for part in change.packed()]
        if not packed:
            raise RequestError("there is nothing to set")
        return self._request(wire.SET, "II", len(packed), rest=b"".join(packed))

    def describe(self, path: str = "", first: int = 0, count: int = 0) -> int:
        """Asks for the views of a responder, and for their recognizers after them. Without a path:
        for every view of every window.

        first: where to start: among the views in the order in which a touch's target counts them,
        then among the recognizers. count: how many; 0 for as many as one answer has room for.

        View follows for each, with its ViewDetails and ViewProperty, then DescribedGesture for
        each, then Done. An answer without any of them is the end."""
        count = integer(count, "the count of views of one answer", 0, wire.DESCRIBE_PAGE)
        first = integer(first, "the first view to describe", 0, MAX_NUMBER)
        data = path_bytes(path)
        return self._request(wire.DESCRIBE, "IIII", first, count, len(data), rest=data)

    def ping(self) -> int:
        """Asks for Pong, which comes after the answers to all earlier requests."""
        return self._request(wire.PING, "II", 0)

    def status(self) -> int:
        """Control socket. Asks for the daemon's status: its items come, then Done."""
        return self._request(wire.STATUS, "II", 0)

    def reload(self) -> int:
        """Control socket. Makes the daemon read its configuration again. Done follows, with what
        changed, or Error with what is wrong."""
        return self._request(wire.RELOAD, "II", 0)

    def inject(self, *contacts: Contact, screen: int = 0) -> int:
        """Control socket. Plays one frame of a synthetic touchscreen that belongs to this
        connection. The frame has the time at which the daemon reads it. When the connection ends
        or is lost, the touchscreen's touches are cancelled: DEVICE_REMOVED. Done follows, whose
        total is the device number of the touches, or Error.

        contacts: the fingers that change in this frame. screen: an index into the screens of
        Welcome; it may change only while no finger is down.
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
        """Control socket. Cancels a touch for every client that gets it, or with None every live
        touch, with the reason REQUESTED. Done follows, whose total says how many were live."""
        number = 0 if touch is None else integer(touch, "a touch's id", 1, MAX_TOUCH)
        return self._request(wire.CANCEL, "IIQ", 0, number)

    @abstractmethod
    def _request(self, opcode: int, layout: str, *fields: int, rest: bytes = b"") -> int:
        """Sends a request: its struct, which begins with the serial, and what follows that."""
