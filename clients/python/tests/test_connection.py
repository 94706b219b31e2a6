"""Connecting, reconnecting, limits, and broken vectors."""

from __future__ import annotations

import dataclasses
import os
import random
import socket
import struct
import unittest
from collections.abc import Callable
from typing import Any

import touchroute
from . import wire

from .peer import Peer
from .vectors import Vector, names


def welcome() -> bytes:
    """The daemon's answer to hello."""
    return wire.request(wire.WELCOME, "8I", 1, 1, 4096, 64, 250, 2000, 0, 0)


def attached(serial: int, number: int) -> bytes:
    """The daemon's answer to attach."""
    return wire.request(wire.ATTACHED, "6I14d", serial, number, 1, 0, 1, 0, *[0] * 14)


def touches(*records: tuple[int, int, touchroute.Phase, bytes]) -> bytes:
    """A frame: touches' numbers, attachments, phases and paths."""
    body = b""
    parts = b""
    for touch, number, phase, path in records:
        body += wire.TOUCH.pack(
            touch, number, 0, 0, phase, 0, 0, 1, 0, 0, len(path), *[0.0] * 8
        )
        parts += path + bytes(-len(path) % 8)
    return wire.request(wire.TOUCHES, "QQIHH", 1, 1, 1, len(records), 0, rest=body + parts)


class ConnectionTests(unittest.TestCase):
    """Against a daemon that the test plays."""

    def peer(self, listening: bool = True) -> Peer:
        peer = Peer(listening)
        self.addCleanup(peer.close)
        return peer

    def test_a_socket_that_is_not_there_is_named(self) -> None:
        with self.assertRaisesRegex(touchroute.ConnectError, "no socket at /nonexistent/socket"):
            touchroute.Connection("/nonexistent/socket")

    @unittest.skipUnless(os.geteuid() == 0, "it takes root to become another user")
    def test_a_socket_that_may_not_be_opened_is_for_a_group_that_can_be_joined(self) -> None:
        peer = self.peer()
        os.chmod(os.path.dirname(peer.path), 0o755)
        for group, mode, reason in (
            (4100, 0o660, r"it is for the group 4100\. Join it \(sudo usermod -aG 4100 4001\)"),
            (4100, 0o600, "only user root may, as with sudo"),
        ):
            os.chown(peer.path, 0, group)
            os.chmod(peer.path, mode)
            os.seteuid(4001)
            try:
                with self.assertRaisesRegex(
                    touchroute.ConnectError, f"user 4001 may not open {peer.path}: {reason}"
                ):
                    touchroute.Connection(peer.path)
            finally:
                os.seteuid(0)

    def test_the_environment_names_the_socket(self) -> None:
        os.environ["TOUCHROUTE_SOCKET"] = "/nonexistent/other"
        self.addCleanup(os.environ.pop, "TOUCHROUTE_SOCKET")
        with self.assertRaisesRegex(touchroute.ConnectError, "/nonexistent/other"):
            touchroute.Connection()

    def test_a_long_name_is_cut_between_letters(self) -> None:
        for name, size in (
            ("x" * 300, 255), ("x" * 254 + "\u00e9", 254), ("x" * 253 + "\u00e9", 255),
            ("\U0001f697" * 70, 252), ("\u30ca" * 100, 255),
        ):
            peer = self.peer()
            connection = touchroute.Connection(peer.path, name)
            self.addCleanup(connection.close)
            peer.accept(letting=lambda: connection.dispatch(0))
            hello = peer.receive()
            self.assertEqual(hello[24:].rstrip(b"\0"), name.encode()[:size])

    def test_arguments_out_of_range(self) -> None:
        connection = touchroute.Connection(self.peer().path)
        self.addCleanup(connection.close)
        for request in (
            lambda: connection.attach(""),
            lambda: connection.attach("a" * 3073),
            lambda: connection.attach("a", handles=touchroute.Phases.NONE),
            lambda: connection.attach(
                "a", handles=touchroute.Phases.BEGAN, passes=touchroute.Phases.ENDED
            ),
            lambda: connection.describe("", count=129),
            lambda: connection.detach(7),
            lambda: connection.accept(7, 7),
            lambda: connection.decline(7, 7),
            lambda: connection.set(),
            lambda: connection.set(touchroute.Change("home")),
            lambda: connection.set(touchroute.Change("", hidden=True)),
            lambda: connection.set(*[touchroute.Change("home", order=1)] * 64),
            lambda: connection.inject(),
            lambda: connection.inject(touchroute.Contact(0, touchroute.Phase.STATIONARY)),
            lambda: connection.inject(*[touchroute.Contact(0, touchroute.Phase.ENDED)] * 170),
        ):
            with self.assertRaises(touchroute.RequestError):
                request()

    def test_after_the_end_every_request_says_so(self) -> None:
        peer = self.peer()
        connection = touchroute.Connection(peer.path)
        self.addCleanup(connection.close)
        peer.accept()
        home = connection.attach("home")
        peer.disconnect()
        self.assertIsInstance(connection.dispatch()[-1], touchroute.Lost)
        tap = touchroute.Recognizer(touchroute.GestureKind.TAP, "tap")
        for request in (
            lambda: connection.dispatch(),
            lambda: connection.attach("home"),
            lambda: connection.detach(home),
            lambda: connection.accept(home, 1),
            lambda: connection.decline(home, 1),
            lambda: connection.add_gesture(home, tap),
            lambda: connection.remove_gesture(1),
            lambda: connection.enable_gesture(1),
            lambda: connection.change_views(home, [{"remove": "row"}]),
            lambda: connection.set(touchroute.Change("home", hidden=True)),
            lambda: connection.ping(),
            lambda: connection.observe(False),
        ):
            with self.assertRaises(touchroute.EndedError):
                request()

    def test_each_property_refuses_each_wrong_shape(self) -> None:
        connection = touchroute.Connection(self.peer().path)
        self.addCleanup(connection.close)
        shapes: list[Any] = [
            "no", "0", b"1", (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4, 5),
            (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7), [], [1, 2], {}, {1, 2}, object(), 5, -1, 0.5,
            True, 2**40, 10**400, float("nan"), float("inf"), (1, "2"), (1, None, 3, 4),
            (0, 0, float("nan"), 1), (0, 0, 1, 10**400), (1, 0, 0, 1, 0, float("inf")), 1j,
            "rect", "self", "always", {"radius": 5}, {"radius": "5"}, {"radius": float("nan")},
            {"polygon": [(0, 0), (9, 0), (9, 9)]}, {"polygon": [(0, 0), (9, 0)]},
            {"polygon": [(0, 0), (9, 0), (9, "9")]}, {"polygon": [(0, 0), (9, 0), 9]},
            {"polygon": [(0, 0)] * 300}, {"radius": 5, "polygon": []}, {"children": ["a", "b"]},
            {"children": []}, {"children": "ab"}, {"children": ["a,b"]}, {"children": [""]},
            {"children": [1]}, {"children": ["\0"]}, {"children": ["a" * 5000]},
            {"redirect": "a/b"}, {"redirect": ""}, {"redirect": 5}, {"first": "a"}, {5: "a"},
            {"first": "\ud800"},
        ]  # fmt: skip
        right: dict[str, Callable[[Any], bool]] = {
            "configured": lambda shape: shape is True,
            "hidden": lambda shape: shape is True,
            "interaction": lambda shape: shape is True,
            "alpha": lambda shape: type(shape) in (int, float) and abs(shape) <= 2**40,
            "frame": lambda shape: shape == (1, 2, 3, 4),
            "bounds_origin": lambda shape: shape in ((1, 2), [1, 2]),
            "transform": lambda shape: shape == (1, 2, 3, 4, 5, 6),
            "order": lambda shape: type(shape) is int and shape == 5,
            "outset": lambda shape: shape == (1, 2, 3, 4) or right["alpha"](shape),
            "shape": lambda shape: shape
            in ("rect", {"radius": 5}, {"polygon": [(0, 0), (9, 0), (9, 9)]}),
            "inside": lambda shape: shape in ("always", {"children": ["a", "b"]}),
            "hit": lambda shape: shape in ("self", {"redirect": "a/b"}, {"first": "a"}),
            "secure": lambda shape: shape is True,
            "exclusive_touch": lambda shape: shape is True,
            "multiple_touch": lambda shape: shape is True,
            "level": lambda shape: type(shape) is int and shape in (5, -1),
            "enabled": lambda shape: shape is True,
            "label": lambda shape: isinstance(shape, str),
            "feedback": lambda shape: shape in ("no", "0", "rect", "always", "self"),
        }
        self.assertEqual(
            {"path", *right}, {field.name for field in dataclasses.fields(touchroute.Change)}
        )
        for name, is_right in right.items():
            for shape in shapes:
                with self.subTest(name=name, shape=shape):
                    change = touchroute.Change("home", **{name: shape})
                    if is_right(shape):
                        connection.set(change)
                        continue
                    with self.assertRaisesRegex(touchroute.RequestError, name):
                        connection.set(change)

    def test_each_argument_refuses_another_type(self) -> None:
        connection = touchroute.Connection(self.peer().path)
        self.addCleanup(connection.close)
        phase = touchroute.Phase.MOVED
        calls: list[Callable[[Any], object]] = [
            lambda value: connection.attach(value),
            lambda value: connection.attach("home", handles=value),
            lambda value: connection.attach("home", passes=value),
            lambda value: connection.attach("home", take_over=value),
            lambda value: connection.attach("home", history=value),
            lambda value: connection.detach(value),
            lambda value: connection.accept(value, 1),
            lambda value: connection.accept(1, value),
            lambda value: connection.decline(value, 1),
            lambda value: connection.decline(1, value),
            lambda value: connection.observe(value),
            lambda value: connection.set(value),
            lambda value: connection.set(touchroute.Change(value, hidden=True)),
            lambda value: connection.describe(value),
            lambda value: connection.describe("", value),
            lambda value: connection.describe("", 0, value),
            lambda value: connection.inject(value),
            lambda value: connection.inject(touchroute.Contact(value, phase)),
            lambda value: connection.inject(touchroute.Contact(1, value)),
            lambda value: connection.inject(touchroute.Contact(1, phase, value)),
            lambda value: connection.inject(touchroute.Contact(1, phase, 1, value)),
            lambda value: connection.inject(touchroute.Contact(1, phase), screen=value),
            lambda value: connection.cancel(value),
            lambda value: connection.ungrab(value),
            lambda value: connection.dispatch(value),
            lambda value: touchroute.Connection(value),
            lambda value: touchroute.Connection(name=value),
        ]
        for index, call in enumerate(calls):
            for value in ([], {}, b"home", object(), 10**400, 1j):
                with self.subTest(call=index, value=value):
                    with self.assertRaises(touchroute.RequestError):
                        call(value)
        for path in ("home\0", "\ud800", None):
            with self.assertRaises(touchroute.RequestError):
                connection.attach(path)  # type: ignore[arg-type]
        with self.assertRaises(touchroute.RequestError):
            connection.cancel(0)

    def test_a_recognizer_that_cannot_be_is_refused(self) -> None:
        peer = self.peer()
        connection = touchroute.Connection(peer.path, "vectors")
        self.addCleanup(connection.close)
        home = connection.attach("home", gestures=True)
        pan = touchroute.GestureKind.PAN
        wrong: list[Any] = [
            None,
            touchroute.Recognizer(pan, ""),
            touchroute.Recognizer(77, "kind"),  # type: ignore[arg-type]
            touchroute.Recognizer(touchroute.GestureKind.PINCH, "one", touches=1),
            touchroute.Recognizer(touchroute.GestureKind.ROTATION, "one", touches=(1, 2)),
            touchroute.Recognizer(pan, "slop", slop=-1),
            touchroute.Recognizer(pan, "slop", slop=10**400),
            touchroute.Recognizer(pan, "taps", taps="two"),  # type: ignore[arg-type]
            touchroute.Recognizer(pan, "touches", touches=(1, 2, 3)),  # type: ignore[arg-type]
            touchroute.Recognizer(pan, "after", after="home#tap"),
        ]
        for recognizer in wrong:
            with self.subTest(recognizer=recognizer), self.assertRaises(touchroute.RequestError):
                connection.add_gesture(home, recognizer)
        with self.assertRaises(touchroute.RequestError):
            connection.add_gesture(77, touchroute.Recognizer(pan, "scroll"))
        with self.assertRaises(touchroute.RequestError):
            connection.remove_gesture(77)
        with self.assertRaises(touchroute.RequestError):
            connection.enable_gesture(77, False)
        scroll = connection.add_gesture(home, touchroute.Recognizer(pan, "scroll"))
        with self.assertRaises(touchroute.RequestError):
            connection.enable_gesture(scroll, 0)  # type: ignore[arg-type]
        self.assertEqual(connection.enable_gesture(scroll, False), 0)
        self.assertEqual(connection.remove_gesture(scroll), 0)

    def test_properties_of_one_view_are_set_together(self) -> None:
        peer = self.peer()
        connection = touchroute.Connection(peer.path, "vectors")
        self.addCleanup(connection.close)
        peer.accept()
        peer.receive()
        connection.set(touchroute.Change("home", order=3, hidden=False, configured=True))
        data = peer.receive()
        self.assertEqual(int.from_bytes(data[12:16], "little"), 3)
        changes = [struct.unpack_from("=IId", data, 16 + 64 * index) for index in range(3)]
        self.assertEqual(changes, [(8, 4, 0.0), (1, 4, 0.0), (7, 4, 3.0)])

    def test_idle_is_watched_for_a_second_to_a_day(self) -> None:
        peer = self.peer()
        connection = touchroute.Connection(peer.path, "vectors")
        self.addCleanup(connection.close)
        peer.accept()
        peer.receive()
        for seconds in (1, 86_400):
            connection.watch_idle(seconds)
            self.assertEqual(struct.unpack_from("=I", peer.receive(), 16)[0], seconds * 1000)
        for seconds in (0.999, 86_400.001):
            with self.assertRaisesRegex(touchroute.RequestError, "at most a day"):
                connection.watch_idle(seconds)

    def test_attachments_have_a_limit_and_never_wait_for_room(self) -> None:
        peer = self.peer()
        connection = touchroute.Connection(peer.path, "vectors")
        self.addCleanup(connection.close)
        peer.accept()
        with self.assertRaises(touchroute.FullError):
            while True:
                connection.ping()
        made = [connection.attach(f"home/{index}") for index in range(256)]
        with self.assertRaisesRegex(touchroute.RequestError, "256 attachments"):
            connection.attach("one more")
        data = b""
        for _ in range(100):
            data += peer.receive()
            connection.dispatch()
        attaches = []
        while data:
            size, opcode, _ = wire.HEADER.unpack_from(data)
            if opcode == wire.ATTACH:
                attaches.append(int.from_bytes(data[8:12], "little"))
            data = data[size:]
        self.assertEqual(attaches, made)

    def test_a_daemon_that_is_not_there_yet_is_waited_for(self) -> None:
        peer = self.peer(listening=False)
        connection = touchroute.Connection(peer.path, "vectors", reconnect=True)
        self.addCleanup(connection.close)
        descriptor = connection.fileno()
        self.assertGreaterEqual(descriptor, 0)
        with self.assertRaises(touchroute.AwayError):
            connection.ping()
        home = connection.attach("home")
        peer.listen()
        peer.accept(lambda: connection.dispatch(0.1))
        self.assertEqual(len(peer.receive()), 64)
        peer.send(welcome() + attached(home, 9))
        last = connection.dispatch(10)[-1]
        assert isinstance(last, touchroute.Attached)
        self.assertEqual(last.geometry.attachment, home)
        self.assertEqual(connection.fileno(), descriptor)
        connection.close()
        self.assertEqual(connection.fileno(), -1)

    def fill(self, peer: Peer) -> list[socket.socket]:
        """Connections that fill the queue of a peer."""
        others: list[socket.socket] = []
        while True:
            other = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.addCleanup(other.close)
            other.setblocking(False)
            try:
                other.connect(peer.path)
            except BlockingIOError:
                return others
            others.append(other)

    def test_where_too_many_wait_it_tries_again_f1(self) -> None:
        peer = self.peer()
        others = self.fill(peer)
        connection = touchroute.Connection(peer.path, "vectors", reconnect=True)
        self.addCleanup(connection.close)
        for _ in others:
            peer.accept()
        peer.accept(lambda: connection.dispatch(0.1))
        self.assertEqual(len(peer.receive()), 32)

    def test_where_too_many_wait_for_long_it_says_so_f1(self) -> None:
        peer = self.peer()
        self.fill(peer)
        with self.assertRaisesRegex(touchroute.ConnectError, "too many connections that wait"):
            touchroute.Connection(peer.path, "vectors")

    def test_a_restart_cancels_what_was_live_and_attaches_again(self) -> None:
        peer = self.peer()
        connection = touchroute.Connection(peer.path, "vectors", reconnect=True)
        self.addCleanup(connection.close)
        peer.accept()
        home = connection.attach("home")
        side = connection.attach("side")
        peer.send(welcome() + attached(home, 70) + attached(side, 71))
        began, ended = touchroute.Phase.BEGAN, touchroute.Phase.ENDED
        peer.send(touches((5, 70, began, b"home/a"), (6, 71, began, b"side"), (5, 70, ended, b"")))
        connection.dispatch(10)
        connection.detach(side)
        peer.disconnect()
        told = connection.dispatch(10)
        self.assertEqual(len(told), 2)
        assert isinstance(told[0], touchroute.Touches)
        self.assertIsInstance(told[1], touchroute.Lost)
        (touch,) = told[0].touches
        self.assertEqual((touch.id, touch.path), (6, "side"))
        self.assertEqual(touch.cancel_reason, touchroute.CancelReason.CONNECTION_LOST)
        peer.accept(lambda: connection.dispatch(0.1))
        self.assertEqual(len(peer.receive()), 64, "hello, and attach of home alone")
        peer.send(welcome() + attached(home, 3) + touches((1, 3, began, b"home"),
                                                          (2, 70, began, b"")))
        told = connection.dispatch(10)
        assert isinstance(told[-1], touchroute.Touches)
        self.assertEqual([(t.id, t.attachment) for t in told[-1].touches], [(1, home)])

    def test_the_first_try_is_made_at_once_and_the_next_one_waits(self) -> None:
        peer = self.peer()
        connection = touchroute.Connection(peer.path, reconnect=True)
        self.addCleanup(connection.close)
        peer.accept()
        for is_first in (True, False):
            peer.send(welcome())
            connection.dispatch(10)
            peer.disconnect()
            self.assertIsInstance(connection.dispatch(10)[-1], touchroute.Lost)
            if not is_first:
                with self.assertRaises(BlockingIOError):
                    peer.accept()
            peer.accept(None if is_first else lambda: connection.dispatch(0.1))

    def test_it_is_given_up_where_it_is_of_no_use(self) -> None:
        for name, kind in (("refused_version", "version"), ("refused_breach", "malformed")):
            peer = self.peer()
            connection = touchroute.Connection(peer.path, reconnect=True)
            peer.accept()
            peer.send(Vector.load(name).data)
            peer.disconnect()
            with self.assertRaises(touchroute.EndedError) as raised:
                for _ in connection:
                    pass
            self.assertEqual(raised.exception.kind, kind)

    def test_broken_vectors_do_no_harm(self) -> None:
        peer = self.peer()
        vectors = [Vector.load(name).data for name in names()]
        for seed in range(1500):
            chance = random.Random(seed)
            data = bytearray(chance.choice(vectors))
            for _ in range(chance.randrange(4)):
                place = chance.randrange(max(1, len(data)))
                match chance.randrange(4):
                    case 0:
                        data[place : place + 1] = bytes([chance.randrange(256)])
                    case 1:
                        word = place // 4 * 4
                        value = chance.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFF8, 0xFFFFFFFF))
                        data[word : word + 4] = value.to_bytes(4, "little")
                    case 2:
                        del data[place:]
                    case _:
                        data[place // 8 * 8 : 0] = chance.choice(vectors)
            with self.subTest(seed=seed):
                self.feed(peer, bytes(data))

    def feed(self, peer: Peer, data: bytes) -> None:
        """All of it to one connection; what began ends once, and Lost is the last event."""
        told: list[touchroute.Event] = []
        with touchroute.Connection(peer.path, "fuzz") as connection:
            peer.accept()
            connection.attach("a")
            connection.attach("b")
            peer.send(data)
            peer.disconnect()
            with self.assertRaises(touchroute.EndedError):
                for event in connection:
                    told.append(event)
        live: set[tuple[int, int]] = set()
        for event in told:
            if not isinstance(event, touchroute.Touches):
                continue
            for touch in event.touches:
                key = (touch.attachment, touch.id)
                if touch.phase is touchroute.Phase.BEGAN:
                    live.add(key)
                elif touch.phase.is_final:
                    live.discard(key)
        self.assertEqual(live, set())
        self.assertIsInstance(told[-1], touchroute.Lost)
