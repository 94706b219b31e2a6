"""What the library itself asks for again: the program gets no second answer."""

from __future__ import annotations

import unittest

import touchroute
from . import wire

from .peer import Peer
from .test_connection import attached, welcome
from .test_ended import TAP, error


def done(serial: int, total: int = 0) -> bytes:
    """The daemon's answer to most requests."""
    return wire.request(wire.DONE, "4I", serial, total, 1, 0)


class RepeatedTests(unittest.TestCase):
    """A connection that holds home, with a recognizer of it."""

    def setUp(self) -> None:
        self.peer = Peer()
        self.addCleanup(self.peer.close)
        self.connection = touchroute.Connection(self.peer.path, "again", reconnect=True)
        self.addCleanup(self.connection.close)
        self.peer.accept()
        self.home = self.connection.attach("home", wait=True)
        self.tap = self.connection.add_gesture(self.home, touchroute.Recognizer(TAP, "tap"))
        self.told(welcome() + attached(self.home, 7))
        self.assertEqual(self.told(done(self.tap, 1)), [self.tap])

    def told(self, data: bytes) -> list[int]:
        """The serials of the answers that the program hears of those messages."""
        ping = self.connection.ping()
        self.peer.send(data + wire.request(wire.PONG, "2I", ping, 0))
        told: list[int] = []
        while True:
            for event in self.connection.dispatch(10):
                match event:
                    case touchroute.Pong():
                        return told
                    case touchroute.Done() | touchroute.Error():
                        told.append(event.serial)

    def reconnect(self) -> None:
        """Loses the connection, takes the next one, and attaches again there."""
        self.peer.disconnect()
        self.assertIsInstance(self.connection.dispatch(None)[-1], touchroute.Lost)
        self.peer.accept(lambda: self.connection.dispatch(0.1))
        self.assertEqual(self.told(welcome() + attached(self.home, 3)), [])

    def is_added(self) -> bool:
        """Whether the daemon was asked to add a recognizer since this was asked last."""
        data, start = self.peer.receive(), 0
        found = False
        while start < len(data):
            size, opcode, _ = wire.HEADER.unpack_from(data, start)
            found = found or opcode == wire.ADD_GESTURE
            start += size
        return found

    def test_a_recognizer_that_is_added_again_is_answered_once(self) -> None:
        self.reconnect()
        self.assertTrue(self.is_added())
        self.assertEqual(self.told(done(self.tap, 4)), [])

    def test_one_that_can_not_be_added_again_is_over(self) -> None:
        self.reconnect()
        refusal = error(self.tap, touchroute.ErrorCode.LIMIT)
        self.assertEqual(self.told(refusal), [self.tap])
        with self.assertRaises(touchroute.RequestError):
            self.connection.remove_gesture(self.tap)

    def test_its_attachment_ends_as_it_is_added_again(self) -> None:
        self.reconnect()
        ended = wire.request(wire.DETACHED, "4I", 0, 3, touchroute.DetachReason.TAKEN_OVER, 0)
        refusal = error(self.tap, touchroute.ErrorCode.NOT_ATTACHED)
        self.assertEqual(self.told(ended + refusal), [])

    def test_its_attachment_stands_in_line_again_as_it_is_added(self) -> None:
        other = self.connection.add_gesture(self.home, touchroute.Recognizer(TAP, "other"))
        self.reconnect()
        waits = wire.request(wire.WAITING, "4I", 0, 3, touchroute.DetachReason.REMOVED, 0)
        for handle in (self.tap, other):
            refusal = error(handle, touchroute.ErrorCode.NOT_ATTACHED)
            self.is_added()
            self.assertEqual(self.told(waits + refusal), [])
            self.assertFalse(self.is_added(), "not before it is in force")
            self.assertEqual(self.told(attached(0, 3)), [])
            self.assertTrue(self.is_added())
        self.assertEqual(self.told(done(self.tap, 4)), [])
        self.assertEqual(self.told(done(other, 5)), [other])

    def test_observing_is_asked_for_again_and_answered_once(self) -> None:
        observing = self.connection.observe()
        self.assertEqual(self.told(done(observing)), [observing])
        self.reconnect()
        self.assertEqual(self.told(done(observing)), [])
        later = self.connection.observe()
        self.assertEqual(self.told(done(later)), [later])

    def test_observing_that_ends_while_it_is_asked_for_again(self) -> None:
        observing = self.connection.observe()
        self.assertEqual(self.told(done(observing)), [observing])
        self.reconnect()
        ending = self.connection.observe(False)
        self.assertEqual(self.told(done(observing) + done(ending)), [ending])

    def test_observing_that_is_refused_later_is_told(self) -> None:
        observing = self.connection.observe()
        self.reconnect()
        self.assertEqual(self.told(done(observing)), [observing])
        self.reconnect()
        refusal = error(observing, touchroute.ErrorCode.NOT_ALLOWED)
        self.assertEqual(self.told(refusal), [observing])
