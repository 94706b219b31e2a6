"""Recognizers that a program adds, and gestures in progress."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from . import events, wire
from .arguments import path_bytes
from .errors import RequestError
from .values import (
    CancelReason,
    Direction,
    Edge,
    ErrorCode,
    GestureFlags,
    GestureKind,
    GestureState,
)
from .views import ADD, REMOVE, Step, is_in

_NAME_AT = 72
"""where a recognizer's name begins in what body() returns"""

MOST = 128
"""recognizers of a connection, as in the C library"""


@dataclass(frozen=True, slots=True)
class Recognizer:
    """A recognizer to add to a view (rule G1). None means the kind's default.

    connection.add_gesture(home, Recognizer(GestureKind.PAN, "scroll"))
    """

    kind: GestureKind
    name: str
    """its path is the view's, then #, then this"""
    view: str | None = None
    """the path of its view; None for the attachment's view"""
    touches: int | tuple[int, int] | None = None
    """the number of fingers, or the fewest and the most; a pinch or rotation needs at least two"""
    taps: int | None = None
    direction: Direction = Direction.ANY
    edge: Edge = Edge.NONE
    slop: float | None = None
    """in points, like distance and margin"""
    distance: float | None = None
    margin: float | None = None
    slop_degrees: float | None = None
    duration_ms: int | None = None
    interval_ms: int | None = None
    gather_ms: int | None = None
    after: Sequence[str] = ()
    """paths of recognizers that must fail before it recognizes: UIKit's require(toFail:)"""
    simultaneous: Sequence[str] = ()
    """paths of recognizers that may go on beside it"""
    to: str | None = None
    """the responder that gets its events; None for the nearest up the chain"""
    flags: GestureFlags = GestureFlags.NONE

    def body(self, path: bytes) -> bytes:
        """The request behind its serial and attachment; RequestError where it can't be."""
        for names in (self.after, self.simultaneous):
            if isinstance(names, str):
                raise RequestError(f"after and simultaneous are several paths, not one: {names}")
        fewest, most = self._fingers()
        if self.kind in (GestureKind.PINCH, GestureKind.ROTATION) and 1 in (fewest, most):
            raise RequestError("a pinch and a rotation need two fingers at least")
        name = path_bytes(self.name)
        view = path if self.view is None else path_bytes(self.view)
        to = b"" if self.to is None else path_bytes(self.to)
        if not 0 < len(name) <= wire.MAX_NAME:
            raise RequestError("a gesture needs a name, of 255 bytes at most")
        try:
            data = struct.pack(
                "=6BH3I3IHHI4d", GestureKind(self.kind), fewest, most, self.taps or 0,
                Direction(self.direction), Edge(self.edge), GestureFlags(self.flags),
                *map(_time, (self.duration_ms, self.interval_ms, self.gather_ms)),
                len(name), len(view), len(to), len(self.after), len(self.simultaneous), 0,
                *map(_length, (self.slop, self.distance, self.margin, self.slop_degrees)),
            )  # fmt: skip
        except (struct.error, TypeError, ValueError, OverflowError) as error:
            raise RequestError(f"the gesture {self.name} can't be: {error}") from None
        data += wire.padded(name) + wire.padded(view) + wire.padded(to)
        for other in (*self.after, *self.simultaneous):
            text = path_bytes(other)
            data += struct.pack("=II", len(text), 0) + wire.padded(text)
        return data

    def _fingers(self) -> tuple[int, int]:
        match self.touches:
            case None:
                return (0, 0)
            case int():
                return (self.touches, self.touches)
            case (int(fewest), int(most)):
                return (fewest, most)
        raise RequestError(f"touches is a number of fingers, or the fewest and the most: {self}")


def _time(value: int | None) -> int:
    return wire.NONE if value is None else value


def _length(value: float | None) -> float:
    if value is None:
        return -1.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"{value} is no distance")
    return value


class _State(Enum):
    OWED = "add_gesture is still to be sent"
    SENT = "it is sent and not answered"
    ADDED = "the daemon has it"


class _Added:
    """A recognizer that was added. handle is the program's number, number the daemon's."""

    def __init__(self, handle: int, attachment: int, body: bytes) -> None:
        self.handle = handle
        self.attachment = attachment
        self.body = body
        self.state = _State.OWED
        self.number = 0
        self.remove_serial = 0
        self.remove_sent = False
        self.is_answered = False
        """the program knows what has come of add_gesture"""
        self.is_overtaken = False
        """its attachment stood in line again before add_gesture was answered"""


class Recognizers:
    """All of a connection, by the program's numbers, and the gestures that have begun."""

    def __init__(self) -> None:
        self._all: dict[int, _Added] = {}
        self._live: dict[int, events.Gesture] = {}
        self._asked: set[int] = set()
        """those that are over, of which the daemon has yet to answer add_gesture"""
        self._silent: set[int] = set()
        """likewise, and the answer is not for the program: it has had one"""
        self._unanswered: list[events.Event] = []

    def add(self, handle: int, attachment: int, body: bytes) -> None:
        """A new one, which is owed."""
        if len(self._all) >= MOST:
            raise RequestError(f"a connection can have {MOST} recognizers")
        self._all[handle] = _Added(handle, attachment, body)

    def uses(self, serial: int) -> bool:
        """Whether a new request may not have that serial."""
        return (
            serial in self._all
            or serial in self._asked
            or serial in self._silent
            or any(added.remove_serial == serial for added in self._all.values())
        )

    def remove(self, handle: int, serial: int) -> bool:
        """It is to go, by that request; False where that is over at once."""
        added = self._there(handle)
        if added.state is _State.OWED:
            del self._all[handle]
            return False
        added.remove_serial = serial
        return True

    def path(self, handle: int) -> str | None:
        """The path under which the daemon knows it; None where that has to hear of it yet."""
        added = self._there(handle)
        if added.state is _State.OWED:
            return None
        name, view = struct.unpack_from("=20x2I", added.body)
        start = _NAME_AT + len(wire.padded(bytes(name)))
        path = added.body[start : start + view] + b"#" + added.body[_NAME_AT : _NAME_AT + name]
        return path.decode()

    def enable(self, handle: int, is_enabled: bool) -> None:
        """It is to take part, or not, whenever it is added."""
        added = self._there(handle)
        (flags,) = struct.unpack_from("=6xH", added.body)
        flags &= ~GestureFlags.DISABLED
        flags |= 0 if is_enabled else GestureFlags.DISABLED
        added.body = added.body[:6] + struct.pack("=H", flags) + added.body[8:]

    def _there(self, handle: int) -> _Added:
        added = self._all.get(handle)
        if added is None or added.remove_serial:
            raise RequestError(f"there is no recognizer {handle}, or it is being taken away")
        return added

    def owed(self, numbers: dict[int, int]) -> Iterator[tuple[bytes, _Added]]:
        """The requests that are still to be sent, for attachments in force: their numbers."""
        for added in list(self._all.values()):
            if added.state is _State.OWED and added.attachment in numbers:
                head = struct.pack("=II", added.handle, numbers[added.attachment])
                yield wire.request(wire.ADD_GESTURE, "", rest=head + added.body), added
            elif added.state is _State.ADDED and added.remove_serial and not added.remove_sent:
                yield (
                    wire.request(
                        wire.REMOVE_GESTURE, "II", added.remove_serial, added.number
                    ),
                    added,
                )

    def paid(self, added: _Added) -> None:
        """That request has been queued."""
        if added.state is _State.OWED:
            added.state = _State.SENT
        else:
            added.remove_sent = True

    def answered(self, serial: int, number: int, code: int = 0) -> bool:
        """Takes an answer in, if it is to one of these requests; code is an error's. Whether the
        program is to hear of it: where one is asked for again, only of its end."""
        if serial in self._silent:
            self._silent.remove(serial)
            return False
        self._asked.discard(serial)
        for added in list(self._all.values()):
            if added.remove_sent and added.remove_serial == serial:
                self._forget(added)
        added_now = self._all.get(serial)
        if added_now is None or added_now.state is not _State.SENT:
            return True
        is_overtaken, added_now.is_overtaken = added_now.is_overtaken, False
        if code == ErrorCode.NOT_ATTACHED and is_overtaken and not added_now.remove_serial:
            added_now.state = _State.OWED
            return False
        was_answered, added_now.is_answered = added_now.is_answered, True
        added_now.state = _State.ADDED
        added_now.number = number
        if code:
            self._forget(added_now)
        return bool(code) or not was_answered

    def forget(self, attachment: int) -> None:
        """The attachment is over, and its recognizers with it."""
        for added in list(self._all.values()):
            if added.attachment == attachment:
                self._forget(added)

    def _forget(self, added: _Added) -> None:
        del self._all[added.handle]
        if added.state is _State.OWED and not added.is_answered:
            self._unanswered.append(events.unasked(added.handle))
        elif not added.is_answered:
            self._asked.add(added.handle)
        elif added.state is _State.SENT:
            self._silent.add(added.handle)
        if added.remove_serial and not added.remove_sent:
            self._unanswered.append(events.Done(added.remove_serial, 0, 0, ""))

    def take_unanswered(self) -> list[events.Event]:
        """The answers to what the daemon will not be asked, as what it is of has ended."""
        taken, self._unanswered = self._unanswered, []
        return taken

    def follow(self, base: bytes, steps: Iterable[Step]) -> None:
        """Views below that path have come and gone, and with them the recognizers in them that
        the daemon had. One that is removed and added is there all the time."""
        gone: set[int] = set()
        for handle, added in self._all.items():
            name, view = struct.unpack_from("=20x2I", added.body)
            start = _NAME_AT + len(wire.padded(bytes(name)))
            path = added.body[start : start + view]
            if added.state is _State.OWED or not path.startswith(base):
                continue
            path = path[len(base) :]
            for step in steps:
                if step.kind == REMOVE and is_in(path, step.path):
                    gone.add(handle)
                elif step.kind == ADD and path == step.path:
                    gone.discard(handle)
        for handle in gone:
            self._forget(self._all[handle])

    def owe(self, attachment: int | None = None) -> None:
        """The daemon has forgotten those of an attachment that stands in line again, or with the
        connection all: what it has yet to answer then, it does not."""
        if attachment is None:
            self._unanswered += [events.unasked(handle) for handle in sorted(self._asked)]
            self._asked.clear()
            self._silent.clear()
        for added in list(self._all.values()):
            if attachment is None and added.remove_serial:
                del self._all[added.handle]
            elif attachment is None:
                added.state = _State.OWED
                added.is_overtaken = False
            elif added.attachment == attachment and not added.remove_serial:
                added.is_overtaken = added.state is _State.SENT
                if added.state is _State.ADDED:
                    added.state = _State.OWED

    def hear(self, event: events.Gesture, attachment: int) -> events.Gesture:
        """The event with the program's numbers."""
        handle = 0
        for added in self._all.values():
            if added.state is _State.ADDED and added.number == event.recognizer:
                handle = added.handle
        shown = replace(event, attachment=attachment, recognizer=handle)
        if event.state in (GestureState.BEGAN, GestureState.CHANGED):
            self._live[event.recognizer] = shown
        else:
            self._live.pop(event.recognizer, None)
        return shown

    def cancel(
        self, attachment: int | None, reason: CancelReason, time_us: int
    ) -> list[events.Event]:
        """Ends the gestures that last, of an attachment or of all."""
        told: list[events.Event] = []
        for number, live in list(self._live.items()):
            if attachment is None or live.attachment == attachment:
                del self._live[number]
                told.append(
                    replace(
                        live, state=GestureState.CANCELLED, cancel_reason=reason, time_us=time_us
                    )
                )
        return told
