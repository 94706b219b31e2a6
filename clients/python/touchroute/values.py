"""Names for the numbers of the protocol. docs/protocol.md says what each means."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from . import abi


class Phase(IntEnum):
    """The phase of a touch (rule T1)."""

    BEGAN = abi.PHASE_BEGAN
    MOVED = abi.PHASE_MOVED
    STATIONARY = abi.PHASE_STATIONARY
    ENDED = abi.PHASE_ENDED
    CANCELLED = abi.PHASE_CANCELLED

    @property
    def is_final(self) -> bool:
        """Whether the touch ends with this phase."""
        return self in (Phase.ENDED, Phase.CANCELLED)


class Phases(IntFlag):
    """Phases that an attachment handles or passes (rule R3). MOVED includes stationary."""

    NONE = 0
    BEGAN = abi.HANDLES_BEGAN
    MOVED = abi.HANDLES_MOVED
    ENDED = abi.HANDLES_ENDED
    CANCELLED = abi.HANDLES_CANCELLED
    ALL = abi.HANDLES_ALL


class CancelReason(IntEnum):
    """Why a touch was cancelled (rule R9)."""

    NONE = abi.CANCEL_NONE
    DEVICE_REMOVED = abi.CANCEL_DEVICE_REMOVED
    SUSPENDED = abi.CANCEL_SUSPENDED
    PALM = abi.CANCEL_PALM
    TARGET_REMOVED = abi.CANCEL_TARGET_REMOVED
    UNRESPONSIVE = abi.CANCEL_UNRESPONSIVE
    TAKEN_OVER = abi.CANCEL_TAKEN_OVER
    STOPPING = abi.CANCEL_STOPPING
    REQUESTED = abi.CANCEL_REQUESTED
    CONNECTION_LOST = abi.CANCEL_CONNECTION_LOST
    """Reported by this library, never by the daemon, for touches that were live."""
    GESTURE = abi.CANCEL_GESTURE
    """A recognizer has recognized, and took the touch (rule G9)."""
    STUCK = abi.CANCEL_STUCK
    """It has not moved for too long (rule N9)."""
    GHOST = abi.CANCEL_GHOST
    """No finger was there (rule N8)."""
    DARK = abi.CANCEL_DARK
    """Its screen went dark (rule D3)."""
    LOCKED = abi.CANCEL_LOCKED
    """Its screen was locked (rule D9)."""


class SignalFinding(IntEnum):
    """What a filter of a device did (rules N2 to N9)."""

    BRIDGED = abi.SIGNAL_BRIDGED
    SHORT = abi.SIGNAL_SHORT
    SMOOTHED = abi.SIGNAL_SMOOTHED
    OUTLIER = abi.SIGNAL_OUTLIER
    SPLIT = abi.SIGNAL_SPLIT
    DEAD_ZONE = abi.SIGNAL_DEAD_ZONE
    EDGE = abi.SIGNAL_EDGE
    GHOST = abi.SIGNAL_GHOST
    STUCK = abi.SIGNAL_STUCK
    PALM = abi.SIGNAL_PALM
    SILENT = abi.SIGNAL_SILENT
    """This and the next: what is wrong with a device (rule N10)."""
    HELD = abi.SIGNAL_HELD
    SLOWED = abi.SIGNAL_SLOWED
    HAUNTED = abi.SIGNAL_HAUNTED
    OVERRUN = abi.SIGNAL_OVERRUN
    UNSTEADY = abi.SIGNAL_UNSTEADY
    DRIFTED = abi.SIGNAL_DRIFTED


class GestureKind(IntEnum):
    """What a recognizer recognizes."""

    TAP = abi.GESTURE_TAP
    LONG_PRESS = abi.GESTURE_LONG_PRESS
    PAN = abi.GESTURE_PAN
    SWIPE = abi.GESTURE_SWIPE
    PINCH = abi.GESTURE_PINCH
    ROTATION = abi.GESTURE_ROTATION
    EDGE_PAN = abi.GESTURE_EDGE_PAN


class GestureState(IntEnum):
    """The state of a gesture (rules G3 and G12)."""

    RECOGNIZED = abi.GESTURE_RECOGNIZED
    """a tap or a swipe has happened"""
    BEGAN = abi.GESTURE_BEGAN
    CHANGED = abi.GESTURE_CHANGED
    ENDED = abi.GESTURE_ENDED
    CANCELLED = abi.GESTURE_CANCELLED


class RecognizerState(IntEnum):
    """The state of a recognizer, as observers hear of it (rules G3 and F7)."""

    RECOGNIZED = abi.GESTURE_RECOGNIZED
    BEGAN = abi.GESTURE_BEGAN
    CHANGED = abi.GESTURE_CHANGED
    ENDED = abi.GESTURE_ENDED
    CANCELLED = abi.GESTURE_CANCELLED
    FAILED = abi.GESTURE_FAILED
    POSSIBLE = abi.GESTURE_POSSIBLE
    """it has taken its first touch; or, without a touch, it is possible again"""
    PASSED_BY = abi.GESTURE_PASSED_BY
    """it takes no part in that touch, because no program would hear of it (rule G2)"""


class Direction(IntEnum):
    """A direction in a view. A swipe has LEFT to DOWN; a pan has ANY, HORIZONTAL or VERTICAL."""

    ANY = abi.DIRECTION_ANY
    LEFT = abi.DIRECTION_LEFT
    RIGHT = abi.DIRECTION_RIGHT
    UP = abi.DIRECTION_UP
    DOWN = abi.DIRECTION_DOWN
    HORIZONTAL = abi.DIRECTION_HORIZONTAL
    VERTICAL = abi.DIRECTION_VERTICAL


class Edge(IntEnum):
    """The edge of a view at which an edge pan begins."""

    NONE = abi.EDGE_NONE
    LEFT = abi.EDGE_LEFT
    RIGHT = abi.EDGE_RIGHT
    TOP = abi.EDGE_TOP
    BOTTOM = abi.EDGE_BOTTOM


class GestureFlags(IntFlag):
    """Options of a recognizer (rules G2, G5, G9 to G11)."""

    NONE = 0
    DISABLED = abi.GESTURE_DISABLED
    KEEPS_TOUCHES = abi.GESTURE_KEEPS_TOUCHES
    PASSES_ENDED = abi.GESTURE_PASSES_ENDED
    DELAYS_BEGAN = abi.GESTURE_DELAYS_BEGAN
    HAS_PRIORITY = abi.GESTURE_HAS_PRIORITY
    UNHEARD = abi.GESTURE_UNHEARD
    """only when described: no program that handles gestures would hear of it"""
    CROWDED_OUT = abi.GESTURE_CROWDED_OUT
    """only when described: no touch is offered to it, because too many come before it"""


class DiscardReason(IntEnum):
    """Why a touch went to no client."""

    NONE = abi.DISCARD_NONE
    NO_WINDOW = abi.DISCARD_NO_WINDOW
    OUTSIDE_SCREEN = abi.DISCARD_OUTSIDE_SCREEN
    UNHANDLED = abi.DISCARD_UNHANDLED
    SINGLE_TOUCH = abi.DISCARD_SINGLE_TOUCH
    EXCLUSIVE = abi.DISCARD_EXCLUSIVE
    DECLINED = abi.DISCARD_DECLINED
    LIMIT = abi.DISCARD_LIMIT
    OVER = abi.DISCARD_OVER
    GESTURE = abi.DISCARD_GESTURE
    DARK = abi.DISCARD_DARK
    LOCKED = abi.DISCARD_LOCKED


class ScreenState(IntEnum):
    """Whether a screen shows anything (rule D1)."""

    ON = abi.SCREEN_ON
    DARK = abi.SCREEN_DARK
    WAKING = abi.SCREEN_WAKING
    """a finger has woken it, and its blanker has yet to say that it is on"""


class LockExit(IntFlag):
    """What fingers do to end a lock (rule D9)."""

    NONE = 0
    HOLD_CORNERS = abi.LOCK_HOLD_CORNERS
    """two of them rest in two corners of the screen for three seconds"""
    TAPS = abi.LOCK_TAPS
    """one of them taps five times in a row"""


class LockCause(IntEnum):
    """Why a screen is locked, or no longer (rule D9)."""

    UNCHANGED = abi.LOCK_UNCHANGED
    """it was locked before"""
    REQUESTED = abi.LOCK_REQUESTED
    TIME_IS_OVER = abi.LOCK_TIME_IS_OVER
    EXIT = abi.LOCK_EXIT
    CLIENT_LEFT = abi.LOCK_CLIENT_LEFT


class FeedbackCause(IntEnum):
    """What gives feedback (rule D10)."""

    TOUCH = abi.FEEDBACK_TOUCH
    """a touch began on a view, and a client gets it"""
    GESTURE = abi.FEEDBACK_GESTURE
    """a recognizer has recognized or begun"""


class ScreenCause(IntEnum):
    """Why a screen has another state (rules D2, D4 and D5)."""

    UNCHANGED = abi.SCREEN_UNCHANGED
    """it has had it before"""
    REQUESTED = abi.SCREEN_REQUESTED
    WOKEN = abi.SCREEN_WOKEN
    TIMED_OUT = abi.SCREEN_TIMED_OUT
    UNATTENDED = abi.SCREEN_UNATTENDED


class TouchFlags(IntFlag):
    """Flags of a touch."""

    REPLAYED = abi.TOUCH_REPLAYED
    INJECTED = abi.TOUCH_INJECTED
    COALESCED = abi.TOUCH_COALESCED
    SECURE = abi.TOUCH_SECURE


class ObservedChangeKind(IntEnum):
    """What else decides where touches go, as observers hear of it."""

    LAYOUT = abi.CHANGE_LAYOUT
    """another layout is in force, or other recognizers"""
    ATTACHED = abi.CHANGE_ATTACHED
    DETACHED = abi.CHANGE_DETACHED
    GONE = abi.CHANGE_GONE
    """a client has disconnected, with all that it held"""
    UNRESPONSIVE = abi.CHANGE_UNRESPONSIVE
    RESPONSIVE = abi.CHANGE_RESPONSIVE
    ACCEPTED = abi.CHANGE_ACCEPTED
    DECLINED = abi.CHANGE_DECLINED
    LOST = abi.CHANGE_LOST
    """messages for this observer were dropped"""
    LIFTED = abi.CHANGE_LIFTED
    """a finger was lifted, and a recognizer holds the end of its touch back (rule G10)"""


class Outcome(IntEnum):
    """What happened to a touch at a responder, for observers."""

    NO_CLIENT = abi.OUTCOME_NO_CLIENT
    DELIVERED = abi.OUTCOME_DELIVERED
    NOT_HANDLED = abi.OUTCOME_NOT_HANDLED
    UNRESPONSIVE = abi.OUTCOME_UNRESPONSIVE
    DECLINED = abi.OUTCOME_DECLINED


class ErrorCode(IntEnum):
    """Why a request was refused."""

    PROTOCOL = abi.ERROR_PROTOCOL
    VERSION = abi.ERROR_VERSION
    NO_RESPONDER = abi.ERROR_NO_RESPONDER
    HELD = abi.ERROR_HELD
    NOT_ALLOWED = abi.ERROR_NOT_ALLOWED
    LIMIT = abi.ERROR_LIMIT
    NOT_SUPPORTED = abi.ERROR_NOT_SUPPORTED
    NOT_ATTACHED = abi.ERROR_NOT_ATTACHED
    INVALID = abi.ERROR_INVALID


class CloseReason(IntEnum):
    """Why the daemon ends the connection."""

    STOPPING = abi.CLOSE_STOPPING
    PROTOCOL = abi.CLOSE_PROTOCOL
    QUEUE_FULL = abi.CLOSE_QUEUE_FULL
    LIMIT = abi.CLOSE_LIMIT


class DetachReason(IntEnum):
    """Why an attachment ended, or went back into the queue, without detach."""

    REQUESTED = abi.DETACH_REQUESTED
    REMOVED = abi.DETACH_REMOVED
    TAKEN_OVER = abi.DETACH_TAKEN_OVER
    NOT_ALLOWED = abi.DETACH_NOT_ALLOWED


class ViewFlags(IntFlag):
    """Properties of a view, as flags."""

    HIDDEN = abi.VIEW_HIDDEN
    NO_INTERACTION = abi.VIEW_NO_INTERACTION
    SINGLE_TOUCH = abi.VIEW_SINGLE_TOUCH
    EXCLUSIVE_TOUCH = abi.VIEW_EXCLUSIVE_TOUCH
    SECURE = abi.VIEW_SECURE


class ViewDetailsFlags(IntFlag):
    """Further flags of a view."""

    ADDED = abi.DETAILS_ADDED
    """a program has added it (rule L7)"""
    RESIZABLE = abi.DETAILS_RESIZABLE
    """a window's: its holder may set it beyond its configured area (rule L6)"""
    INCOMPLETE = abi.DETAILS_INCOMPLETE
    """a property is left out, because it has more words or points than fit into a message"""


class Setter(IntEnum):
    """Who has set a property of a view, and so when the override ends (rule L6)."""

    NONE = abi.SETTER_NONE
    """it is not overridden: it is as configured, or as it was added"""
    ATTACHMENT = abi.SETTER_ATTACHMENT
    """set through an attachment, and ends with it"""
    RULE = abi.SETTER_RULE
    """set by a client by the right of an access rule, and ends with that client"""
    CONTROL = abi.SETTER_CONTROL
    """set over the control socket, and stays"""


class ClientFlags(IntFlag):
    """Flags of a client."""

    CONTROL = abi.CLIENT_CONTROL
    OBSERVER = abi.CLIENT_OBSERVER
    UNRESPONSIVE = abi.CLIENT_UNRESPONSIVE


class DeviceFlags(IntFlag):
    """Flags of a device."""

    GRABBED = abi.DEVICE_GRABBED
    SUSPENDED = abi.DEVICE_SUSPENDED
    IGNORED = abi.DEVICE_IGNORED


def known(kind: type[IntEnum], value: int) -> int:
    """Returns the member of that value, or the number itself if a newer daemon sent another."""
    try:
        return kind(value)
    except ValueError:
        return value
