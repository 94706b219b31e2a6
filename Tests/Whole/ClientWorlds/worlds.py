#!/usr/bin/env python3
"""Worlds of client libraries against the built daemon, which is killed, stopped and started at random.

worlds.py PROGRAMS [--count N | --seconds N | --seed SEED]: PROGRAMS is the folder of touchrouted,
touchroute and touchroute-tuio. In a world some programs (program.c, under sanitizers, and program.py) ask for anything at
random, fingers go over the screen, the configuration is read again, programs and the daemon are stopped and
killed. What each program asked for and was told is held to contract.py; at the end all settles, and what the
programs believe must be what `touchroute status` and `touchroute tree` say. The seed is the first line, and
a failure prints what runs its world again: the same choices, though not at the same moments.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "clients/python"))
sys.path.insert(0, str(HERE))

if "TOUCHROUTE_LIBRARY" not in os.environ:
    os.environ["TOUCHROUTE_LIBRARY"] = subprocess.run(
        [ROOT / "scripts/libtouchroute"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()

import touchroute as tr  # noqa: E402
from contract import Contract  # noqa: E402
from output import Output  # noqa: E402

STEPS = 120
PATIENCE = 60
"""seconds within which all settles: a library waits for up to 5 s before it connects again"""

Report = dict[str, object]


def configuration(variant: int) -> str:
    """A layout; some views are not there in each, or lie elsewhere."""
    lines = ["[screen.panel]", "size = [400, 300]", "[touch]", "unresponsive_after_ms = 200"]
    for name, x in (("home", 0), ("side", 200)):
        lines += ["[[window]]", f'name = "{name}"', f"frame = [{x}, 0, 200, 300]"]
        lines += ['application = "dash"', 'controller = "bar"' if name == "side" else ""]
    views = {"home/list": 0, "home/bar": 1, "home/bar/ok": 1, "side/pad": 2}
    for path, missing in views.items():
        if variant > 0 and variant % 4 == missing + 1:
            continue
        lines += ["[[view]]", f'path = "{path}"', f"frame = [{10 * variant % 30}, 20, 150, 120]"]
        lines += ['controller = "rows"' if path == "home/list" else ""]
    return "\n".join(lines) + "\n"


class Member:
    """A program as a process, with what is owed to it."""

    def __init__(self, command: list[str], name: str) -> None:
        self.contract = Contract(name)
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.rest = b""
        self.is_ended = False

    def read(self) -> None:
        """Takes in what it has said by now."""
        assert self.process.stdout is not None
        while data := self.process.stdout.read(65536):
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in lines:
                self.contract.hear(line.decode())
        self.is_ended = self.is_ended or data == b""

    def order(self, word: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(word.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its end is looked at later

    def end(self) -> list[str]:
        """Ends it; what went wrong."""
        assert self.process.stdin is not None and self.process.stderr is not None
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        words = self.process.stderr.read().decode(errors="replace")
        return [] if status == 0 else [f"{self.name} ended with status {status}\n{words}"]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass


class World:
    """The daemon, programs, fingers, and who kills them."""

    def __init__(self, seed: int, programs: str, driver: str, folder: str) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.programs = programs
        self.driver = driver
        self.folder = folder
        self.socket = os.path.join(folder, "client.sock")
        self.control = os.path.join(folder, "control.sock")
        self.problems: list[str] = []
        self.members: list[Member] = []
        self.count = self.kills = self.injected = 0
        self.has_reloaded = False
        self.configure(0)
        # As systemd has them: then a program finds its socket also while there is no daemon.
        self.listeners: list[socket.socket] = []
        if self.random.random() < 0.6:
            self.listeners = [listening(self.socket), listening(self.control)]
        self.daemon = self.start()
        for _ in range(self.random.randint(2, 4)):
            self.bring()
        # An output is a client like others, and tells somebody else.
        self.outputs: list[Output] = []
        if self.random.random() < 0.5:
            path = self.random.choice(["home", "side", "app:dash"])
            takes_over = self.random.random() < 0.5
            self.outputs.append(Output(programs, self.socket, path, takes_over))
        self.fingers: tr.Connection | None = None
        self.down: set[int] = set()

    # The daemon

    def configure(self, variant: int) -> None:
        path = os.path.join(self.folder, "touchroute.toml")
        Path(path + ".new").write_text(configuration(variant))
        os.replace(path + ".new", path)

    def start(self) -> subprocess.Popen[bytes]:
        self.has_reloaded = False
        command = [
            os.path.join(self.programs, "touchrouted"), "--config",
            os.path.join(self.folder, "touchroute.toml"), "--socket", self.socket,
            "--control-socket", self.control, "--seat", "seat-of-the-tests", "--log-level", "error",
        ]  # fmt: skip
        passed = [it.fileno() for it in self.listeners]
        if passed:
            names = "export LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=client:control; "
            script = names + 'exec "$@" ' + f"3<&{passed[0]} 4<&{passed[1]}"
            command = ["bash", "-c", script, "bash", *command]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, pass_fds=passed)

    def restart(self, number: int) -> None:
        """Ends the daemon by a signal, and starts it again a little later."""
        self.kills += 1
        if self.daemon.poll() not in (None, 0):
            self.problems.append(f"touchrouted ended with status {self.daemon.returncode}")
        self.daemon.send_signal(number)
        status = self.daemon.wait(PATIENCE)
        if status not in (0, -number):  # -SIGTERM where it had just begun
            self.problems.append(f"touchrouted ended with status {status}")
        self.pause(self.random.choice([0, 0, 0.05, 0.3]))
        self.daemon = self.start()

    # Programs

    def bring(self) -> None:
        """One more program, of one of the libraries, mostly of the client socket."""
        self.count += 1
        name = f"p{self.count}"
        socket = self.control if self.random.random() < 0.25 else self.socket
        seed = str(self.random.getrandbits(32))
        if self.random.random() < 0.6:
            command = [self.driver, socket, "c" + name, seed]
        else:
            script = str(HERE / "program.py")
            command = [sys.executable, "-B", script, socket, "py" + name, seed]
        self.members.append(Member(command, command[-2]))

    def read(self, seconds: float) -> None:
        """Takes in what programs say for so long, and what the daemon says to fingers."""
        pipes = [it.process.stdout for it in self.members if it.process.stdout and not it.is_ended]
        fingers = [self.fingers] if self.fingers else []
        select.select([*pipes, *fingers, *self.outputs], [], [], seconds)
        for output in self.outputs:
            output.read()
        for member in self.members:
            member.read()
        try:
            if self.fingers:
                self.fingers.dispatch(0)
        except tr.EndedError:
            self.lift()

    def lift(self) -> None:
        """The touchscreen of the fingers goes."""
        if self.fingers:
            self.fingers.close()
        self.fingers = None
        self.down.clear()

    def connected(self) -> tr.Connection | None:
        """The fingers' connection, if there is a daemon."""
        try:
            self.fingers = self.fingers or tr.Connection(self.control, "fingers")
        except tr.ConnectError:
            pass
        return self.fingers

    def pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    # What happens

    def step(self) -> None:
        match self.random.randrange(100):
            case 0 | 1 | 2 | 92 | 93:
                self.restart(signal.SIGKILL)
            case 3:
                self.restart(signal.SIGTERM)
            case 4 | 5:
                self.daemon.send_signal(signal.SIGSTOP)
                self.pause(self.random.choice([0.01, 0.1, 0.5]))
                self.daemon.send_signal(signal.SIGCONT)
            case 6 | 7:
                self.reload()
            case 8:
                member = self.random.choice(self.members)
                member.process.send_signal(signal.SIGSTOP)
                self.pause(self.random.choice([0.05, 0.5]))
                member.process.send_signal(signal.SIGCONT)
            case 9:
                self.leave()
            case number if number < 75:
                self.inject()
        self.pause(self.random.randrange(20) / 1000)

    def reload(self) -> None:
        self.configure(self.random.randrange(6))
        self.has_reloaded = True
        try:
            if fingers := self.connected():
                fingers.reload()
        except tr.TouchrouteError:
            self.lift()

    def leave(self) -> None:
        """A program is killed, and another comes."""
        member = self.members.pop(self.random.randrange(len(self.members)))
        member.read()
        self.note(member)
        member.kill()
        self.bring()

    def inject(self) -> None:
        """Some fingers go down, move or are lifted."""
        fingers = self.connected()
        contacts = []
        for slot in range(3):
            if self.random.random() < 0.5:
                continue
            place = (self.random.randrange(400), self.random.randrange(300))
            phase = tr.Phase.BEGAN
            if slot in self.down:
                phase = tr.Phase.ENDED if self.random.random() < 0.2 else tr.Phase.MOVED
            contacts.append(tr.Contact(slot, phase, *place))
        if not contacts or fingers is None:
            return
        try:
            fingers.inject(*contacts)
        except tr.TouchrouteError:
            return self.lift()
        self.injected += 1
        for contact in contacts:
            if contact.phase is tr.Phase.ENDED:
                self.down.discard(contact.slot)
            else:
                self.down.add(contact.slot)

    # The end

    def run(self) -> None:
        for _ in range(STEPS):
            self.step()
        self.settle()
        self.compare()
        for member in self.members:
            member.read()
            self.note(member)
            self.problems += member.end()
        for output in self.outputs:
            self.problems += output.end()

    def settle(self) -> None:
        """Lifts the fingers, and waits until every request is answered and everybody is there."""
        self.lift()
        for member in self.members:
            member.order("settle")
        self.wait("settle", lambda it: it.contract.is_settled and self.is_quiet(it))
        for _ in range(2):
            told = {it.name: it.contract.told for it in self.members}
            for member in self.members:
                member.order("ping")
            self.wait("answer", lambda it: it.contract.told > told[it.name] and self.is_quiet(it))
        for member in self.members:
            if member.contract.live or member.contract.going:
                live = f"{sorted(member.contract.live)} and {sorted(member.contract.going)}"
                self.problems.append(f"{member.name}: {live} never ended, though no finger is down")

    def is_quiet(self, member: Member) -> bool:
        """Whether nothing of it is waited for."""
        contract = member.contract
        states = {held.state for held in contract.attachments.values()}
        return contract.is_connected and not contract.unanswered() and "asked" not in states

    def wait(self, what: str, is_done: object) -> None:
        assert callable(is_done)
        end = time.monotonic() + PATIENCE
        while not all(is_done(member) or member.is_ended for member in self.members):
            if time.monotonic() > end:
                for member in self.members:
                    if not is_done(member):
                        contract = member.contract
                        asked = {it.path for it in contract.attachments.values() if it.state == "asked"}
                        self.problems.append(
                            f"{member.name} does not {what}: {contract.unanswered()} have no answer, "
                            f"{asked} are neither held nor waited for; the last lines are "
                            f"{contract.lines[-5:]}"
                        )
                return
            self.read(0.05)

    def tool(self, *arguments: str) -> Report:
        command = [os.path.join(self.programs, "touchroute"), *arguments, "--json"]
        run = subprocess.run(
            [*command, "--socket", self.control], capture_output=True, timeout=PATIENCE, check=True
        )
        return json.loads(run.stdout)

    def compare(self) -> None:
        """What the programs believe is what the daemon says, once it has had time to say it."""
        end = time.monotonic() + 10
        while True:
            self.read(0)
            differences = self.differences()
            if not differences or time.monotonic() > end:
                break
            self.pause(0.2)
        self.problems += differences

    def differences(self) -> list[str]:
        status, tree = self.tool("status"), self.tool("tree")
        numbers = {client["pid"]: client["client"] for client in status["clients"]}
        found: list[str] = []
        for output in self.outputs:
            number = numbers.get(output.process.pid)
            places = [*status["attachments"], *status["waiting"]]
            if output.path not in [it["path"] for it in places if it["client"] == number]:
                found.append(f"the output neither holds {output.path} nor waits for it")
            if output.alive:
                found.append(f"the output tells of cursors {sorted(output.alive)}")
        for member in self.members:
            number = numbers.get(member.process.pid)
            for state, key in (("held", "attachments"), ("waiting", "waiting")):
                paths = sorted(it["path"] for it in status[key] if it["client"] == number)
                believed = member.contract.paths(state)
                if paths != believed:
                    found.append(f"{member.name} believes that {believed} are {state}, not {paths}")
            found += self.differences_of_views(member, tree)
        return found

    def differences_of_views(self, member: Member, tree: Report) -> list[str]:
        rows, recognizers = added_by(member.process.pid, tree)
        kept, known = member.contract.rows(), member.contract.recognizers()
        found: list[str] = []
        has_fewer = self.has_reloaded or member.contract.has_lost_views
        if rows != kept and not (has_fewer and rows < kept):
            found.append(f"{member.name} has added {sorted(kept)}, there are {sorted(rows)}")
        if recognizers != known:
            found.append(
                f"{member.name} has added {sorted(known)}, there are {sorted(recognizers)}"
            )
        return found

    def note(self, member: Member) -> None:
        """Keeps what is wrong with what a program was told."""
        self.problems += member.contract.problems

    def close(self) -> None:
        self.lift()
        for member in self.members:
            member.kill()
        for output in self.outputs:
            output.close()
        for listener in self.listeners:
            listener.close()
        self.daemon.kill()
        self.daemon.wait()


def listening(path: str) -> socket.socket:
    """A socket that listens, of a number that no shell uses."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(128)
    number = fcntl.fcntl(listener.fileno(), fcntl.F_DUPFD_CLOEXEC, 20)
    listener.close()
    return socket.socket(fileno=number)


def added_by(pid: int, tree: Report) -> tuple[set[str], set[str]]:
    """The paths of the views and of the recognizers that a process has added."""
    rows = {it["path"] for it in tree["views"] if (it.get("added_by") or {}).get("pid") == pid}
    recognizers = tree.get("gestures") or []
    return rows, {it["path"] for it in recognizers if (it.get("added_by") or {}).get("pid") == pid}


def built(folder: str) -> str:
    """The program in C, built with the library under sanitizers."""
    path = os.path.join(folder, "program")
    library = ROOT / "Sources/Client/CTouchroute"
    subprocess.run(
        [
            os.environ.get("CC", "cc"), "-std=c11", "-g", "-O1", "-Wall", "-Wextra",
            "-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{library}/include",
            str(HERE / "program.c"), str(library / "touchroute.c"), "-o", path,
        ],
        check=True,
    )  # fmt: skip
    return path


def run(seed: int, programs: str, driver: str) -> bool:
    """Runs a world; whether nothing was wrong."""
    with tempfile.TemporaryDirectory(prefix="touchroute-worlds-") as folder:
        world = World(seed, programs, driver, folder)
        try:
            world.run()
        finally:
            world.close()
        log = Path(folder, "log").read_text(errors="replace")
    lost = sum(member.contract.lost for member in world.members)
    told = sum(member.contract.told for member in world.members)
    print(
        f"world {seed}: {world.kills} restarts, {lost} connections lost, {world.injected} frames, "
        f"{told} events",
        flush=True,
    )
    if not world.problems:
        return True
    print("\n".join(world.problems[:20]))
    print(log[-2000:])
    print(f"world {seed} fails: scripts/soak --client-world {seed}", flush=True)
    keep = os.environ.get("TOUCHROUTE_WORLDS_KEEP")
    if keep:
        for member in world.members:
            Path(keep, f"{seed}-{member.name}").write_text("\n".join(member.contract.lines))
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    first = arguments.seed if arguments.seed is not None else secrets.randbelow(1 << 46)
    print(f"worlds of clients from the seed {first} on", flush=True)
    count = arguments.count or (None if arguments.seconds else 1)
    end = time.monotonic() + (arguments.seconds or 0)
    failed = done = 0
    with tempfile.TemporaryDirectory(prefix="touchroute-worlds-") as folder:
        driver = built(folder)
        while done < count if count is not None else time.monotonic() < end:
            failed += not run(first + done, arguments.programs, driver)
            done += 1
    print(f"{done} worlds of clients, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
