#!/usr/bin/env python3
"""Storms of requests, attacks and plugs beside two programs that behave: storm.py DAEMON SECONDS.

A finger on each of the two behaves too. Their streams are held to rule T5, and nothing may keep one of
them from all of its touches. The last lines are figures; the status is 0 where nothing was wrong.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients/python"))

if "TOUCHROUTE_LIBRARY" not in os.environ:
    os.environ["TOUCHROUTE_LIBRARY"] = subprocess.run(
        [Path(__file__).resolve().parents[2] / "scripts/libtouchroute"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()

import touchroute as tr  # noqa: E402

FRAME_SECONDS = 1 / 120
MOVES = 30
VIOLATIONS = 16
STORM_WINDOWS = 8

Report = Callable[[str], None]


class Folder:
    """Where the daemon of one run has its files."""

    def __init__(self, path: str) -> None:
        self.configuration = os.path.join(path, "touchroute.toml")
        self.socket = os.path.join(path, "client.sock")
        self.control = os.path.join(path, "control.sock")
        self.log = os.path.join(path, "log")

    def configure(self, variant: int) -> None:
        """Writes a layout, whole at once: the good ones' windows are the same in all."""
        lines = ["[screen.panel]", "size = [800, 480]", "[touch]", "unresponsive_after_ms = 500"]
        lines += window("left", 0, 0, 400, 400) + window("right", 400, 0, 400, 400)
        for number in range(STORM_WINDOWS):
            lines += window(f"s{number}", 100 * number, 400, 100, 80 - 10 * (variant % 2))
            for view in range(4 + 4 * (variant % 3)):
                lines += view_lines(f"s{number}/v{view}", 0, 50)
        lines += window("pin", 0, 400, 60, 40)
        lines += view_lines("pin/key", 0, 30) + ["secure = true"] + view_lines("pin/beside", 40, 20)
        written = self.configuration + ".new"
        Path(written).write_text("\n".join(lines) + "\n")
        os.replace(written, self.configuration)


def window(name: str, x: int, y: int, width: int, height: int) -> list[str]:
    frame = f"frame = [{x}, {y}, {width}, {height}]"
    return ["[[window]]", f'name = "{name}"', 'screen = "panel"', frame]


def view_lines(path: str, x: int, width: int) -> list[str]:
    return ["[[view]]", f'path = "{path}"', f"frame = [{x}, 0, {width}, 40]"]


def answer(connection: tr.Connection, serial: int) -> tr.Event:
    """Reads until the answer to a request."""
    for event in connection:
        if isinstance(event, tr.Attached) or getattr(event, "serial", None) == serial:
            return event
    raise AssertionError


# The good ones


class Stream:
    """What rule T5 says of one program's touches."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.live: set[int] = set()
        self.last = 0
        self.began = self.frames = 0
        self.late: list[int] = []
        self.problems: list[str] = []

    def hear(self, event: tr.Event) -> None:
        if isinstance(event, tr.Touches):
            self.late.append(time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000 - event.time_us)
            self.frames += 1
            for touch in event.touches:
                self.touch(touch)
        elif not isinstance(event, tr.Layout | tr.Welcome | tr.Attached):
            self.problems.append(f"{self.name}: {event}")

    def touch(self, touch: tr.Touch) -> None:
        if touch.phase is tr.Phase.BEGAN:
            self.began += 1
            if touch.id <= self.last:
                self.problems.append(f"{self.name}: touch {touch.id} after {self.last}")
            if touch.path != self.name:
                self.problems.append(f"{self.name}: touch {touch.id} is of {touch.path}")
            self.last = touch.id
            self.live.add(touch.id)
        elif touch.id not in self.live:
            self.problems.append(f"{self.name}: {touch.phase.name} of touch {touch.id}, not live")
        elif touch.phase is tr.Phase.CANCELLED:
            self.problems.append(f"{self.name}: touch {touch.id} cancelled, {touch.cancel_reason}")
        if touch.phase.is_final:
            self.live.discard(touch.id)


def good(folder: Folder, name: str, over: multiprocessing.Event, results: Report) -> None:
    """A program that behaves, until it is told that it is over."""
    stream = Stream(name)
    with tr.Connection(folder.socket, name) as connection:
        connection.attach(name)
        try:
            while not over.is_set():
                for event in connection.dispatch(0.2):
                    stream.hear(event)
        except tr.TouchrouteError as error:
            stream.problems.append(f"{name}: {error}")
    if stream.live:
        stream.problems.append(f"{name}: touches {sorted(stream.live)} never ended")
    results((name, stream.began, stream.frames, stream.late, stream.problems))


def schedule_first() -> None:
    """Schedules this process before all ordinary ones, as its unit does with the daemon; where it may."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def pings(folder: Folder, over: multiprocessing.Event, results: Report) -> None:
    """A quiet program that asks now and then, and how long the answers take."""
    # Else most of that would be how long the kernel has it wait for a processor.
    schedule_first()
    late: list[int] = []
    with tr.Connection(folder.socket, "pings") as connection:
        while not over.is_set():
            sent = time.monotonic_ns()
            answer(connection, connection.ping())
            late.append((time.monotonic_ns() - sent) // 1000)
            time.sleep(0.02)
    results(("pings", len(late), 0, late, []))


def finger(folder: Folder, over: multiprocessing.Event, results: Report) -> None:
    """Two fingers that go over the good ones' windows at 120 Hz, again and again."""
    places = [(100.0, 100.0), (500.0, 100.0)]
    began = 0
    late: list[int] = []
    with tr.Connection(folder.control, "finger") as connection:
        due = time.monotonic()
        while not over.is_set():
            for step in range(MOVES + 2):
                phase = tr.Phase.BEGAN if step == 0 else tr.Phase.MOVED
                if step == MOVES + 1:
                    phase = tr.Phase.ENDED
                sent = time.monotonic_ns()
                answer(
                    connection,
                    connection.inject(
                        *(tr.Contact(slot, phase, x + step, y) for slot, (x, y) in enumerate(places))
                    ),
                )
                late.append((time.monotonic_ns() - sent) // 1000)
                due = max(due + FRAME_SECONDS, time.monotonic() - FRAME_SECONDS)
                time.sleep(max(0.0, due - time.monotonic()))
            began += 1
    results(("finger", began, len(late), late, []))


# The storms: each does one thing of its kind.


def reloads(folder: Folder) -> Callable[[], None]:
    control = tr.Connection(folder.control, "reloads")
    variants = itertools.count(1)

    def once() -> None:
        folder.configure(next(variants))
        answer(control, control.reload())
        time.sleep(0.02)

    return once


def sets(folder: Folder) -> Callable[[], None]:
    connection = tr.Connection(folder.socket, "sets", reconnect=True)
    connection.attach("s0")
    numbers = itertools.count()

    def once() -> None:
        number = next(numbers)
        answer(
            connection,
            connection.set(
                tr.Change("s0/v0", hidden=number % 2 == 0, bounds_origin=(0, number % 100)),
                tr.Change("s0", frame=(0, 400, 60 + number % 40, 60)),
            ),
        )

    return once


def connections(folder: Folder) -> Callable[[], None]:
    def once() -> None:
        connection = tr.Connection(folder.socket, "comes and goes")
        connection.attach(f"s{random.randrange(1, 4)}", take_over=True)
        if random.random() < 0.5:
            connection.dispatch(0.1)
        connection.close()

    return once


def attachments(folder: Folder) -> Callable[[], None]:
    connection = tr.Connection(folder.socket, "attachments", reconnect=True)

    def once() -> None:
        held = connection.attach("s4/v0")
        answer(connection, held)
        if (serial := connection.detach(held)) != 0:
            answer(connection, serial)

    return once


def plugs(folder: Folder) -> Callable[[], None]:
    """Touchscreens that come, are touched, and are unplugged with the finger down."""

    def once() -> None:
        with tr.Connection(folder.control, "plugs") as control:
            place = (random.uniform(100, 799), random.uniform(405, 460))
            answer(control, control.inject(tr.Contact(0, tr.Phase.BEGAN, *place)))
            answer(control, control.inject(tr.Contact(0, tr.Phase.MOVED, *place)))
        time.sleep(0.01)

    return once


def deaf(folder: Folder) -> Callable[[], None]:
    """Programs that attach and read nothing."""

    def once() -> None:
        connection = tr.Connection(folder.socket, "deaf")
        connection.attach("s5", take_over=True)
        time.sleep(5)
        connection.close()

    return once


# Those of programs that mean harm: what one finger costs, who may learn of a touch, and what there is for all.


STRANGER = 4001


def become_stranger() -> None:
    """What this process connects from now on belongs to a user of no rights, where root runs it."""
    if os.geteuid() == 0:
        os.setegid(STRANGER)
        os.seteuid(STRANGER)


def nested(folder: Folder) -> Callable[[], None]:
    """Views in views that are asked by what is in them, and polygons over each other."""
    become_stranger()
    connection = tr.Connection(folder.socket, "nested", reconnect=True)
    held = connection.attach("s6")
    star = [(50 * (n % 2), 2.5 * n) for n in range(16)]

    def once() -> None:
        deepest: dict = {"add": "leaf", "frame": (0, 0, 50, 40), "shape": {"polygon": star}}
        for level in range(12):
            stars = [
                {"add": f"star{n}", "frame": (0, 0, 50, 40), "shape": {"polygon": star}}
                for n in range(8)
            ]
            deepest = {
                "add": f"n{level}", "frame": (0, 0, 50, 40), "inside": "children",
                "hit": "pass_through", "views": [*stars, deepest],
            }
        answer(connection, connection.change_views(held, [deepest]))
        time.sleep(0.05)
        answer(connection, connection.change_views(held, [{"remove": "n11"}]))

    return once


def recognizers(folder: Folder) -> Callable[[], None]:
    """As many gestures as one program may have, added and removed."""
    become_stranger()
    connection = tr.Connection(folder.socket, "recognizers", reconnect=True)
    held = connection.attach("s7", gestures=True)

    def once() -> None:
        added = [
            connection.add_gesture(
                held, tr.Recognizer(tr.GestureKind.TAP, f"g{number}", taps=1 + number % 10)
            )
            for number in range(30)  # A touch is offered to 32 of those of programs.
        ]
        for number in added:
            answer(connection, number)
        for number in added:
            if (serial := connection.remove_gesture(number)) != 0:
                answer(connection, serial)

    return once


def waiters(folder: Folder) -> Callable[[], None]:
    """A long line for one responder, which is let go of."""
    become_stranger()
    connection = tr.Connection(folder.socket, "waiters", reconnect=True)

    def once() -> None:
        holder = tr.Connection(folder.socket, "holder")
        answer(holder, holder.attach("s3/v1"))
        waiting = []
        with contextlib.suppress(tr.RequestError):  # The library has a limit.
            for _ in range(200):
                waiting.append(connection.attach("s3/v1", wait=True))
        connection.dispatch(0.05)
        holder.close()
        connection.dispatch(0.05)
        for number in waiting:
            with contextlib.suppress(tr.RequestError):  # Some were turned away.
                connection.detach(number)
        serial = connection.ping()
        next(e for e in connection if isinstance(e, tr.Pong) and e.serial == serial)

    return once


def strangers(folder: Folder) -> Callable[[], None]:
    """Connections that send nothing, garbage, or half a message, and go."""
    become_stranger()
    words = [b"", b"\xff" * 64, struct.pack("<IHHI", 40, 1, 0, 1), os.urandom(4096)]

    def once() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stranger:
            try:
                stranger.connect(folder.socket)
                stranger.sendall(random.choice(words))
            except OSError as error:
                raise tr.TouchrouteError(str(error)) from error

    return once


def covers(folder: Folder) -> Callable[[], None]:
    """A view beside a secure one of another program's, which it tries to set over that."""
    owner = tr.Connection(folder.socket, "owner", reconnect=True)
    answer(owner, owner.attach("pin"))
    become_stranger()
    connection = tr.Connection(folder.socket, "covers", reconnect=True)
    answer(connection, connection.attach("pin/beside"))

    def once() -> None:
        owner.dispatch(0)
        change = tr.Change("pin/beside", frame=(0, 0, random.uniform(0, 60), 40), hit="self")
        event = answer(connection, connection.set(change))
        if not isinstance(event, tr.Error):
            raise AssertionError("a view was set over a secure one")

    return once


STORMS = [
    reloads, sets, connections, attachments, plugs, deaf, nested, recognizers, waiters, strangers, covers,
]  # fmt: skip


def storm(
    kind: Callable[[Folder], Callable[[], None]],
    folder: Folder,
    over: multiprocessing.Event,
    results: Report,
) -> None:
    os.nice(10)
    count = refused = 0
    once = kind(folder)
    while not over.is_set():
        try:
            once()
            count += 1
        except tr.TouchrouteError:
            # That the daemon turns a storm away is its right.
            refused += 1
            time.sleep(0.1)
    results((kind.__name__, count, refused, [], []))


# The run


def memory(pid: int) -> int:
    """The resident memory of a process, in KiB; 0 where it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def start(daemon: str, folder: Folder) -> subprocess.Popen[bytes]:
    folder.configure(0)
    with open(folder.log, "wb") as log:
        process = subprocess.Popen(
            [daemon, "--config", folder.configuration, "--socket", folder.socket]
            + ["--control-socket", folder.control],
            stderr=log,
            preexec_fn=schedule_first,
        )
    limit = time.monotonic() + 10
    while not os.path.exists(folder.control):
        if process.poll() is not None or time.monotonic() > limit:
            sys.exit(f"soak: {daemon} does not start:\n{Path(folder.log).read_text()}")
        time.sleep(0.02)
    # For the user of the storms that mean harm.
    os.chmod(os.path.dirname(folder.socket), 0o755)
    os.chmod(folder.socket, 0o666)
    return process


def violations(folder: Folder) -> int:
    with tr.Connection(folder.control, "soak") as control:
        control.status()
        for event in control:
            if isinstance(event, tr.DaemonStatus):
                return event.counters[VIOLATIONS]
    raise AssertionError


def threads(pid: int) -> str:
    """What a process's threads do: each with its state, and where in the kernel it waits."""
    said = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        name, state = (task / "stat").read_text().split("(", 1)[1].rsplit(") ", 1)
        said.append(f"{name} {state.split()[0]} {(task / 'wchan').read_text()}")
    return ", ".join(said)


def percentiles(values: list[int]) -> str:
    if not values:
        return "none"
    values.sort()
    at = [values[min(len(values) - 1, int(len(values) * part))] for part in (0.5, 0.99, 0.999)]
    return f"median {at[0]}, 99 % {at[1]}, 99.9 % {at[2]}, worst {values[-1]} us"


class Crew:
    """Processes of one kind, and what they say at their end."""

    def __init__(self) -> None:
        self.over = multiprocessing.Event()
        self.said: multiprocessing.Queue[tuple] = multiprocessing.Queue()
        self.processes: list[multiprocessing.Process] = []

    def start(self, body: Callable[..., None], *arguments: object) -> None:
        process = multiprocessing.Process(
            target=body, args=(*arguments, self.over, self.said.put), daemon=True
        )
        process.start()
        self.processes.append(process)

    def end(self) -> list[tuple]:
        self.over.set()
        results = []
        limit = time.monotonic() + 30
        while len(results) < len(self.processes) and time.monotonic() < limit:
            readable, _, _ = select.select([self.said._reader], [], [], 1)
            if readable:
                results.append(self.said.get())
        for process in self.processes:
            process.kill()
        return results


def run(daemon: str, seconds: float) -> int:
    with tempfile.TemporaryDirectory(prefix="touchroute-soak-") as path:
        folder = Folder(path)
        process = start(daemon, folder)
        first = memory(process.pid)
        programs, fingers, storms, quiet = Crew(), Crew(), Crew(), Crew()
        idle = Crew()
        idle.start(pings, folder)
        time.sleep(min(60.0, max(5.0, seconds / 20)))
        idle_pings = idle.end()
        for name in ("left", "right"):
            programs.start(good, folder, name)
        time.sleep(0.5)
        fingers.start(finger, folder)
        quiet.start(pings, folder)
        for kind in STORMS:
            storms.start(storm, kind, folder)
        most, end = first, time.monotonic() + seconds
        while time.monotonic() < end and process.poll() is None:
            time.sleep(min(1.0, max(0.0, end - time.monotonic())))
            most = max(most, memory(process.pid))
        problems = [] if process.poll() is None else [f"the daemon ended: {process.returncode}"]
        stormed, fingered, stormed_pings = storms.end(), fingers.end(), quiet.end()
        time.sleep(0.5)
        heard = programs.end()
        if not problems:
            found = violations(folder)
            if found:
                problems.append(f"the checker counts {found} violations of rule T5")
            last = memory(process.pid)
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                problems.append(f"it does not stop within 10 s of SIGTERM: {threads(process.pid)}")
                process.kill()
        else:
            last = 0
        if len(stormed) < len(STORMS):
            problems.append("a storm did not end: the daemon left a request without an answer")
        problems += told(stormed, fingered, heard)
        for when, said in (("at rest", idle_pings), ("in the storms", stormed_pings)):
            print(f"pings {when}: {percentiles([late for who in said for late in who[3]])}")
        print(f"memory: {first} KiB at first, {most} KiB at most, {last} KiB at the end")
        for problem in problems[:20]:
            print(f"problem: {problem}")
        if problems:
            print(Path(folder.log).read_text()[-4000:], file=sys.stderr)
        print(f"{len(problems)} problems in {seconds:g} s")
        return 1 if problems else 0


def told(stormed: list[tuple], fingered: list[tuple], heard: list[tuple]) -> list[str]:
    """Prints what everybody has said; what was wrong."""
    problems: list[str] = []
    for name, count, refused, _, _ in stormed:
        print(f"{name}: {count}, turned away {refused}")
    if not fingered or len(heard) < 2:
        problems.append("a program that behaves did not come to its end")
    for _, began, frames, late, _ in fingered:
        print(f"fingers: {2 * began} touches, {frames} frames; answered in {percentiles(late)}")
        for name, got, _, _, _ in heard:
            if got != began:
                problems.append(f"{name} got {got} touches of {began}")
    for name, _, frames, late, wrong in heard:
        print(f"{name}: {frames} frames; from the daemon's reading to the program {percentiles(late)}")
        problems += wrong
    return problems


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], float(sys.argv[2])))
