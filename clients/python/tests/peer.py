"""A daemon in the test's own thread: a real socket that listens, and does what the test says."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable


class Peer:
    """Listens in a folder of its own."""

    def __init__(self, listening: bool = True) -> None:
        self._folder = tempfile.mkdtemp(prefix="touchroute-test-")
        self.path = self._folder + "/touchroute.sock"
        self._listener: socket.socket | None = None
        self._client: socket.socket | None = None
        if listening:
            self.listen()

    def listen(self) -> None:
        """Begins to listen."""
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.setblocking(False)
        self._listener.bind(self.path)
        self._listener.listen(8)

    def stop_listening(self) -> None:
        """Has nobody listen until listen() is called again."""
        assert self._listener is not None
        self._listener.close()
        self._listener = None
        os.unlink(self.path)

    def accept(self, letting: Callable[[], object] | None = None) -> None:
        """Takes the client that waits, or lets the program run until one does."""
        assert self._listener is not None
        self.disconnect()
        deadline = time.monotonic() + 20
        while True:
            try:
                self._client, _ = self._listener.accept()
                return
            except BlockingIOError:
                if letting is None or time.monotonic() > deadline:
                    raise
                letting()

    def send(self, data: bytes) -> None:
        """Sends all of it."""
        assert self._client is not None
        self._client.sendall(data)

    def receive(self) -> bytes:
        """What the client has sent by now."""
        data = b""
        if self._client is None:
            return data
        self._client.setblocking(False)
        try:
            while part := self._client.recv(65536):
                data += part
        except OSError:
            pass
        self._client.setblocking(True)
        return data

    def disconnect(self) -> None:
        """Ends the client's connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        """Leaves nothing behind."""
        self.disconnect()
        if self._listener is not None:
            self._listener.close()
        shutil.rmtree(self._folder)
