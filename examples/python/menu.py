#!/usr/bin/env python3
"""A menu that a finger opens by staying, over other programs' icons too: menu.py [RESPONDER].

The long press comes from the configuration, examples/gestures/menu.toml. The program that had the
finger hears `cancelled`. A tap of two fingers closes the menu: this program adds that recognizer
itself, for as long as it is attached.
"""

from __future__ import annotations

import sys

import touchroute
from touchroute import GestureKind, GestureState, Recognizer


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "desk"
    with touchroute.Connection(name="menu", reconnect=True) as connection:
        attachment = connection.attach(path, gestures=True)
        close = connection.add_gesture(attachment, Recognizer(GestureKind.TAP, "close", touches=2))
        for event in connection:
            match event:
                case touchroute.Attached():
                    print("attached")
                case touchroute.Done() if event.serial == close:
                    print("ready")
                case touchroute.Gesture() if event.recognizer == close:
                    print("closed")
                case touchroute.Gesture(kind=GestureKind.LONG_PRESS, state=GestureState.BEGAN):
                    print(f"menu at {event.x:.0f}, {event.y:.0f}")
                case touchroute.Error() if event.serial in (attachment, close):
                    sys.exit(event.text)
                case touchroute.Error():
                    print(event.text, file=sys.stderr)
            sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except touchroute.TouchrouteError as error:
        sys.exit(str(error))
