#!/usr/bin/env python3
"""Runs the tests with one fault after the other, and says which test finds each (scripts/mutants)."""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock, Timer
from typing import NamedTuple, NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent))

from faults import Fault, Source  # noqa: E402
from planted_copy import ROOMS, ROOT, TREE, VARIABLE, WORK, PlantedCopy  # noqa: E402
from planted_copy import apart, fail, room, say  # noqa: E402

BUNDLE = WORK / "build/release/touchroutePackageTests.xctest"
SIMULATE = WORK / "build/release/simulate"

# These want the sources to compile without a warning, and those of the copy warn of the faults' conditions.
SOURCES = r"^TouchClientTests\.(MachineTests/|ProgramTests/compilesStrictly|QtTests/)"
SLOW_CLIENTS = r"^TouchClientTests\.(Crowd|Program|GestureProgram|ViewProgram)Tests/"
SLOW_COMMANDS = r"^CommandTests\.(DaemonLog|Example)Tests/"


class Stage(NamedTuple):
    """Tests that are run together."""

    only: str = ""  # a pattern of tests' names; none: the simulator
    skipped: str = ""
    worlds: tuple[int, int] = (0, 0)  # of the simulator: the first seed, and how many
    script: str = ""  # one of ours, in place of tests

    def command(self) -> list[str]:
        if self.script:
            return [str(ROOT / "scripts" / self.script), "--programs", str(BUNDLE.parent)]
        if not self.only:
            return [str(SIMULATE)]
        command = [str(BUNDLE), "--testing-library", "swift-testing", "--filter", self.only]
        return command + (["--skip", self.skipped] if self.skipped else [])

    def environment(self) -> dict[str, str]:
        first, worlds = self.worlds
        names = {"FIRST": first, "WORLDS": worlds} if worlds else {}
        return {f"TOUCHROUTE_SIMULATE_{name}": str(number) for name, number in names.items()}


# Tests of a client library that kills the daemon at random have their place here, as a stage of their own.
STAGES = {
    "model": Stage(r"^TouchModelTests\."),
    "signals": Stage(r"^SignalsTests\."),
    "routing": Stage(r"^RoutingTests\."),
    "gestures": Stage(r"^GesturesTests\."),
    "layout": Stage(r"^LayoutTests\."),
    "drawing": Stage(r"^LayoutDrawingTests\."),
    "configuration": Stage(r"^ConfigurationTests\."),
    "panels": Stage(r"^(TouchInput|Examination|DeviceRecordings)Tests\."),
    "server": Stage(r"^ServerTests\."),
    "exchange": Stage(r"^ExchangeTests\."),
    "corpora": Stage(r"^FuzzTests\."),
    "client": Stage(r"^TouchClientTests\.", f"{SLOW_CLIENTS}|{SOURCES}"),
    "commands": Stage(r"^CommandTests\.", SLOW_COMMANDS),
    "tables": Stage(script="commands"),
    "worlds": Stage(worlds=(0, 128)),
    "more worlds": Stage(worlds=(128, 872)),
    "programs": Stage(SLOW_CLIENTS, SOURCES),
    "examples": Stage(SLOW_COMMANDS),
}
LAST = ["more worlds", "programs", "examples"]

# What runs for a fault of a room, until one of them fails: first what is likely to find it, and is cheap.
COVER = {
    "CTouchroute": ["client", "corpora", "exchange", "tables", "commands", "programs", "examples"],
    "TouchModel": [
        "model",
        "layout",
        "signals",
        "routing",
        "drawing",
        "gestures",
        "exchange",
        "server",
        "configuration",
        "panels",
        "worlds",
        "tables",
        "commands",
        "client",
        "corpora",
        *LAST,
    ],
    "Signals": ["signals", "panels", "exchange", "tables", "commands", "examples"],
    "Configuration": ["configuration", "exchange", "tables", "commands", "panels", "worlds", *LAST],
    "Layout": [
        "layout",
        "routing",
        "drawing",
        "exchange",
        "server",
        "worlds",
        "configuration",
        "tables",
        "commands",
        *LAST,
    ],
    "Gestures": ["gestures", "routing", "worlds", "exchange", "server", "configuration", "tables", "commands", *LAST],
    "Routing": [
        "routing",
        "worlds",
        "exchange",
        "server",
        "tables",
        "commands",
        "corpora",
        "configuration",
        "client",
        *LAST,
    ],
    "Server": ["server", "exchange", "worlds", "corpora", "tables", "commands", "client", *LAST],
    "Exchange": ["exchange", "worlds", "server", "corpora", "tables", "commands", "client", *LAST],
}


# ---- Which faults ----


def sources(paths: Sequence[str]) -> list[Path]:
    """The files that faults are planted in."""
    folders = [ROOT / "Sources" / ROOMS[name] / name for name in ROOMS]
    wanted = [Path(path).resolve() for path in paths] or folders
    for path, name in zip(wanted, paths):
        if not path.exists() or not any(path == folder or folder in path.parents for folder in folders):
            fail(64, f'"{name}" is no file or folder of {", ".join(ROOMS)} in Sources; see --help')
    found = {file for path in wanted for file in ([path] if path.is_file() else path.rglob("*"))}
    # touchroute.c is made of its parts, and it is what is compiled.
    return sorted(file for file in found if file.suffix in {".swift", ".c"} and file.parent.name != "parts")


def catalog(files: Iterable[Path]) -> dict[int, Fault]:
    """All faults of the files, by numbers that stay as they are while other lines change."""
    faults: dict[int, Fault] = {}
    for file in files:
        for fault in Source(str(file.relative_to(ROOT)), file.read_text()).faults():
            words, again = f"{fault.path}|{fault.kind}|{fault.before}|{fault.after}", 0
            while (number := scattered(f"{words}|{again}", 10**9)) in faults:
                again += 1
            faults[number] = fault
    return faults


def scattered(text: str, bound: int) -> int:
    """A number below the bound that looks random, the same one for the same text."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % bound


def drawn(faults: dict[int, Fault], seed: int) -> list[int]:
    """Their numbers in the order that a seed gives them."""
    return apart(sorted(faults, key=lambda number: scattered(f"{seed}|{number}", 2**64)), faults)


# ---- Running tests ----


class Outcome(NamedTuple):
    """What a stage came to."""

    finding: str | None  # the test that failed, and how; None where all passed
    seconds: float


COLOR = re.compile(r"\x1b\[[0-9;]*m")
ISSUE = re.compile(
    r'✘ Test (?:case passing .*? to )?(".*?"(?= recorded)|\S+) recorded an issue.*? at (\w+)\.swift:\d+'
)
STARTED = re.compile(r'◇ Test (".*"|\S+\(.*\)) started')
ENDED = re.compile(r'[✔✘] Test (".*"|\S+\(.*\)) (?:passed|failed) after')
TABLE = re.compile(r"--- (\S+\.t)$")
WORLD = re.compile(r"(?:a )?world \d+ fails.*")


class Runner:
    """Runs stages in processes of their own, and ends these with all that they have started."""

    def __init__(self) -> None:
        self._running: set[int] = set()
        self._lock = Lock()

    def run(self, stage: Stage, number: int, timeout: float) -> Outcome:
        """Runs a stage with a fault at work, to its end or its first failure."""
        began = time.monotonic()
        finding, is_crash = self._watch(stage.command(), stage, number, timeout)
        if is_crash and stage.only:
            # One after the other, the test that ran is known.
            again, _ = self._watch([*stage.command(), "--no-parallel"], stage, number, timeout)
            finding = again or finding
        return Outcome(finding, time.monotonic() - began)

    def end(self) -> None:
        with self._lock:
            for session in self._running:
                self._kill(session)

    def _watch(
        self, command: list[str], stage: Stage, number: int, timeout: float
    ) -> tuple[str | None, bool]:
        """What fails, and whether the process crashed."""
        with tempfile.TemporaryDirectory(prefix="m", ignore_cleanup_errors=True) as folder:
            environment = {**os.environ, **stage.environment(), VARIABLE: str(number), "TMPDIR": folder}
            environment["SWIFT_BACKTRACE"] = "enable=no"
            os.chmod(folder, 0o755)  # other users look into it in tests
            process = subprocess.Popen(
                command, cwd=TREE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            with self._lock:
                self._running.add(process.pid)
            late: list[bool] = []
            timer = Timer(timeout, lambda: (late.append(True), self._kill(process.pid)))
            timer.start()
            try:
                finding, open_tests = self._read(process)
            finally:
                timer.cancel()
                self._kill(process.pid)
                with self._lock:
                    self._running.discard(process.pid)
            status = process.wait()
        last = f", in {open_tests[-1]}" if open_tests else ""
        if finding or (status == 0 and not late):
            return finding, False
        if late:
            return f"timeout{last}", False
        if status < 0:
            return f"crash ({signal.Signals(-status).name}{last})", True
        return f"exit status {status}{last}", True

    def _read(self, process: subprocess.Popen[bytes]) -> tuple[str | None, list[str]]:
        """The first failure that a process tells of, and the tests that had not ended by then."""
        started: list[str] = []
        assert process.stdout
        for raw in process.stdout:
            text = COLOR.sub("", raw.decode(errors="replace")).strip()
            if match := ISSUE.search(text):
                return f"{match[2]}: {match[1]}", []
            if match := WORLD.match(text):
                return f"simulate: {match[0]}", []
            if match := TABLE.match(text):
                return f"commands: {match[1]}", []
            if match := STARTED.search(text):
                started.append(match[1])
            elif (match := ENDED.search(text)) and match[1] in started:
                started.remove(match[1])
        return None, started

    @staticmethod
    def _kill(session: int) -> None:
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                if entry.read_text().rsplit(")", 1)[1].split()[3] == str(session):
                    os.kill(int(entry.parent.name), signal.SIGKILL)
            except (OSError, IndexError):
                continue


class Campaign:
    """All faults of a run, and what came of each."""

    def __init__(self, catalog: dict[int, Fault], chosen: Sequence[int]) -> None:
        self._catalog = catalog
        self._chosen = chosen
        self._runner = Runner()
        self._limits: dict[str, float] = {}
        self._findings: dict[int, str | None] = {}

    def run(self) -> dict[int, str | None]:
        """What found each fault; None for those that nothing found."""
        try:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                self._check(pool)
                list(pool.map(self._try, self._chosen))
        except KeyboardInterrupt:
            fail(130, "interrupted")
        finally:
            self._runner.end()
        return self._findings

    def _check(self, pool: ThreadPoolExecutor) -> None:
        """Runs all stages that are needed without a fault, which says how long they take."""
        rooms = {room(self._catalog[number]) for number in self._chosen}
        names = [name for name in STAGES if any(name in COVER[each] for each in rooms)]
        for name, outcome in zip(names, pool.map(lambda name: self._runner.run(STAGES[name], 0, 600), names)):
            if outcome.finding:
                say(f"without a fault, {name} failed, which may be chance: {outcome.finding}")
                outcome = self._runner.run(STAGES[name], 0, 600)
            if outcome.finding:
                fail(1, f"the tests fail without a fault: {name}: {outcome.finding}")
            self._limits[name] = 20 + 4 * outcome.seconds
            say(f"without a fault, {name} passes in {outcome.seconds:.1f} s")

    def _try(self, number: int) -> None:
        fault, began, finding = self._catalog[number], time.monotonic(), None
        for name in COVER[room(fault)]:
            finding = self._runner.run(STAGES[name], number, self._limits[name]).finding
            if finding:
                finding = finding if ".swift" in finding or ":" in finding else f"{name}: {finding}"
                break
        self._findings[number] = finding
        done = f"{len(self._findings)}/{len(self._chosen)}"
        say(
            f"{done}: {number} in {time.monotonic() - began:.0f} s: {finding or 'LIVED: ' + line(number, fault)}"
        )


# ---- The report ----


def line(number: int, fault: Fault) -> str:
    return (
        f"{number} {fault.path}:{fault.first}: {fault.kind}: {fault.before} -> {fault.after or '(nothing)'}"
    )


def print_table(catalog: dict[int, Fault], findings: dict[int, str | None]) -> None:
    print("| fault | where | what | before → after | caught by |")
    print("|---|---|---|---|---|")
    for number in findings:
        fault = catalog[number]
        change = f"`{fault.before}` → `{fault.after}`".replace("|", "\\|")
        finding = (findings[number] or "**lived**").replace("|", "\\|")
        print(f"| {number} | {fault.path}:{fault.first} | {fault.kind} | {change} | {finding} |")
    lived = [number for number in findings if findings[number] is None]
    print(f"\n{len(findings) - len(lived)} of {len(findings)} caught")


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(64, f"{message}; see --help")


def natural(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text):
        raise argparse.ArgumentTypeError(f'"{text}" is no number from 0 to 999999999')
    return int(text)


def main() -> None:
    parser = Parser(prog="scripts/mutants", add_help=False, allow_abbrev=False)
    parser.add_argument("--count", type=natural, default=100)
    parser.add_argument("--seed", type=natural)
    parser.add_argument("--only", type=natural, action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    if options.count == 0:
        fail(64, "it plants at least 1 fault; see --help")
    faults = catalog(sources(options.paths))
    for number in options.only:
        if number not in faults:
            fail(64, f"there is no fault {number}; see --list and --help")
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    wanted = apart(options.only, faults) or drawn(faults, seed)
    count = len(options.only) or options.count
    say(f"seed {seed}, of {len(faults)} faults")
    if options.list:
        for number in wanted[:count]:
            print(line(number, faults[number]))
        return
    os.chdir(ROOT)
    chosen = PlantedCopy(faults).plant(wanted, count)
    findings = Campaign(faults, chosen).run()
    print_table(faults, {number: findings[number] for number in chosen})
    sys.exit(0 if None not in findings.values() else 1)


if __name__ == "__main__":
    main()
