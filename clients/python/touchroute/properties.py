"""The properties that set can change, and the form of each value. scripts/properties writes the lines."""

from __future__ import annotations

from enum import IntEnum

from . import abi


class Property(IntEnum):
    """A property of a view, a window or a recognizer that set can change."""

    HIDDEN = abi.PROPERTY_HIDDEN
    ALPHA = abi.PROPERTY_ALPHA
    INTERACTION = abi.PROPERTY_INTERACTION
    FRAME = abi.PROPERTY_FRAME
    BOUNDS_ORIGIN = abi.PROPERTY_BOUNDS_ORIGIN
    TRANSFORM = abi.PROPERTY_TRANSFORM
    ORDER = abi.PROPERTY_ORDER
    CONFIGURED = abi.PROPERTY_CONFIGURED
    OUTSET = abi.PROPERTY_OUTSET
    SHAPE = abi.PROPERTY_SHAPE
    INSIDE = abi.PROPERTY_INSIDE
    HIT = abi.PROPERTY_HIT
    SECURE = abi.PROPERTY_SECURE
    EXCLUSIVE_TOUCH = abi.PROPERTY_EXCLUSIVE_TOUCH
    MULTIPLE_TOUCH = abi.PROPERTY_MULTIPLE_TOUCH
    LEVEL = abi.PROPERTY_LEVEL
    ENABLED = abi.PROPERTY_ENABLED
    LABEL = abi.PROPERTY_LABEL
    FEEDBACK = abi.PROPERTY_FEEDBACK


FORMS: dict[Property, tuple[str | int, ...]] = {
    Property.HIDDEN: ("flag",),
    Property.ALPHA: ("number",),
    Property.INTERACTION: ("flag",),
    Property.FRAME: ("numbers", "x, y, width, height"),
    Property.BOUNDS_ORIGIN: ("numbers", "x, y"),
    Property.TRANSFORM: ("numbers", "a, b, c, d, tx, ty"),
    Property.ORDER: ("whole", 0, 2147483647),
    Property.CONFIGURED: ("nothing",),
    Property.OUTSET: ("outset",),
    Property.SHAPE: ("shape",),
    Property.INSIDE: ("inside",),
    Property.HIT: ("hit",),
    Property.SECURE: ("flag",),
    Property.EXCLUSIVE_TOUCH: ("flag",),
    Property.MULTIPLE_TOUCH: ("flag",),
    Property.LEVEL: ("whole", -1000000, 1000000),
    Property.ENABLED: ("flag",),
    Property.LABEL: ("text", 80),
    Property.FEEDBACK: ("name", 40),
}
