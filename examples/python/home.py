#!/usr/bin/env python3
"""A program that goes to its first page once nobody touches its window: home.py [WINDOW [SECONDS]].

Each tap turns a page. The library asks for nothing of idle again after a reconnection, and a window
may be watched by its holder alone. So the program asks whenever it is attached.
"""

from __future__ import annotations

import sys

import touchroute
from touchroute import Phase


def main() -> None:
    window = sys.argv[1] if len(sys.argv) > 1 else "home"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 300
    page = 1
    with touchroute.Connection(name="home", reconnect=True) as connection:
        connection.attach(window)
        for event in connection:
            before = page
            match event:
                case touchroute.Attached():
                    connection.watch_idle(seconds, window=window)
                case touchroute.Idle(is_idle=True):
                    page = 1
                case touchroute.Touches(touches=touches):
                    page += sum(touch.phase == Phase.ENDED for touch in touches)
                case touchroute.Error():
                    sys.exit(event.text)
            if page != before:
                print(f"page {page}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except touchroute.TouchrouteError as error:
        sys.exit(str(error))
