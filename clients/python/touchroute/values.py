"""Names for the numbers of the protocol. docs/protocol.md says what each means."""

from __future__ import annotations

from enum import IntEnum, IntFlag

class Phase(IntEnum):
    """The phase of a touch (rule T1)."""

    BEGAN = 1
    MOVED = 2
    STATIONARY = 3
    ENDED = 4
    CANCELLED = 5

    @property
    def is_final(self) -> bool:
        """Whether the touch ends with this phase."""
        return self in (Phase.ENDED, Phase.CANCELLED)


class Phases(IntFlag):
    """Phases that an attachment handles or passes (rule R3). MOVED includes stationary."""

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
    """Reported by this library, never by the daemon, for touches that were live."""
    GESTURE = 10
    """A recognizer has recognized, and took the touch (rule G9)."""


class GestureKind(IntEnum):
    """What a recognizer recognizes."""

    TAP = 1
    LONG_PRESS = 2
    PAN = 3
    SWIPE = 4
    PINCH = 5
    ROTATION = 6
    EDGE_PAN = 7


class GestureState(IntEnum):
    """The state of a gesture (rules G3 and G12)."""

    RECOGNIZED = 1
    """a tap or a swipe has happened"""
    BEGAN = 2
    CHANGED = 3
    ENDED = 4
    CANCELLED = 5


class RecognizerState(IntEnum):
    """The state of a recognizer, as observers hear of it (rules G3 and F7)."""

    RECOGNIZED = 1
    BEGAN = 2
    CHANGED = 3
    ENDED = 4
    CANCELLED = 5
    FAILED = 6
    POSSIBLE = 7
    """it has taken its first touch; or, without a touch, it is possible again"""
    PASSED_BY = 8
    """it takes no part in that touch, because no program would hear of it (rule G2)"""


class Direction(IntEnum):
    """A direction in a view. A swipe has LEFT to DOWN; a pan has ANY, HORIZONTAL or VERTICAL."""

    ANY = 0
    LEFT = 1
    RIGHT = 2
    UP = 3
    DOWN = 4
    HORIZONTAL = 5
    VERTICAL = 6


class Edge(IntEnum):
    """The edge of a view at which an edge pan begins."""

    NONE = 0
    LEFT = 1
    RIGHT = 2
    TOP = 3
    BOTTOM = 4


class GestureFlags(IntFlag):
    """Options of a recognizer (rules G2, G5, G9 to G11)."""

    NONE = 0
    DISABLED = 1
    KEEPS_TOUCHES = 2
    PASSES_ENDED = 4
    DELAYS_BEGAN = 8
    HAS_PRIORITY = 16
    UNHEARD = 32
    """only when described: no program that handles gestures would hear of it"""
    CROWDED_OUT = 64
    """only when described: no touch is offered to it, because too many come before it"""


class DiscardReason(IntEnum):
    """Why a touch went to no client."""

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
    """Flags of a touch."""

    REPLAYED = 1
    INJECTED = 2
    COALESCED = 4
    SECURE = 8


class Outcome(IntEnum):
    """What happened to a touch at a responder, for observers."""

    NO_CLIENT = 0
    DELIVERED = 1
    NOT_HANDLED = 2
    UNRESPONSIVE = 3
    DECLINED = 4


class ErrorCode(IntEnum):
    """Why a request was refused."""

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
    """Why an attachment ended, or went back into the queue, without detach."""

    REQUESTED = 0
    REMOVED = 1
    TAKEN_OVER = 2
    NOT_ALLOWED = 3


class Property(IntEnum):
    """A property of a view, a window or a recognizer that set can change."""

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
    """Properties of a view, as flags."""

    HIDDEN = 1
    NO_INTERACTION = 2
    SINGLE_TOUCH = 4
    EXCLUSIVE_TOUCH = 8
    SECURE = 16


class ViewDetailsFlags(IntFlag):
    """Further flags of a view."""

    ADDED = 1
    """a program has added it (rule L7)"""
    RESIZABLE = 2
    """a window's: its holder may set it beyond its configured area (rule L6)"""
    INCOMPLETE = 4
    """a property is left out, because it has more words or points than fit into a message"""


class Setter(IntEnum):
    """Who has set a property of a view, and so when the override ends (rule L6)."""

    NONE = 0
    """it is not overridden: it is as configured, or as it was added"""
    ATTACHMENT = 1
    """set through an attachment, and ends with it"""
    RULE = 2
    """set by a client by the right of an access rule, and ends with that client"""
    CONTROL = 3
    """set over the control socket, and stays"""


class ClientFlags(IntFlag):
    """Flags of a client."""

    CONTROL = 1
    OBSERVER = 2
    UNRESPONSIVE = 4


class DeviceFlags(IntFlag):
    """Flags of a device."""

    GRABBED = 1
    SUSPENDED = 2
    IGNORED = 4


def known(kind: type[IntEnum], value: int) -> int:
    """Returns the member of that value, or the number itself if a newer daemon sent another."""
    try:
        return kind(value)
    except ValueError:
        return value
