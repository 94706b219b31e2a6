"""What a connection waits for, behind one descriptor."""

from __future__ import annotations

import ctypes
import os
import select
import socket
from typing import TYPE_CHECKING

from .errors import RequestError

if TYPE_CHECKING:
    import asyncio

_CLOCK_MONOTONIC = 1


class _Timer:
    """A descriptor that is readable after a time: timerfd, which os has from Python 3.13 on."""

    class _Spec(ctypes.Structure):
        _fields_ = [(name, ctypes.c_long) for name in ("every_s", "every_ns", "s", "ns")]

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.fd: int = self._libc.timerfd_create(_CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC)
        if self.fd < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))

    def set(self, seconds: float | None) -> None:
        """Readable after that time, at once with 0; with None not again."""
        nanoseconds = 0 if seconds is None else max(1, int(seconds * 1e9))
        spec = self._Spec(0, 0, nanoseconds // 10**9, nanoseconds % 10**9)
        self._libc.timerfd_settime(self.fd, 0, ctypes.byref(spec), None)

    def close(self) -> None:
        """Gives the descriptor back."""
        os.close(self.fd)


class Waiter:
    """Waits for a socket, or for the time to make another one; the descriptor stays the same."""

    def __init__(self, with_timer: bool) -> None:
        self._epoll = select.epoll()
        self._timer: _Timer | None = None
        self._socket: socket.socket | None = None
        self._is_writing = False
        self._future: asyncio.Future[None] | None = None
        if with_timer:
            self._timer = _Timer()
            self._epoll.register(self._timer.fd, select.EPOLLIN)

    def fileno(self) -> int:
        """The descriptor; -1 once it is closed."""
        return -1 if self._epoll.closed else self._epoll.fileno()

    def follow(self, new: socket.socket | None) -> None:
        """Waits for that socket, or for none; one that was followed must be open still."""
        if self._epoll.closed:
            return
        if self._socket is not None:
            self._epoll.unregister(self._socket)
        self._socket = new
        self._is_writing = False
        if new is not None:
            self._epoll.register(new, select.EPOLLIN)

    def set_writing(self, is_writing: bool) -> None:
        """Whether room in the socket is waited for too."""
        if self._socket is None or is_writing == self._is_writing:
            return
        self._is_writing = is_writing
        self._epoll.modify(self._socket, select.EPOLLIN | (select.EPOLLOUT if is_writing else 0))

    def set_alarm(self, seconds: float | None) -> None:
        """Ready after that time; with None not by time."""
        if self._timer is not None and not self._epoll.closed:
            self._timer.set(seconds)

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
        """Gives every descriptor back, and wakes who waits."""
        if self._epoll.closed:
            return
        if self._future is not None:
            # Before its number is another's.
            self._future.get_loop().remove_reader(self._epoll.fileno())
            self._wake()
        self._epoll.close()
        if self._timer is not None:
            self._timer.close()
