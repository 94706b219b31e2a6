#!/usr/bin/env python3
"""Prints the touches of a window: hello.py [RESPONDER]."""

import sys

import touchroute


def main() -> None:
    with touchroute.Connection(name="hello") as connection:
        connection.attach(sys.argv[1] if len(sys.argv) > 1 else "home")
        for event in connection:
            match event:
                case touchroute.Touches():
                    for touch in event.touches:
                        print(touch.phase.name.lower(), touch.path, touch.x, touch.y, flush=True)
                case touchroute.Error():
                    sys.exit(event.text)


if __name__ == "__main__":
    try:
        main()
    except touchroute.TouchrouteError as error:
        sys.exit(str(error))
