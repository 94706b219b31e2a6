"""A copy of the checkout with faults in it: each behind a condition on a variable of the environment.

All are compiled in at once, so the copy is built once. A fault that does not compile is left out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from faults import SWITCH, Fault, edited

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/mutants"
TREE = WORK / "tree"
VARIABLE = "TOUCHROUTE_FAULT"
# Optimised, the tests take a tenth of the time.
OPTIONS = "-c release -Xswiftc -enable-testing -Xswiftc -suppress-warnings -Xcc -ferror-limit=0".split()
BUILD = ["swift", "build", "--scratch-path", str(WORK / "build"), *OPTIONS]
# The tests build the C library with the system's compiler too.
CHECK_C = "cc -fsyntax-only -std=gnu11 -Wall -Wextra -Werror -ISources/Client/CTouchroute/include".split()

# From the bottom up, as they are compiled.
ROOMS = {
    "CTouchroute": "Client",
    "TouchModel": "Core",
    "Layout": "Core",
    "Gestures": "Core",
    "Signals": "Core",
    "Routing": "Core",
    "Configuration": "Daemon",
    "Server": "Daemon",
    "Exchange": "Daemon",
}

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


def fail(status: int, sentence: str) -> NoReturn:
    print(f"mutants: {sentence}", file=sys.stderr)
    sys.exit(status)


def say(sentence: str) -> None:
    print(f"mutants: {sentence}", file=sys.stderr, flush=True)


def room(fault: Fault) -> str:
    return fault.path.split("/")[2]


def lines(fault: Fault) -> set[tuple[str, int]]:
    return {(fault.path, line) for line in range(fault.first, fault.last + 1)}


def apart(numbers: Iterable[int], catalog: dict[int, Fault]) -> list[int]:
    """Those that can be planted together: of those that share a line, the first."""
    taken: set[tuple[str, int]] = set()
    chosen = []
    for number in numbers:
        if not lines(catalog[number]) & taken:
            taken |= lines(catalog[number])
            chosen.append(number)
    return chosen


def woven(text: str, faults: dict[int, Fault]) -> str:
    """A file with its faults, by number; each line has its number still."""
    edits = [
        edit._replace(text=edit.text.replace(SWITCH, f"activeFault == {number}"))
        for number, fault in faults.items()
        for edit in fault.woven
    ]
    return edited(text, tuple(edits), 0, len(text))


class PlantedCopy:
    """The copy, and which faults are in it."""

    def __init__(self, catalog: dict[int, Fault]) -> None:
        self._catalog = catalog
        self._planted: list[int] = []
        self._dropped: set[int] = set()
        try:
            known = json.loads((WORK / "planted.json").read_text())
        except (OSError, ValueError):
            return
        self._planted = apart([number for number in known["planted"] if number in catalog], catalog)
        # What did not compile beside other faults, or before a change, may compile now: it is tried once more.
        if known["planted"] == self._planted:
            self._dropped = set(known["dropped"])

    def plant(self, wanted: Sequence[int], count: int) -> list[int]:
        """Builds the copy with the first of the wanted that compile; returns these."""
        while True:
            usable = [number for number in wanted if number not in self._dropped]
            chosen = usable[:count]
            if set(chosen) <= set(self._planted):
                break
            # Some more than are needed, as some will not compile.
            self._planted = usable[: count + count // 2 + 8]
            self._sieve()
        self._write()
        say("building the copy")
        if output := self._said_by([*BUILD, "--build-tests"]):
            fail(1, f"the copy can't be built; what the compiler said:\n{output}")
        known = {"planted": self._planted, "dropped": sorted(self._dropped)}
        (WORK / "planted.json").write_text(json.dumps(known))
        return chosen

    def _sieve(self) -> None:
        """Leaves out what does not compile."""
        for name in ROOMS:
            commands = [[*BUILD, "--target", name]]
            if name == "CTouchroute":
                commands.insert(0, [*CHECK_C, f"{TREE}/Sources/Client/CTouchroute/touchroute.c"])
            while any(room(self._catalog[number]) == name for number in self._planted):
                self._write()
                output = next((said for command in commands if (said := self._said_by(command))), None)
                if not output:
                    break
                bad = self._blamed(output)
                if not bad:
                    fail(1, f"the copy can't be built; what the compiler said:\n{output}")
                self._dropped |= bad
                self._planted = [number for number in self._planted if number not in bad]
                say(f"{len(bad)} faults of {name} do not compile")

    def _said_by(self, command: list[str]) -> str | None:
        """What a compiler says that fails; None where it does not."""
        result = subprocess.run(command, cwd=TREE, text=True, capture_output=True)
        return f"{result.stdout}{result.stderr}\nstatus {result.returncode}" if result.returncode else None

    def _blamed(self, output: str) -> set[int]:
        """The faults that errors are about: the nearest of the file, as some are told at a function's end."""
        bad: set[int] = set()
        pattern = re.compile(r"^(?:.*/tree/)?(Sources/[^:\n]+):(\d+):\d+: (?:fatal )?error:", re.M)
        for name, text in pattern.findall(output):
            near = [number for number in self._planted if self._catalog[number].path == name]
            if near:
                bad.add(min(near, key=lambda number: abs(self._catalog[number].first - int(text))))
        return bad

    def _write(self) -> None:
        """Makes the copy what the checkout is, with the faults; what is so already is not touched."""
        files = self._checkout()
        for name in {self._catalog[number].path for number in self._planted}:
            here = {n: self._catalog[n] for n in self._planted if self._catalog[n].path == name}
            text = woven((ROOT / name).read_text(), here)
            files[name] = (C_SWITCH + text if name.endswith(".c") else text).encode()
        for name in list(ROOMS)[1:]:
            files[f"Sources/{ROOMS[name]}/{name}/ActiveFault.swift"] = SWIFT_SWITCH.encode()
        TREE.mkdir(parents=True, exist_ok=True)
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

    def _checkout(self) -> dict[str, bytes]:
        """The files of the checkout, with warnings that are no errors."""
        command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
        listed = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True)
        names = [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]
        if (ROOT / "Package.resolved").exists():
            names.append("Package.resolved")
        files = {name: (ROOT / name).read_bytes() for name in names}
        files["Package.swift"] = files["Package.swift"].replace(b"  .treatAllWarnings(as: .error),\n", b"", 1)
        return files
