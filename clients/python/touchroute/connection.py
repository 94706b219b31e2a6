"""The connection to the daemon."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from . import abi, events
from .arguments import MAX_NUMBER, MAX_TOUCH, boolean, integer, name_bytes, number, path_bytes, shown
from .changes import Change, Contact
from .decoding import LISTENER, Told
from .errors import (
    AwayError,
    ConnectError,
    EndedError,
    EndKind,
    FullError,
    RequestError,
    TouchrouteError,
)
from .gestures import Recognizer
from .library import LIBRARY
from .values import LockExit, Phases
from .views import steps_of
from .waiter import Waiter

_ENDS: dict[int, EndKind] = {
    errno.ECONNRESET: "reset", errno.EPROTO: "malformed", errno.EPROTONOSUPPORT: "version",
}  # fmt: skip


class Connection:
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
            if value is not None and (not isinstance(value, str) or "\0" in value):
                raise RequestError(f"{what} has to be a str without NUL or None, not {shown(value)}")
        name = name or os.path.basename(sys.argv[0]) or "python"
        self._path = path or os.environ.get(abi.SOCKET_VARIABLE) or abi.SOCKET_PATH
        try:
            where = os.fsencode(self._path)
        except UnicodeEncodeError:
            raise RequestError(f"{shown(path)} can't be the path of a socket") from None
        self._told: deque[events.Event] = deque()
        self._news = Told()
        self._connection = LIBRARY.touchroute_connect(
            where,
            name.encode(errors="replace"),
            abi.RECONNECT if reconnect else 0,
            LISTENER,
            self._news,
        )
        if self._connection is None:
            raise ConnectError(_text(None))
        try:
            self._waiter = Waiter(LIBRARY.touchroute_get_fd(self._connection))
        except OSError as error:
            connection, self._connection = self._connection, None
            LIBRARY.touchroute_disconnect(connection)
            raise ConnectError(str(error)) from error
        self._follow()

    # The connection itself

    def close(self) -> None:
        """Ends the connection; the daemon ends its attachments. No more events come."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._waiter.close()
            LIBRARY.touchroute_disconnect(connection)

    def __del__(self) -> None:
        if getattr(self, "_connection", None) is not None:
            self.close()

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
        told = self._read()
        if timeout != 0 and not told:
            # Here and not in C, where a signal's handler in Python would have to wait.
            self._waiter.wait(timeout)
            told = self._read()
        return told

    def _read(self) -> list[events.Event]:
        """Has the library send and read once."""
        connection = self._open()
        result = LIBRARY.touchroute_dispatch(connection, 0)
        told, self._news.events = self._news.events, []
        failure, self._news.failure = self._news.failure, None
        if failure is not None:
            self._told.extend(told)
            raise failure
        if result < 0 and not told:
            raise _error(connection, result)
        self._follow()
        return told

    def _open(self) -> int:
        if self._connection is None:
            raise EndedError("reset", "this program has closed the connection")
        return self._connection

    def _follow(self) -> None:
        self._waiter.follow(LIBRARY.touchroute_get_events(self._connection))

    def _ask(self, request: Callable[..., int], *arguments: Any) -> int:
        """Makes a request; the serial."""
        connection = self._open()
        result = request(connection, *arguments)
        self._follow()
        if result < 0:
            raise _error(connection, result)
        return result

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

    # The requests. Each returns the serial of its answer, which is over 0. It raises RequestError for
    # an argument out of range, FullError, AwayError or EndedError.

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
        self._open()
        data = path_bytes(path)
        integer(handles, "handles", 0, MAX_NUMBER)
        integer(passes, "passes", 0, MAX_NUMBER)
        flags = 0
        for flag, value, what in (
            (abi.ATTACH_TAKE_OVER, take_over, "take_over"),
            (abi.ATTACH_HISTORY, history, "history"),
            (abi.ATTACH_WAIT, wait, "wait"),
            (abi.ATTACH_GESTURES, gestures, "gestures"),
        ):
            flags |= flag if boolean(value, what) else 0
        return self._ask(LIBRARY.touchroute_attach, data, handles, passes, flags)

    def add_gesture(self, attachment: int, recognizer: Recognizer) -> int:
        """Adds a recognizer to the view of an attachment, or to a view in it (rule G1). Like
        UIKit's addGestureRecognizer. It lasts as long as the attachment, over reconnections too.

        Returns a number that names it in Gesture. Done follows, or Error, which ends it. The
        library adds it once the attachment is in force."""
        self._open()
        integer(attachment, "an attachment", 0, MAX_NUMBER)
        if not isinstance(recognizer, Recognizer):
            raise RequestError(f"add_gesture needs a Recognizer, not {shown(recognizer)}")
        feedback = name_bytes(recognizer.feedback or "", f"feedback of {recognizer.name}", 40)
        return self._ask(
            LIBRARY.touchroute_add_gesture_with_feedback, attachment, recognizer.recognizer(), feedback
        )

    def remove_gesture(self, recognizer: int) -> int:
        """Removes a recognizer. A gesture that has begun with it is cancelled before Done. Returns
        0 if the daemon does not have it: it is then removed at once."""
        return self._ask(LIBRARY.touchroute_remove_gesture, integer(recognizer, "a recognizer", 0, MAX_NUMBER))

    def enable_gesture(self, recognizer: int, enabled: bool = True) -> int:
        """Enables or disables a recognizer that this program has added, over reconnections too.
        Like UIKit's isEnabled. If you disable it, a gesture that has begun with it is cancelled
        before Done. Returns 0 if the daemon does not have it yet: it is then added so. For other
        recognizers use set(Change(path, enabled=...))."""
        boolean(enabled, "enabled")
        integer(recognizer, "a recognizer", 0, MAX_NUMBER)
        return self._ask(LIBRARY.touchroute_enable_gesture, recognizer, enabled)

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
        self._open()
        integer(attachment, "an attachment", 0, MAX_NUMBER)
        packed = steps_of(steps)
        array = (abi.touchroute_view_change * len(packed))(*packed)
        return self._ask(LIBRARY.touchroute_change_views, attachment, array, len(packed))

    def detach(self, attachment: int) -> int:
        """Ends an attachment. Its touches still come until Done; live ones are cancelled first.
        Returns 0 if the daemon does not have it: there is no connection, or attach was not sent
        yet. It has then ended at once.

        However an attachment ends, each request made of it is answered. If the daemon had yet to
        be asked, the next dispatch answers, with Error NOT_ATTACHED."""
        return self._ask(LIBRARY.touchroute_detach, integer(attachment, "an attachment", 0, MAX_NUMBER))

    def accept(self, attachment: int, touch: int) -> None:
        """Accepts a touch, as otherwise happens at the decision timeout (rule R5). Has no effect
        if the touch has ended meanwhile."""
        integer(attachment, "an attachment", 0, MAX_NUMBER)
        integer(touch, "a touch's id", 1, MAX_TOUCH)
        self._ask(LIBRARY.touchroute_accept, attachment, touch)

    def decline(self, attachment: int, touch: int) -> None:
        """Declines a touch. The next responder up gets all of it, from its beginning (rule R5).
        Decline within the decision timeout after BEGAN, and before you accept; the touch may have
        ended meanwhile. The daemon ignores a decline that comes later. Either way this attachment
        hears nothing more of the touch, not even its end."""
        integer(attachment, "an attachment", 0, MAX_NUMBER)
        integer(touch, "a touch's id", 1, MAX_TOUCH)
        self._ask(LIBRARY.touchroute_decline, attachment, touch)

    def set(self, *changes: Change) -> int:
        """Overrides properties of views and windows that this program holds, and of views in them.
        Other views need an access rule that names this program's user, or the control socket. The
        changes take effect in their order and all at once, between two frames. If one is
        impossible, none takes effect. Done or Error follows.

        An override ends with the attachment through which it was set. One by a rule's right ends
        with the connection. One of the control socket stays (rule L6). All survive a reload, and a
        restart by the service manager. None survives a daemon that dies, and the library does not
        repeat them. So set what you need after each Attached, or after each Welcome if you need no
        attachment for it.
        """
        for change in changes:
            if not isinstance(change, Change):
                raise RequestError(f"set takes Change, not {shown(change)}")
        packed = [it for change in changes for it in change.changes()]
        array = (abi.touchroute_property_change * len(packed))(*packed)
        return self._ask(LIBRARY.touchroute_set, array, len(packed))

    def describe(self, path: str = "", first: int = 0, count: int = 0) -> int:
        """Asks for the views of a responder, and for their recognizers after them. Without a path:
        for every view of every window.

        first: where to start: among the views in the order in which a touch's target counts them,
        then among the recognizers. count: how many; 0 for as many as one answer has room for.

        View follows for each, with its ViewDetails and ViewProperty, then DescribedGesture for
        each, then Done. An answer without any of them is the end."""
        count = integer(count, "the count of views of one answer", 0, abi.DESCRIBE_PAGE)
        first = integer(first, "the first view to describe", 0, MAX_NUMBER)
        return self._ask(LIBRARY.touchroute_describe, path_bytes(path), first, count)

    def set_screen(self, screen: str, is_on: bool, as_blanker: bool = False) -> int:
        """Says that a screen is about to be dark, before its light goes off, or that it is on
        again (rules D1 to D6). Done or Error follows.

        as_blanker: this program becomes the screen's blanker, which hears of each wake by
        ScreenNotice. After a reconnection nothing of it is asked again: do it after Welcome. The
        same holds for what is watched and inhibited.
        """
        power = abi.SCREEN_ON if boolean(is_on, "is_on") else abi.SCREEN_DARK
        flags = abi.SET_SCREEN_BLANKER if boolean(as_blanker, "as_blanker") else 0
        return self._ask(LIBRARY.touchroute_set_screen, path_bytes(screen), power, flags)

    def lock(
        self, screen: str, seconds: float, *, exit: LockExit = LockExit.NONE,
        exceptions: Sequence[str] = (),
    ) -> int:  # fmt: skip
        """Locks a screen: a child lock, or to clean it (rule D9). Done or Error follows.

        exit: what fingers do to end it. exceptions: the paths of the views that get touches all
        the same. It ends with its time, by unlock, by exit, and with the connection; one of the
        control socket outlives that.
        """
        duration = round(number(seconds, "the time of a lock") * 1000)
        if not 1000 <= duration <= MAX_NUMBER:
            raise RequestError(f"a lock lasts at least a second, not {shown(seconds)} s")
        paths = [path_bytes(path) for path in exceptions]
        array = (ctypes.c_char_p * len(paths))(*paths)
        return self._ask(
            LIBRARY.touchroute_lock, path_bytes(screen), duration, int(LockExit(exit)), array,
            len(paths),
        )  # fmt: skip

    def unlock(self, screen: str) -> int:
        """Ends the lock of a screen. Done or Error follows."""
        return self._ask(LIBRARY.touchroute_unlock, path_bytes(screen))

    def watch_screens(self, enable: bool = True) -> int:
        """Asks for ScreenNotice and LockNotice of every screen, or ends that. Done follows, then the state of
        each."""
        return self._ask(LIBRARY.touchroute_watch_screens, boolean(enable, "enable"))

    def watch_feedback(self, screen: str, enable: bool = True) -> int:
        """Asks for Feedback of what is hit on a screen, or ends that (rule D11). Done or Error
        follows."""
        return self._ask(
            LIBRARY.touchroute_watch_feedback, path_bytes(screen), boolean(enable, "enable")
        )

    def watch_idle(
        self, seconds: float, *, screen: str | None = None, window: str | None = None,
        ignores_inhibitors: bool = False, ignores_injected: bool = False,
    ) -> int:  # fmt: skip
        """Asks for Idle once nobody has touched something for so long, and once somebody does
        again (rule D7). Done follows, whose total is the watch's number, or Error.

        seconds: from 1 to 86400, a day. screen: of a screen. window: of a window that this program
        holds. Without either it is of the seat: every screen.
        """
        if screen is not None and window is not None:
            raise RequestError("watch_idle watches a screen or a window, not both")
        scope, name = abi.IDLE_SEAT, screen if window is None else window
        if name is not None:
            scope = abi.IDLE_SCREEN if window is None else abi.IDLE_WINDOW
        flags = 0
        if boolean(ignores_inhibitors, "ignores_inhibitors"):
            flags |= abi.IDLE_IGNORES_INHIBITORS
        if boolean(ignores_injected, "ignores_injected"):
            flags |= abi.IDLE_IGNORES_INJECTED
        duration = round(number(seconds, "the time to watch idle for") * 1000)
        if not 1000 <= duration <= 86_400_000:
            raise RequestError(
                f"idle is watched for at least a second, and at most a day, not {shown(seconds)} s"
            )
        shown_name = None if name is None else path_bytes(name)
        return self._ask(LIBRARY.touchroute_watch_idle, scope, shown_name, duration, flags)

    def unwatch_idle(self, watch: int) -> int:
        """Ends a watch, by its number. Done or Error follows."""
        return self._ask(
            LIBRARY.touchroute_unwatch_idle, integer(watch, "the watch", 0, MAX_NUMBER)
        )

    def inhibit_idle(self, attachment: int, enable: bool = True) -> int:
        """Inhibits idle for an attachment's window, its screen and the seat, or no longer; it ends
        with the attachment (rule D8). Done or Error follows."""
        number = integer(attachment, "the attachment", 0, MAX_NUMBER)
        return self._ask(LIBRARY.touchroute_inhibit_idle, number, boolean(enable, "enable"))

    def ping(self) -> int:
        """Asks for Pong, which comes after the answers to all earlier requests."""
        return self._ask(LIBRARY.touchroute_ping)

    def status(self) -> int:
        """Control socket. Asks for the daemon's status: its items come, then Done."""
        return self._ask(LIBRARY.touchroute_status)

    def observe(self, enable: bool = True, *, changes: bool = False, health: bool = False) -> int:
        """Control socket. Asks for Observed, ObservedGesture and ObservedSignal, with changes for
        ObservedChange too, or ends them; Done follows. With changes the daemon drops what this
        program does not read, and says how much. With health it tells what is wrong with
        touchscreens, and nothing of touches. Returns 0 if you end them while there is no
        connection."""
        wanted = boolean(enable, "enable")
        tells_changes, tells_health = boolean(changes, "changes"), boolean(health, "health")
        if tells_changes and tells_health:
            raise RequestError("observe tells changes too, or health alone: not both")
        if wanted and tells_changes:
            wanted = abi.OBSERVE_CHANGES
        if wanted and tells_health:
            wanted = abi.OBSERVE_HEALTH
        return self._ask(LIBRARY.touchroute_observe, wanted)

    def reload(self) -> int:
        """Control socket. Makes the daemon read its configuration again. Done follows, with what
        changed, or Error with what is wrong."""
        return self._ask(LIBRARY.touchroute_reload)

    def inject(self, *contacts: Contact, screen: int = 0) -> int:
        """Control socket. Plays one frame of a synthetic touchscreen that belongs to this
        connection. The frame has the time at which the daemon reads it. When the connection ends
        or is lost, the touchscreen's touches are cancelled: DEVICE_REMOVED. Done follows, whose
        total is the device number of the touches, or Error.

        contacts: the fingers that change in this frame. screen: an index into the screens of
        Welcome; it may change only while no finger is down.
        """
        for contact in contacts:
            if not isinstance(contact, Contact):
                raise RequestError(f"inject takes Contact, not {shown(contact)}")
        screen = integer(screen, "the screen's index", 0, MAX_NUMBER)
        packed = [contact.contact() for contact in contacts]
        array = (abi.touchroute_contact * len(packed))(*packed)
        return self._ask(LIBRARY.touchroute_inject, screen, array, len(packed))

    def cancel(self, touch: int | None) -> int:
        """Control socket. Cancels a touch for every client that gets it, or with None every live
        touch, with the reason REQUESTED. Done follows, whose total says how many were live."""
        number = 0 if touch is None else integer(touch, "a touch's id", 1, MAX_TOUCH)
        return self._ask(LIBRARY.touchroute_cancel, number)

    def ungrab(self, device: int) -> int:
        """Control socket. Lets other programs read a touchscreen that the daemon has grabbed, until
        the connection ends or is lost; touches go on. Done follows, whose total is 1 if the daemon
        had grabbed it, else 0.

        device: its number, of StatusDevice.
        """
        number = integer(device, "a touchscreen's number", 0, MAX_NUMBER)
        return self._ask(LIBRARY.touchroute_ungrab, number)

    def __repr__(self) -> str:
        state = "closed" if self._connection is None else "open"
        return f"<touchroute.Connection to {self._path}, {state}>"


def _text(connection: int | None) -> str:
    """The failure of a connection, or of the last attempt to connect (None), as a sentence."""
    return str(LIBRARY.touchroute_error_text(connection).decode("utf-8", "replace"))


def _error(connection: int, result: int) -> TouchrouteError:
    """What a negative result of the C library is here."""
    text = _text(connection)
    if -result in _ENDS:
        return EndedError(_ENDS[-result], text)
    return {errno.EAGAIN: FullError, errno.ENOTCONN: AwayError}.get(-result, RequestError)(text)
