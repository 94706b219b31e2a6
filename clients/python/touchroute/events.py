"""The events of a connection. Times are microseconds of CLOCK_MONOTONIC, places are in points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .properties import Property
from .rules import Hit, Inside, Shape
from .values import (
    CancelReason,
    ClientFlags,
    DeviceFlags,
    Direction,
    Edge,
    FeedbackCause,
    GestureFlags,
    GestureKind,
    GestureState,
    LockCause,
    ObservedChangeKind,
    Phase,
    RecognizerState,
    Phases,
    ScreenCause,
    ScreenState,
    Setter,
    SignalFinding,
    TouchFlags,
    ViewDetailsFlags,
    ViewFlags,
)

Point: TypeAlias = tuple[float, float]
Rect: TypeAlias = tuple[float, float, float, float]
"""x, y, width, height"""
Transform: TypeAlias = tuple[float, float, float, float, float, float]
"""a, b, c, d, tx, ty: x' = a x + c y + tx, y' = b x + d y + ty"""
PropertyValue: TypeAlias = bool | int | float | str | tuple[float, ...] | Shape | Inside | Hit
"""a property's value, as Change takes it"""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen (rule L1)."""

    name: str
    size: Point
    """width and height in points, as the viewer sees it"""
    rotation: int
    """how the panel is mounted, in degrees clockwise"""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The daemon answers: after each connection, and after a change of its screens."""

    version: int
    max_request: int
    max_attachments: int
    decision_timeout_ms: int
    unresponsive_after_ms: int
    is_control: bool
    screens: tuple[Screen, ...]


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where an attachment's responder is."""

    attachment: int
    generation: int
    """the layout's number; it goes up with each change"""
    screen: int | None
    """an index into Welcome.screens; None for an application, whose other values are all 0"""
    view_count: int
    """how many views a touch's target can be"""
    added_count: int
    """how many of them were added through the attachment. If that is less than the program has
    added, a reload has not kept all of them (rule L7)"""
    frame: Rect
    """the box around the view, on the screen"""
    bounds: Rect
    """the view in its own coordinates"""
    transform: Transform
    """from the screen to the view"""


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment is in force: after attach, after each reconnection, and when it no longer
    waits."""

    geometry: Geometry


@dataclass(frozen=True, slots=True)
class Layout:
    """An attachment's geometry changed. Comes before the first touch that the change affects."""

    geometry: Geometry


@dataclass(frozen=True, slots=True)
class Sample:
    """A move that was merged into a later one (rule F2)."""

    time_us: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Touch:
    """One touch of a frame, as one attachment sees it."""

    id: int
    time_us: int
    """of its last change"""
    attachment: int
    target: int
    """the view that was hit: an index into the views that describe lists (rule H1)"""
    path: str
    """that view's path; empty if it is too long for a message"""
    phase: Phase
    cancel_reason: CancelReason | int
    flags: TouchFlags
    tap_count: int
    screen: int
    x: float
    """in the target's coordinates, as y (rule T9)"""
    y: float
    previous_x: float
    previous_y: float
    window_x: float
    window_y: float
    screen_x: float
    screen_y: float
    samples: tuple[Sample, ...] = ()


@dataclass(frozen=True, slots=True)
class Touches:
    """All live touches of one device that this program gets (rule T2)."""

    time_us: int
    sequence: int
    """the frame's number; it goes up, with gaps for frames that were not for this program"""
    device: int
    touches: tuple[Touch, ...]
    more: bool
    """whether the next event has further touches of the same frame"""


@dataclass(frozen=True, slots=True)
class Gesture:
    """A gesture, for an attachment that handles gestures (rules G12, G13, G16). Places are in the
    coordinates of the recognizer's view, or of its screen."""

    attachment: int
    recognizer: int
    """what add_gesture returned; 0 if this program did not add it"""
    path: str
    """the recognizer's: home/list#scroll"""
    kind: GestureKind | int
    state: GestureState
    cancel_reason: CancelReason | int
    time_us: int
    touches: int
    """fingers that are down; with RECOGNIZED and ENDED the most that were down together"""
    taps: int
    direction: Direction | int
    """of a swipe"""
    x: float
    """of the fingers' centroid"""
    y: float
    translation: Point
    """of a pan and an edge pan"""
    velocity: Point
    """points a second"""
    scale: float
    """of a pinch"""
    scale_velocity: float
    rotation: float
    """of a rotation, in degrees clockwise"""
    rotation_velocity: float

    @property
    def location(self) -> Point:
        """x and y, under the name that they have in Swift and JSON"""
        return (self.x, self.y)


@dataclass(frozen=True, slots=True)
class Detached:
    """An attachment has ended, not by detach. Its live touches are cancelled first."""

    attachment: int
    reason: int
    """a DetachReason, if known"""
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """An attachment made with wait waits in the queue for its responder. Its live touches are
    cancelled first. Attached follows (rule R2)."""

    attachment: int
    reason: int
    """0 if another client holds it; else why it was lost, a DetachReason if known"""
    text: str


@dataclass(frozen=True, slots=True)
class Holder:
    """Another program holds a view or controller in this program's window, or no longer holds it
    (rule F6)."""

    attachment: int
    """this program's attachment to the window"""
    path: str
    """the view's or controller's"""
    is_held: bool
    """whether that program holds it now; this replaces what was reported of the path before"""
    pid: int
    uid: int
    name: str
    handles: Phases
    passes: Phases


@dataclass(frozen=True, slots=True)
class ScreenNotice:
    """A screen is dark, waking or on: for its blanker, and for who watches screens (rule D2)."""

    screen: int
    """an index into the screens of Welcome"""
    name: str
    state: ScreenState | int
    cause: ScreenCause | int


@dataclass(frozen=True, slots=True)
class LockNotice:
    """A screen is locked, or no longer: for who watches screens (rule D9)."""

    screen: int
    """an index into the screens of Welcome"""
    name: str
    remaining_ms: int
    """until the lock ends; 0 if it has ended"""
    cause: LockCause | int


@dataclass(frozen=True, slots=True)
class Feedback:
    """Something was hit for which the layout names feedback (rules D10 to D12)."""

    time_us: int
    """CLOCK_MONOTONIC"""
    screen: int
    """an index into Welcome.screens"""
    cause: FeedbackCause | int
    name: str
    """of the feedback"""
    target: str | None
    """the path of the view or recognizer; None of a secure view"""


@dataclass(frozen=True, slots=True)
class LockStatus:
    """A screen's lock."""

    serial: int
    screen: int
    name: str
    remaining_ms: int
    pid: int | None
    """of the program that asked for it; None if an administrator did who has gone"""


@dataclass(frozen=True, slots=True)
class Idle:
    """Nobody has touched what a watch is about for so long, or somebody does again (rule D7)."""

    watch: int
    is_idle: bool


@dataclass(frozen=True, slots=True)
class ScreenStatus:
    """A screen's state, with its blanker."""

    serial: int
    screen: int
    name: str
    state: ScreenState | int
    pid: int | None
    """of its blanker"""
    blanker: str
    """what that calls itself"""


@dataclass(frozen=True, slots=True)
class InhibitorStatus:
    """An attachment that inhibits idle (rule D8)."""

    serial: int
    client: int
    attachment: int
    path: str
    handles: Phases
    passes: Phases
    live_touches: int


@dataclass(frozen=True, slots=True)
class Error:
    """A request was refused. If it was to attach, that attachment has ended."""

    serial: int
    """the request's; 0 if it answers none"""
    code: int
    """an ErrorCode, if known"""
    text: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The daemon is about to end the connection."""

    reason: int
    """a CloseReason, if known"""
    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection has ended. Live touches are cancelled first."""

    text: str


@dataclass(frozen=True, slots=True)
class View:
    """A view in the daemon's layout: an item of describe."""

    serial: int
    index: int
    parent: int | None
    """its superview's index, if that is among the views described"""
    path: str
    controller: str
    flags: ViewFlags
    holder: int | None
    """the process that holds it"""
    controller_holder: int | None
    frame: Rect
    """in the superview's coordinates (rule L2)"""
    bounds_origin: Point
    transform: Transform
    alpha: float


@dataclass(frozen=True, slots=True)
class ViewDetails:
    """Further properties of a window, and of a view that a program has added: an item of describe,
    after its view."""

    serial: int
    view: int
    """the index of its view"""
    screen: int | None
    """a window's: an index into Welcome.screens"""
    flags: ViewDetailsFlags
    pid: int | None
    """the process that has added the view"""
    application: str


@dataclass(frozen=True, slots=True)
class ViewProperty:
    """A property of a view, and who has set it: an item of describe, after its view. There is one
    for each override, and for outset, shape, inside, hit and level that differ from the default."""

    serial: int
    view: int
    """the index of its view"""
    property: Property
    value: PropertyValue
    """as Change takes it"""
    setter: Setter | int
    pid: int | None
    """the process through whose attachment it was set"""


@dataclass(frozen=True, slots=True)
class DescribedGesture:
    """A recognizer in the daemon's layout: an item of describe, after the views. What its kind does
    not have is None."""

    serial: int
    index: int
    """among all items; the first recognizer's index is the number of views"""
    view: int | None
    """the index of its view; None if it belongs to a screen"""
    screen: int | None
    """the index of its screen; None if it belongs to a view"""
    number: int
    """the daemon's number"""
    pid: int | None
    """the process that has added it; None if it is the configuration's"""
    path: str
    kind: GestureKind | int
    touches: tuple[int, int]
    taps: int
    direction: Direction | int
    edge: Edge | int
    flags: GestureFlags
    duration_ms: int | None
    interval_ms: int | None
    gather_ms: int | None
    slop: float | None
    distance: float | None
    margin: float | None
    slop_degrees: float | None
    after: tuple[str, ...]
    simultaneous: tuple[str, ...]
    to: str | None


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to ping."""

    serial: int


@dataclass(frozen=True, slots=True)
class Done:
    """A request is done. For describe and status it comes after the items."""

    serial: int
    total: int
    """describe: all views; status: the items sent; cancel: the touches; inject: the device number
    of its touches"""
    generation: int
    text: str
    """what a reload changed"""


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """The daemon's state, the first item of status."""

    serial: int
    pid: int
    started_us: int
    generation: int
    window_count: int
    view_count: int
    live_touches: int
    version: str
    configuration: str
    counters: tuple[int, ...]
    """by their numbers in docs/protocol.md"""
    latencies: tuple[int, ...]
    """frames by the time until they were sent: at i less than 2**i us, at the last the rest"""


@dataclass(frozen=True, slots=True)
class ClientStatus:
    """A client's state."""

    serial: int
    client: int
    """names it in the items that follow"""
    name: str
    pid: int
    uid: int
    gid: int
    flags: ClientFlags
    queued: int
    """bytes that wait in the daemon"""
    unread: int
    """bytes that wait in the socket"""
    messages: int
    coalesced: int
    """frames that were merged into others, because the client did not read (rule F2)"""
    dropped: int
    """samples that were dropped, because their touch's history was full (rule F2)"""
    live_touches: int


@dataclass(frozen=True, slots=True)
class AttachmentStatus:
    """An attachment's state."""

    serial: int
    client: int
    attachment: int
    """the daemon's number"""
    path: str
    handles: Phases
    passes: Phases
    live_touches: int
    is_waiting: bool = False
    """whether it waits in the queue for its responder (rule R2)"""


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """A device's state."""

    serial: int
    device: int
    name: str
    node: str
    phys: str
    bus: int
    vendor: int
    product: int
    version: int
    screen: int | None
    flags: DeviceFlags
    touch_count: int | None
    """how many fingers it can tell apart; None if it does not say"""
    live_touches: int


@dataclass(frozen=True, slots=True)
class Link:
    """One responder of a chain (rule R1)."""

    path: str
    pid: int | None
    attachment: int | None
    """the daemon's number"""
    outcome: int
    """an Outcome, if known"""
    phases: Phases


@dataclass(frozen=True, slots=True)
class ObservedTouch:
    """One touch that changed."""

    id: int
    phase: Phase
    cancel_reason: CancelReason | int
    discard_reason: int
    """a DiscardReason, if known"""
    flags: TouchFlags
    tap_count: int
    screen: int
    place: Point | None
    """on the screen; None in a secure view (rule F7)"""
    path: str
    """the path of the view that was hit; empty if none was"""
    chain: tuple[Link, ...]
    """with BEGAN: the responders that were asked, from the target up"""
    chain_total: int


@dataclass(frozen=True, slots=True)
class Observed:
    """A frame as it was routed, for observers."""

    time_us: int
    sequence: int
    device: int
    touches: tuple[ObservedTouch, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class ObservedGesture:
    """What happened to a recognizer that took a touch, for observers: all but CHANGED."""

    recognizer: int
    """the daemon's number"""
    path: str
    kind: GestureKind | int
    state: RecognizerState
    """POSSIBLE comes with the first touch that it takes, and without a touch once it is so again"""
    cancel_reason: CancelReason | int
    time_us: int
    touch: int | None
    """the id of one of its touches"""
    pid: int | None
    """the program that hears of it"""
    text: str
    """why it failed, or takes no part"""


@dataclass(frozen=True, slots=True)
class SignalStatus:
    """What a filter of a device has done (rule N1), or what is wrong with it (rule N10)."""

    serial: int
    device: int
    finding: SignalFinding | int
    count: int
    """of a filter: since it is in force; else 1"""
    since_us: int | None
    """since when it is wrong; None of a filter"""
    text: str
    """what is wrong, in words that follow the device's name"""


@dataclass(frozen=True, slots=True)
class ObservedSignal:
    """What a filter did (rule N1), or that a device has fallen ill or is well (rule N10)."""

    time_us: int
    device: int
    finding: SignalFinding | int
    touch: int | None
    """the id of the touch; None if the contact has not begun"""
    screen: int | None
    place: Point | None
    """where the device says that it is; None in a secure view (rule F7)"""
    is_over: bool
    """whether this is no longer wrong"""
    text: str
    """what is wrong, in words that follow the device's name"""


@dataclass(frozen=True, slots=True)
class ObservedChange:
    """What else decides where touches go, for observers that ask for changes."""

    kind: ObservedChangeKind
    time_us: int
    value: int
    """LAYOUT: its generation; ACCEPTED, DECLINED: the touch; DETACHED: the reason; LOST: how many"""
    client: int | None
    """the daemon's number, as in ClientStatus"""
    attachment: int | None
    """the daemon's number"""
    pid: int | None
    handles: Phases
    """with ATTACHED, as what follows"""
    passes: Phases
    gestures: bool
    path: str
    name: str


Status: TypeAlias = (
    DaemonStatus | ClientStatus | AttachmentStatus | DeviceStatus | SignalStatus | ScreenStatus
    | LockStatus | InhibitorStatus
)

Event: TypeAlias = (
    Touches | Attached | Layout | Detached | Waiting | Holder | Welcome | Error | Closing | Lost | View
    | Pong | Done | Status | Observed | ObservedGesture | ObservedSignal | Gesture | DescribedGesture
    | ViewDetails | ViewProperty | ScreenNotice | LockNotice | Feedback | Idle | ObservedChange
)
