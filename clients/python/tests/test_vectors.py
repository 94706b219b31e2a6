"""The vectors, through touchroute.Connection."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import touchroute

from .lines import lines
from .peer import Peer
from .vectors import FOLDER, Vector, names


def change(words: str) -> touchroute.Change:
    """A change as the vectors write it: home/list:bounds_origin=0,120, and behind semicolons its
    words and its points"""
    path, _, rest = words.partition(":")
    name, _, parts = rest.partition("=")
    numbers, text, corners = [*parts.split(";"), "", ""][:3]
    values = tuple(float(number) for number in numbers.split(",") if number)
    value: Any = values if len(values) > 1 else values[0] if values else True
    flags = ("hidden", "interaction", "secure", "exclusive_touch", "multiple_touch", "enabled")
    if name in flags:
        value = value == 1
    if name in ("order", "level"):
        value = int(value)
    if name == "shape":
        n = [float(number) for number in corners.split(",") if number]
        value = ("rect", "ellipse", {"radius": values[-1]}, {"polygon": [*zip(n[::2], n[1::2])]})[
            int(values[0])
        ]
    if name == "inside":
        value = ("bounds", "always", "never", "children")[int(value)]
        value = {"children": text.split(",")} if text else value
    if name == "hit":
        rules = ("default", "self", "none", "pass_through", {"redirect": text}, {"first": text})
        value = rules[int(value)]
    return touchroute.Change(path, **{name: value})


def step(words: str) -> dict[str, Any]:
    """A step as the vectors write it: add:row-1@pages:frame=0,0,480,40:hidden=1"""
    verb, path, *properties = words.split(":")
    path, _, controller = path.partition("@")
    step: dict[str, Any] = {verb: path}
    if controller:
        step["controller"] = controller
    for written in properties:
        name = written.partition("=")[0]
        step[name] = getattr(change(f"it:{written}"), name)
    return step


def contact(words: str) -> touchroute.Contact:
    """A contact as the vectors write it: 7:moved=401,2"""
    slot, _, rest = words.partition(":")
    phase, _, numbers = rest.partition("=")
    place = [float(number) for number in numbers.split(",") if number]
    return touchroute.Contact(int(slot), touchroute.Phase[phase.upper()], *place)


def recognizer(words: list[str]) -> touchroute.Recognizer:
    """A recognizer as the vectors write it: pages kind=3 direction=5"""
    values = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    fingers = (int(values["fewest"]), int(values["most"])) if "fewest" in values else None
    return touchroute.Recognizer(
        touchroute.GestureKind(int(values["kind"])),
        words[0],
        touches=fingers,
        taps=int(values["taps"]) if "taps" in values else None,
        direction=touchroute.Direction(int(values.get("direction", 0))),
        flags=touchroute.GestureFlags(int(values.get("flags", 0))),
        duration_ms=int(values["duration"]) if "duration" in values else None,
        slop=float(values["slop"]) if "slop" in values else None,
        to=values.get("to"),
        after=(values["after"],) if "after" in values else (),
        feedback=values.get("feedback"),
    )


class Player:
    """Plays one vector and says where the client is wrong."""

    def __init__(self, vector: Vector, piece: int | None) -> None:
        self.vector = vector
        self.piece = piece
        self.peer = Peer()
        self.connection = touchroute.Connection(self.peer.path, "vectors")
        self.peer.accept()
        self.told: list[str] = []
        self.requests = b""
        self.end: str | None = None

    def dispatch(self) -> None:
        """Once, as long as it has not ended."""
        if self.end is not None:
            return
        try:
            self.told += map(lines, self.connection.dispatch())
        except touchroute.EndedError as error:
            self.end = error.kind

    def finish(self) -> None:
        """Lets the client go and hears the rest."""
        self.requests += self.peer.receive()
        self.peer.disconnect()
        while self.end is None:
            self.dispatch()

    def send(self, data: bytes) -> None:
        """Whole, or in pieces."""
        piece = self.piece or len(data)
        for start in range(0, len(data), piece):
            if self.end is None:
                try:
                    self.peer.send(data[start : start + piece])
                except OSError:
                    pass  # the client has gone already
                self.dispatch()

    def call(self, line: str) -> int:
        """Makes a request; the serial."""
        connection = self.connection
        words = line.split()
        values = {k: int(v) for k, _, v in (w.partition("=") for w in words) if v.isdigit()}
        match words[0]:
            case "attach":
                return connection.attach(
                    words[1].strip('"'),
                    handles=touchroute.Phases(values["handles"]),
                    passes=touchroute.Phases(values["passes"]),
                    take_over=values["flags"] & 1 != 0,
                    history=values["flags"] & 2 != 0,
                    wait=values["flags"] & 4 != 0,
                    gestures=values["flags"] & 8 != 0,
                )
            case "add_gesture":
                return connection.add_gesture(int(words[1]), recognizer(words[2:]))
            case "remove_gesture":
                return connection.remove_gesture(int(words[1]))
            case "enable_gesture":
                return connection.enable_gesture(int(words[1]), words[2] == "1")
            case "detach":
                return connection.detach(int(words[1]))
            case "accept":
                connection.accept(int(words[1]), int(words[2]))
                return 0
            case "decline":
                connection.decline(int(words[1]), int(words[2]))
                return 0
            case "change_views":
                return connection.change_views(int(words[1]), map(step, words[2:]))
            case "set":
                return connection.set(*map(change, words[1:]))
            case "inject":
                return connection.inject(*map(contact, words[2:]), screen=int(words[1]))
            case "cancel":
                return connection.cancel(int(words[1]) or None)
            case "ungrab":
                return connection.ungrab(int(words[1]))
            case "describe":
                return connection.describe(words[1].strip('"'), values["first"], values["count"])
            case "observe":
                return connection.observe(
                    words[1] != "0", changes=words[1] == "2", health=words[1] == "4"
                )
            case name:
                return int(getattr(connection, name)())

    def play(self, test: unittest.TestCase) -> None:
        """The whole script."""
        sent = 0
        for kind, text in self.vector.steps:
            if kind == "send":
                self.send(self.vector.data[sent : sent + int(text)])
                sent += int(text)
            elif kind == "call":
                line, _, serial = text.rpartition(" = ")
                test.assertEqual(self.call(line), int(serial), line)
            elif kind == "event":
                if not self.told:
                    self.finish()
                test.assertEqual(self.told.pop(0) if self.told else "nothing", text)
            else:
                self.finish()
                test.assertEqual(self.end, text)
        test.assertEqual(self.told, [])
        test.assertEqual(self.requests, self.vector.requests)
        test.assertEqual(sent, len(self.vector.data))
        self.peer.close()


class VectorTests(unittest.TestCase):
    """Each vector whole, in single bytes, and in uneven pieces."""

    def test_there_are_vectors(self) -> None:
        self.assertGreater(len(names()), 35)

    def test_vectors(self) -> None:
        for name in names():
            for piece in (None, 1, 61):
                with self.subTest(name=name, piece=piece):
                    Player(Vector.load(name), piece).play(self)

    def test_make_writes_what_is_there(self) -> None:
        sys.path.insert(0, str(FOLDER))
        self.addCleanup(sys.path.remove, str(FOLDER))
        sys.dont_write_bytecode = True
        specification = importlib.util.spec_from_file_location("make", FOLDER / "make.py")
        assert specification is not None and specification.loader is not None
        make = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(make)
        with tempfile.TemporaryDirectory() as folder:
            make.main(Path(folder))
            written = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        kept = {
            path.name: path.read_bytes()
            for path in FOLDER.iterdir()
            if path.suffix in (".txt", ".bin")
        }
        self.assertEqual(written.keys(), kept.keys())
        for name, data in written.items():
            self.assertEqual(data, kept[name], name)
