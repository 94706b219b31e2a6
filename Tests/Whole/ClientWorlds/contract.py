"""What a client library owes its program, held to the lines that one prints (program.c, program.py).

Every request is answered exactly once, or the connection's end is told and it is one of those that are
forgotten then. Every touch and every gesture that began ends exactly once. docs/clients.md has the words.
"""

from __future__ import annotations

from dataclasses import dataclass, field

FORGOTTEN = {"set", "ping", "describe", "enable", "unobserve", "detach", "remove_gesture"}
"""requests that get no answer any more where the connection is lost before it"""

PROTOCOL = 1


@dataclass
class Attachment:
    """One that the program has, as it was told."""

    path: str
    state: str = "asked"  # held, waiting
    rows: set[str] = field(default_factory=set)
    """the views that it has added and not removed"""


@dataclass
class Gesture:
    """A recognizer that the program has added."""

    attachment: int
    name: str
    is_answered: bool = False
    is_removing: bool = False


class Contract:
    """One program's."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pending: dict[int, list[str]] = {}
        self.attachments: dict[int, Attachment] = {}
        self.gestures: dict[int, Gesture] = {}
        self.live: set[tuple[int, int]] = set()
        self.over: set[tuple[int, int]] = set()
        self.declined: set[tuple[int, int]] = set()
        self.going: dict[str, int] = {}
        """the paths of gestures that have begun, with who is told"""
        self.observe = 0
        self.is_settled = self.is_connected = self.has_lost_views = False
        self.lost = self.told = 0
        self.problems: list[str] = []
        self.lines: list[str] = []

    def hear(self, line: str) -> None:
        """Takes in what the program has asked for, or was told."""
        self.lines.append(line)
        word, *rest = line.split(" ")
        self.told += word not in ("asked", "over", "declined", "settled")
        handler = getattr(self, "hear_" + word, None)
        if handler is None:
            return self.fail("it says what nobody understands")
        handler(*rest)

    def fail(self, text: str) -> None:
        """Something is wrong with the line at hand."""
        self.problems.append(f"{self.name}: {text}: {self.lines[-1]}")

    # What it asks for

    def hear_asked(self, serial: str, kind: str, *rest: str) -> None:
        number = int(serial)
        if number in self.pending or number in self.attachments:
            self.fail("a number that something else has")
        self.pending[number] = [kind, *rest]
        if kind == "attach":
            self.attachments[number] = Attachment(rest[0])
        elif kind == "add_gesture":
            self.gestures[number] = Gesture(int(rest[0]), rest[1])
        elif kind == "remove_gesture" and int(rest[0]) in self.gestures:
            self.gestures[int(rest[0])].is_removing = True
        elif kind == "observe":
            self.observe = number
        elif kind == "unobserve":
            self.observe = 0

    def hear_over(self, what: str, number: str = "0") -> None:
        """Something is over at once: the daemon did not have it."""
        handle = int(number)
        if what == "attachment":
            self.pending.pop(handle, None)
            self.end_attachment(handle)
        elif what == "gesture":
            self.pending.pop(handle, None)
            self.gestures.pop(handle, None)
        else:
            self.pending.pop(self.observe, None)
            self.observe = 0

    def hear_declined(self, attachment: str, touch: str) -> None:
        key = (int(attachment), int(touch))
        self.live.discard(key)
        self.declined.add(key)

    # What it is told

    def hear_attached(self, number: str, _: str) -> None:
        held = self.known(number)
        if held is None:
            return
        if held.state == "held":
            self.fail("it was attached before")
        self.pending.pop(int(number), None)
        held.state = "held"

    def hear_layout(self, number: str, _: str) -> None:
        self.known(number)

    def hear_waiting(self, number: str) -> None:
        held = self.known(number)
        if held is None:
            return
        self.pending.pop(int(number), None)
        held.state = "waiting"
        self.check_quiet(int(number))

    def hear_detached(self, number: str) -> None:
        if self.known(number) is not None:
            self.end_attachment(int(number))

    def hear_error(self, serial: str, code: str, *words: str) -> None:
        number = int(serial)
        if int(code) == PROTOCOL:
            self.fail("it broke the protocol")
        if number == 0:
            # A view that can't be added again, of which nobody waits for an answer.
            self.has_lost_views = True
            return
        asked = self.pending.pop(number, None)
        is_news = number in self.attachments or number in self.gestures or number == self.observe
        if asked is None and not is_news:
            self.fail("an answer to what was answered, or never asked")
        if asked is not None and asked[0] == "detach":
            self.end_attachment(int(asked[1]))
        if number in self.attachments:
            self.end_attachment(number)
        self.gestures.pop(number, None)
        if number == self.observe:
            self.observe = 0

    def hear_done(self, serial: str) -> None:
        asked = self.pending.pop(int(serial), None)
        match asked:
            case None:
                self.fail("an answer to what was answered, or never asked")
            case ["detach", attachment]:
                self.end_attachment(int(attachment))
            case ["add_gesture", _, _]:
                if int(serial) in self.gestures:
                    self.gestures[int(serial)].is_answered = True
            case ["remove_gesture", gesture]:
                self.gestures.pop(int(gesture), None)
            case ["views", attachment, "add", path]:
                self.change(int(attachment), path, True)
            case ["views", attachment, "remove", path]:
                self.change(int(attachment), path, False)

    def hear_pong(self, serial: str) -> None:
        if self.pending.pop(int(serial), None) is None:
            self.fail("an answer to what was answered, or never asked")

    def hear_welcome(self) -> None:
        self.is_connected = True

    def hear_lost(self, *_: str) -> None:
        self.lost += 1
        self.is_connected = False
        if self.live or self.going:
            self.fail(f"{sorted(self.live)} and {sorted(self.going)} never ended")
        self.live.clear()
        self.going.clear()
        self.over.clear()
        self.declined.clear()
        for serial, asked in list(self.pending.items()):
            if asked[0] == "detach":
                self.end_attachment(int(asked[1]))
                self.pending.pop(int(asked[1]), None)
            if asked[0] == "remove_gesture":
                self.gestures.pop(int(asked[1]), None)
                self.pending.pop(int(asked[1]), None)
            if asked[0] in FORGOTTEN or (asked[0] == "observe" and serial != self.observe):
                self.pending.pop(serial, None)
        for held in self.attachments.values():
            held.state = "asked"

    def hear_ended(self, *_: str) -> None:
        self.fail("it has given up")

    def hear_touch(self, attachment: str, touch: str, phase: str) -> None:
        key = (int(attachment), int(touch))
        if self.known(attachment) is None:
            return
        if key in self.declined or key in self.over:
            self.fail("told of a touch that is over")
        elif phase == "began":
            if key in self.live:
                self.fail("a touch began twice")
            self.live.add(key)
        elif key not in self.live:
            self.fail("told of a touch that never began")
        elif phase in ("ended", "cancelled"):
            self.live.discard(key)
            self.over.add(key)

    def hear_gesture(self, attachment: str, number: str, state: str, path: str) -> None:
        if self.known(attachment) is None:
            return
        if int(number) != 0 and int(number) not in self.gestures:
            self.fail("told of a recognizer that is over")
        if (path in self.going) != (state in ("changed", "ended", "cancelled")):
            self.fail("a gesture out of turn")
        if state == "began":
            self.going[path] = int(attachment)
        elif state in ("ended", "cancelled"):
            self.going.pop(path, None)

    def hear_settled(self) -> None:
        self.is_settled = True

    # Inside

    def known(self, number: str) -> Attachment | None:
        held = self.attachments.get(int(number))
        if held is None:
            self.fail("told of an attachment that is over")
        return held

    def check_quiet(self, number: int) -> None:
        """Nothing of an attachment goes on that is over or waits."""
        touches = sorted(touch for attachment, touch in self.live if attachment == number)
        paths = sorted(path for path, attachment in self.going.items() if attachment == number)
        if touches or paths:
            self.fail(f"{touches} and {paths} never ended")
        self.live = {key for key in self.live if key[0] != number}
        for path in paths:
            del self.going[path]

    def end_attachment(self, number: int) -> None:
        self.check_quiet(number)
        self.attachments.pop(number, None)
        for handle, gesture in list(self.gestures.items()):
            if gesture.attachment == number:
                del self.gestures[handle]

    def change(self, attachment: int, path: str, is_added: bool) -> None:
        held = self.attachments.get(attachment)
        if held is not None:
            (held.rows.add if is_added else held.rows.discard)(path)

    # At the end

    def unanswered(self) -> dict[int, list[str]]:
        """What is asked for and has no answer, but for what is asked once an attachment holds that
        stands in line."""
        return {
            serial: asked
            for serial, asked in self.pending.items()
            if asked[0] not in ("views", "add_gesture") or not self.is_waiting(int(asked[1]))
        }

    def is_waiting(self, number: int) -> bool:
        held = self.attachments.get(number)
        return held is not None and held.state == "waiting"

    def paths(self, state: str) -> list[str]:
        """The responders that it holds, or waits for."""
        return sorted(held.path for held in self.attachments.values() if held.state == state)

    def rows(self) -> set[str]:
        """The paths of the views that it has added and not removed."""
        return {
            held.path.split("@")[0] + "/" + row
            for held in self.attachments.values()
            for row in held.rows
            if held.state == "held"
        }

    def recognizers(self) -> set[str]:
        """The paths of the recognizers that it has added and not removed."""
        return {
            self.attachments[gesture.attachment].path.split("@")[0] + "#" + gesture.name
            for gesture in self.gestures.values()
            if gesture.attachment in self.attachments and gesture.is_answered
            and self.attachments[gesture.attachment].state == "held"
        }
