#!/usr/bin/env python3
"""A list whose rows are views: rows.py [RESPONDER [COUNT]].

The daemon finds the row under a finger, so this program only looks at names. A tap removes a row,
and moves up the rows below it in the same batch, so no finger ever finds a gap. If the daemon dies,
the library adds the remaining rows to the next one.
"""

from __future__ import annotations

import sys

import touchroute
from touchroute import Phase

HEIGHT = 40.0
BATCH = 1000
"""rows that are added with one request"""


class Rows:
    """The rows that are left, from top to bottom."""

    def __init__(self, connection: touchroute.Connection, attachment: int, count: int) -> None:
        self.connection = connection
        self.attachment = attachment
        self.names = [f"row-{number}" for number in range(count)]
        self.finger: int | None = None

    def frame(self, index: int) -> tuple[float, float, float, float]:
        return (0.0, HEIGHT * index, 400.0, HEIGHT)

    def fill(self) -> None:
        """Adds all of them."""
        steps = [{"add": name, "frame": self.frame(n)} for n, name in enumerate(self.names)]
        for start in range(0, len(steps), BATCH):
            self.connection.change_views(self.attachment, steps[start : start + BATCH])

    def take_out(self, name: str) -> None:
        index = self.names.index(name)
        del self.names[index]
        self.connection.change_views(
            self.attachment,
            [{"remove": name}]
            + [
                {"change": below, "frame": self.frame(n)}
                for n, below in enumerate(self.names[index : index + BATCH - 1], index)
            ],
        )
        print(f"{name} is out, {len(self.names)} are left")

    def hear(self, touch: touchroute.Touch) -> None:
        """One finger in one frame: its path ends with the row's name."""
        name = touch.path.rpartition("/")[2]
        if touch.phase is Phase.BEGAN and name in self.names:
            self.finger = touch.id
        elif touch.id == self.finger and touch.phase.is_final:
            self.finger = None
            if touch.phase is Phase.ENDED:
                self.take_out(name)


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "home/list"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    with touchroute.Connection(name="rows", reconnect=True) as connection:
        attachment = connection.attach(path)
        rows = Rows(connection, attachment, count)
        rows.fill()
        for event in connection:
            match event:
                case touchroute.Attached():
                    print("attached")
                case touchroute.Touches():
                    for touch in event.touches:
                        rows.hear(touch)
                case touchroute.Error() if event.serial == attachment:
                    sys.exit(event.text)
                case touchroute.Error():
                    print(event.text, file=sys.stderr)
            sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except touchroute.TouchrouteError as error:
        sys.exit(str(error))
