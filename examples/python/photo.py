#!/usr/bin/env python3
"""A photo that two fingers zoom, in a window that other programs share: photo.py [RESPONDER].

One finger that moves is not for the photo, so this program declines it. The program that holds the
window then gets it from its beginning. Two fingers zoom: this program accepts both, and the view's
transform follows them.
"""

from __future__ import annotations

import math
import sys

import touchroute
from touchroute import Phase

SLOP = 8.0
"""points that a finger moves before it means something"""

Place = tuple[float, float]


class Photo:
    """The view, and the fingers on it."""

    def __init__(self, connection: touchroute.Connection, path: str) -> None:
        self.connection = connection
        self.path = path
        self.scale = 1.0
        self.fingers: dict[int, tuple[Place, Place]] = {}
        """where each came down and where it is, on the screen: the view's own places move with its
        transform"""
        self.pinch: tuple[int, int, float, float] | None = None
        """the two fingers that zoom; how far apart they were then, and the scale"""

    def show(self) -> None:
        """Lets touches be where the photo is drawn."""
        transform = (self.scale, 0.0, 0.0, self.scale, 0.0, 0.0)
        try:
            self.connection.set(touchroute.Change(self.path, transform=transform))
        except touchroute.AwayError:
            pass  # shown again when the connection is there again

    def distance(self, first: int, second: int) -> float:
        """Between two fingers, at least 1."""
        return max(1.0, math.dist(self.fingers[first][1], self.fingers[second][1]))

    def hear(self, touch: touchroute.Touch) -> None:
        """One finger in one frame."""
        place = (touch.screen_x, touch.screen_y)
        match touch.phase:
            case Phase.BEGAN:
                self.fingers[touch.id] = (place, place)
                if self.pinch is None and len(self.fingers) == 2:
                    for finger in self.fingers:
                        self.connection.accept(touch.attachment, finger)
                    first, second = self.fingers
                    self.pinch = (first, second, self.distance(first, second), self.scale)
            case Phase.MOVED if touch.id in self.fingers:
                start, _ = self.fingers[touch.id]
                self.fingers[touch.id] = (start, place)
                if self.pinch is None and math.dist(start, place) > SLOP:
                    self.connection.decline(touch.attachment, touch.id)
                    del self.fingers[touch.id]
                    print("declined")
            case Phase.ENDED | Phase.CANCELLED if touch.id in self.fingers:
                del self.fingers[touch.id]
                if self.pinch is not None and touch.id in self.pinch[:2]:
                    if touch.phase is Phase.CANCELLED:
                        self.scale = self.pinch[3]  # as if they had not been
                        self.show()
                    self.pinch = None
                    self.fingers.clear()  # the other one does nothing more
                    print(f"zoomed to {self.scale:.2f}")

    def zoom(self) -> None:
        """As far as the two fingers say, once a frame."""
        if self.pinch is not None:
            first, second, before, scale = self.pinch
            now = min(4.0, max(1.0, scale * self.distance(first, second) / before))
            if now != self.scale:
                self.scale = now
                self.show()


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "home/photo"
    with touchroute.Connection(name="photo", reconnect=True) as connection:
        photo = Photo(connection, path)
        attachment = connection.attach(path)
        for event in connection:
            match event:
                case touchroute.Welcome():
                    photo.show()  # a new daemon knows nothing of what was set before
                case touchroute.Attached():
                    print("attached")
                case touchroute.Touches():
                    for touch in event.touches:
                        photo.hear(touch)
                    photo.zoom()
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
