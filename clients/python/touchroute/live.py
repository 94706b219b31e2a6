"""The touches that are live, so that each record can name its target, and a lost connection can
cancel them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from . import events
from .attachments import Attachments
from .values import CancelReason, Phase, Phases

MOST = 128
"""live touches whose paths are kept, as in the C library; beyond, the oldest is forgotten"""
MOST_DECLINED = 16
"""touches that were declined, of which something may still be on its way, as in the C library"""


@dataclass(slots=True)
class _Live:
    last: events.Touch
    device: int
    began: bool


class LiveTouches:
    """By attachment and touch, in the order in which they were last heard of."""

    def __init__(self) -> None:
        self._all: dict[tuple[int, int], _Live] = {}
        self._declined: dict[tuple[int, int], None] = {}
        self._last_sequence = 0

    def decline(self, attachment: int, touch: int) -> None:
        """The program hears no more of it, though what the daemon sent before it knows is still to
        come."""
        if self._all.pop((attachment, touch), None) is not None:
            if len(self._declined) >= MOST_DECLINED:
                del self._declined[next(iter(self._declined))]
            self._declined[attachment, touch] = None

    def has_declined(self, attachment: int, touch: int) -> bool:
        """Whether it was declined, as far as that is remembered."""
        return (attachment, touch) in self._declined

    def hear(self, frame: events.Touches, attachments: Attachments) -> list[events.Event]:
        """The frame with the program's numbers and every target's path. What speaks of an
        attachment that is not there, or of a touch that was declined, is left out."""
        touches = []
        for touch in frame.touches:
            held = attachments.numbered(touch.attachment)
            if held is not None and not self._is_declined((held.handle, touch.id), touch.phase):
                touches.append(self._track(replace(touch, attachment=held.handle), frame.device))
        if not touches:
            return []
        self._last_sequence = frame.sequence
        return [replace(frame, touches=tuple(touches))]

    def _is_declined(self, key: tuple[int, int], phase: Phase) -> bool:
        if key not in self._declined:
            return False
        del self._declined[key]
        if not phase.is_final:
            self._declined[key] = None
        return True

    def _track(self, touch: events.Touch, device: int) -> events.Touch:
        key = (touch.attachment, touch.id)
        known = self._all.pop(key, None)
        if known is not None and not touch.path:
            touch = replace(touch, path=known.last.path)
        if not touch.phase.is_final:
            if len(self._all) >= MOST:
                del self._all[next(iter(self._all))]
            began = touch.phase is Phase.BEGAN or (known is not None and known.began)
            self._all[key] = _Live(touch, device, began)
        return touch

    def cancel(
        self, handle: int | None, reason: CancelReason, attachments: Attachments
    ) -> list[events.Event]:
        """Says cancelled of what is live for an attachment, or for all, a frame a device."""
        frames: dict[int, list[events.Touch]] = {}
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        is_meant: Callable[[tuple[int, int]], bool] = (
            lambda key: handle is None or key[0] == handle
        )
        for key in [key for key in self._declined if is_meant(key)]:
            del self._declined[key]
        for key in [key for key in self._all if is_meant(key)]:
            live = self._all.pop(key)
            held = attachments.get(key[0])
            if held is None or not live.began or not held.handles & Phases.CANCELLED:
                continue
            frames.setdefault(live.device, []).append(
                replace(
                    live.last,
                    phase=Phase.CANCELLED,
                    cancel_reason=reason,
                    time_us=now,
                    previous_x=live.last.x,
                    previous_y=live.last.y,
                    samples=(),
                )
            )
        return [
            events.Touches(now, self._last_sequence, device, tuple(touches), False)
            for device, touches in frames.items()
        ]
