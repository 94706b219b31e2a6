"""The rules of hit-testing in the configuration's words, H3 to H6, and as messages have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Outset = float | tuple[float, float, float, float]
"""beyond every edge; or beyond the top, the left, the bottom and the right one"""
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
    """The shape that a message has."""
    if values[0] == 2:
        return {"radius": values[1]}
    if values[0] == 3:
        return {"polygon": list(zip(points[::2], points[1::2]))}
    return SHAPES[int(values[0])]


def shown_inside(values: tuple[float, ...], words: str) -> Inside:
    """The rule of where the inside is that a message has."""
    return {"children": words.split(",")} if words else INSIDE[int(values[0])]


def shown_hit(values: tuple[float, ...], words: str) -> Hit:
    """The rule of what is hit that a message has."""
    return {HIT_TABLE[int(values[0]) - 4]: words} if words else HIT[int(values[0])]
