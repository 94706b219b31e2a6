"""What was asked of an attachment that ends before the daemon was asked."""

from __future__ import annotations

import struct
import unittest

import touchroute
from . import wire
from touchroute.abi import CLIENT_ATTACHMENTS, CLIENT_BATCHES, CLIENT_RECOGNIZERS

from .peer import Peer
from .test_connection import attached, welcome

TAP = touchroute.GestureKind.TAP


def error(serial: int, code: touchroute.ErrorCode) -> bytes:
    """A refusal without words."""
    return wire.request(wire.ERROR, "4I", serial, code, 0, 0)


class EndedTests(unittest.TestCase):
    """It is answered all the same, and takes no room any more."""

    def setUp(self) -> None:
        self.peer = Peer()
        self.addCleanup(self.peer.close)
        self.connection = touchroute.Connection(self.peer.path, "ended", reconnect=True)
        self.addCleanup(self.connection.close)
        self.peer.accept()
        self.home = self.connection.attach("home")
        tap = self.connection.add_gesture(self.home, touchroute.Recognizer(TAP, "there"))
        self.peer.send(welcome() + attached(self.home, 7))
        self.connection.dispatch()
        self.peer.send(wire.request(wire.DONE, "4I", tap, 1, 1, 0))
        self.connection.dispatch()

    def ask(self) -> list[int]:
        """Asks for a recognizer and a view."""
        tap = self.connection.add_gesture(self.home, touchroute.Recognizer(TAP, "tap"))
        steps = [{"add": "row", "frame": (0, 0, 10, 10)}]
        return [tap, self.connection.change_views(self.home, steps)]

    def lose(self) -> None:
        """Loses the connection; nobody listens meanwhile."""
        self.peer.stop_listening()
        self.peer.disconnect()
        self.assertIsInstance(self.connection.dispatch(None)[-1], touchroute.Lost)

    def reconnect(self) -> None:
        """Loses the connection, and takes the next one."""
        self.peer.disconnect()
        self.assertIsInstance(self.connection.dispatch(None)[-1], touchroute.Lost)
        self.peer.accept(lambda: self.connection.dispatch(0.1))

    def refused(self, told: list[touchroute.Event]) -> list[int]:
        """The requests that the library itself has answered."""
        return sorted(
            event.serial
            for event in told
            if isinstance(event, touchroute.Error)
            and event.code == touchroute.ErrorCode.NOT_ATTACHED
        )

    def test_the_next_daemon_refuses_the_attachment(self) -> None:
        self.reconnect()
        asked = self.ask()
        self.peer.send(welcome() + error(self.home, touchroute.ErrorCode.NO_RESPONDER))
        self.assertEqual(self.refused(self.connection.dispatch()), asked)

    def test_it_is_detached_while_the_daemon_is_away(self) -> None:
        self.lose()
        asked = self.ask()
        self.assertEqual(self.connection.detach(self.home), 0)
        self.assertEqual(self.refused(self.connection.dispatch()), asked)

    def test_the_connection_is_lost_before_detach_is_answered(self) -> None:
        self.reconnect()
        asked = self.ask()
        self.connection.detach(self.home)
        self.peer.disconnect()
        told = self.connection.dispatch()
        self.assertIsInstance(told[0], touchroute.Lost)
        self.assertEqual(self.refused(told), asked)

    def test_the_daemon_ends_the_attachment_and_then_itself(self) -> None:
        asked = self.ask()
        self.peer.send(wire.request(wire.DETACHED, "4I", 0, 7, touchroute.DetachReason.REMOVED, 0))
        told = self.connection.dispatch()
        self.peer.disconnect()
        self.assertEqual(self.refused(told + self.connection.dispatch()), asked)

    def add_row(self) -> None:
        """Adds a view, which the next daemon is asked for."""
        views = self.connection.change_views(self.home, [{"add": "row", "frame": (0, 0, 9, 9)}])
        self.peer.send(wire.request(wire.DONE, "4I", views, 0, 1, 0))
        self.connection.dispatch()

    def test_it_ends_while_its_views_are_added_again(self) -> None:
        self.add_row()
        self.reconnect()
        self.peer.receive()
        self.peer.send(welcome() + attached(self.home, 3))
        self.connection.dispatch()
        (again,) = struct.unpack_from("=I", self.peer.receive(), 8)
        self.peer.send(wire.request(wire.DETACHED, "4I", 0, 3, touchroute.DetachReason.REMOVED, 0))
        self.peer.send(error(again, touchroute.ErrorCode.NOT_ATTACHED))
        told = self.connection.dispatch()
        self.assertEqual([type(event) for event in told], [touchroute.Detached])

    def test_what_is_being_detached_gets_its_views_no_more(self) -> None:
        self.home = self.connection.attach("side", wait=True)
        self.peer.send(attached(self.home, 3))
        self.connection.dispatch()
        self.add_row()
        self.reconnect()
        self.peer.send(welcome() + wire.request(wire.WAITING, "4I", self.home, 3, 0, 0))
        self.connection.dispatch()
        tap = self.connection.add_gesture(self.home, touchroute.Recognizer(TAP, "tap"))
        detaching = self.connection.detach(self.home)
        self.peer.receive()
        self.peer.send(attached(0, 3))
        self.connection.dispatch()
        self.assertEqual(self.peer.receive(), b"")
        self.peer.send(wire.request(wire.DONE, "4I", detaching, 0, 0, 0))
        self.assertEqual(self.refused(self.connection.dispatch()), [tap])

    def test_it_stands_in_line_again_while_a_recognizer_is_removed(self) -> None:
        home = self.connection.attach("side", wait=True)
        self.peer.send(attached(home, 8))
        self.connection.dispatch()
        tap = self.connection.add_gesture(home, touchroute.Recognizer(TAP, "tap"))
        removing = self.connection.remove_gesture(tap)
        self.peer.send(
            wire.request(wire.WAITING, "4I", 0, 8, touchroute.DetachReason.REMOVED, 0)
            + error(tap, touchroute.ErrorCode.NOT_ATTACHED)
        )
        done = self.connection.dispatch()[-1]
        assert isinstance(done, touchroute.Done)
        self.assertEqual(done.serial, removing)

    def test_the_next_daemon_refuses_what_is_being_detached(self) -> None:
        self.reconnect()
        detaching = self.connection.detach(self.home)
        self.peer.send(welcome() + error(self.home, touchroute.ErrorCode.NO_RESPONDER))
        done = self.connection.dispatch()[-1]
        assert isinstance(done, touchroute.Done)
        self.assertEqual(done.serial, detaching)

    def test_what_waits_for_views_of_one_in_line_is_detached(self) -> None:
        views = self.connection.change_views(self.home, [{"add": "row", "frame": (0, 0, 9, 9)}])
        self.peer.send(wire.request(wire.DONE, "4I", views, 0, 1, 0))
        self.connection.dispatch()
        row = self.connection.attach("home/row")
        self.reconnect()
        self.peer.send(welcome() + wire.request(wire.WAITING, "4I", self.home, 3, 0, 0))
        self.connection.dispatch()
        self.assertEqual(self.connection.detach(row), 0)

    def test_a_recognizer_is_refused_that_is_being_removed(self) -> None:
        tap = self.connection.add_gesture(self.home, touchroute.Recognizer(TAP, "tap"))
        removing = self.connection.remove_gesture(tap)
        self.peer.send(error(tap, touchroute.ErrorCode.LIMIT))
        refused, done = self.connection.dispatch()
        assert isinstance(refused, touchroute.Error) and isinstance(done, touchroute.Done)
        self.assertEqual((refused.serial, done.serial), (tap, removing))

    def test_what_is_over_takes_no_room(self) -> None:
        self.lose()
        for _ in range(max(CLIENT_ATTACHMENTS, CLIENT_RECOGNIZERS, CLIENT_BATCHES) + 1):
            asked = self.ask()
            self.connection.detach(self.home)
            self.assertEqual(self.refused(self.connection.dispatch()), asked)
            self.home = self.connection.attach("home")

    def test_what_is_over_by_a_loss_takes_no_room(self) -> None:
        # A third of what there is room for each time: the pauses between connections grow.
        for _ in range(4):
            for count in range(CLIENT_RECOGNIZERS // 3):
                tap = touchroute.Recognizer(TAP, f"tap{count}")
                self.connection.add_gesture(self.home, tap)
            for count in range(CLIENT_BATCHES // 3):
                steps = [{"add": f"row{count}", "frame": (0, 0, 10, 10)}]
                self.connection.change_views(self.home, steps)
            self.connection.detach(self.home)
            self.peer.disconnect()
            self.connection.dispatch(None)
            self.home = self.connection.attach("home")
            self.peer.accept(lambda: self.connection.dispatch(0.1))
