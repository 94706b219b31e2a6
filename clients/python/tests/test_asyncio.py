"""A connection in asyncio's loop."""

from __future__ import annotations

import asyncio
import select
import unittest

import touchroute
from . import wire

from .peer import Peer
from .test_connection import attached, touches, welcome


class AsyncioTests(unittest.IsolatedAsyncioTestCase):
    """Against a daemon that the test plays."""

    def setUp(self) -> None:
        self.peer = Peer()
        self.addCleanup(self.peer.close)

    def connect(self, reconnect: bool = False) -> touchroute.Connection:
        connection = touchroute.Connection(self.peer.path, "asyncio", reconnect=reconnect)
        self.addCleanup(connection.close)
        self.peer.accept()
        return connection

    async def test_events_come_while_other_tasks_go_on(self) -> None:
        connection = self.connect()
        home = connection.attach("home")
        told: list[touchroute.Event] = []

        async def read() -> None:
            async for event in connection:
                told.append(event)

        reader = asyncio.create_task(read())
        # It waits, and this goes on.
        await asyncio.sleep(0)
        self.peer.send(welcome() + attached(home, 7))
        while len(told) < 2:
            await asyncio.sleep(0)
        self.peer.send(touches((1, 7, touchroute.Phase.BEGAN, b"home")))
        while len(told) < 3:
            await asyncio.sleep(0)
        self.assertEqual(
            [type(event) for event in told],
            [touchroute.Welcome, touchroute.Attached, touchroute.Touches],
        )
        self.peer.disconnect()
        with self.assertRaises(touchroute.EndedError):
            await reader
        self.assertIsInstance(told[-1], touchroute.Lost)

    async def test_what_an_iteration_left_is_there_for_the_next(self) -> None:
        connection = self.connect()
        home = connection.attach("home")
        self.peer.send(welcome() + attached(home, 7))
        async for event in connection:
            self.assertIsInstance(event, touchroute.Welcome)
            break
        async for event in connection:
            self.assertIsInstance(event, touchroute.Attached)
            break

    async def test_a_restart_is_waited_for_with_the_same_descriptor(self) -> None:
        connection = self.connect(reconnect=True)
        descriptor = connection.fileno()
        seen = []
        for _ in range(3):
            self.peer.send(welcome())
            async for event in connection:
                seen.append(type(event))
                if isinstance(event, touchroute.Welcome):
                    self.peer.disconnect()
                else:
                    break
            self.assertEqual(connection.fileno(), descriptor)
            next_event = asyncio.create_task(anext(aiter(connection)))
            while True:
                try:
                    self.peer.accept()
                    break
                except BlockingIOError:
                    await asyncio.sleep(0.01)
            next_event.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await next_event
        self.assertEqual(seen, [touchroute.Welcome, touchroute.Lost] * 3)

    async def test_closing_wakes_who_waits_and_a_second_task_is_refused(self) -> None:
        connection = self.connect()
        first = asyncio.create_task(anext(aiter(connection)))
        await asyncio.sleep(0)
        with self.assertRaisesRegex(touchroute.RequestError, "another task"):
            await anext(aiter(connection))
        connection.close()
        with self.assertRaisesRegex(touchroute.EndedError, "closed the connection"):
            await first

    async def test_what_did_not_fit_is_sent_when_there_is_room(self) -> None:
        connection = self.connect()
        count = 0
        with self.assertRaises(touchroute.FullError):
            while True:
                connection.ping()
                count += 1
        self.assertFalse(select.select([connection], [], [], 0)[0])
        reader = asyncio.create_task(anext(aiter(connection)))
        data, opcodes = b"", []
        while len(opcodes) < 1 + count:
            data += self.peer.receive()
            while len(data) >= 8 and len(data) >= (size := wire.HEADER.unpack_from(data)[0]):
                opcodes.append(wire.HEADER.unpack_from(data)[1])
                data = data[size:]
            await asyncio.sleep(0)
        self.assertEqual(opcodes, [wire.HELLO] + [wire.PING] * count)
        reader.cancel()
