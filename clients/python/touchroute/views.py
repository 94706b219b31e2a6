"""The views that a program adds in one that it holds (rule L7), so that they can be added again."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from . import wire
from .arguments import path_bytes, shown
from .attachments import Attachment
from .changes import Change
from .errors import FullError, RequestError
from .values import Property

ADD, REMOVE, CHANGE = 1, 2, 3
BATCHES = 64
"""change_views that wait for their answer, as in the C library"""
_HEAD = struct.Struct("=4H")
_PROPERTIES = {field.name for field in fields(Change)} - {"path", "configured", "level", "enabled"}


class Step:
    """A step of a batch as it goes over the wire: its values by property."""

    def __init__(
        self, kind: int, path: bytes, controller: bytes, values: list[tuple[int, bytes]]
    ) -> None:
        self.kind = kind
        self.path = path
        self.controller = controller
        self.values = values

    def packed(self) -> bytes:
        """The bytes of it."""
        head = _HEAD.pack(self.kind, len(self.values), len(self.path), len(self.controller))
        values = b"".join(value for _, value in self.values)
        return head + wire.padded(self.path) + wire.padded(self.controller) + values

    def is_in(self, path: bytes) -> bool:
        """Whether it is of the view of a path, or of one that lies in that."""
        return _is_in(self.path, path)


def steps_of(steps: Iterable[Mapping[str, Any]]) -> list[Step]:
    """The steps that dictionaries say. Raises RequestError, which names the step."""
    if isinstance(steps, (str, bytes, Mapping)):
        raise RequestError(f"change_views takes a list of dictionaries, not {shown(steps)}")
    packed: list[Step] = []
    for number, step in enumerate(steps, 1):
        try:
            packed += _steps(step)
        except RequestError as error:
            raise RequestError(f"step {number}: {error}") from None
    if not packed:
        raise RequestError("there is nothing to change")
    return packed


def _steps(step: Mapping[str, Any]) -> Iterator[Step]:
    if not isinstance(step, Mapping):
        raise RequestError(f"a step has to be a dictionary, not {shown(step)}")
    verbs = [verb for verb in ("add", "remove", "change") if verb in step]
    if len(verbs) != 1:
        raise RequestError(f"a step has one of add, remove and change: {shown(step)}")
    path = step[verbs[0]]
    rest = {key: value for key, value in step.items() if key != verbs[0]}
    match verbs[0]:
        case "add":
            yield from _added(path, rest)
        case "remove":
            if rest:
                raise RequestError(f"a view that is removed has no {', '.join(rest)}")
            yield Step(REMOVE, _path(path), b"", [])
        case _:
            allowed = _PROPERTIES | {"configured"}
            yield Step(CHANGE, path_bytes(path), b"", _values(path, rest, allowed))


def _added(path: object, view: Mapping[str, Any]) -> Iterator[Step]:
    own = {key: value for key, value in view.items() if key not in ("controller", "views")}
    if own.get("frame") is None:
        raise RequestError(f"{shown(path)} is added and needs a frame")
    controller = path_bytes(view.get("controller") or "")
    if len(controller) > wire.MAX_NAME:
        raise RequestError(f"the controller of {shown(path)} can have {wire.MAX_NAME} bytes")
    yield Step(ADD, _path(path), controller, _values(path, own, _PROPERTIES))
    subviews = view.get("views", [])
    if isinstance(subviews, (str, bytes, Mapping)) or not isinstance(subviews, Iterable):
        raise RequestError(f"the views of {shown(path)} have to be a list of dictionaries")
    for subview in subviews:
        if not isinstance(subview, Mapping) or not isinstance(subview.get("add"), str):
            raise RequestError(f"each of the views of {shown(path)} has add, with its name")
        rest = {key: value for key, value in subview.items() if key != "add"}
        yield from _added(f"{path}/{subview['add']}", rest)


def _path(path: object) -> bytes:
    data = path_bytes(path)
    if not data:
        raise RequestError("a view that is added or removed needs a path")
    return data


def _values(
    path: object, properties: Mapping[str, Any], allowed: set[str]
) -> list[tuple[int, bytes]]:
    for key in properties:
        if key not in allowed:
            raise RequestError(f"{shown(path)} has no {shown(key)}: {', '.join(sorted(allowed))}")
    # The path is said once in a step; a Change only wants one.
    return [
        (
            kind,
            _HEAD.pack(kind, len(points) // 2, len(words), len(values))
            + struct.pack(f"={len(values)}d", *values)
            + wire.padded(words)
            + struct.pack(f"={len(points)}d", *points),
        )
        for kind, (values, words, points) in Change(str(path) or "it", **properties).parts()
    ]


def _is_in(path: bytes, view: bytes) -> bool:
    return path == view or path.startswith((view + b"/", view + b"@"))


class _Batch:
    """A change_views without an answer. steps is None where views are added again."""

    def __init__(self, serial: int, attachment: int, steps: list[Step] | None) -> None:
        self.serial = serial
        self.attachment = attachment
        self.steps = steps
        self.is_sent = steps is None


class Views:
    """All of a connection, by the program's numbers of the attachments through which they came."""

    def __init__(self) -> None:
        self._kept: dict[int, list[Step]] = {}
        self._next: dict[int, int] = {}
        self._batches: list[_Batch] = []

    def add(self, serial: int, attachment: int, steps: list[Step]) -> None:
        """A batch, which is owed."""
        if len(self._batches) >= BATCHES:
            raise FullError(f"{BATCHES} change_views wait for their answers")
        self._batches.append(_Batch(serial, attachment, steps))

    def uses(self, serial: int) -> bool:
        """Whether a new request may not have that serial."""
        return any(batch.serial == serial for batch in self._batches)

    def has_all(self, attachment: int) -> bool:
        """Whether the daemon has all that was added through an attachment in force."""
        return not self._is_owed(attachment) and not any(
            batch.attachment == attachment and not batch.is_sent for batch in self._batches
        )

    def _is_owed(self, attachment: int) -> bool:
        return self._next.get(attachment, 0) < len(self._kept.get(attachment, []))

    def delays(self, attachment: Attachment, others: Iterable[Attachment]) -> bool:
        """Whether an attachment is to a view that was added and the daemon has yet to add."""
        for other in others:
            below = path_below(other, attachment.path)
            if other is attachment or below is None:
                continue
            if other.is_held and not self._is_owed(other.handle):
                continue
            for step in self._kept.get(other.handle, []):
                if step.kind == ADD and _is_in(below, step.path):
                    return True
        return False

    def owed(self, numbers: Mapping[int, int], serial: Any) -> Iterator[tuple[bytes, Any]]:
        """The requests that are still to be sent, for attachments in force: their numbers. serial
        takes one."""
        for attachment, number in numbers.items():
            while self._is_owed(attachment):
                start = self._next.get(attachment, 0)
                end, steps = self._page(self._kept[attachment], start)
                batch = _Batch(serial(), attachment, None)
                yield _request(batch.serial, number, steps), (batch, end)
        for waiting in self._batches:
            if not waiting.is_sent and waiting.steps and waiting.attachment in numbers:
                steps = [step.packed() for step in waiting.steps]
                yield (
                    _request(waiting.serial, numbers[waiting.attachment], steps),
                    (waiting, None),
                )

    @staticmethod
    def _page(kept: list[Step], start: int) -> tuple[int, list[bytes]]:
        steps: list[bytes] = []
        size = 24
        for step in kept[start:]:
            packed = step.packed()
            if size + len(packed) > wire.MAX_CHANGE_VIEWS:
                break
            size += len(packed)
            steps.append(packed)
        return start + len(steps), steps

    def paid(self, what: Any) -> None:
        """That request has been queued."""
        batch, end = what
        batch.is_sent = True
        if end is not None:
            self._next[batch.attachment] = end
            self._batches.append(batch)

    def answered(self, serial: int, is_error: bool) -> tuple[bool, list[tuple[int, bytes]]]:
        """Takes an answer in, if it is to one of these requests. Whether it is to views that were
        added again, and which views are gone, by attachment and path."""
        for batch in self._batches:
            if batch.serial != serial or not batch.is_sent:
                continue
            self._batches.remove(batch)
            if batch.steps is None:
                if is_error:
                    self._drop(batch.attachment)
                return True, []
            return False, [] if is_error else self._take(batch.attachment, batch.steps)
        return False, []

    def _take(self, attachment: int, steps: list[Step]) -> list[tuple[int, bytes]]:
        kept = self._kept.setdefault(attachment, [])
        gone: list[bytes] = []
        for step in steps:
            match step.kind:
                case 1:
                    kept.append(step)
                    gone = [path for path in gone if path != step.path]
                case 2:
                    gone += [s.path for s in kept if s.kind == ADD and s.is_in(step.path)]
                    kept[:] = [other for other in kept if not other.is_in(step.path)]
                case _:
                    self._change(kept, step)
        self._next[attachment] = len(kept)
        return [(attachment, path) for path in gone]

    @staticmethod
    def _change(kept: list[Step], step: Step) -> None:
        for kind, value in step.values:
            kept[:] = [
                other
                for other in kept
                if other.kind != CHANGE
                or other.path != step.path
                or (kind != Property.CONFIGURED and other.values[0][0] != kind)
            ]
            if kind != Property.CONFIGURED:
                kept.append(Step(CHANGE, step.path, b"", [(kind, value)]))

    def forget(self, attachment: int) -> None:
        """The attachment is over, and its views with it."""
        self._drop(attachment)
        self._batches = [batch for batch in self._batches if batch.attachment != attachment]

    def _drop(self, attachment: int) -> None:
        self._kept.pop(attachment, None)
        self._next.pop(attachment, None)

    def owe(self, attachment: int | None = None) -> None:
        """The daemon has forgotten those of an attachment, or all that the connection had."""
        for handle in [attachment] if attachment is not None else list(self._kept):
            self._next[handle] = 0
        self._batches = [
            batch
            for batch in self._batches
            if batch.steps is not None
            or (attachment is not None and batch.attachment != attachment)
        ]
        for batch in self._batches:
            if attachment is None:
                batch.is_sent = False


def path_below(held: Attachment, path: bytes) -> bytes | None:
    """The part of a path behind the view that an attachment holds, where it lies in that."""
    view = held.path.split(b"@")[0] + b"/"
    return path[len(view) :] if path.startswith(view) else None


def _request(serial: int, number: int, steps: list[bytes]) -> bytes:
    return wire.request(
        wire.CHANGE_VIEWS, "IIII", serial, number, len(steps), 0, rest=b"".join(steps)
    )
