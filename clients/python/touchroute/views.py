"""The views that a program adds in one that it holds (rule L7), so that they can be added again."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from . import events, wire
from .arguments import path_bytes, shown
from .attachments import Attachment
from .changes import Change
from .errors import FullError, RequestError
from .values import Property

ADD, REMOVE, CHANGE = 1, 2, 3
BATCHES = 64
"""change_views that wait for their answer, as in the C library"""
OWN_SERIALS = 0x80000000
"""from here on: requests that the program did not make"""
REFUSED = 32
"""steps that can't be made again, after which the others are not tried"""
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
        return is_in(self.path, path)


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


def is_in(path: bytes, view: bytes) -> bool:
    """Whether a path is that of a view, or of what lies in it."""
    return path == view or path.startswith((view + b"/", view + b"@"))


def _is_void(path: bytes, removed: set[bytes]) -> bool:
    """Whether it is of one of those views, or of one in them."""
    if path in removed:
        return True
    slash = path.find(b"/")
    while slash >= 0:
        if path[:slash] in removed:
            return True
        slash = path.find(b"/", slash + 1)
    return False


def _superviews_first(steps: list[Step], added: set[bytes]) -> list[Step]:
    """Those steps in their order, but for those that come before what they need: a batch may add a
    superview behind what lies in it. added: the views that they add."""
    left = added.copy()
    ordered: list[Step] = []
    while steps:
        early: list[Step] = []
        for step in steps:
            needed = step.path.rpartition(b"/")[0] if step.kind == ADD else step.path
            if needed in left:
                early.append(step)
                continue
            ordered.append(step)
            if step.kind == ADD:
                left.discard(step.path)
        steps = early
    return ordered


class _Batch:
    """A change_views without an answer."""

    def __init__(self, serial: int, attachment: int, steps: list[Step]) -> None:
        self.serial = serial
        self.attachment = attachment
        self.steps = steps
        self.is_sent = False


class _Kept:
    """What was added, removed and changed through an attachment, as it was in force, to be asked
    for again. Steps that later ones make void are dropped together, once they may be half of it."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.next = 0
        """those from here on the daemon does not have"""
        self.asked = 0
        """for those up to here it is asked, by the request of that serial"""
        self.serial = 0
        self._most = 0
        self._refused = 0
        self._tidied = 0

    @property
    def is_owed(self) -> bool:
        """Whether the daemon has yet to get some."""
        return self.next < len(self.steps)

    def keep(self, steps: list[Step]) -> None:
        """Steps that are in force: first views come and go, then they change."""
        if not self.is_owed:
            self.next = self.asked = len(self.steps) + len(steps)
        self.steps += [step for step in steps if step.kind != CHANGE]
        self.steps += [step for step in steps if step.kind == CHANGE]
        if len(self.steps) > 2 * self._tidied + 1000 and not self.is_owed:
            self._tidy()
            self.next = self.asked = len(self.steps)

    def owe(self) -> None:
        """The daemon has forgotten them."""
        self.next = self.asked = self.serial = self._most = self._refused = 0
        self._tidy()

    def page(self) -> list[bytes]:
        """The next ones, as many as a request has room for."""
        page: list[bytes] = []
        size = 24
        for step in self.steps[self.next :]:
            packed = step.packed()
            if size + len(packed) > wire.MAX_CHANGE_VIEWS or len(page) == (self._most or -1):
                break
            size += len(packed)
            page.append(packed)
        return page

    def answered(self, is_error: bool) -> str | None:
        """Takes the answer in. Where one of several can't be made, they are asked for in smaller
        parts, until it is alone: what its error has to say more, or None where it is not told."""
        count = self.asked - self.next
        self.serial = 0
        if not is_error:
            self.next = self.asked
            self._most *= 2
            return None
        self.asked = self.next
        self._most = max(count // 2, 1)
        if count > 1:
            return None
        gone = self.steps.pop(self.next)
        if gone.kind == ADD:
            self.steps[self.next :] = [
                step for step in self.steps[self.next :] if not step.is_in(gone.path)
            ]
        self._refused += 1
        if self._refused < REFUSED:
            return ""
        left = len(self.steps) - self.next
        del self.steps[self.next :]
        return f"; {REFUSED} were refused, and {left} more are not tried"

    def _tidy(self) -> None:
        tidy: list[Step] = []
        removed: set[bytes] = set()
        added: set[bytes] = set()
        later: set[tuple[bytes, int]] = set()
        for step in reversed(self.steps):
            if _is_void(step.path, removed):
                continue
            if step.kind == REMOVE:
                removed.add(step.path)
                continue
            if step.path in added:
                continue  # added once more: a reload has dropped it
            if step.kind == CHANGE:
                values = self._left(step, later)
                if values:
                    tidy.append(Step(CHANGE, step.path, b"", values))
                continue
            added.add(step.path)
            tidy.append(step)
        self.steps = _superviews_first(tidy[::-1], added)
        self._tidied = len(tidy)

    @staticmethod
    def _left(step: Step, later: set[tuple[bytes, int]]) -> list[tuple[int, bytes]]:
        """The values of a change that later ones neither set nor take back."""
        values: list[tuple[int, bytes]] = []
        ends_all = (step.path, Property.CONFIGURED) in later
        for kind, value in step.values:
            if kind == Property.CONFIGURED:
                values.clear()
                later.add((step.path, Property.CONFIGURED))
            elif not ends_all and (step.path, kind) not in later:
                values.append((kind, value))
        later.update((step.path, kind) for kind, _ in values)
        return values


class Views:
    """All of a connection, by the program's numbers of the attachments through which they came."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._batches: list[_Batch] = []
        self._asked: set[int] = set()
        """batches whose attachment has ended, and which the daemon has yet to answer"""
        self._unanswered: list[events.Event] = []
        self._own_serial = 0

    def add(self, serial: int, attachment: int, steps: list[Step]) -> None:
        """A batch, which is owed."""
        if len(self._batches) >= BATCHES:
            raise FullError(f"{BATCHES} change_views wait for their answers")
        self._batches.append(_Batch(serial, attachment, steps))

    def uses(self, serial: int) -> bool:
        """Whether a new request may not have that serial."""
        return serial in self._asked or any(batch.serial == serial for batch in self._batches)

    def has_all(self, attachment: int) -> bool:
        """Whether the daemon has all that was added through an attachment in force."""
        return not self._is_owed(attachment) and not any(
            batch.attachment == attachment and not batch.is_sent for batch in self._batches
        )

    def _is_owed(self, attachment: int) -> bool:
        kept = self._kept.get(attachment)
        return kept is not None and kept.is_owed

    def delays(self, attachment: Attachment, others: Iterable[Attachment]) -> bool:
        """Whether an attachment is to a view that was added and the daemon has yet to add."""
        for other in others:
            below = path_below(other, attachment.path)
            kept = self._kept.get(other.handle)
            if other is attachment or below is None or kept is None:
                continue
            if other.is_held and not kept.is_owed:
                continue
            for step in kept.steps:
                if step.kind == ADD and is_in(below, step.path):
                    return True
        return False

    def owed(self, numbers: Mapping[int, int]) -> Iterator[tuple[bytes, Any]]:
        """The requests that are still to be sent, for attachments in force: their numbers. Views
        are added again a request at a time, so that one that can't be does not take others along;
        what was asked for since waits for that."""
        has_all = True
        for attachment, number in numbers.items():
            kept = self._kept.get(attachment)
            if kept is None or not kept.is_owed:
                continue
            has_all = False
            if not kept.serial:
                steps = kept.page()
                self._own_serial = (self._own_serial + 1) | OWN_SERIALS
                request = _request(self._own_serial, number, steps)
                yield request, (kept, self._own_serial, kept.next + len(steps))
        for waiting in self._batches if has_all else []:
            if not waiting.is_sent and waiting.attachment in numbers:
                steps = [step.packed() for step in waiting.steps]
                yield _request(waiting.serial, numbers[waiting.attachment], steps), waiting

    def paid(self, what: Any) -> None:
        """That request has been queued."""
        if isinstance(what, _Batch):
            what.is_sent = True
        else:
            kept, kept.serial, kept.asked = what

    def answered_again(self, serial: int, is_error: bool) -> tuple[bool, str | None]:
        """Takes an answer in, if it is to views that were to be added again. Whether it is, and
        what its error has to say more where the program is to hear of it: nothing where the
        attachment has ended or waits since."""
        if serial < OWN_SERIALS:
            return False, None
        for kept in self._kept.values():
            if serial == kept.serial:
                return True, kept.answered(is_error)
        return True, None

    def answered(self, serial: int, is_error: bool) -> tuple[int, list[Step]]:
        """Takes an answer in, if it is to what the program asked for. The attachment, and the
        steps that are in force."""
        self._asked.discard(serial)
        for batch in self._batches:
            if batch.serial != serial or not batch.is_sent:
                continue
            self._batches.remove(batch)
            if is_error:
                break
            self._kept.setdefault(batch.attachment, _Kept()).keep(batch.steps)
            return batch.attachment, batch.steps
        return 0, []

    def forget(self, attachment: int) -> None:
        """The attachment is over, and its views with it. The daemon answers what was sent."""
        self._kept.pop(attachment, None)
        for batch in self._batches:
            if batch.attachment == attachment and batch.is_sent:
                self._asked.add(batch.serial)
            elif batch.attachment == attachment:
                self._unanswered.append(events.unasked(batch.serial))
        self._batches = [batch for batch in self._batches if batch.attachment != attachment]

    def take_unanswered(self) -> list[events.Event]:
        """The answers to what the daemon will not be asked, as what it is of has ended."""
        taken, self._unanswered = self._unanswered, []
        return taken

    def owe(self, attachment: int | None = None) -> None:
        """The daemon has forgotten those of an attachment, or all that the connection had: what it
        has yet to answer then, it does not."""
        if attachment is None:
            self._unanswered += [events.unasked(serial) for serial in sorted(self._asked)]
            self._asked.clear()
        for handle, kept in self._kept.items():
            if attachment is None or handle == attachment:
                kept.owe()
        if attachment is None:
            for batch in self._batches:
                batch.is_sent = False


def path_below(held: Attachment, path: bytes) -> bytes | None:
    """The part of a path behind the view that an attachment holds, where it lies in that."""
    view = held.path.split(b"@")[0] + b"/"
    return path[len(view) :] if path.startswith(view) else None


def _request(serial: int, number: int, steps: list[bytes]) -> bytes:
    return wire.request(
        wire.CHANGE_VIEWS, "IIII", serial, number, len(steps), 0, rest=b"".join(steps)
    )
