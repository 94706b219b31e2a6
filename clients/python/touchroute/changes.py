"""What a program asks the daemon to change: views, and fingers that there are not."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from . import wire
from .errors import RequestError
from .values import Phase, Property

_CHANGE = struct.Struct("=II6d")
_CONTACT = struct.Struct("=iIdd")


def path_bytes(path: str) -> bytes:
    """A responder's path as it goes over the wire."""
    data = path.encode()
    if len(data) > wire.MAX_PATH:
        raise RequestError(
            f"a responder's path can have {wire.MAX_PATH} bytes, this has {len(data)}: "
            f"{path[:64]}..."
        )
    return data


@dataclass(frozen=True, slots=True)
class Change:
    """Properties of one view or window as they are to be, for Connection.set(). None: as it is.

    path: of the view or window.
    configured: all of them as the configuration says, before the others are set.
    hidden, interaction: whether touches pass it by, and whether it takes them (rule H2).
    alpha: 0 to 1; at 0.01 or below it is as good as hidden.
    frame: x, y, width, height in the superview's coordinates; of a window, in points of the screen.
    bounds_origin: x, y at its top left corner, in its own coordinates: where a list is scrolled to.
    transform: a, b, c, d, tx, ty, about the frame's centre.
    order: its place among its siblings, a window's among those of its level: 0 at the back, and at
    the front where there are fewer.
    """

    path: str
    configured: bool = False
    hidden: bool | None = None
    alpha: float | None = None
    interaction: bool | None = None
    frame: tuple[float, float, float, float] | None = None
    bounds_origin: tuple[float, float] | None = None
    transform: tuple[float, float, float, float, float, float] | None = None
    order: int | None = None

    def _values(self) -> Iterator[tuple[Property, tuple[float, ...] | None]]:
        """Each property in the order in which they are set, and its values where it is given."""
        yield Property.CONFIGURED, () if self.configured else None
        yield Property.HIDDEN, None if self.hidden is None else (self.hidden,)
        yield Property.ALPHA, None if self.alpha is None else (self.alpha,)
        yield Property.INTERACTION, None if self.interaction is None else (self.interaction,)
        yield Property.FRAME, self.frame
        yield Property.BOUNDS_ORIGIN, self.bounds_origin
        yield Property.TRANSFORM, self.transform
        yield Property.ORDER, None if self.order is None else (self.order,)

    def packed(self) -> list[bytes]:
        """Each property's change as it goes over the wire."""
        path = path_bytes(self.path)
        if not path:
            raise RequestError("a change has no path: set needs that of a view or window")
        packed = [
            _CHANGE.pack(number, len(path), *values, *[0.0] * (6 - len(values)))
            + wire.padded(path)
            for number, values in self._values()
            if values is not None
        ]
        if not packed:
            raise RequestError(f"there is nothing to set of {self.path}")
        return packed


@dataclass(frozen=True, slots=True)
class Contact:
    """A finger that there is not, in a frame of Connection.inject().

    slot: names it while it is down. phase: BEGAN, MOVED, ENDED or CANCELLED. x, y: in points of the
    screen; a finger ends where it was.
    """

    slot: int
    phase: Phase
    x: float = 0.0
    y: float = 0.0

    def packed(self) -> bytes:
        """The contact as it goes over the wire."""
        if self.phase is Phase.STATIONARY:
            raise RequestError("a contact begins, moves, ends or is cancelled")
        x, y = (0.0, 0.0) if self.phase.is_final else (self.x, self.y)
        return _CONTACT.pack(self.slot, self.phase, x, y)
