"""The vectors that every client is held to: Tests/Client/TouchClientTests/Vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "Tests" / "Client" / "TouchClientTests" / "Vectors"


@dataclass
class Vector:
    """What the daemon sends, what the client has to say, and what it has to make of it."""

    name: str
    data: bytes
    requests: bytes
    steps: list[tuple[str, str]] = field(default_factory=list)
    """(send, N), (call, REQUEST), (event, LINES) and (end, KIND)"""

    @staticmethod
    def load(name: str) -> Vector:
        """The vector of that name."""
        vector = Vector(
            name,
            (FOLDER / f"{name}.bin").read_bytes(),
            (FOLDER / f"{name}.requests.bin").read_bytes(),
        )
        for line in (FOLDER / f"{name}.txt").read_text().splitlines():
            if line.startswith("  "):
                kind, text = vector.steps[-1]
                vector.steps[-1] = (kind, text + "\n" + line)
            elif not line.startswith("#"):
                kind, _, text = line.partition(" ")
                vector.steps.append((kind, text))
        return vector


def names() -> list[str]:
    """All of them."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))
