"""What the C library shows its callbacks, as events."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from . import abi, events, rules
from .properties import FORMS, Property
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
    known,
)


def _text(data: bytes | None) -> str:
    """Bytes that are not UTF-8 are replaced."""
    return (data or b"").decode("utf-8", "replace")


def _texts(data: bytes) -> tuple[str, ...]:
    return tuple(_text(data).split(",")) if data else ()


def _index(value: int) -> int | None:
    return None if value == abi.NONE else value


def _length(value: float) -> float | None:
    return None if value < 0 else value


def _touch(record: Any, time_us: int) -> events.Touch:
    touch = record.touch.contents
    samples = tuple(
        events.Sample(sample.time_us, sample.x, sample.y)
        for sample in (record.samples[: touch.sample_count] if touch.sample_count else ())
    )
    return events.Touch(
        touch.id, time_us - touch.age_us, touch.attachment, touch.target, _text(record.path),
        Phase(touch.phase), known(CancelReason, touch.cancel_reason), TouchFlags(touch.flags),
        touch.tap_count, touch.screen, touch.x, touch.y, touch.previous_x, touch.previous_y,
        touch.window_x, touch.window_y, touch.screen_x, touch.screen_y, samples,
    )  # fmt: skip


def _touches(frame: Any) -> events.Touches:
    frame = frame.contents
    time_us = frame.time_us
    touches = tuple(_touch(record, time_us) for record in frame.records[: frame.record_count])
    return events.Touches(time_us, frame.sequence, frame.device, touches, frame.more != 0)


def _geometry(attached: Any) -> events.Geometry:
    it = attached.contents
    return events.Geometry(
        it.attachment, it.generation, _index(it.screen), it.view_count, it.added_count,
        tuple(it.frame), tuple(it.bounds), tuple(it.transform),
    )  # fmt: skip


def _welcome(welcome: Any, screens: Any) -> events.Welcome:
    it = welcome.contents
    shown = tuple(
        events.Screen(_text(info.name), (info.screen.width, info.screen.height), info.screen.rotation)
        for info in screens[: it.screen_count]
    )
    return events.Welcome(
        it.version, it.max_request, it.max_attachments, it.decision_timeout_ms,
        it.unresponsive_after_ms, it.is_control != 0, shown,
    )  # fmt: skip


def _detached(attachment: int, reason: int, text: bytes) -> events.Detached:
    return events.Detached(attachment, known(DetachReason, reason), _text(text))


def _waiting(attachment: int, reason: int, text: bytes) -> events.Waiting:
    return events.Waiting(attachment, known(DetachReason, reason) if reason else 0, _text(text))


def _error(error: Any, text: bytes) -> events.Error:
    it = error.contents
    return events.Error(it.serial, known(ErrorCode, it.code), _text(text))


def _done(done: Any, text: bytes) -> events.Done:
    it = done.contents
    return events.Done(it.serial, it.total, it.generation, _text(text))


def _closing(reason: int, text: bytes) -> events.Closing:
    return events.Closing(known(CloseReason, reason), _text(text))


def _holder(holder: Any, path: bytes, name: bytes) -> events.Holder:
    it = holder.contents
    return events.Holder(
        it.attachment, _text(path), it.is_held != 0, it.pid, it.uid, _text(name),
        Phases(it.handles), Phases(it.passes),
    )  # fmt: skip


def _gesture(gesture: Any, path: bytes) -> events.Gesture:
    it = gesture.contents
    return events.Gesture(
        it.attachment, it.recognizer, _text(path), known(GestureKind, it.kind),
        GestureState(it.state), known(CancelReason, it.cancel_reason), it.time_us, it.touches,
        it.taps, known(Direction, it.direction), it.x, it.y, (it.translation_x, it.translation_y),
        (it.velocity_x, it.velocity_y), it.scale, it.scale_velocity, it.rotation,
        it.rotation_velocity,
    )  # fmt: skip


def _view(view: Any, path: bytes, controller: bytes) -> events.View:
    it = view.contents
    return events.View(
        it.serial, it.index, _index(it.parent), _text(path), _text(controller),
        ViewFlags(it.flags), it.holder or None, it.controller_holder or None, tuple(it.frame),
        tuple(it.bounds_origin), tuple(it.transform), it.alpha,
    )  # fmt: skip


def _view_details(details: Any, application: bytes) -> events.ViewDetails:
    it = details.contents
    return events.ViewDetails(
        it.serial, it.index, _index(it.screen), ViewDetailsFlags(it.flags), it.pid or None,
        _text(application),
    )  # fmt: skip


def _value(
    kind: Property, values: tuple[float, ...], words: str, points: tuple[float, ...]
) -> events.PropertyValue:
    """What a property's numbers, words and points are, as Change takes it."""
    match FORMS[kind][0]:
        case "shape":
            return rules.shown_shape(values, points)
        case "inside":
            return rules.shown_inside(values, words)
        case "hit":
            return rules.shown_hit(values, words)
        case "text" | "name":
            return words
        case "number":
            return values[0]
        case "whole":
            return int(values[0])
        case "flag":
            return values[0] != 0
    return values


def _view_property(item: Any, shown: Any) -> events.ViewProperty | None:
    it, change = item.contents, shown.contents
    values = tuple(change.values[: it.value.value_count])
    points = tuple(change.points[: 2 * change.point_count]) if change.point_count else ()
    try:
        kind = Property(change.property)
        value = _value(kind, values, _text(change.words), points)
    except (IndexError, ValueError, OverflowError):
        return None  # of a newer daemon
    return events.ViewProperty(
        it.serial, it.index, kind, value, known(Setter, it.setter), it.pid or None
    )


def _described_gesture(
    gesture: Any, path: bytes, to: bytes, after: bytes, simultaneous: bytes
) -> events.DescribedGesture:
    it = gesture.contents
    return events.DescribedGesture(
        it.serial, it.index, _index(it.view), _index(it.screen), it.recognizer, it.pid or None,
        _text(path), known(GestureKind, it.kind), (it.fewest, it.most), it.taps,
        known(Direction, it.direction), known(Edge, it.edge), GestureFlags(it.flags),
        _index(it.duration_ms), _index(it.interval_ms), _index(it.gather_ms), _length(it.slop),
        _length(it.distance), _length(it.margin), _length(it.slop_degrees), _texts(after),
        _texts(simultaneous), _text(to) or None,
    )  # fmt: skip


def _status_daemon(
    status: Any, counters: Any, latencies: Any, version: bytes, configuration: bytes
) -> events.DaemonStatus:
    it = status.contents
    return events.DaemonStatus(
        it.serial, it.pid, it.started_us, it.generation, it.window_count, it.view_count,
        it.live_touches, _text(version), _text(configuration),
        tuple(counters[: it.counter_count]), tuple(latencies[: it.latency_count]),
    )  # fmt: skip


def _status_client(status: Any, name: bytes) -> events.ClientStatus:
    it = status.contents
    return events.ClientStatus(
        it.serial, it.client, _text(name), it.pid, it.uid, it.gid, ClientFlags(it.flags),
        it.queued, it.unread, it.messages, it.coalesced, it.dropped, it.live_touches,
    )  # fmt: skip


def _status_attachment(
    status: Any, path: bytes, is_waiting: bool = False
) -> events.AttachmentStatus:
    it = status.contents
    return events.AttachmentStatus(
        it.serial, it.client, it.attachment, _text(path), Phases(it.handles), Phases(it.passes),
        it.live_touches, is_waiting,
    )  # fmt: skip


def _status_device(status: Any, name: bytes, node: bytes, phys: bytes) -> events.DeviceStatus:
    it = status.contents
    return events.DeviceStatus(
        it.serial, it.device, _text(name), _text(node), _text(phys), it.bus, it.vendor, it.product,
        it.version, _index(it.screen), DeviceFlags(it.flags), it.touch_count or None,
        it.live_touches,
    )  # fmt: skip


def _link(link: Any) -> events.Link:
    it = link.entry
    return events.Link(
        _text(link.path), it.pid or None, _index(it.attachment), known(Outcome, it.outcome),
        Phases(it.phases),
    )  # fmt: skip


def _observed_touch(record: Any) -> events.ObservedTouch:
    it = record.touch
    x, y = it.screen_x, it.screen_y
    return events.ObservedTouch(
        it.id, Phase(it.phase), known(CancelReason, it.cancel_reason),
        known(DiscardReason, it.discard_reason), TouchFlags(it.flags), it.tap_count, it.screen,
        (x, y) if x == x and y == y else None, _text(record.path),
        tuple(map(_link, record.chain[: it.chain_count])) if it.chain_count else (),
        it.chain_total,
    )  # fmt: skip


def _observed(observation: Any) -> events.Observed:
    it = observation.contents
    touches = tuple(map(_observed_touch, it.records[: it.record_count]))
    return events.Observed(it.time_us, it.sequence, it.device, touches, it.more != 0)


def _observed_gesture(gesture: Any, path: bytes, text: bytes) -> events.ObservedGesture | None:
    it = gesture.contents
    try:
        state = RecognizerState(it.state)
    except ValueError:
        return None  # of a newer daemon
    return events.ObservedGesture(
        it.recognizer, _text(path), known(GestureKind, it.kind), state,
        known(CancelReason, it.cancel_reason), it.time_us, it.touch or None, it.pid or None,
        _text(text),
    )  # fmt: skip


def _screen_state(state: Any, name: bytes) -> events.ScreenNotice:
    it = state.contents
    return events.ScreenNotice(
        it.screen, _text(name), known(ScreenState, it.power), known(ScreenCause, it.cause)
    )


def _idle(idle: Any) -> events.Idle:
    it = idle.contents
    return events.Idle(it.watch, it.is_idle != 0)


def _status_screen(status: Any, name: bytes, blanker: bytes) -> events.ScreenStatus:
    it = status.contents
    return events.ScreenStatus(
        it.serial, it.screen, _text(name), known(ScreenState, it.power), it.pid or None,
        _text(blanker),
    )  # fmt: skip


def _lock_state(state: Any, name: bytes) -> events.LockNotice:
    it = state.contents
    return events.LockNotice(it.screen, _text(name), it.remaining_ms, known(LockCause, it.cause))


def _feedback(feedback: Any, name: bytes, target: bytes) -> events.Feedback:
    it = feedback.contents
    return events.Feedback(
        it.time_us, it.screen, known(FeedbackCause, it.cause), _text(name), _text(target) or None
    )


def _status_lock(status: Any, name: bytes) -> events.LockStatus:
    it = status.contents
    return events.LockStatus(it.serial, it.screen, _text(name), it.remaining_ms, it.pid or None)


def _status_inhibitor(status: Any, path: bytes) -> events.InhibitorStatus:
    it = status.contents
    return events.InhibitorStatus(
        it.serial, it.client, it.attachment, _text(path), Phases(it.handles), Phases(it.passes),
        it.live_touches,
    )  # fmt: skip


def _status_signal(status: Any, text: bytes) -> events.SignalStatus:
    it = status.contents
    return events.SignalStatus(
        it.serial, it.device, known(SignalFinding, it.finding), it.count, it.since_us or None,
        _text(text),
    )  # fmt: skip


def _observed_signal(signal: Any, text: bytes) -> events.ObservedSignal:
    it = signal.contents
    x, y = it.screen_x, it.screen_y
    return events.ObservedSignal(
        it.time_us, it.device, known(SignalFinding, it.finding), it.touch or None,
        _index(it.screen), (x, y) if x == x and y == y else None, it.is_over != 0, _text(text),
    )  # fmt: skip


def _observed_change(change: Any, path: bytes, name: bytes) -> events.ObservedChange | None:
    it = change.contents
    try:
        kind = ObservedChangeKind(it.change)
    except ValueError:
        return None  # of a newer daemon
    return events.ObservedChange(
        kind, it.time_us, it.value, _index(it.client), _index(it.attachment), it.pid or None,
        Phases(it.handles), Phases(it.passes), it.gestures != 0, _text(path), _text(name),
    )  # fmt: skip


_DECODERS: dict[str, Callable[..., events.Event | None]] = {
    "touches": _touches,
    "attached": lambda attached: events.Attached(_geometry(attached)),
    "layout": lambda attached: events.Layout(_geometry(attached)),
    "detached": _detached,
    "error": _error,
    "welcome": _welcome,
    "closing": _closing,
    "lost": lambda text: events.Lost(_text(text)),
    "view": _view,
    "pong": events.Pong,
    "status_daemon": _status_daemon,
    "status_client": _status_client,
    "status_attachment": _status_attachment,
    "status_device": _status_device,
    "done": _done,
    "observed": _observed,
    "holder": _holder,
    "waiting": _waiting,
    "gesture": _gesture,
    "status_waiting": lambda status, path: _status_attachment(status, path, True),
    "observed_gesture": _observed_gesture,
    "screen_state": _screen_state,
    "idle": _idle,
    "status_screen": _status_screen,
    "lock_state": _lock_state,
    "status_lock": _status_lock,
    "feedback": _feedback,
    "status_inhibitor": _status_inhibitor,
    "status_signal": _status_signal,
    "observed_signal": _observed_signal,
    "described_gesture": _described_gesture,
    "view_details": _view_details,
    "view_property": _view_property,
    "observed_change": _observed_change,
}


class Told:
    """What callbacks were told, of one connection."""

    def __init__(self) -> None:
        self.events: list[events.Event] = []
        self.failure: BaseException | None = None


def _callback(name: str, kind: Any) -> Any:
    decode = _DECODERS[name]

    def call(told: Told, connection: int, *shown: Any) -> None:
        try:
            event = decode(*shown)
            if event is not None:
                told.events.append(event)
        except BaseException as failure:  # which would end in C, and be lost
            told.failure = told.failure or failure

    return kind(call)


LISTENER = abi.touchroute_listener(
    size=ctypes.sizeof(abi.touchroute_listener),
    **{name: _callback(name, kind) for name, kind in abi.touchroute_listener._fields_[1:]},
)
"""tells each event to the Told that is the connection's data"""
