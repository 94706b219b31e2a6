"""The numbers of the wire by their names. docs/protocol.md says what each means."""

from __future__ import annotations

from enum import IntEnum, IntFlag

class Phase(IntEnum):
    """Where a touch stands in its life (rule T1)."""

    BEGAN = 1
    MOVED = 2
    STATIONARY = 3
    ENDED = 4
    CANCELLED = 5

    @property
    def is_final(self) -> bool:
        """Whether a touch is over with this phase."""
        return self in (Phase.ENDED, Phase.CANCELLED)


class Phases(IntFlag):
    """Phases that an attachment handles or passes on (rule R3). Stationary goes with moved."""

    NONE = 0
    BEGAN = 1
    MOVED = 2
    ENDED = 4
    CANCELLED = 8
    ALL = 15


class CancelReason(IntEnum):
    """Why a touch was cancelled (rule R9)."""

    NONE = 0
    DEVICE_REMOVED = 1
    SUSPENDED = 2
    PALM = 3
    TARGET_REMOVED = 4
    UNRESPONSIVE = 5
    TAKEN_OVER = 6
    STOPPING = 7
    REQUESTED = 8
    CONNECTION_LOST = 9
    """Never said by the daemon: this library says it of what was live."""
    GESTURE = 10
    """A recogniser has recognised, and the touch is its own (rule G9)."""


class GestureKind(IntEnum):
    """What a recogniser recognises."""

    TAP = 1
    LONG_PRESS = 2
    PAN = 3
    SWIPE = 4
    PINCH = 5
    ROTATION = 6
    EDGE_PAN = 7


class GestureState(IntEnum):
    """What happened to a gesture (rules G3 and G12)."""

    RECOGNIZED = 1
    """a tap or a swipe has happened"""
    BEGAN = 2
    CHANGED = 3
    ENDED = 4
    CANCELLED = 5


class RecognizerState(IntEnum):
    """What observers hear of a recogniser (rules G3 and F7)."""

    RECOGNIZED = 1
    BEGAN = 2
    CHANGED = 3
    ENDED = 4
    CANCELLED = 5
    FAILED = 6
    POSSIBLE = 7
    """it has taken its first touch; or, where no touch is told, it is so again"""
    PASSED_BY = 8
    """it takes no part in that touch, as no program would hear of it (rule G2)"""


class Direction(IntEnum):
    """A way along the axes of a view: of a swipe the first four, of a pan the last two, or ANY."""

    ANY = 0
    LEFT = 1
    RIGHT = 2
    UP = 3
    DOWN = 4
    HORIZONTAL = 5
    VERTICAL = 6


class Edge(IntEnum):
    """An edge of a view, of an edge pan."""

    NONE = 0
    LEFT = 1
    RIGHT = 2
    TOP = 3
    BOTTOM = 4


class GestureFlags(IntFlag):
    """How a recogniser goes about it (rules G2, G5, G9 to G11)."""

    NONE = 0
    DISABLED = 1
    KEEPS_TOUCHES = 2
    PASSES_ENDED = 4
    DELAYS_BEGAN = 8
    HAS_PRIORITY = 16
    UNHEARD = 32
    """of one that is described: no program that handles gestures would hear of it"""
    CROWDED_OUT = 64
    """of one that is described: so many come before it that no touch is offered to it"""


class DiscardReason(IntEnum):
    """Why a touch went to nobody."""

    NONE = 0
    NO_WINDOW = 1
    OUTSIDE_SCREEN = 2
    UNHANDLED = 3
    SINGLE_TOUCH = 4
    EXCLUSIVE = 5
    DECLINED = 6
    LIMIT = 7
    OVER = 8
    GESTURE = 9


class TouchFlags(IntFlag):
    """What is special about a touch."""

    REPLAYED = 1
    INJECTED = 2
    COALESCED = 4
    SECURE = 8


class Outcome(IntEnum):
    """What became of a touch at a responder, for those who observe."""

    NO_CLIENT = 0
    DELIVERED = 1
    NOT_HANDLED = 2
    UNRESPONSIVE = 3
    DECLINED = 4


class ErrorCode(IntEnum):
    """What kind of refusal an error is."""

    PROTOCOL = 1
    VERSION = 2
    NO_RESPONDER = 3
    HELD = 4
    NOT_ALLOWED = 5
    LIMIT = 6
    NOT_SUPPORTED = 7
    NOT_ATTACHED = 8
    INVALID = 9


class CloseReason(IntEnum):
    """Why the daemon ends the connection."""

    STOPPING = 1
    PROTOCOL = 2
    QUEUE_FULL = 3
    LIMIT = 4


class DetachReason(IntEnum):
    """Why an attachment ended though nobody asked."""

    REQUESTED = 0
    REMOVED = 1
    TAKEN_OVER = 2
    NOT_ALLOWED = 3


class Property(IntEnum):
    """What set can change of a view or window, or of a recogniser."""

    HIDDEN = 1
    ALPHA = 2
    INTERACTION = 3
    FRAME = 4
    BOUNDS_ORIGIN = 5
    TRANSFORM = 6
    ORDER = 7
    CONFIGURED = 8
    OUTSET = 9
    SHAPE = 10
    INSIDE = 11
    HIT = 12
    SECURE = 13
    EXCLUSIVE_TOUCH = 14
    MULTIPLE_TOUCH = 15
    LEVEL = 16
    ENABLED = 17


class ViewFlags(IntFlag):
    """Properties of a view that are on."""

    HIDDEN = 1
    NO_INTERACTION = 2
    SINGLE_TOUCH = 4
    EXCLUSIVE_TOUCH = 8
    SECURE = 16


class ViewDetailsFlags(IntFlag):
    """What else is special about a view."""

    ADDED = 1
    """a program has added it (rule L7)"""
    RESIZABLE = 2
    """of a window: who holds it may have it take more of its screen (rule L6)"""
    INCOMPLETE = 4
    """a property of it has more words or points than a message takes, and is not told"""


class Setter(IntEnum):
    """By which right a property of a view is what it is (rule L6)."""

    NONE = 0
    """nobody has set it: it is as configured, or as it was added"""
    ATTACHMENT = 1
    """by a program's attachment, with which it goes"""
    RULE = 2
    """a client by an access rule's right, with which it goes"""
    CONTROL = 3
    """over the control socket; it stays"""


class ClientFlags(IntFlag):
    """What is special about a client."""

    CONTROL = 1
    OBSERVER = 2
    UNRESPONSIVE = 4


class DeviceFlags(IntFlag):
    """What is special about a device."""

    GRABBED = 1
    SUSPENDED = 2
    IGNORED = 4


def known(kind: type[IntEnum], value: int) -> int:
    """The member of that value, or the bare number where a newer daemon says something new."""
    try:
        return kind(value)
    except ValueError:
        return value
