"""What a connection is attached to, so that it can be attached to again."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from . import wire
from .errors import RequestError

MOST = 256
"""attachments of a connection, as in the C library"""


class State(Enum):
    """Where an attachment stands."""

    OWED = "attach is still to be sent"
    SENT = "attach is sent and not answered"
    WAITING = "it stands in the daemon's line"
    HELD = "it is in force"


class Attachment:
    """One of them. handle is the program's number, number the daemon's."""

    def __init__(self, handle: int, path: bytes, handles: int, passes: int, flags: int) -> None:
        self.handle = handle
        self.path = path
        self.handles = handles
        self.passes = passes
        self.flags = flags
        self.state = State.OWED
        self.number = 0
        self.detach_serial = 0
        self.detach_sent = False

    @property
    def is_held(self) -> bool:
        """Whether it is in force, and number says something."""
        return self.state is State.HELD

    @property
    def has_number(self) -> bool:
        """Whether number says something."""
        return self.state in (State.HELD, State.WAITING)

    @property
    def is_owed(self) -> bool:
        """Whether a request about it could not be queued yet."""
        if self.state is State.OWED:
            return True
        return self.has_number and self.detach_serial != 0 and not self.detach_sent

    def owed_request(self) -> bytes:
        """That request."""
        if self.state is State.OWED:
            return wire.request(
                wire.ATTACH, "IHHII", self.handle, self.handles, self.passes, self.flags,
                len(self.path), rest=self.path,
            )  # fmt: skip
        return wire.request(wire.DETACH, "II", self.detach_serial, self.number)

    @property
    def unsent_detach(self) -> int:
        """The serial of detach, where that was asked for and not sent; else 0."""
        return 0 if self.detach_sent else self.detach_serial

    def paid(self) -> None:
        """It has been queued."""
        if self.state is State.OWED:
            self.state = State.SENT
        else:
            self.detach_sent = True


class Attachments:
    """All of a connection, by the program's numbers."""

    def __init__(self) -> None:
        self._all: dict[int, Attachment] = {}

    def add(self, handle: int, path: bytes, handles: int, passes: int, flags: int) -> None:
        """A new one, which is owed."""
        if len(self._all) >= MOST:
            raise RequestError(f"a connection can have {MOST} attachments")
        self._all[handle] = Attachment(handle, path, handles, passes, flags)

    def remove(self, handle: int) -> None:
        """It is over."""
        del self._all[handle]

    def get(self, handle: int) -> Attachment | None:
        """The one of that number of the program's."""
        return self._all.get(handle)

    def numbered(self, number: int) -> Attachment | None:
        """The one of that number of the daemon's."""
        for held in self._all.values():
            if held.has_number and held.number == number:
                return held
        return None

    def all(self) -> list[Attachment]:
        """All of them."""
        return list(self._all.values())

    def in_force(self) -> dict[int, int]:
        """The daemon's numbers of those that hold their responder and are to, by the program's."""
        return {
            held.handle: held.number
            for held in self._all.values()
            if held.is_held and not held.detach_serial
        }

    def take_place(self, serial: int, number: int, state: State) -> Attachment | None:
        """The one that holds or waits from now on: the daemon has answered attach, or with serial 0
        says so of that number. None where it is no news."""
        held = self._all.get(serial) if serial else self.numbered(number)
        if held is None or held.state is state or (serial and held.state is not State.SENT):
            return None
        held.state = state
        held.number = number
        return held

    def detaching(self, serial: int) -> Attachment | None:
        """The one that is being detached by that request."""
        for held in self._all.values():
            if held.detach_serial == serial:
                return held
        return None

    def uses(self, serial: int) -> bool:
        """Whether a new request may not have that serial."""
        return serial in self._all or self.detaching(serial) is not None

    def owed(self) -> Iterator[Attachment]:
        """Those of which something is still to be sent."""
        return (held for held in list(self._all.values()) if held.is_owed)

    def owe_everything(self) -> list[int]:
        """The connection was lost: what was to be detached is, the rest is owed again. The
        program's numbers of what is over."""
        over = [held.handle for held in self._all.values() if held.detach_serial]
        for handle in over:
            self.remove(handle)
        for held in self._all.values():
            held.state = State.OWED
        return over
