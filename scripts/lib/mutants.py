#!/usr/bin/env python3
"""Plants faults in a copy of the checkout, one at a time, and says which test finds each (scripts/mutants).

All faults are compiled in at once, each behind a condition on an environment variable, so that the
copy is built once. A fault that does not compile is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Timer
from typing import NamedTuple, NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent))

from faults import SWITCH, Fault, Source, edited  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/mutants"
TREE = WORK / "tree"
VARIABLE = "TOUCHROUTE_FAULT"
# Optimised, the tests take a tenth of the time.
BUILD = (
    "swift build -c release -Xswiftc -enable-testing -Xswiftc -suppress-warnings -Xcc -ferror-limit=0".split()
)
BUNDLE = WORK / "build/release/touchroutePackageTests.xctest"
SIMULATE = WORK / "build/release/simulate"

# From the bottom up, as they are compiled.
ROOMS = ["CTouchroute", "Layout", "Gestures", "Routing", "Server", "Exchange"]

SLOW_CLIENTS = r"^TouchClientTests\.(Crowd|Program|GestureProgram|ViewProgram|Qt)Tests/"
SLOW_COMMANDS = r"^CommandTests\.(DaemonLog|Example)Tests/"


class Stage(NamedTuple):
    """Tests that are run together."""

    only: str = ""  # a pattern of tests' names; none: the simulator
    skipped: str = ""
    worlds: tuple[int, int] = (0, 0)  # of the simulator: the first seed, and how many

    def command(self) -> list[str]:
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
    "routing": Stage(r"^RoutingTests\."),
    "gestures": Stage(r"^GesturesTests\."),
    "layout": Stage(r"^LayoutTests\."),
    "drawing": Stage(r"^LayoutDrawingTests\."),
    "configuration": Stage(r"^ConfigurationTests\."),
    "server": Stage(r"^ServerTests\."),
    "exchange": Stage(r"^ExchangeTests\."),
    "corpora": Stage(r"^FuzzTests\."),
    "client": Stage(r"^TouchClientTests\.", SLOW_CLIENTS),
    "commands": Stage(r"^CommandTests\.", SLOW_COMMANDS),
    "worlds": Stage(worlds=(0, 128)),
    "more worlds": Stage(worlds=(128, 872)),
    "programs": Stage(SLOW_CLIENTS),
    "examples": Stage(SLOW_COMMANDS),
}
LAST = ["more worlds", "programs", "examples"]

# What runs for a fault of a room, until one of them fails: first what is likely to find it, and is cheap.
COVER = {
    "CTouchroute": ["client", "corpora", "commands", "programs", "examples"],
    "Layout": [
        "layout",
        "routing",
        "drawing",
        "exchange",
        "server",
        "worlds",
        "configuration",
        "commands",
        *LAST,
    ],
    "Gestures": ["gestures", "routing", "worlds", "exchange", "server", "configuration", "commands", *LAST],
    "Routing": [
        "routing",
        "worlds",
        "exchange",
        "server",
        "commands",
        "corpora",
        "configuration",
        "client",
        *LAST,
    ],
    "Server": ["server", "exchange", "worlds", "corpora", "commands", "client", *LAST],
    "Exchange": ["exchange", "worlds", "server", "corpora", "commands", "client", *LAST],
}


def fail(status: int, sentence: str) -> NoReturn:
    print(f"mutants: {sentence}", file=sys.stderr)
    sys.exit(status)


def say(sentence: str) -> None:
    print(f"mutants: {sentence}", file=sys.stderr, flush=True)


def room(path: str) -> str:
    return path.split("/")[1]


# ---- Which faults ----


def sources(paths: Sequence[str]) -> list[Path]:
    """The files that faults are planted in."""
    folders = [ROOT / "Sources" / name for name in ROOMS]
    wanted = [Path(path).resolve() for path in paths] or folders
    for path, name in zip(wanted, paths):
        if not path.exists() or not any(path == folder or folder in path.parents for folder in folders):
            fail(64, f'"{name}" is no file or folder of {", ".join(ROOMS)} in Sources; see --help')
    found = {file for path in wanted for file in ([path] if path.is_file() else path.rglob("*"))}
    return sorted(file for file in found if file.suffix in {".swift", ".c"})


def drawn(files: Iterable[Path], seed: int) -> dict[int, Fault]:
    """All faults of the files in the order that a seed gives them, by number; of those that share a line, the first."""
    faults = [
        fault for file in files for fault in Source(str(file.relative_to(ROOT)), file.read_text()).faults()
    ]
    random.Random(seed).shuffle(faults)
    order: dict[int, Fault] = {}
    taken: set[tuple[str, int]] = set()
    for fault in faults:
        lines = {(fault.path, line) for line in range(fault.first, fault.last + 1)}
        if not lines & taken:
            taken |= lines
            order[len(order) + 1] = fault
    return order


# ---- The copy ----

SWIFT_SWITCH = f"""\
import Glibc

/// The fault that is at work; 0 for none.
@usableFromInline
let activeFault: Int = getenv("{VARIABLE}").flatMap {{ Int(String(cString: $0)) }} ?? 0
"""
C_SWITCH = f"""\
#pragma GCC diagnostic ignored "-Wparentheses"
extern char *getenv(const char *name);
extern int atoi(const char *text);
static int activeFault;
__attribute__((constructor)) static void read_fault(void) {{
  if (getenv("{VARIABLE}"))
    activeFault = atoi(getenv("{VARIABLE}"));
}}
#line 1
"""


def woven(text: str, faults: dict[int, Fault]) -> str:
    """A file with its faults, by number; each line has its number still."""
    edits = [
        edit._replace(text=edit.text.replace(SWITCH, f"activeFault == {number}"))
        for number, fault in faults.items()
        for edit in fault.woven
    ]
    return edited(text, tuple(edits), 0, len(text))


@dataclass
class Copy:
    """The copy of the checkout with faults in it, and which of them did not compile."""

    order: dict[int, Fault]
    planted: list[int] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)

    @property
    def _record(self) -> Path:
        return WORK / "planted.json"

    def _draw(self) -> str:
        """What tells this order of these faults from others."""
        return hashlib.sha256(repr(self.order).encode()).hexdigest()

    def recall(self) -> None:
        """Goes on with what a run before has found out about the same faults."""
        try:
            known = json.loads(self._record.read_text())
        except (OSError, ValueError):
            return
        if known["draw"] == self._draw():
            self.planted, self.dropped = known["planted"], set(known["dropped"])

    def plant(self, count: int, wanted: Sequence[int]) -> list[int]:
        """Plants those that are wanted, or else the first that compile; those that are at hand then."""
        wanted = [number for number in wanted if number not in self.dropped] or wanted
        margin = count // 2 + 8
        while True:
            usable = [number for number in self.order if number not in self.dropped]
            if not set(wanted or usable[:count]) <= set(self.planted):
                self.planted = list(wanted) or usable[: count + margin]
                self._sieve()
            usable = [number for number in self.order if number not in self.dropped]
            chosen = [number for number in wanted or usable[:count] if number in self.planted]
            if wanted or len(chosen) == min(count, len(usable)):
                break
        self._write()
        say("building the copy")
        self._run([*BUILD, "--build-tests"])
        known = {"draw": self._draw(), "planted": self.planted, "dropped": sorted(self.dropped)}
        self._record.write_text(json.dumps(known))
        return chosen

    def _sieve(self) -> None:
        """Leaves out what does not compile."""
        for name in ROOMS:
            while any(room(self.order[number].path) == name for number in self.planted):
                self._write()
                output = self._errors(name)
                if output is None:
                    break
                bad = self._blamed(output)
                if not bad:
                    fail(1, f"the copy can't be built; what the compiler said:\n{output}")
                self.dropped |= bad
                self.planted = [number for number in self.planted if number not in bad]
                say(f"{len(bad)} faults of {name} do not compile")

    def _errors(self, name: str) -> str | None:
        """What compilers say of a room; nil where they have nothing against it."""
        commands = [[*BUILD, "--target", name]]
        if name == "CTouchroute":
            # The tests build it with the system's compiler too.
            options = "cc -fsyntax-only -std=gnu11 -Wall -Wextra -Werror -ISources/CTouchroute/include"
            commands.insert(0, [*options.split(), f"{TREE}/Sources/CTouchroute/touchroute.c"])
        for command in commands:
            scratch = ["--scratch-path", str(WORK / "build")] if command[0] == "swift" else []
            result = subprocess.run(command + scratch, cwd=TREE, text=True, capture_output=True)
            if result.returncode:
                return result.stdout + result.stderr
        return None

    def _blamed(self, output: str) -> set[int]:
        """The planted faults that errors are about: the nearest of the file, as some are told at a function's end."""
        bad: set[int] = set()
        pattern = re.compile(r"^(?:.*/tree/)?(Sources/[^:\n]+):(\d+):\d+: (?:fatal )?error:", re.M)
        for name, text in pattern.findall(output):
            near = [number for number in self.planted if self.order[number].path == name]
            if near:
                bad.add(min(near, key=lambda number: abs(self.order[number].first - int(text))))
        return bad

    def _run(self, command: list[str]) -> None:
        result = subprocess.run(
            [*command, "--scratch-path", str(WORK / "build")], cwd=TREE, text=True, capture_output=True
        )
        if result.returncode:
            fail(1, f"the copy can't be built; what the compiler said:\n{result.stdout}{result.stderr}")

    def _write(self) -> None:
        """Makes the copy what the checkout is, with the faults; what is so already is not touched."""
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, text=True, capture_output=True
        )
        files = {
            name: (ROOT / name).read_bytes() for name in listed.stdout.split("\0") if (ROOT / name).is_file()
        }
        files["Package.swift"] = files["Package.swift"].replace(b"  .treatAllWarnings(as: .error),\n", b"", 1)
        if (ROOT / "Package.resolved").exists():
            files["Package.resolved"] = (ROOT / "Package.resolved").read_bytes()
        for name in {self.order[number].path for number in self.planted}:
            planted = {
                number: self.order[number] for number in self.planted if self.order[number].path == name
            }
            text = woven((ROOT / name).read_text(), planted)
            files[name] = (C_SWITCH + text if name.endswith(".c") else text).encode()
        for name in ROOMS[1:]:
            files[f"Sources/{name}/ActiveFault.swift"] = SWIFT_SWITCH.encode()
        for path in [path for path in TREE.rglob("*") if path.is_file()]:
            if str(path.relative_to(TREE)) not in files and path.name != "Package.resolved":
                path.unlink()
        for name, content in files.items():
            path = TREE / name
            if not path.exists() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            if (ROOT / name).exists():
                path.chmod((ROOT / name).stat().st_mode)


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

    def __init__(self, order: dict[int, Fault], chosen: Sequence[int]) -> None:
        self._order = order
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
        rooms = {room(self._order[number].path) for number in self._chosen}
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
        fault, began, finding = self._order[number], time.monotonic(), None
        for name in COVER[room(fault.path)]:
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


def print_table(order: dict[int, Fault], findings: dict[int, str | None]) -> None:
    print("| fault | where | what | before → after | caught by |")
    print("|---|---|---|---|---|")
    for number in sorted(findings):
        fault = order[number]
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
    if options.only and options.seed is None:
        fail(64, "--only names a fault by its number, which --seed gives it; see --help")
    if options.count == 0:
        fail(64, "it plants at least 1 fault; see --help")
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    order = drawn(sources(options.paths), seed)
    for number in options.only:
        if number not in order:
            fail(64, f"there is no fault {number}; there are {len(order)}")
    say(f"seed {seed}, of {len(order)} faults")
    if options.list:
        for number in options.only or list(order)[: options.count]:
            print(line(number, order[number]))
        return
    os.chdir(ROOT)
    TREE.mkdir(parents=True, exist_ok=True)
    copy = Copy(order)
    copy.recall()
    chosen = copy.plant(options.count, options.only)
    findings = Campaign(order, chosen).run()
    print_table(order, findings)
    sys.exit(0 if None not in findings.values() else 1)


if __name__ == "__main__":
    main()
