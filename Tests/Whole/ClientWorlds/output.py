"""What an output owes who receives it: `touchroute output tuio`, and the cursors that it sends."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess


class Output:
    """The output as a process, with a socket that receives its datagrams."""

    def __init__(self, programs: str, daemon: str, path: str, takes_over: bool) -> None:
        self.path = path
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.setblocking(False)
        self.alive: set[int] = set()
        self.last = 0
        """the highest number of a cursor"""
        self.count = 0
        self.problems: list[str] = []
        command = [os.path.join(programs, "touchroute"), "output", "tuio", path, "--wait"]
        command += ["--take-over"] if takes_over else []
        command += ["--socket", daemon, "--to", f"127.0.0.1:{self.socket.getsockname()[1]}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE)

    def fileno(self) -> int:
        return self.socket.fileno()

    def read(self) -> None:
        """Takes in the datagrams that have come."""
        while True:
            try:
                data = self.socket.recv(65536)
            except BlockingIOError:
                return
            self.count += 1
            for address, command, numbers in messages(data):
                if address == "/tuio/2Dcur" and command == "alive":
                    self.hear(set(numbers))

    def hear(self, alive: set[int]) -> None:
        """The cursors that there are: a number that is over never comes again."""
        for number in sorted(alive - self.alive):
            if number <= self.last:
                self.problems.append(f"the output tells of cursor {number} after {self.last}")
            self.last = max(self.last, number)
        self.alive = alive

    def end(self) -> list[str]:
        """Ends it; what was wrong."""
        if self.alive:
            self.problems.append(f"cursors {sorted(self.alive)} never ended")
        if self.process.poll() is not None:
            self.problems.append(f"the output has ended by itself, {self.process.returncode}")
        self.process.send_signal(signal.SIGTERM)
        assert self.process.stderr is not None
        words = self.process.stderr.read().decode(errors="replace")
        if self.process.wait() != 0:
            self.problems.append(f"the output ended with status {self.process.returncode}: {words}")
        return self.problems

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()
        self.socket.close()


def messages(data: bytes) -> list[tuple[str, str, list[int]]]:
    """The messages of a bundle of OSC: their addresses, first words, and whole numbers."""
    found = []
    at = 16
    while at + 4 <= len(data):
        (size,) = struct.unpack_from(">i", data, at)
        found.append(message(data[at + 4 : at + 4 + size]))
        at += 4 + size
    return found


def message(data: bytes) -> tuple[str, str, list[int]]:
    address, at = text(data, 0)
    types, at = text(data, at)
    command, numbers = "", []
    for kind in types[1:]:
        if kind == "s":
            word, at = text(data, at)
            command = command or word
            continue
        if kind == "i":
            numbers.append(struct.unpack_from(">i", data, at)[0])
        at += 4
    return address, command, numbers


def text(data: bytes, at: int) -> tuple[str, int]:
    end = data.index(b"\0", at)
    return data[at:end].decode(), (end // 4 + 1) * 4
