"""The connection to the daemon."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any

from . import events, wire
from .access import explain_refusal
from .arguments import MAX_NUMBER, MAX_TOUCH, boolean, integer, number, path_bytes, shown
from .attachments import Attachment, Attachments, State
from .changes import Change
from .errors import AwayError, ConnectError, EndedError, EndKind, FullError, RequestError
from .gestures import Recognizer, Recognizers
from .live import LiveTouches
from .requests import Requests
from .values import CancelReason, CloseReason, DetachReason, ErrorCode, Phases
from .views import Views, steps_of
from .waiter import Waiter

OUTPUT_LIMIT = 131072
"""bytes of requests that wait for the socket"""
FIRST_DELAY = 0.1
# The first where touchrouted is there, and has many to accept.
FULL_DELAY = 0.001
# Who does not try again waits for so long in that case.
FULL_WAIT = 1.0
LAST_DELAY = 5.0


class Connection(Requests):
    """A connection to touchrouted. Use it from one thread at a time.

    A program without a loop of its own iterates over it, in asyncio with `async for`. A program
    with a loop waits until fileno() is readable, and calls dispatch().

    path: the socket's path. None: the environment's TOUCHROUTE_SOCKET, then the daemon's default.
    name: what the daemon's status and log call this program. None: its file's name.
    reconnect: survive the daemon's restart, and wait for its start. The library connects again, at
    once, then after pauses that grow from 0.1 s to 5 s. Then it attaches, observes and adds views
    and recognizers again, under the same numbers. Such a request has one answer: no second Done
    comes, and an Error only if it is over. Other requests without an answer so far get none.
    fileno() stays the same until close().

    Raises ConnectError. With reconnect it is no failure if no daemon runs yet. An argument that is
    wrong, here and in every call, raises RequestError, and nothing is sent.
    """

    def __init__(
        self, path: str | None = None, name: str | None = None, *, reconnect: bool = False
    ) -> None:
        for value, what in ((path, "path"), (name, "name")):
            if value is not None and not isinstance(value, str):
                raise RequestError(f"{what} has to be a str or None, not {shown(value)}")
        self._path = path or os.environ.get(wire.SOCKET_VARIABLE) or wire.SOCKET_PATH
        name = name or os.path.basename(sys.argv[0]) or "python"
        # Cut between letters, never within one's bytes.
        cut = name.encode(errors="replace")[: wire.MAX_NAME]
        self._name = cut.decode(errors="ignore").encode()
        self._reconnect = reconnect
        self._socket: socket.socket | None = None
        self._end: EndedError | None = None
        self._is_welcome = False
        self._input = bytearray()
        self._output = bytearray()
        self._attachments = Attachments()
        self._live = LiveTouches()
        self._recognizers = Recognizers()
        self._views = Views()
        self._next_serial = 1
        self._max_request = wire.MAX_REQUEST
        self._observe_serial = 0
        self._observe_owed = False
        self._observe_answered = False
        self._observe_again = 0
        self._delay = 0.0
        self._retry_at = 0.0
        self._connected_at = 0.0
        self._useless: EndKind | None = None
        self._last_words = ""
        self._told: deque[events.Event] = deque()
        self._waiter = Waiter(with_timer=reconnect)
        try:
            self._connect()
        except (FileNotFoundError, ConnectionRefusedError, BlockingIOError) as error:
            if not reconnect:
                self._waiter.close()
                raise ConnectError(self._explain(error)) from error
            self._delay = FULL_DELAY if isinstance(error, BlockingIOError) else FIRST_DELAY
            self._wait_before_retry()
        except OSError as error:
            self._waiter.close()
            raise ConnectError(self._explain(error)) from error

    # The connection itself

    def close(self) -> None:
        """Ends the connection; the daemon ends its attachments. No more events come."""
        self._waiter.close()
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._end is None:
            self._end = EndedError("reset", "this program has closed the connection")

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def fileno(self) -> int:
        """Returns the descriptor to wait for, the same over all reconnections. It is readable when
        dispatch has something to do: to read, to write or to connect again. -1 after close()."""
        return self._waiter.fileno()

    def dispatch(self, timeout: float | None = 0) -> list[events.Event]:
        """Sends waiting requests, reads once, and returns the events that came, in order.

        timeout: how long to wait until something happens, in seconds. 0 never blocks, None waits
        for ever. The list is empty if nothing came.

        Raises EndedError once the connection has ended, after it returned Lost, the last event.
        """
        if timeout is not None and number(timeout, "timeout") < 0:
            raise RequestError(f"timeout has to be None, or 0 or more seconds, not {timeout}")
        if self._told:
            # Read by an iteration that has ended before it had all of them.
            kept = list(self._told)
            self._told.clear()
            return kept
        self._check_ended()
        told = self._answer_rest()
        self._pay_owed()
        self._flush()
        if timeout != 0 and not told:
            self._waiter.wait(timeout)
        if self._socket is None:
            self._retry()
        else:
            self._read(told)
        told += self._answer_rest()
        self._pay_owed()
        self._flush()
        return told

    def _answer_rest(self) -> list[events.Event]:
        """Answers in the daemon's place what it was never asked: what that is of has ended."""
        return self._views.take_unanswered() + self._recognizers.take_unanswered()

    def __iter__(self) -> Iterator[events.Event]:
        """Yields every event as it comes, for ever. Raises EndedError at the connection's end."""
        while True:
            yield from self._take()
            self._told.extend(self.dispatch(None))

    async def __aiter__(self) -> AsyncIterator[events.Event]:
        """Yields every event as it comes, in asyncio's loop, for ever. Raises EndedError at the
        connection's end. One task at a time may iterate; others may make requests meanwhile."""
        while True:
            for event in self._take():
                yield event
            self._told.extend(self.dispatch())
            if not self._told:
                await self._waiter.ready()

    def _take(self) -> Iterator[events.Event]:
        while self._told:
            yield self._told.popleft()

    # The requests whose answer changes what the connection keeps in mind.

    def attach(
        self,
        path: str,
        *,
        handles: Phases = Phases.ALL,
        passes: Phases = Phases.NONE,
        take_over: bool = False,
        history: bool = False,
        wait: bool = False,
        gestures: bool = False,
    ) -> int:
        """Attaches to a responder: a window, view, controller or application (rules R2, R3).

        handles: the phases that you want, at least one.
        passes: those of them that the next responder up gets too.
        take_over: take the responder from the client that holds it, where that is allowed.
        history: merged moves come with their samples (rule F2).
        wait: wait in the queue if another client holds it. Waiting says so, and Attached follows.
        gestures: the attachment handles gestures (rule G13).

        Returns a number that names the attachment in every event, over all reconnections. Attached
        or Error follows. Never FullError or AwayError: the request is sent as soon as possible.
        """
        self._check_ended()
        data = path_bytes(path)
        if not data:
            raise RequestError("attaching needs the path of a responder")
        integer(handles, "handles", 0, MAX_NUMBER)
        integer(passes, "passes", 0, MAX_NUMBER)
        boolean(take_over, "take_over")
        boolean(history, "history")
        boolean(wait, "wait")
        boolean(gestures, "gestures")
        if not handles or handles & ~Phases.ALL or passes & ~handles:
            raise RequestError(
                f"attaching to {path}: handles ({int(handles):#x}) has to name phases, and passes "
                f"({int(passes):#x}) only phases that it handles"
            )
        serial = self._take_serial()
        flags = int(take_over) | int(history) << 1 | int(wait) << 2 | int(gestures) << 3
        self._attachments.add(serial, data, int(handles), int(passes), flags)
        self._pay_owed()
        self._flush()
        return serial

    def add_gesture(self, attachment: int, recognizer: Recognizer) -> int:
        """Adds a recognizer to the view of an attachment, or to a view in it (rule G1). Like
        UIKit's addGestureRecognizer. It lasts as long as the attachment, over reconnections too.

        Returns a number that names it in Gesture. Done follows, or Error, which ends it. The
        library adds it once the attachment is in force."""
        self._check_ended()
        held = self._attachments.get(integer(attachment, "an attachment", 0, MAX_NUMBER))
        if held is None or held.detach_serial:
            raise RequestError(f"there is no attachment {attachment}, or it is being detached")
        if not isinstance(recognizer, Recognizer):
            raise RequestError(f"add_gesture needs a Recognizer, not {shown(recognizer)}")
        body = recognizer.body(held.path)
        if len(body) + 16 > wire.MAX_REQUEST:
            raise RequestError(f"the gesture {recognizer.name} is over the daemon's limit")
        serial = self._take_serial()
        self._recognizers.add(serial, attachment, body)
        self._pay_owed()
        self._flush()
        return serial

    def remove_gesture(self, recognizer: int) -> int:
        """Removes a recognizer. A gesture that has begun with it is cancelled before Done. Returns
        0 if the daemon does not have it: it is then removed at once."""
        self._check_ended()
        serial = self._take_serial()
        if not self._recognizers.remove(
            integer(recognizer, "a recognizer", 0, MAX_NUMBER), serial
        ):
            return 0
        self._pay_owed()
        self._flush()
        return serial

    def enable_gesture(self, recognizer: int, enabled: bool = True) -> int:
        """Enables or disables a recognizer that this program has added, over reconnections too.
        Like UIKit's isEnabled. If you disable it, a gesture that has begun with it is cancelled
        before Done. Returns 0 if the daemon does not have it yet: it is then added so. For other
        recognizers use set(Change(path, enabled=...))."""
        self._check_ended()
        boolean(enabled, "enabled")
        path = self._recognizers.path(integer(recognizer, "a recognizer", 0, MAX_NUMBER))
        serial = 0 if path is None else self.set(Change(path, enabled=enabled))
        self._recognizers.enable(recognizer, enabled)
        return serial

    def change_views(self, attachment: int, steps: Iterable[Mapping[str, Any]]) -> int:
        """Adds, changes and removes views of this program's own in the view of an attachment (rule
        L7). All steps take effect at once, between two frames. If one is impossible, none takes
        effect. The daemon first adds and removes views, in the order of the steps, then sets
        properties.

            connection.change_views(home, [
                {"add": "row-1", "frame": (0, 0, 480, 40),
                 "views": [{"add": "icon", "frame": (4, 4, 32, 32), "shape": "ellipse"}]},
                {"change": "row-0", "hidden": True},
                {"remove": "row-9"},
            ])

        Paths start at the attachment's view. The path of a change may be empty: that view itself.
        Properties are those of Change. A view that you add needs at least a frame; it may have a
        controller, and views in it.

        Done follows once the attachment is in force, or Error, which names the step. The views end
        with the attachment. The library adds them again when it reconnects. An Error with serial 0
        names a view for which that is impossible."""
        self._check_ended()
        held = self._attachments.get(integer(attachment, "an attachment", 0, MAX_NUMBER))
        if held is None or held.detach_serial:
            raise RequestError(f"there is no attachment {attachment}, or it is being detached")
        packed = steps_of(steps)
        size = 24 + sum(len(step.packed()) for step in packed)
        if size > wire.MAX_CHANGE_VIEWS:
            raise RequestError(
                f"{len(packed)} steps make a request of {size} bytes, over the daemon's limit of "
                f"{wire.MAX_CHANGE_VIEWS}: ask for fewer at once"
            )
        serial = self._take_serial()
        self._views.add(serial, attachment, packed)
        self._pay_owed()
        self._flush()
        return serial

    def detach(self, attachment: int) -> int:
        """Ends an attachment. Its touches still come until Done; live ones are cancelled first.
        Returns 0 if the daemon does not have it: there is no connection, or attach was not sent
        yet. It has then ended at once.

        However an attachment ends, each request made of it is answered. If the daemon had yet to
        be asked, the next dispatch answers, with Error NOT_ATTACHED."""
        self._check_ended()
        held = self._attachments.get(integer(attachment, "an attachment", 0, MAX_NUMBER))
        if held is None or held.detach_serial:
            raise RequestError(
                f"there is no attachment {attachment}, or it is being detached"
            )
        if held.state is State.OWED:
            self._recognizers.forget(attachment)
            self._views.forget(attachment)
            self._attachments.remove(attachment)
            return 0
        held.detach_serial = self._take_serial()
        self._pay_owed()
        self._flush()
        return held.detach_serial

    def accept(self, attachment: int, touch: int) -> None:
        """Accepts a touch, as otherwise happens at the decision timeout (rule R5). Has no effect
        if the touch has ended meanwhile."""
        self._check_ended()
        integer(touch, "a touch's id", 1, MAX_TOUCH)
        if self._live.has_declined(integer(attachment, "an attachment", 0, MAX_NUMBER), touch):
            raise RequestError(f"touch {touch} was declined for attachment {attachment}")
        self._request(wire.ACCEPT, "IIQ", self._held(attachment).number, touch)

    def decline(self, attachment: int, touch: int) -> None:
        """Declines a touch. The next responder up gets all of it, from its beginning (rule R5).
        Decline within the decision timeout after BEGAN, and before you accept; the touch may have
        ended meanwhile. The daemon ignores a decline that comes later. Either way this attachment
        hears nothing more of the touch, not even its end."""
        self._check_ended()
        integer(touch, "a touch's id", 1, MAX_TOUCH)
        self._request(wire.DECLINE, "IIQ", self._held(attachment).number, touch)
        self._live.decline(attachment, touch)

    def observe(self, enable: bool = True) -> int:
        """Control socket. Asks for Observed and ObservedGesture, or ends them; Done follows.
        Returns 0 if you end them while there is no connection."""
        boolean(enable, "enable")
        if not enable and self._socket is None and self._end is None:
            self._observe_serial = 0
            self._observe_owed = False
            return 0
        serial = self._request(wire.OBSERVE, "II", int(enable))
        self._observe_serial = serial if enable else 0
        self._observe_owed = self._observe_answered = False
        return serial

    def _held(self, attachment: int) -> Attachment:
        """The attachment, where touches can come through it."""
        integer(attachment, "an attachment", 0, MAX_NUMBER)
        held = self._attachments.get(attachment)
        if held is None or not held.is_held:
            raise RequestError(f"there is no attachment {attachment}, or it is not attached yet")
        return held

    def _check_ended(self) -> None:
        if self._end is not None:
            raise EndedError(self._end.kind, str(self._end))

    # Sending

    def _take_serial(self) -> int:
        while True:
            serial = self._next_serial
            self._next_serial = serial % 0x7FFFFFFF + 1
            if serial in (self._observe_serial, self._observe_again):
                continue
            if self._recognizers.uses(serial):
                continue
            if not self._attachments.uses(serial) and not self._views.uses(serial):
                return serial

    def _request(self, opcode: int, layout: str, *fields: int, rest: bytes = b"") -> int:
        self._check_ended()
        if self._socket is None:
            raise AwayError(f"there is no connection to {self._path} at the moment")
        serial = self._take_serial()
        self._queue(wire.request(opcode, layout, serial, *fields, rest=rest))
        self._flush()
        return serial

    def _queue(self, data: bytes, limit: int | None = None) -> None:
        limit = limit or self._max_request
        if len(data) > limit:
            raise RequestError(
                f"a request of {len(data)} bytes is over the daemon's limit of {limit}"
            )
        if len(self._output) + len(data) > OUTPUT_LIMIT:
            raise FullError(
                f"{len(self._output)} bytes of requests wait for touchrouted, which does not read "
                "them"
            )
        self._output += data

    def _pay_owed(self) -> None:
        """Queues what a full buffer or a missing connection kept back, as far as it fits."""
        if self._socket is None:
            return
        try:
            if self._observe_owed:
                self._queue(wire.request(wire.OBSERVE, "II", self._observe_serial, 1))
                self._observe_owed = False
                self._observe_again = self._observe_serial if self._observe_answered else 0
            for held in self._attachments.owed():
                if held.state is State.OWED and self._views.delays(held, self._attachments.all()):
                    continue
                self._queue(held.owed_request())
                held.paid()
            numbers = self._attachments.in_force()
            for request, batch in self._views.owed(numbers):
                self._queue(request, wire.MAX_CHANGE_VIEWS)
                self._views.paid(batch)
            ready = {held: number for held, number in numbers.items() if self._views.has_all(held)}
            for request, added in self._recognizers.owed(ready):
                self._queue(request)
                self._recognizers.paid(added)
        except FullError:
            pass  # the rest stays owed

    def _flush(self) -> None:
        """A connection that is gone is found by reading it, after what the daemon said last."""
        self._send()
        self._waiter.set_writing(bool(self._output))

    def _send(self) -> None:
        while self._output and self._socket is not None:
            try:
                sent = self._socket.send(self._output)
            except BlockingIOError:
                return
            except OSError:
                self._output.clear()
                return
            del self._output[:sent]

    # Connecting, and losing the connection

    def _explain(self, error: OSError) -> str:
        if isinstance(error, FileNotFoundError):
            return f"there is no socket at {self._path}: is touchrouted running?"
        if isinstance(error, ConnectionRefusedError):
            return f"nobody listens at {self._path}: is touchrouted running?"
        if isinstance(error, BlockingIOError):
            return f"touchrouted at {self._path} has too many connections that wait for it"
        if isinstance(error, PermissionError):
            return explain_refusal(self._path)
        return f"connecting to touchrouted at {self._path}: {error.strerror or error}"

    def _connect(self) -> None:
        new = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            new.setblocking(False)
            self._connect_socket(new)
        except OSError:
            new.close()
            raise
        self._socket = new
        self._waiter.follow(new)
        self._waiter.set_alarm(None)
        self._connected_at = time.monotonic()
        self._is_welcome = False
        self._input.clear()
        self._output.clear()
        self._max_request = wire.MAX_REQUEST
        self._useless = None
        self._last_words = ""
        self._queue(
            wire.request(
                wire.HELLO, "IIII", self._take_serial(), wire.MAGIC, wire.VERSION, len(self._name),
                rest=self._name,
            )  # fmt: skip
        )
        self._pay_owed()
        self._flush()

    def _connect_socket(self, new: socket.socket) -> None:
        end = time.monotonic() + FULL_WAIT
        while True:
            try:
                return new.connect(self._path)
            except BlockingIOError:
                if self._reconnect or time.monotonic() >= end:
                    raise
            time.sleep(FULL_DELAY)

    def _wait_before_retry(self) -> None:
        self._retry_at = time.monotonic() + self._delay
        self._waiter.set_alarm(self._delay)
        self._delay = min(self._delay * 2 or FIRST_DELAY, LAST_DELAY)

    def _retry(self) -> None:
        if time.monotonic() < self._retry_at:
            return
        try:
            self._connect()
        except OSError as error:
            if isinstance(error, BlockingIOError) and self._delay == FIRST_DELAY:
                self._delay = FULL_DELAY
            self._wait_before_retry()

    def _lose(self, told: list[events.Event], kind: EndKind, text: str) -> None:
        """The connection has ended: tells the program, then tries again or gives up."""
        self._waiter.follow(None)
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._input.clear()
        self._output.clear()
        told += self._live.cancel(None, CancelReason.CONNECTION_LOST, self._attachments)
        told += self._end_gestures(None, CancelReason.CONNECTION_LOST)
        told.append(events.Lost(text))
        if not self._reconnect or self._useless is not None:
            self._end = EndedError(self._useless or kind, text)
            return
        self._recognizers.owe()
        self._views.owe()
        for handle in self._attachments.owe_everything():
            self._recognizers.forget(handle)
            self._views.forget(handle)
        self._observe_owed = self._observe_serial != 0
        self._observe_again = 0
        if time.monotonic() - self._connected_at >= LAST_DELAY:
            self._delay = 0.0
        self._wait_before_retry()

    def _lose_at_end(self, told: list[events.Event], error: OSError | None) -> None:
        text = f"touchrouted at {self._path} ended the connection"
        if self._last_words:
            text += f": {self._last_words}"
        elif error is not None and not isinstance(error, ConnectionResetError):
            text = f"the connection to touchrouted at {self._path} broke: {error.strerror}"
        elif self._input:
            text += " in the middle of a message"
        self._lose(told, "reset", text)

    # Reading

    def _read(self, told: list[events.Event]) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(2 * wire.MAX_MESSAGE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            return self._lose_at_end(told, error)
        if not data:
            return self._lose_at_end(told, None)
        self._input += data
        start = 0
        while len(self._input) - start >= wire.HEADER.size:
            size, opcode, flags = wire.HEADER.unpack_from(self._input, start)
            try:
                if size < wire.HEADER.size or size % 8 or size > wire.MAX_MESSAGE:
                    raise wire.Malformed("no message has such a size")
                if size > len(self._input) - start:
                    break
                body = bytes(self._input[start + wire.HEADER.size : start + size])
                self._handle(told, opcode, flags, memoryview(body))
            except wire.Malformed as problem:
                return self._lose(
                    told,
                    "malformed",
                    f"touchrouted at {self._path} sent a malformed message (opcode {opcode:#x}, "
                    f"{size} bytes): {problem}",
                )
            start += size
        del self._input[:start]

    def _handle(
        self, told: list[events.Event], opcode: int, flags: int, body: memoryview
    ) -> None:
        if not self._is_welcome and opcode not in (wire.WELCOME, wire.ERROR, wire.CLOSING):
            raise wire.Malformed("it came before welcome")
        event = wire.decode(opcode, flags, body)
        match event:
            case None:
                return  # of a newer daemon
            case events.Welcome():
                if event.max_request < 24:
                    raise wire.Malformed("its limit of a request's size is too small for any")
                self._max_request = min(event.max_request, wire.MAX_REQUEST)
                self._is_welcome = True
                told.append(event)
            case events.Touches():
                told += self._live.hear(event, self._attachments)
            case (int(), events.Geometry()):
                told += self._geometry(opcode, *event)
            case events.Detached():
                told += self._detached(event)
            case (int(), events.Waiting()):
                told += self._waiting(*event)
            case events.Holder():
                if held := self._attachments.numbered(event.attachment):
                    told.append(replace(event, attachment=held.handle))
            case events.Gesture():
                if held := self._attachments.numbered(event.attachment):
                    told.append(self._recognizers.hear(event, held.handle))
            case events.Error():
                told += self._error(event)
            case events.Done():
                if event.serial and (held := self._attachments.detaching(event.serial)):
                    told += self._end_attachment(held.handle, CancelReason.REQUESTED)
                is_told = self._recognizers.answered(event.serial, event.total)
                is_told = self._observe_told(event.serial, 0) and is_told
                is_again, _ = self._views.answered_again(event.serial, False)
                self._views_answered(event.serial, False)
                if is_told and not is_again:
                    told.append(event)
            case events.Closing():
                if event.reason == CloseReason.PROTOCOL and self._useless is None:
                    self._useless = "malformed"
                # They follow "touchrouted ... ended the connection: ".
                is_stopping = event.reason == CloseReason.STOPPING
                self._last_words = self._last_words or (
                    "it is stopping" if is_stopping else event.text
                )
                told.append(event)
            case _:
                told.append(event)

    def _observe_told(self, serial: int, code: int) -> bool:
        """Takes an answer in, if it is to observe. Whether the program is to hear of it: where that
        was asked for again, only of its end."""
        is_again = serial != 0 and serial == self._observe_again
        if is_again:
            self._observe_again = 0
        if serial == 0 or serial != self._observe_serial:
            return not is_again
        self._observe_answered = True
        if code:
            self._observe_serial = 0
        return bool(code) or not is_again

    def _views_answered(self, serial: int, is_error: bool) -> None:
        """Takes an answer in, if it is to change_views."""
        attachment, steps = self._views.answered(serial, is_error)
        if held := self._attachments.get(attachment):
            self._recognizers.follow(held.path.split(b"@")[0] + b"/", steps)

    def _geometry(
        self, opcode: int, serial: int, geometry: events.Geometry
    ) -> list[events.Event]:
        if opcode == wire.LAYOUT:
            held = self._attachments.numbered(geometry.attachment)
            return [events.Layout(replace(geometry, attachment=held.handle))] if held else []
        held = self._attachments.take_place(serial, geometry.attachment, State.HELD)
        return [events.Attached(replace(geometry, attachment=held.handle))] if held else []

    def _end_attachment(self, handle: int, reason: CancelReason) -> list[events.Event]:
        told = self._live.cancel(handle, reason, self._attachments)
        told += self._end_gestures(handle, reason)
        self._recognizers.forget(handle)
        self._views.forget(handle)
        self._attachments.remove(handle)
        return told

    def _end_gestures(
        self, attachment: int | None, reason: CancelReason
    ) -> list[events.Event]:
        return self._recognizers.cancel(attachment, reason, time.monotonic_ns() // 1000)

    def _detached(self, event: events.Detached) -> list[events.Event]:
        held = self._attachments.numbered(event.attachment)
        if held is None:
            return []
        told = self._end_attachment(held.handle, _cancel_reason(event.reason))
        return [*told, replace(event, attachment=held.handle), *_done(held.unsent_detach)]

    def _waiting(self, serial: int, event: events.Waiting) -> list[events.Event]:
        held = self._attachments.take_place(serial, event.attachment, State.WAITING)
        if held is None:
            return []
        reason = _cancel_reason(event.reason)
        told = self._live.cancel(held.handle, reason, self._attachments)
        told += self._end_gestures(held.handle, reason)
        self._recognizers.owe(held.handle)
        self._views.owe(held.handle)
        return [*told, replace(event, attachment=held.handle)]

    def _error(self, event: events.Error) -> list[events.Event]:
        told: list[events.Event] = []
        detaching = 0
        if event.serial:
            held = self._attachments.detaching(event.serial)
            held = held or self._attachments.get(event.serial)
            if held is not None:
                detaching = held.unsent_detach
                told += self._end_attachment(held.handle, CancelReason.REQUESTED)
            if not self._recognizers.answered(event.serial, 0, event.code):
                return told
            if not self._observe_told(event.serial, event.code):
                return told
            self._views_answered(event.serial, True)
            is_again, more = self._views.answered_again(event.serial, True)
            if is_again and more is None:
                return told
            if is_again:
                event = replace(event, serial=0, text=event.text + (more or ""))
        if event.code in (ErrorCode.PROTOCOL, ErrorCode.VERSION):
            self._useless = "version" if event.code == ErrorCode.VERSION else "malformed"
            self._last_words = event.text
        return [*told, event, *_done(detaching)]

    def __repr__(self) -> str:
        state = "ended" if self._end else "away" if self._socket is None else "connected"
        return f"<touchroute.Connection to {self._path}, {state}>"


def _done(serial: int) -> list[events.Event]:
    """The answer to a request that the daemon will not be asked; 0: to none."""
    return [events.Done(serial, 0, 0, "")] if serial else []


def _cancel_reason(reason: int) -> CancelReason:
    """Why touches are cancelled of an attachment that has lost its responder."""
    reasons: dict[int, CancelReason] = {
        DetachReason.REMOVED: CancelReason.TARGET_REMOVED,
        DetachReason.TAKEN_OVER: CancelReason.TAKEN_OVER,
    }
    return reasons.get(reason, CancelReason.REQUESTED)
