"""What a connection brings. Times are microseconds of CLOCK_MONOTONIC, places are in points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .rules import Hit, Inside, Shape
from .values import (
    CancelReason,
    ClientFlags,
    DeviceFlags,
    Direction,
    Edge,
    ErrorCode,
    GestureFlags,
    GestureKind,
    GestureState,
    Phase,
    RecognizerState,
    Phases,
    Property,
    Setter,
    TouchFlags,
    ViewDetailsFlags,
    ViewFlags,
)

Point: TypeAlias = tuple[float, float]
Rect: TypeAlias = tuple[float, float, float, float]
"""x, y, width, height"""
Transform: TypeAlias = tuple[float, float, float, float, float, float]
"""a, b, c, d, tx, ty: x' = a x + c y + tx, y' = b x + d y + ty"""
PropertyValue: TypeAlias = bool | int | float | tuple[float, ...] | Shape | Inside | Hit
"""a property's value, as Change takes it"""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen (rule L1)."""

    name: str
    size: Point
    """as its viewer sees it"""
    rotation: int
    """how the panel is mounted, in degrees clockwise"""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The daemon answers: after each connection, and when its screens have changed."""

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
    """of the layout; goes up when it changes"""
    screen: int | None
    """counted among those of Welcome; None for an application, whose other values are all 0"""
    view_count: int
    """how many views a touch's target can be"""
    added_count: int
    """how many of them were added through the attachment; where it is less than the program has
    added, a reload has not kept all (rule L7)"""
    frame: Rect
    """the box round the view, on the screen"""
    bounds: Rect
    """the view in its own coordinates"""
    transform: Transform
    """from the screen to the view"""


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment is in force: after it was asked for, after each reconnection, and once it need
    not wait any longer."""

    geometry: Geometry


@dataclass(frozen=True, slots=True)
class Layout:
    """An attachment's geometry changed; comes before the first touch that the change affects."""

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
    """the view that was hit, counted among those that describe lists (rule H1)"""
    path: str
    """that view's; empty where it is longer than a message may have it"""
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
    """of the frame; goes up, with gaps where a frame was not for this program"""
    device: int
    touches: tuple[Touch, ...]
    more: bool
    """whether the same frame goes on, with other touches, in the next event"""


@dataclass(frozen=True, slots=True)
class Gesture:
    """What a gesture has come to, for an attachment that handles gestures (rules G12, G13, G16).
    Places are in the coordinates of the recogniser's view, or of its screen."""

    attachment: int
    recognizer: int
    """what add_gesture returned; 0 where another program, or the configuration, declared it"""
    path: str
    """of the recogniser: home/list#scroll"""
    kind: GestureKind | int
    state: GestureState
    cancel_reason: CancelReason | int
    time_us: int
    touches: int
    """fingers on the glass; with RECOGNIZED and ENDED the most that were"""
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
        """x and y, under the name that Swift and JSON have for them"""
        return (self.x, self.y)


@dataclass(frozen=True, slots=True)
class Detached:
    """An attachment ended though nobody asked; its live touches have been cancelled before."""

    attachment: int
    reason: int
    """a DetachReason, where it is known"""
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """An attachment that was made with wait stands in line for its responder; its live touches have
    been cancelled before. Attached follows (rule R2)."""

    attachment: int
    reason: int
    """0 where another client holds it; else a DetachReason, where it is known"""
    text: str


@dataclass(frozen=True, slots=True)
class Holder:
    """Another program holds something in this one's window, or has let go of it (rule F6)."""

    attachment: int
    """this program's, to the window"""
    path: str
    """of the view or controller"""
    is_held: bool
    """held now, by that program instead of any told before; or let go by it"""
    pid: int
    uid: int
    name: str
    handles: Phases
    passes: Phases


@dataclass(frozen=True, slots=True)
class Error:
    """A request was refused. Where it made an attachment, that is no more."""

    serial: int
    """of the request; 0 where it answers none"""
    code: int
    """an ErrorCode, where it is known"""
    text: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The daemon is about to end the connection."""

    reason: int
    """a CloseReason, where it is known"""
    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection has ended; live touches have been cancelled before."""

    text: str


@dataclass(frozen=True, slots=True)
class View:
    """A view as the daemon has it: an item of describe."""

    serial: int
    index: int
    parent: int | None
    """among the views of the path described, where it is one of them"""
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
    """What else there is to be said of a window, and of a view that a program has added: an item of
    describe, behind its view."""

    serial: int
    view: int
    """the index of its view"""
    screen: int | None
    """of a window: an index into Welcome.screens"""
    flags: ViewDetailsFlags
    pid: int | None
    """the process that has added it"""
    application: str


@dataclass(frozen=True, slots=True)
class ViewProperty:
    """A property of a view, and by which right: an item of describe, behind its view. Told are
    outset, shape, inside, hit and level where they are not as they are by default, and what
    somebody has set."""

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
    """A recogniser as the daemon has it: an item of describe, behind the views. What its kind does
    not have is None."""

    serial: int
    index: int
    """among what is described: the first one's is the number of views"""
    view: int | None
    """the index of its view; None of a screen's"""
    screen: int | None
    number: int
    """the daemon's"""
    pid: int | None
    """the process that has added it; None where the configuration has"""
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
    """The end of an answer: to detach, observe and reload, and after the items of the others."""

    serial: int
    total: int
    """describe: the views in all; status: the items sent; cancel: the touches; inject: the device
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
    """by their places in docs/protocol.md"""
    latencies: tuple[int, ...]
    """frames by the time to their send: at i less than 2**i us, at the last place the rest"""


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
    """frames that were merged into others, because it did not read (rule F2)"""
    dropped: int
    """samples that were over the bound of their touch's history (rule F2)"""
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
    """whether it stands in line for its responder (rule R2)"""


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
    """the fingers that it can tell apart, where it says so"""
    live_touches: int


@dataclass(frozen=True, slots=True)
class Link:
    """One responder of a chain (rule R1)."""

    path: str
    pid: int | None
    attachment: int | None
    """the daemon's number"""
    outcome: int
    """an Outcome, where it is known"""
    phases: Phases


@dataclass(frozen=True, slots=True)
class ObservedTouch:
    """One touch that changed."""

    id: int
    phase: Phase
    cancel_reason: CancelReason | int
    discard_reason: int
    """a DiscardReason, where it is known"""
    flags: TouchFlags
    tap_count: int
    screen: int
    place: Point | None
    """on the screen; None in a secure view (rule F7)"""
    path: str
    """of the view that was hit; empty where none was"""
    chain: tuple[Link, ...]
    """with BEGAN: the responders asked, from the target up"""
    chain_total: int


@dataclass(frozen=True, slots=True)
class Observed:
    """A frame as it was routed, for those who observe."""

    time_us: int
    sequence: int
    device: int
    touches: tuple[ObservedTouch, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class ObservedGesture:
    """What happened to a recogniser that took a touch, for those who observe: all but CHANGED."""

    recognizer: int
    """the daemon's number"""
    path: str
    kind: GestureKind | int
    state: RecognizerState
    """POSSIBLE twice: with the first touch that it takes, and without one when it is so again"""
    cancel_reason: CancelReason | int
    time_us: int
    touch: int | None
    """the id of one of its touches"""
    pid: int | None
    """of the program that is told of it"""
    text: str
    """why it failed, or takes no part"""


Status: TypeAlias = DaemonStatus | ClientStatus | AttachmentStatus | DeviceStatus

Event: TypeAlias = (
    Touches | Attached | Layout | Detached | Waiting | Holder | Welcome | Error | Closing | Lost | View
    | Pong | Done | Status | Observed | ObservedGesture | Gesture | DescribedGesture | ViewDetails
    | ViewProperty
)


def unasked(serial: int) -> Error:
    """The library's answer to a request that the daemon will not be asked, as what it is of has
    ended."""
    text = "its attachment has ended before the daemon was asked"
    return Error(serial, ErrorCode.NOT_ATTACHED, text)
