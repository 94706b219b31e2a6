"""What a connection waits for, behind one descriptor."""

from __future__ import annotations

import select
from typing import TYPE_CHECKING

from .errors import RequestError

if TYPE_CHECKING:
    import asyncio


class Waiter:
    """Waits for the C library's descriptor, in a loop that only knows readable ones."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._events = select.EPOLLIN
        self._future: asyncio.Future[None] | None = None
        self._epoll = select.epoll()
        self._epoll.register(fd, self._events)

    def fileno(self) -> int:
        """The descriptor; -1 once it is closed."""
        return -1 if self._epoll.closed else self._epoll.fileno()

    def follow(self, events: int) -> None:
        """Waits for those events from now on: what touchroute_get_events says."""
        if events != self._events:
            self._events = events
            self._epoll.modify(self._fd, events)

    def wait(self, timeout: float | None) -> None:
        """Blocks until there is something to do, or for that many seconds."""
        self._epoll.poll(timeout)

    async def ready(self) -> None:
        """Waits in asyncio's loop until there is something to do, or it is closed."""
        import asyncio  # takes longer than all the rest of this package

        if self._future is not None:
            raise RequestError("another task waits for this connection already")
        loop = asyncio.get_running_loop()
        self._future = loop.create_future()
        fd = self.fileno()
        loop.add_reader(fd, self._wake)
        try:
            await self._future
        finally:
            self._future = None
            if self.fileno() == fd:
                loop.remove_reader(fd)

    def _wake(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    def close(self) -> None:
        """Gives the descriptor back, and wakes the task that waits."""
        if self._epoll.closed:
            return
        if self._future is not None:
            # Before its number is another's.
            self._future.get_loop().remove_reader(self._epoll.fileno())
            self._wake()
        self._epoll.close()
