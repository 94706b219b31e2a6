"""Recognizers that a program adds."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from . import abi
from .arguments import MAX_NUMBER, integer, number, path_bytes
from .errors import RequestError
from .values import Direction, Edge, GestureFlags, GestureKind


@dataclass(frozen=True, slots=True)
class Recognizer:
    """A recognizer to add to a view (rule G1). None means the kind's default.

    connection.add_gesture(home, Recognizer(GestureKind.PAN, "scroll"))
    """

    kind: GestureKind
    name: str
    """its path is the view's, then #, then this"""
    view: str | None = None
    """the path of its view; None for the attachment's view"""
    touches: int | tuple[int, int] | None = None
    """the number of fingers, or the fewest and the most; a pinch or rotation needs at least two"""
    taps: int | None = None
    direction: Direction = Direction.ANY
    edge: Edge = Edge.NONE
    slop: float | None = None
    """in points, like distance and margin"""
    distance: float | None = None
    margin: float | None = None
    slop_degrees: float | None = None
    duration_ms: int | None = None
    interval_ms: int | None = None
    gather_ms: int | None = None
    after: Sequence[str] = ()
    """paths of recognizers that must fail before it recognizes: UIKit's require(toFail:)"""
    simultaneous: Sequence[str] = ()
    """paths of recognizers that may go on beside it"""
    to: str | None = None
    """the responder that gets its events; None for the nearest up the chain"""
    flags: GestureFlags = GestureFlags.NONE
    feedback: str | None = None
    """the name of the feedback that it gives as it recognizes or begins (rule D10), such as click;
    describe does not tell it"""

    def recognizer(self) -> abi.touchroute_recognizer:
        """The recognizer, as the C library takes it. Raises RequestError where it can't be."""
        for names in (self.after, self.simultaneous):
            if isinstance(names, str):
                raise RequestError(f"after and simultaneous are several paths, not one: {names}")
        it = abi.touchroute_recognizer(name=path_bytes(self.name))
        try:
            it.kind, it.direction = GestureKind(self.kind), Direction(self.direction)
            it.edge, it.flags = Edge(self.edge), GestureFlags(self.flags)
        except (TypeError, ValueError) as error:
            raise RequestError(f"the gesture {self.name} can't be: {error}") from None
        it.view = None if self.view is None else path_bytes(self.view)
        it.to = None if self.to is None else path_bytes(self.to)
        fewest, most = self._fingers()
        it.fewest, it.most = self._whole(fewest, "touches", 0xFF), self._whole(most, "touches", 0xFF)
        it.taps = self._whole(self.taps or 0, "taps", 0xFF)
        it.duration_ms = self._time(self.duration_ms, "duration_ms")
        it.interval_ms = self._time(self.interval_ms, "interval_ms")
        it.gather_ms = self._time(self.gather_ms, "gather_ms")
        it.slop = self._length(self.slop, "slop")
        it.distance = self._length(self.distance, "distance")
        it.margin = self._length(self.margin, "margin")
        it.slop_degrees = self._length(self.slop_degrees, "slop_degrees")
        it.after, it.after_count = _names(self.after)
        it.simultaneous, it.simultaneous_count = _names(self.simultaneous)
        return it

    def _whole(self, value: object, what: str, most: int) -> int:
        return integer(value, f"{what} of {self.name}", 0, most)

    def _time(self, value: object, what: str) -> int:
        return abi.NONE if value is None else self._whole(value, what, MAX_NUMBER)

    def _length(self, value: object, what: str) -> float:
        length = -1.0 if value is None else number(value, f"{what} of {self.name}")
        if value is not None and length < 0:
            raise RequestError(f"{what} of {self.name} has to be 0 or more, not {length}")
        return length

    def _fingers(self) -> tuple[int, int]:
        match self.touches:
            case None:
                return (0, 0)
            case int():
                return (self.touches, self.touches)
            case (int(fewest), int(most)):
                return (fewest, most)
        raise RequestError(f"touches is a number of fingers, or the fewest and the most: {self}")


def _names(paths: Sequence[str]) -> tuple[ctypes.Array[ctypes.c_char_p], int]:
    data = [path_bytes(path) for path in paths]
    return (ctypes.c_char_p * len(data))(*data), len(data)
