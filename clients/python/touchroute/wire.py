"""Bytes to events and requests to bytes: docs/protocol.md in the words of the struct module.

Nothing here keeps a state. Every part is checked against what is left of the message before it is
read; what does not add up raises Malformed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from . import events, rules
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
    GestureFlags,
    GestureKind,
    GestureState,
    Outcome,
    Phase,
    Phases,
    Property,
    RecognizerState,
    Setter,
    TouchFlags,
    ViewDetailsFlags,
    ViewFlags,
    known,
)

MAGIC = 0x54524F54
VERSION = 1
MAX_REQUEST = 4096
MAX_CHANGE_VIEWS = 65536
MAX_MESSAGE = 65536
MAX_PATH = 3072
MAX_NAME = 255
DESCRIBE_PAGE = 128
NONE = 0xFFFFFFFF
MORE = 1
SOCKET_PATH = "/run/touchroute/touchroute.sock"
CONTROL_SOCKET_PATH = "/run/touchroute/control.sock"
SOCKET_VARIABLE = "TOUCHROUTE_SOCKET"

HELLO = 1
ATTACH = 2
DETACH = 3
ACCEPT = 4
DECLINE = 5
SET = 6
DESCRIBE = 7
PING = 8
ADD_GESTURE = 9
REMOVE_GESTURE = 10
CHANGE_VIEWS = 11
STATUS = 16
OBSERVE = 17
RELOAD = 18
INJECT = 19
CANCEL = 20

WELCOME = 0x100
ATTACHED = 0x101
DONE = 0x102
ERROR = 0x103
VIEW = 0x104
PONG = 0x105
TOUCHES = 0x110
LAYOUT = 0x111
DETACHED = 0x112
CLOSING = 0x113
HOLDER = 0x114
WAITING = 0x115
GESTURE = 0x116
STATUS_DAEMON = 0x120
STATUS_CLIENT = 0x121
STATUS_ATTACHMENT = 0x122
STATUS_WAITING = 0x124
STATUS_DEVICE = 0x123
OBSERVED = 0x130
OBSERVED_GESTURE = 0x131
DESCRIBED_GESTURE = 0x106
VIEW_DETAILS = 0x107
VIEW_PROPERTY = 0x108

# "=" is native byte order without padding: every field of the wire lies where it would anyway.
HEADER = struct.Struct("=IHH")
_WELCOME = struct.Struct("=8I")
_SCREEN = struct.Struct("=ddII")
_ATTACHED = struct.Struct("=6I14d")
_TEXT_ANSWER = struct.Struct("=4I")  # done, error and detached
_CLOSING = struct.Struct("=2I")
_PONG = struct.Struct("=2I")
_HOLDER = struct.Struct("=2IiI2H3I")
_GESTURE = struct.Struct("=2IQ4B2H10d2I")
_VIEW = struct.Struct("=4I2i13d2I")
_TOUCHES = struct.Struct("=QQIHH")
_TOUCH = struct.Struct("=QIIIBBHHHHH8f")
_SAMPLE = struct.Struct("=Qff")
_STATUS_DAEMON = struct.Struct("=IiQ8I")
_STATUS_CLIENT = struct.Struct("=IIiIIIIIQQQII")
_STATUS_ATTACHMENT = struct.Struct("=IIIHHII")
_STATUS_DEVICE = struct.Struct("=4I4H6I")
_OBSERVED = struct.Struct("=QQII")
_OBSERVED_TOUCH = struct.Struct("=QBBBBHHIIIIdd")
_CHAIN_ENTRY = struct.Struct("=iHHII")
_VIEW_DETAILS = struct.Struct("=4IiI")
_VIEW_PROPERTY = struct.Struct("=3Ii4H")
_NUMBER = struct.Struct("=d")
_POINT = struct.Struct("=dd")
_DESCRIBED_GESTURE = struct.Struct("=5Ii6BH8I4d")
_OBSERVED_GESTURE = struct.Struct("=QQIi4B3I")

"""the state that observers alone are told of"""


class Malformed(Exception):
    """A message whose parts do not add up."""


class Cursor:
    """What is left of a message."""

    def __init__(self, data: memoryview) -> None:
        self._data = data

    def take(self, size: int) -> memoryview:
        """The next part, with the padding behind it passed over."""
        if size > len(self._data):
            raise Malformed("it is too short for what it announces")
        part = self._data[:size]
        self._data = self._data[(size + 7) & ~7 :]
        return part

    def fields(self, layout: struct.Struct) -> tuple[Any, ...]:
        """A struct."""
        return layout.unpack(self.take(layout.size))

    def array(self, layout: struct.Struct, count: int) -> list[tuple[Any, ...]]:
        """So many structs."""
        return list(layout.iter_unpack(self.take(count * layout.size)))

    def text(self, size: int) -> str:
        """A string. Bytes that are not UTF-8 are replaced; a zero byte is malformed."""
        data = bytes(self.take(size))
        if 0 in data:
            raise Malformed("a string has a zero byte in it")
        return data.decode("utf-8", "replace")


def _index(value: int) -> int | None:
    return None if value == NONE else value


def _pid(value: int) -> int | None:
    return value or None


def _phase(value: int) -> Phase:
    try:
        return Phase(value)
    except ValueError:
        raise Malformed("it names a phase that there is not") from None


def _reason(value: int) -> int:
    return known(CancelReason, value)


def _welcome(cursor: Cursor, more: bool) -> events.Welcome:
    (_, version, max_request, max_attachments, decision, unresponsive, control, count) = (
        cursor.fields(_WELCOME)
    )
    screens = []
    for _ in range(count):
        width, height, rotation, name_size = cursor.fields(_SCREEN)
        screens.append(events.Screen(cursor.text(name_size), (width, height), rotation))
    if not 0 < version <= VERSION:
        raise Malformed("it names a version that was not offered")
    return events.Welcome(
        version, max_request, max_attachments, decision, unresponsive, control != 0, tuple(screens)
    )


def _attached(cursor: Cursor, more: bool) -> tuple[int, events.Geometry]:
    """The serial, and the geometry with the daemon's number of the attachment."""
    serial, number, generation, screen, views, added, *numbers = cursor.fields(_ATTACHED)
    return serial, events.Geometry(
        number,
        generation,
        _index(screen),
        views,
        added,
        (numbers[0], numbers[1], numbers[2], numbers[3]),
        (numbers[4], numbers[5], numbers[6], numbers[7]),
        (numbers[8], numbers[9], numbers[10], numbers[11], numbers[12], numbers[13]),
    )


def _done(cursor: Cursor, more: bool) -> events.Done:
    serial, total, generation, size = cursor.fields(_TEXT_ANSWER)
    return events.Done(serial, total, generation, cursor.text(size))


def _error(cursor: Cursor, more: bool) -> events.Error:
    serial, code, _, size = cursor.fields(_TEXT_ANSWER)
    return events.Error(serial, known(ErrorCode, code), cursor.text(size))


def _detached(cursor: Cursor, more: bool) -> events.Detached:
    _, number, reason, size = cursor.fields(_TEXT_ANSWER)
    return events.Detached(number, known(DetachReason, reason), cursor.text(size))


def _waiting(cursor: Cursor, more: bool) -> tuple[int, events.Waiting]:
    serial, number, reason, size = cursor.fields(_TEXT_ANSWER)
    reason = known(DetachReason, reason) if reason else 0
    return serial, events.Waiting(number, reason, cursor.text(size))


def _closing(cursor: Cursor, more: bool) -> events.Closing:
    reason, size = cursor.fields(_CLOSING)
    return events.Closing(known(CloseReason, reason), cursor.text(size))


def _holder(cursor: Cursor, more: bool) -> events.Holder:
    number, is_held, pid, uid, handles, passes, path_size, name_size, _ = cursor.fields(_HOLDER)
    path = cursor.text(path_size)
    return events.Holder(
        number, path, is_held != 0, pid, uid, cursor.text(name_size), Phases(handles),
        Phases(passes),
    )  # fmt: skip


def _gesture(cursor: Cursor, more: bool) -> events.Gesture:
    """The event, with the daemon's numbers of attachment and recognizer."""
    (number, recognizer, time, kind, state, reason, direction, touches, taps, *n, size, _) = (
        cursor.fields(_GESTURE)
    )
    if size > MAX_PATH:
        raise Malformed("a path is over its limit")
    path = cursor.text(size)
    try:
        what = GestureState(state)
    except ValueError:
        raise Malformed("it names a state that there is not") from None
    return events.Gesture(
        number, recognizer, path, known(GestureKind, kind), what, _reason(reason), time, touches,
        taps, known(Direction, direction), n[0], n[1], (n[2], n[3]), (n[4], n[5]), n[6], n[7],
        n[8], n[9],
    )  # fmt: skip


def _pong(cursor: Cursor, more: bool) -> events.Pong:
    serial, _ = cursor.fields(_PONG)
    return events.Pong(serial)


def _view(cursor: Cursor, more: bool) -> events.View:
    (serial, index, parent, flags, holder, controller_holder, *n, path_size, controller_size) = (
        cursor.fields(_VIEW)
    )
    path = cursor.text(path_size)
    return events.View(
        serial,
        index,
        _index(parent),
        path,
        cursor.text(controller_size),
        ViewFlags(flags),
        _pid(holder),
        _pid(controller_holder),
        (n[0], n[1], n[2], n[3]),
        (n[4], n[5]),
        (n[6], n[7], n[8], n[9], n[10], n[11]),
        n[12],
    )


def _view_details(cursor: Cursor, more: bool) -> events.ViewDetails:
    serial, index, screen, flags, pid, size = cursor.fields(_VIEW_DETAILS)
    return events.ViewDetails(
        serial, index, _index(screen), ViewDetailsFlags(flags), _pid(pid), cursor.text(size)
    )


def _view_property(cursor: Cursor, more: bool) -> events.ViewProperty | None:
    serial, index, setter, pid, kind, point_count, words_size, value_count = cursor.fields(
        _VIEW_PROPERTY
    )
    values = tuple(number for (number,) in cursor.array(_NUMBER, value_count))
    words = cursor.text(words_size)
    points = tuple(part for point in cursor.array(_POINT, point_count) for part in point)
    try:
        which = Property(kind)
        value = _value(which, values, words, points)
    except (IndexError, ValueError, OverflowError):
        return None  # of a newer daemon
    return events.ViewProperty(serial, index, which, value, known(Setter, setter), _pid(pid))


def _value(
    kind: Property, values: tuple[float, ...], words: str, points: tuple[float, ...]
) -> events.PropertyValue:
    """What a property's numbers, words and points are, as Change takes it."""
    match kind:
        case Property.SHAPE:
            return rules.shown_shape(values, points)
        case Property.INSIDE:
            return rules.shown_inside(values, words)
        case Property.HIT:
            return rules.shown_hit(values, words)
        case Property.ALPHA:
            return values[0]
        case Property.ORDER | Property.LEVEL:
            return int(values[0])
        case _ if kind in _FLAGS:
            return values[0] != 0
    return values


_FLAGS = (
    Property.HIDDEN, Property.INTERACTION, Property.SECURE, Property.EXCLUSIVE_TOUCH,
    Property.MULTIPLE_TOUCH, Property.ENABLED,
)  # fmt: skip


def _described_gesture(cursor: Cursor, more: bool) -> events.DescribedGesture:
    (serial, number, index, view, screen, pid, kind, fewest, most, taps, direction, edge, flags,
     duration, interval, gather, path_size, to_size, after_size, simultaneous_size, _, slop,
     distance, margin, degrees) = cursor.fields(_DESCRIBED_GESTURE)  # fmt: skip
    path, to = cursor.text(path_size), cursor.text(to_size)
    after, simultaneous = cursor.text(after_size), cursor.text(simultaneous_size)
    return events.DescribedGesture(
        serial, index, _index(view), _index(screen), number, _pid(pid), path,
        known(GestureKind, kind), (fewest, most), taps, known(Direction, direction),
        known(Edge, edge), GestureFlags(flags), _index(duration), _index(interval),
        _index(gather), _length(slop), _length(distance), _length(margin), _length(degrees),
        tuple(after.split(",")) if after else (),
        tuple(simultaneous.split(",")) if simultaneous else (), to or None,
    )  # fmt: skip


def _length(value: float) -> float | None:
    return None if value < 0 else value


def _touches(cursor: Cursor, more: bool) -> events.Touches:
    """The frame, with the daemon's numbers of the attachments."""
    time, sequence, device, count, sample_count = cursor.fields(_TOUCHES)
    touches = []
    for record in cursor.array(_TOUCH, count):
        (identity, number, target, age, phase, reason, flags, taps, screen, samples, path_size,
         x, y, previous_x, previous_y, window_x, window_y, screen_x, screen_y) = record  # fmt: skip
        sample_count -= samples
        taken = tuple(events.Sample(*sample) for sample in cursor.array(_SAMPLE, samples))
        if path_size > MAX_PATH:
            raise Malformed("a path is over its limit")
        path = cursor.text(path_size)
        touches.append(
            events.Touch(
                identity, time - age, number, target, path, _phase(phase), _reason(reason),
                TouchFlags(flags), taps, screen, x, y, previous_x, previous_y, window_x, window_y,
                screen_x, screen_y, taken,
            )  # fmt: skip
        )
    if sample_count != 0:
        raise Malformed("its samples do not add up")
    return events.Touches(time, sequence, device, tuple(touches), more)


def _status_daemon(cursor: Cursor, more: bool) -> events.DaemonStatus:
    (serial, pid, started, generation, windows, views, live, version_size, configuration_size,
     count, latency_count) = cursor.fields(_STATUS_DAEMON)  # fmt: skip
    counters = tuple(value for (value,) in cursor.array(struct.Struct("=Q"), count))
    latencies = tuple(value for (value,) in cursor.array(struct.Struct("=Q"), latency_count))
    version = cursor.text(version_size)
    return events.DaemonStatus(
        serial, pid, started, generation, windows, views, live, version,
        cursor.text(configuration_size), counters, latencies,
    )  # fmt: skip


def _status_client(cursor: Cursor, more: bool) -> events.ClientStatus:
    (serial, client, pid, uid, gid, flags, queued, unread, messages, coalesced, dropped, live,
     name_size) = cursor.fields(_STATUS_CLIENT)  # fmt: skip
    name = cursor.text(name_size)
    return events.ClientStatus(
        serial, client, name, pid, uid, gid, ClientFlags(flags), queued, unread, messages,
        coalesced, dropped, live,
    )  # fmt: skip


def _status_attachment(cursor: Cursor, more: bool) -> events.AttachmentStatus:
    serial, client, number, handles, passes, live, size = cursor.fields(_STATUS_ATTACHMENT)
    return events.AttachmentStatus(
        serial, client, number, cursor.text(size), Phases(handles), Phases(passes), live
    )


def _status_waiting(cursor: Cursor, more: bool) -> events.AttachmentStatus:
    return replace(_status_attachment(cursor, more), is_waiting=True)


def _status_device(cursor: Cursor, more: bool) -> events.DeviceStatus:
    (serial, device, screen, flags, bus, vendor, product, version, touches, live, name_size,
     node_size, phys_size, _) = cursor.fields(_STATUS_DEVICE)  # fmt: skip
    name = cursor.text(name_size)
    node = cursor.text(node_size)
    return events.DeviceStatus(
        serial, device, name, node, cursor.text(phys_size), bus, vendor, product, version,
        _index(screen), DeviceFlags(flags), touches or None, live,
    )  # fmt: skip


def _observed(cursor: Cursor, more: bool) -> events.Observed:
    time, sequence, device, count = cursor.fields(_OBSERVED)
    touches = []
    for record in cursor.array(_OBSERVED_TOUCH, count):
        (identity, phase, reason, discard, _, flags, taps, screen, path_size, chain_count, total,
         x, y) = record  # fmt: skip
        path = cursor.text(path_size)
        chain = []
        for _ in range(chain_count):
            pid, outcome, phases, number, size = cursor.fields(_CHAIN_ENTRY)
            chain.append(
                events.Link(
                    cursor.text(size), _pid(pid), _index(number), known(Outcome, outcome),
                    Phases(phases),
                )  # fmt: skip
            )
        touches.append(
            events.ObservedTouch(
                identity, _phase(phase), _reason(reason), known(DiscardReason, discard),
                TouchFlags(flags), taps, screen, (x, y) if x == x and y == y else None, path,
                tuple(chain), total,
            )  # fmt: skip
        )
    return events.Observed(time, sequence, device, tuple(touches), more)


def _observed_gesture(cursor: Cursor, more: bool) -> events.ObservedGesture | None:
    (time, touch, recognizer, pid, kind, state, reason, _, path_size, text_size, _) = (
        cursor.fields(_OBSERVED_GESTURE)
    )
    path = cursor.text(path_size)
    text = cursor.text(text_size)
    try:
        what = RecognizerState(state)
    except ValueError:
        return None  # of a newer daemon
    return events.ObservedGesture(
        recognizer, path, known(GestureKind, kind), what, _reason(reason), time, touch or None,
        _pid(pid), text,
    )  # fmt: skip


_DECODERS: dict[int, Callable[[Cursor, bool], Any]] = {
    WELCOME: _welcome,
    ATTACHED: _attached,
    DONE: _done,
    ERROR: _error,
    VIEW: _view,
    VIEW_DETAILS: _view_details,
    VIEW_PROPERTY: _view_property,
    DESCRIBED_GESTURE: _described_gesture,
    PONG: _pong,
    TOUCHES: _touches,
    LAYOUT: _attached,
    DETACHED: _detached,
    WAITING: _waiting,
    CLOSING: _closing,
    HOLDER: _holder,
    GESTURE: _gesture,
    STATUS_DAEMON: _status_daemon,
    STATUS_CLIENT: _status_client,
    STATUS_ATTACHMENT: _status_attachment,
    STATUS_DEVICE: _status_device,
    STATUS_WAITING: _status_waiting,
    OBSERVED: _observed,
    OBSERVED_GESTURE: _observed_gesture,
}


def decode(opcode: int, flags: int, body: memoryview) -> Any:
    """What a message says; None where this version does not know it."""
    decoder = _DECODERS.get(opcode)
    return decoder(Cursor(body), flags & MORE != 0) if decoder else None


def padded(data: bytes) -> bytes:
    """With the zero bytes that the next part needs before it."""
    return data + bytes(-len(data) % 8)


def request(opcode: int, layout: str, *fields: int, rest: bytes = b"") -> bytes:
    """A request: its struct after the header, then what follows that."""
    body = padded(struct.pack("=" + layout, *fields) + rest)
    return HEADER.pack(HEADER.size + len(body), opcode, 0) + body
