#!/usr/bin/env python3
"""A slider that keeps its finger, whatever gestures its superviews have: slider.py [RESPONDER].

It knows better than any recognizer what a finger on it means. So it uses raw touches, and accepts
the first as it comes down. That fails the recognizers of its superviews, except those with
priority, and the page does not turn under it. It declines further fingers, for other programs.
"""

from __future__ import annotations

import sys

import touchroute
from touchroute import Phase


class Slider:
    """What it is set to, and the finger that sets it."""

    def __init__(self, connection: touchroute.Connection) -> None:
        self.connection = connection
        self.width = 1.0
        self.value = 0.0
        self.finger: int | None = None
        self.before = 0.0
        """what it was set to when the finger came down"""

    def hear(self, touch: touchroute.Touch) -> None:
        """One finger in one frame."""
        if touch.phase is Phase.BEGAN:
            if self.finger is not None:
                self.connection.decline(touch.attachment, touch.id)
                return
            self.connection.accept(touch.attachment, touch.id)
            self.finger, self.before = touch.id, self.value
        if touch.id != self.finger:
            return
        # What was merged or lost does not matter: the place says it all.
        self.value = min(1.0, max(0.0, touch.x / self.width))
        match touch.phase:
            case Phase.ENDED:
                self.finger = None
                print(f"set to {self.value:.2f}")
            case Phase.CANCELLED:
                self.finger, self.value = None, self.before
                print(f"still at {self.value:.2f}")


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "home/slider"
    with touchroute.Connection(name="slider", reconnect=True) as connection:
        slider = Slider(connection)
        attachment = connection.attach(path)
        for event in connection:
            match event:
                case touchroute.Attached() | touchroute.Layout():
                    slider.width = max(1.0, event.geometry.bounds[2])
                    if isinstance(event, touchroute.Attached):
                        print("attached")
                case touchroute.Touches():
                    for touch in event.touches:
                        slider.hear(touch)
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
