"""What a program says of hit-testing, in the configuration's words: rules H3 to H6."""

from __future__ import annotations

from collections.abc import Mapping

from . import abi, rules
from .arguments import number, several, shown
from .errors import RequestError

Parts = tuple[tuple[float, ...], bytes, tuple[float, ...]]
"""numbers, words, and x and y of each point, as they go over the wire"""


def outset(value: object, what: str) -> Parts:
    """A number for every edge, or one for each."""
    if isinstance(value, (tuple, list)):
        return several(value, what, "top, left, bottom, right"), b"", ()
    return (number(value, what),) * 4, b"", ()


def shape(value: object, what: str) -> Parts:
    """A shape, with its radius or its points."""
    expected = '"rect", "ellipse", {"radius": 12} or {"polygon": [(x, y), ...]}'
    if isinstance(value, str) and value in rules.SHAPES:
        return (rules.SHAPES.index(value), 0.0), b"", ()
    key, inner = _entry(value)
    if key == "radius":
        return (2.0, number(inner, f"the radius of {what}")), b"", ()
    if key == "polygon" and isinstance(inner, (tuple, list)) and len(inner) >= 3:
        points = [several(point, f"each point of {what}", "x, y") for point in inner]
        if 16 * len(points) >= abi.MAX_REQUEST:
            raise RequestError(f"{what} has {len(points)} points: more than a request holds")
        return (3.0, 0.0), b"", tuple(part for point in points for part in point)
    raise _mistake(what, expected, value)


def inside(value: object, what: str) -> Parts:
    """A rule of where the inside is, with the names of subviews."""
    expected = '"bounds", "always", "never", "children" or {"children": ["name", ...]}'
    if isinstance(value, str) and value in rules.INSIDE:
        return (rules.INSIDE.index(value),), b"", ()
    key, inner = _entry(value)
    if key == "children" and isinstance(inner, (tuple, list)) and inner:
        if all(isinstance(name, str) and name and "," not in name for name in inner):
            return (3.0,), _words(",".join(inner), what), ()
    raise _mistake(what, expected, value)


def hit(value: object, what: str) -> Parts:
    """A rule of what is hit, with the path of a descendant."""
    expected = (
        '"default", "self", "none", "pass_through", {"redirect": "path"} or {"first": "path"}'
    )
    if isinstance(value, str) and value in rules.HIT:
        return (rules.HIT.index(value),), b"", ()
    key, inner = _entry(value)
    if key in rules.HIT_TABLE and isinstance(inner, str) and inner:
        return (4.0 + rules.HIT_TABLE.index(key),), _words(inner, what), ()
    raise _mistake(what, expected, value)


def _entry(value: object) -> tuple[str, object]:
    """The one entry of a mapping; no key where it is something else."""
    if isinstance(value, Mapping) and len(value) == 1:
        key, inner = next(iter(value.items()))
        if isinstance(key, str):
            return key, inner
    return "", None


def _words(text: str, what: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = b"\0"
    if b"\0" in data:
        raise RequestError(f"the names of {what} have to be text, without NUL: {shown(text)}")
    if len(data) > abi.MAX_REQUEST:
        raise RequestError(f"the names of {what} have {len(data)} bytes: more than a request holds")
    return data


def _mistake(what: str, expected: str, value: object) -> RequestError:
    return RequestError(f"{what} has to be {expected}, not {shown(value)}")
