"""What a program asks the daemon to change: views, and the fingers of a synthetic touchscreen."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from . import abi, hit_testing, rules
from .arguments import boolean, integer, number, path_bytes, several, shown
from .errors import RequestError
from .values import Phase, Property

MAX_ORDER = 0x7FFFFFFF
MAX_LEVEL = 1_000_000


@dataclass(frozen=True, slots=True)
class Change:
    """New values for properties of one view, window or recognizer, for Connection.set(). None
    leaves a property as it is.

    path: of the view, the window or the recognizer: "home/list#scroll".
    configured: sets every property back to what the configuration says, before the others are set.
    hidden: whether touches skip the view and what is in it (rule H2).
    interaction: whether the view and what is in it take touches (rule H2).
    alpha: 0 to 1; at 0.01 or below touches skip it as if it were hidden.
    frame: x, y, width, height in the superview's coordinates; a window's in points of the screen.
    bounds_origin: x, y at its top left corner, in its own coordinates: where a list is scrolled to.
    transform: a, b, c, d, tx, ty, about the frame's centre.
    order: its place among its siblings, a window's among those of its level: 0 is at the back, and
    a number beyond the last is at the front.
    outset: how far its touchable region reaches beyond its bounds (rule H3): a number of points, or
    top, left, bottom, right.
    shape: "rect", "ellipse", {"radius": 12} or {"polygon": [(x, y), ...]} (rule H4).
    inside: "bounds", "always", "never", "children" or {"children": ["name", ...]} (rule H5).
    hit: "default", "self", "none", "pass_through", {"redirect": "path"} or {"first": "path"}, the
    path being that of a descendant from this view on (rule H6).
    secure: whether only clients that may attach to it get its touches, and observers no location
    of them (rules F7 and F8).
    exclusive_touch: whether its touch keeps out those of other views of the window (rule T13).
    multiple_touch: whether it takes several touches at a time (rule T13).
    level: a window's: windows of a higher level are in front.
    enabled: a recognizer's: whether it takes part, UIKit's isEnabled (rule G2).
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
    outset: rules.Outset | None = None
    shape: rules.Shape | None = None
    inside: rules.Inside | None = None
    hit: rules.Hit | None = None
    secure: bool | None = None
    exclusive_touch: bool | None = None
    multiple_touch: bool | None = None
    level: int | None = None
    enabled: bool | None = None

    def _values(self) -> Iterator[tuple[Property, tuple[float, ...] | None]]:
        """Each property in the order in which they are set, and its values where it is given.
        Raises RequestError for a value of another type, or of another count of numbers."""
        of = f"of {self.path}"
        yield Property.CONFIGURED, () if boolean(self.configured, f"configured {of}") else None
        yield Property.HIDDEN, self._flag(self.hidden, f"hidden {of}")
        yield Property.ALPHA, (
            None if self.alpha is None else (number(self.alpha, f"alpha {of}"),)
        )
        yield Property.INTERACTION, self._flag(self.interaction, f"interaction {of}")
        for kind, value, what, names in (
            (Property.FRAME, self.frame, "frame", "x, y, width, height"),
            (Property.BOUNDS_ORIGIN, self.bounds_origin, "bounds_origin", "x, y"),
            (Property.TRANSFORM, self.transform, "transform", "a, b, c, d, tx, ty"),
        ):
            yield kind, None if value is None else several(value, f"{what} {of}", names)
        yield Property.ORDER, (
            None if self.order is None else (integer(self.order, f"order {of}", 0, MAX_ORDER),)
        )
        yield Property.SECURE, self._flag(self.secure, f"secure {of}")
        yield (
            Property.EXCLUSIVE_TOUCH,
            self._flag(self.exclusive_touch, f"exclusive_touch {of}"),
        )
        yield Property.MULTIPLE_TOUCH, self._flag(self.multiple_touch, f"multiple_touch {of}")
        yield Property.ENABLED, self._flag(self.enabled, f"enabled {of}")
        yield Property.LEVEL, (
            None
            if self.level is None
            else (integer(self.level, f"level {of}", -MAX_LEVEL, MAX_LEVEL),)
        )

    def _rules(self) -> Iterator[tuple[Property, hit_testing.Parts]]:
        """Each rule of hit-testing that is given. Raises RequestError as _values() does."""
        of = f"of {self.path}"
        if self.outset is not None:
            yield Property.OUTSET, hit_testing.outset(self.outset, f"outset {of}")
        if self.shape is not None:
            yield Property.SHAPE, hit_testing.shape(self.shape, f"shape {of}")
        if self.inside is not None:
            yield Property.INSIDE, hit_testing.inside(self.inside, f"inside {of}")
        if self.hit is not None:
            yield Property.HIT, hit_testing.hit(self.hit, f"hit {of}")

    @staticmethod
    def _flag(value: bool | None, what: str) -> tuple[float, ...] | None:
        return None if value is None else (boolean(value, what),)

    def parts(self) -> list[tuple[Property, hit_testing.Parts]]:
        """Each property that is given, with its values, words and points."""
        parts: list[tuple[Property, hit_testing.Parts]] = [
            (kind, (values, b"", ())) for kind, values in self._values() if values is not None
        ]
        parts += list(self._rules())
        if not parts:
            raise RequestError(f"there is nothing to set of {self.path}")
        return parts

    def changes(self) -> list[abi.touchroute_property_change]:
        """Each property's change, as the C library takes it."""
        path = path_bytes(self.path)
        if not path:
            raise RequestError("a change has no path: set needs that of a view or window")
        return [changed(path, kind, parts) for kind, parts in self.parts()]


def changed(
    path: bytes, kind: Property, parts: hit_testing.Parts
) -> abi.touchroute_property_change:
    """A property's change, as the C library takes it."""
    values, words, points = parts
    return abi.touchroute_property_change(
        path=path,
        property=kind,
        values=values,
        words=words or None,
        points=(ctypes.c_double * len(points))(*points) if points else None,
        point_count=len(points) // 2,
    )


@dataclass(frozen=True, slots=True)
class Contact:
    """A finger in a frame of Connection.inject().

    slot: names it while it is down. phase: BEGAN, MOVED, ENDED or CANCELLED. x, y: in points of the
    screen. For ENDED and CANCELLED they are ignored: a finger ends where it was.
    """

    slot: int
    phase: Phase
    x: float = 0.0
    y: float = 0.0

    def contact(self) -> abi.touchroute_contact:
        """The contact, as the C library takes it."""
        slot = integer(self.slot, "a contact's slot", -0x80000000, 0x7FFFFFFF)
        if not isinstance(self.phase, Phase) or self.phase is Phase.STATIONARY:
            raise RequestError(
                "a contact's phase has to be Phase.BEGAN, MOVED, ENDED or CANCELLED, not "
                + shown(self.phase)
            )
        x, y = number(self.x, "a contact's x"), number(self.y, "a contact's y")
        x, y = (0.0, 0.0) if self.phase.is_final else (x, y)
        return abi.touchroute_contact(slot, self.phase, x, y)
