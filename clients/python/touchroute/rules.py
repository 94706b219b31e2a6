"""The hit-testing properties of rules H3 to H6: as the configuration has them, and the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Outset = float | tuple[float, float, float, float]
"""beyond every edge; or beyond the top, left, bottom and right one"""
Shape = str | Mapping[str, float] | Mapping[str, Sequence[tuple[float, float]]]
""""rect", "ellipse", {"radius": 12} or {"polygon": [(x, y), ...]}"""
Inside = str | Mapping[str, Sequence[str]]
""""bounds", "always", "never", "children" or {"children": ["name", ...]}"""
Hit = str | Mapping[str, str]
""""default", "self", "none", "pass_through", {"redirect": "path"} or {"first": "path"}"""

SHAPES = ("rect", "ellipse")
INSIDE = ("bounds", "always", "never", "children")
HIT = ("default", "self", "none", "pass_through")
HIT_TABLE = ("redirect", "first")


def shown_shape(values: tuple[float, ...], points: tuple[float, ...]) -> Shape:
    """Returns the shape in a message."""
    if values[0] == 2:
        return {"radius": values[1]}
    if values[0] == 3:
        return {"polygon": list(zip(points[::2], points[1::2]))}
    return SHAPES[int(values[0])]


def shown_inside(values: tuple[float, ...], words: str) -> Inside:
    """Returns the value of inside in a message."""
    return {"children": words.split(",")} if words else INSIDE[int(values[0])]


def shown_hit(values: tuple[float, ...], words: str) -> Hit:
    """Returns the value of hit in a message."""
    return {HIT_TABLE[int(values[0]) - 4]: words} if words else HIT[int(values[0])]
