#!/usr/bin/env python3
"""A photo that a double tap zooms and a tap opens: viewer.py [RESPONDER].

Both recognizers come from the configuration, examples/gestures/double-tap.toml. The single tap
waits until a second one can't come any more. While the photo is open there is nothing to zoom, so
this program disables the double tap, and a tap closes the photo at once.
"""

from __future__ import annotations

import sys

import touchroute
from touchroute import Change, GestureState


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "photo"
    is_zoomed = is_open = False
    with touchroute.Connection(name="viewer", reconnect=True) as connection:
        attachment = connection.attach(path, gestures=True)
        for event in connection:
            match event:
                case touchroute.Attached():
                    # A daemon that has been started anew knows nothing of what was set.
                    if is_open:
                        connection.set(Change(f"{path}#zoom", enabled=False))
                    print("attached")
                case touchroute.Gesture(path=tapped, state=GestureState.RECOGNIZED):
                    if tapped.endswith("#zoom"):
                        is_zoomed = not is_zoomed
                        print("zoomed" if is_zoomed else "whole")
                    else:
                        is_open = not is_open
                        connection.set(Change(f"{path}#zoom", enabled=not is_open))
                        print("opened" if is_open else "closed")
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
