"""What a program asks the daemon to change: views, and the fingers of a synthetic touchscreen."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from . import abi, hit_testing, rules
from .arguments import (
    boolean,
    integer,
    name_bytes,
    number,
    path_bytes,
    several,
    shown,
    text_bytes,
)
from .errors import RequestError
from .properties import FORMS, Property
from .values import Phase


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
    label: its name for people, of at most 80 characters; "" for none (rule L2).
    feedback: the name of the feedback that a finger on it gives, "none" for no feedback, and "" for
    that of its superview (rule D10).
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
    label: str | None = None
    feedback: str | None = None

    def parts(self) -> list[tuple[Property, hit_testing.Parts]]:
        """Each property that is given, with its values, words and points: configured first. Raises
        RequestError for a value of another type, or of another count of numbers."""
        what = f"configured of {self.path}"
        parts: list[tuple[Property, hit_testing.Parts]] = []
        if boolean(self.configured, what):
            parts.append((Property.CONFIGURED, ((), b"", ())))
        for kind in Property:
            name = kind.name.lower()
            value = getattr(self, name)
            if kind is not Property.CONFIGURED and value is not None:
                parts.append((kind, _parts(kind, value, f"{name} of {self.path}")))
        if not parts:
            raise RequestError(f"there is nothing to set of {self.path}")
        return parts

    def changes(self) -> list[abi.touchroute_property_change]:
        """Each property's change, as the C library takes it."""
        path = path_bytes(self.path)
        if not path:
            raise RequestError("a change has no path: set needs that of a view or window")
        return [changed(path, kind, parts) for kind, parts in self.parts()]


def _parts(kind: Property, value: object, what: str) -> hit_testing.Parts:
    """A property's values, words and points."""
    match FORMS[kind]:
        case ("flag",):
            return (boolean(value, what),), b"", ()
        case ("number",):
            return (number(value, what),), b"", ()
        case ("whole", int(least), int(most)):
            return (integer(value, what, least, most),), b"", ()
        case ("numbers", str(names)):
            return several(value, what, names), b"", ()
        case ("text", int(most)):
            return (), text_bytes(value, what, most), ()
        case ("name", int(most)):
            return (), name_bytes(value, what, most), ()
        case (form,):
            return _RULES[str(form)](value, what)
        case _:
            raise AssertionError(f"{what} has a form that is not known")


_RULES = {
    "outset": hit_testing.outset,
    "shape": hit_testing.shape,
    "inside": hit_testing.inside,
    "hit": hit_testing.hit,
}


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
