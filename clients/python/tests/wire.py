"""Messages as a daemon that a test plays writes them."""

from __future__ import annotations

import struct

from touchroute.abi import *  # noqa: F403  the opcodes

HEADER = struct.Struct("=IHH")
TOUCH = struct.Struct("=QIIIBBHHHHH8f")


def request(opcode: int, layout: str, *fields: int, rest: bytes = b"") -> bytes:
    """A message: its struct after the header, then what follows that."""
    body = struct.pack("=" + layout, *fields) + rest
    body += bytes(-len(body) % 8)
    return HEADER.pack(HEADER.size + len(body), opcode, 0) + body
