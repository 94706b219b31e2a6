"""A client of touchrouted: the touches of the windows and views that a program attaches to.

    import touchroute

    with touchroute.Connection(name="hello") as connection:
        connection.attach("home")
        for event in connection:
            match event:
                case touchroute.Touches():
                    for touch in event.touches:
                        print(touch.phase.name, touch.path, touch.x, touch.y)
                case touchroute.Error():
                    raise SystemExit(event.text)

It needs the C library libtouchroute, which it finds by its usual name, or at the path in the
environment's TOUCHROUTE_LIBRARY.
"""

from .changes import Change, Contact
from .connection import Connection
from .errors import AwayError, ConnectError, EndedError, FullError, RequestError, TouchrouteError
from .events import (
    Attached,
    AttachmentStatus,
    ClientStatus,
    Closing,
    DaemonStatus,
    DescribedGesture,
    Detached,
    DeviceStatus,
    Done,
    Error,
    Event,
    Feedback,
    Geometry,
    Gesture,
    Holder,
    Idle,
    InhibitorStatus,
    Layout,
    Link,
    LockNotice,
    LockStatus,
    Lost,
    Observed,
    ObservedChange,
    ObservedGesture,
    ObservedSignal,
    ObservedTouch,
    Pong,
    Sample,
    Screen,
    ScreenNotice,
    ScreenStatus,
    SignalStatus,
    Status,
    Touch,
    Touches,
    View,
    ViewDetails,
    ViewProperty,
    Waiting,
    Welcome,
)
from .gestures import Recognizer
from .properties import Property
from .values import (
    CancelReason,
    ClientFlags,
    CloseReason,
    DetachReason,
    DeviceFlags,
    Direction,
    DiscardReason,
    Edge,
    ErrorCode,
    FeedbackCause,
    GestureFlags,
    GestureKind,
    GestureState,
    LockCause,
    LockExit,
    ObservedChangeKind,
    Outcome,
    Phase,
    Phases,
    RecognizerState,
    ScreenCause,
    ScreenState,
    Setter,
    SignalFinding,
    TouchFlags,
    ViewDetailsFlags,
    ViewFlags,
)

__all__ = [
    "Attached", "AttachmentStatus", "AwayError", "CancelReason", "Change", "ClientFlags",
    "ClientStatus", "CloseReason", "Closing", "ConnectError", "Connection", "Contact",
    "DaemonStatus", "DescribedGesture", "DetachReason", "Detached", "DeviceFlags", "DeviceStatus",
    "Direction", "DiscardReason", "Done", "Edge", "EndedError", "Error", "ErrorCode", "Event",
    "Feedback", "FeedbackCause", "FullError", "Geometry", "Gesture", "GestureFlags", "GestureKind",
    "GestureState", "Holder",
    "Idle", "InhibitorStatus", "Layout", "Link", "LockCause", "LockExit", "LockNotice",
    "LockStatus", "Lost", "Observed", "ObservedChange", "ObservedChangeKind",
    "ObservedGesture", "ObservedSignal", "ObservedTouch",
    "Outcome", "Phase", "Phases", "Pong", "Property", "Recognizer", "RecognizerState",
    "RequestError", "Sample", "Screen", "ScreenCause", "ScreenNotice", "ScreenState",
    "ScreenStatus", "Setter", "SignalFinding", "SignalStatus", "Status", "Touch", "TouchFlags",
    "Touches", "TouchrouteError", "View", "ViewDetails", "ViewDetailsFlags", "ViewFlags",
    "ViewProperty", "Waiting", "Welcome",
]
