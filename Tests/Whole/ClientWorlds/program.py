"""A program of the Python library that does anything at random, as program.c: SOCKET NAME SEED."""

from __future__ import annotations

import os
import random
import select
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients/python"))

import touchroute as tr  # noqa: E402

MOST = 12
ROWS = 6
PATHS = [
    "app:dash", "home", "home/list", "home/list@rows", "home/bar", "home/bar/ok", "side",
    "side/pad", "nowhere", "home/list/r0", "side@bar",
]  # fmt: skip


class Program:
    """The program, and the numbers of what it has."""

    def __init__(self, socket: str, name: str, seed: int) -> None:
        self.random = random.Random(seed)
        self.attachments: list[int] = []
        self.gestures: list[int] = []
        self.latest: tuple[int, int] | None = None
        self.count = 0
        self.is_settled = False
        self.connection = tr.Connection(socket, name, reconnect=True)

    # What it asks for

    def act(self) -> None:
        acts: list[Callable[[], None]] = [
            self.attach, self.attach, self.attach, self.detach, self.add_gesture,
            self.add_gesture, self.remove_gesture, self.enable, self.change_views,
            self.change_views, self.change_views, self.set, self.ping, self.describe,
            self.decide, self.observe,
        ]  # fmt: skip
        try:
            self.random.choice(acts)()
        except (tr.AwayError, tr.FullError, tr.RequestError):
            pass  # there is no connection, or no such thing any more

    def some(self, numbers: list[int]) -> int:
        return self.random.choice(numbers) if numbers else 0

    def attach(self) -> None:
        if len(self.attachments) == MOST:
            return
        path = self.random.choice(PATHS)
        options = {
            "wait": self.random.random() < 0.3, "take_over": self.random.random() < 0.25,
            "gestures": self.random.random() < 0.5, "history": self.random.random() < 0.25,
        }  # fmt: skip
        serial = self.connection.attach(path, **options)
        self.attachments.append(serial)
        print(f"asked {serial} attach {path}")

    def detach(self) -> None:
        attachment = self.some(self.attachments)
        serial = self.connection.detach(attachment)
        self.attachments.remove(attachment)
        print(f"asked {serial} detach {attachment}" if serial else f"over attachment {attachment}")

    def add_gesture(self) -> None:
        if len(self.gestures) == MOST:
            return
        attachment = self.some(self.attachments)
        self.count += 1
        name = f"g{self.count % 9}-{os.getpid()}"
        kind = self.random.choice([tr.GestureKind.PAN, tr.GestureKind.TAP])
        serial = self.connection.add_gesture(attachment, tr.Recognizer(kind, name))
        self.gestures.append(serial)
        print(f"asked {serial} add_gesture {attachment} {name}")

    def remove_gesture(self) -> None:
        gesture = self.some(self.gestures)
        serial = self.connection.remove_gesture(gesture)
        self.gestures.remove(gesture)
        print(f"asked {serial} remove_gesture {gesture}" if serial else f"over gesture {gesture}")

    def enable(self) -> None:
        serial = self.connection.enable_gesture(
            self.some(self.gestures), self.random.random() < 0.5
        )
        self.say(serial, "enable")

    def change_views(self) -> None:
        attachment = self.some(self.attachments)
        kind = self.random.choice(["add", "add", "remove", "change"])
        path = f"r{self.random.randrange(ROWS)}"
        step = {kind: path}
        if kind != "remove":
            step["frame"] = (self.random.randrange(90), self.random.randrange(90), 40, 40)
        serial = self.connection.change_views(attachment, [step])
        print(f"asked {serial} views {attachment} {kind} {path}")

    def set(self) -> None:
        origin = (0, self.random.randrange(50))
        change = tr.Change(self.random.choice(PATHS[1:]), bounds_origin=origin)
        self.say(self.connection.set(change), "set")

    def ping(self) -> None:
        self.say(self.connection.ping(), "ping")

    def describe(self) -> None:
        self.say(self.connection.describe(self.random.choice(PATHS)), "describe")

    def decide(self) -> None:
        if self.latest is None:
            return
        attachment, touch = self.latest
        if self.random.random() < 0.5:
            self.connection.accept(attachment, touch)
        else:
            self.connection.decline(attachment, touch)
            print(f"declined {attachment} {touch}")
            self.latest = None

    def observe(self) -> None:
        enable = self.random.random() < 0.5
        serial = self.connection.observe(enable)
        self.say(serial, "observe" if enable else "unobserve")
        if serial == 0:
            print("over observe")

    def say(self, serial: int, what: str) -> None:
        if serial:
            print(f"asked {serial} {what}")

    # What it is told

    def hear(self, event: tr.Event) -> None:
        match event:
            case tr.Touches():
                for touch in event.touches:
                    print(f"touch {touch.attachment} {touch.id} {touch.phase.name.lower()}")
                    if touch.phase is tr.Phase.BEGAN:
                        self.latest = (touch.attachment, touch.id)
            case tr.Attached() | tr.Layout():
                word = "attached" if isinstance(event, tr.Attached) else "layout"
                print(f"{word} {event.geometry.attachment} {event.geometry.added_count}")
            case tr.Detached():
                self.forget(event.attachment)
                print(f"detached {event.attachment}")
            case tr.Waiting():
                print(f"waiting {event.attachment}")
            case tr.Error():
                self.forget(event.serial)
                print(f"error {event.serial} {int(event.code)} {event.text}")
            case tr.Welcome():
                print("welcome")
            case tr.Lost():
                self.latest = None  # the next daemon may give its number to another one
                print(f"lost {event.text}")
            case tr.Pong():
                print(f"pong {event.serial}")
            case tr.Done():
                print(f"done {event.serial}")
            case tr.Gesture():
                state = tr.GestureState(event.state).name.lower()
                print(f"gesture {event.attachment} {event.recognizer} {state} {event.path}")

    def forget(self, number: int) -> None:
        for numbers in (self.attachments, self.gestures):
            if number in numbers:
                numbers.remove(number)

    # What it is to do

    def take_orders(self) -> bool:
        orders = os.read(0, 64).decode()
        if "settle" in orders:
            self.is_settled = True
            print("settled")
        if "ping" in orders:
            try:
                self.ping()
            except tr.AwayError:
                pass
        return orders != ""

    def run(self) -> None:
        is_running = True
        while is_running:
            seconds = None if self.is_settled else self.random.randrange(6) / 1000
            ready, _, _ = select.select([0, self.connection.fileno()], [], [], seconds)
            if not self.is_settled:
                self.act()
            if 0 in ready:
                is_running = self.take_orders()
            try:
                for event in self.connection.dispatch():
                    self.hear(event)
            except tr.EndedError as error:
                print(f"ended {error}")
                break
            sys.stdout.flush()
        self.connection.close()


if __name__ == "__main__":
    Program(sys.argv[1], sys.argv[2], int(sys.argv[3])).run()
