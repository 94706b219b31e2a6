"""The daemon's messages and the client's, as bytes and as the lines that say what they mean."""

import struct
from pathlib import Path

NONE = 0xFFFFFFFF
MORE = 1
PHASES = {"began": 1, "moved": 2, "stationary": 3, "ended": 4, "cancelled": 5}
REASONS = ["none", "device removed", "suspended", "palm", "target removed", "unresponsive",
           "taken over", "stopping", "requested", "connection lost", "gesture"]


_order = "<"


def set_byte_order(order):
    """The byte order of what is written from then on: "<" as on x86-64, ">" as on s390x."""
    global _order
    _order = order


def packed(layout, *values):
    return struct.pack(_order + layout, *values)


def pad(data):
    return data + bytes(-len(data) % 8)


def text(value):
    return pad(value.encode())


def message(opcode, body, flags=0, extra=b""):
    body += extra
    assert len(body) % 8 == 0, (opcode, len(body))
    return packed("IHH", 8 + len(body), opcode, flags) + body


def floats(values):
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def quoted(value):
    return '"' + value + '"'


class Vector:
    """One vector as it is being written."""

    folder = Path(__file__).parent

    def __init__(self, name, what):
        self.name = name
        self.lines = ["# " + what]
        self.daemon = b""
        self.client = b""
        self.unsent = 0
        self.pending = []
        self.serial = 0
        self.request(1, packed("III", 0x54524F54, 1, 7) + text("vectors"))

    def request(self, opcode, body):
        self.serial += 1
        self.client += message(opcode, packed("I", self.serial) + body)
        return self.serial

    def send(self, data, *events):
        """The daemon sends; the events follow once a whole batch of such bytes has gone out."""
        self.daemon += data
        self.unsent += len(data)
        self.pending += events
        return self

    def settle(self):
        if self.unsent:
            self.lines.append(f"send {self.unsent}")
        self.lines += self.pending
        self.unsent, self.pending = 0, []

    def call(self, line, serial):
        self.settle()
        self.lines.append(f"call {line} = {serial}")
        return serial

    def attach(self, path, handles=15, passes=0, flags=0):
        data = path.encode()
        body = packed("HHII", handles, passes, flags, len(data)) + pad(data)
        return self.call(f"attach {quoted(path)} handles={handles} passes={passes} flags={flags}",
                         self.request(2, body))

    def end(self, kind, *events):
        self.settle()
        self.lines += events
        self.lines.append("event lost")
        self.lines.append(f"end {kind}")
        folder = Vector.folder
        (folder / f"{self.name}.bin").write_bytes(self.daemon)
        (folder / f"{self.name}.requests.bin").write_bytes(self.client)
        (folder / f"{self.name}.txt").write_text("\n".join(self.lines) + "\n")


# What the daemon says. Each function gives the bytes and the lines.

def welcome(serial=1, screens=(("panel", 800, 480, 0),), control=0, version=1, extra=b""):
    body = packed("8I", serial, version, 4096, 64, 250, 2000, control, len(screens))
    line = (f"event welcome version={version} attachments=64 decision=250 unresponsive=2000 "
            f"control={control}")
    for name, width, height, rotation in screens:
        body += packed("ddII", width, height, rotation, len(name.encode())) + text(name)
        line += f"\n  screen {quoted(name)} size={floats((width, height))} rotation={rotation}"
    return message(0x100, body, extra=extra), line


def attached(serial, number, handle, generation=1, screen=0, views=3, frame=(0, 0, 800, 480),
             bounds=None, transform=(1, 0, 0, 1, 0, 0), extra=b"", has_waited=False, added=0):
    bounds = bounds or (0, 0, frame[2], frame[3])
    body = packed("6I", serial, number, generation, screen, views, added)
    body += packed("14d", *frame, *bounds, *transform)
    is_new = serial or has_waited
    name = "attached" if is_new else "layout"
    where = "none" if screen == NONE else screen
    line = (f"event {name} {handle} generation={generation} screen={where} views={views} "
            f"added={added} frame={floats(frame)} bounds={floats(bounds)} transform={floats(transform)}")
    return message(0x101 if is_new else 0x111, body, extra=extra), line


def done(serial, total=0, generation=1, words=""):
    body = packed("4I", serial, total, generation, len(words.encode())) + text(words)
    return message(0x102, body), (f"event done {serial} total={total} generation={generation} "
                                  f"text={quoted(words)}")


def error(serial, code, request, words):
    body = packed("4I", serial, code, request, len(words.encode())) + text(words)
    return message(0x103, body), f"event error {serial} code={code} text={quoted(words)}"


def detached(number, handle, reason, words):
    body = packed("4I", 0, number, reason, len(words.encode())) + text(words)
    return message(0x112, body), f"event detached {handle} reason={reason} text={quoted(words)}"


def waiting(serial, number, handle, reason, words):
    body = packed("4I", serial, number, reason, len(words.encode())) + text(words)
    return message(0x115, body), f"event waiting {handle} reason={reason} text={quoted(words)}"


def closing(reason, words):
    body = packed("2I", reason, len(words.encode())) + text(words)
    return message(0x113, body), f"event closing reason={reason} text={quoted(words)}"


def holder(number, handle, path, name, held=1, pid=812, uid=1000, handles=15, passes=0, extra=b""):
    body = packed("IIiIHHIII", number, held, pid, uid, handles, passes,
                       len(path.encode()), len(name.encode()), 0) + text(path) + text(name)
    line = (f"event holder {handle} path={quoted(path)} held={held} pid={pid} uid={uid} "
            f"name={quoted(name)} handles={handles} passes={passes}")
    return message(0x114, body, extra=extra), line


def gesture(number, handle, recognizer, shown, path, kind, state, values=(0, 0, 0, 0, 0, 0, 1, 0, 0, 0),
            reason=0, time=1000, touches=1, taps=0, direction=0, extra=b""):
    """A gesture event; recognizer is the daemon's number, shown the program's, 0 of another's."""
    body = packed("IIQBBBBHH", number, recognizer, time, kind, state, reason, direction,
                       touches, taps)
    body += packed("10dII", *values, len(path.encode()), 0) + text(path)
    return message(0x116, body, extra=extra), gesture_line(
        handle, shown, path, kind, state, values, reason, time, touches, taps, direction)


def gesture_line(handle, shown, path, kind, state, values, reason, time, touches, taps, direction):
    moment = time if time < 1000000 else "now"
    return (f"event gesture {handle} recognizer={shown} path={quoted(path)} kind={kind} "
            f"state={state} reason={quoted(REASONS[reason])} time={moment} touches={touches} "
            f"taps={taps} direction={direction} values={floats(values)}")


def view_details(serial, index, screen=NONE, flags=0, pid=0, application="", extra=b""):
    body = packed("4IiI", serial, index, screen, flags, pid, len(application))
    where = "none" if screen == NONE else screen
    return message(0x107, body + text(application), MORE, extra=extra), (
        f"event view_details {serial} view={index} screen={where} flags={flags} pid={pid} "
        f"application={quoted(application)}")


def view_property(serial, index, which, values, words="", points=(), setter=0, pid=0, extra=b""):
    body = packed("3Ii4H", serial, index, setter, pid, which, len(points), len(words),
                       len(values))
    body += packed(f"{len(values)}d", *values) + text(words)
    body += b"".join(packed("dd", *point) for point in points)
    shown = [part for point in points for part in point]
    return message(0x108, body, MORE, extra=extra), (
        f"event view_property {serial} view={index} property={which} setter={setter} pid={pid} "
        f"values={floats(values)} words={quoted(words)} points={floats(shown)}")


def described_gesture(serial, number, index, path, kind, view=0, screen=NONE, pid=0, fingers=(1, 1),
                      taps=0, direction=0, edge=0, flags=0, times=(NONE,) * 3, lengths=(-1,) * 4,
                      to="", after="", simultaneous="", extra=b""):
    body = packed("5Ii6BH8I4d", serial, number, index, view, screen, pid, kind, *fingers, taps,
                       direction, edge, flags, *times, len(path), len(to), len(after),
                       len(simultaneous), 0, *lengths)
    body += text(path) + text(to) + text(after) + text(simultaneous)
    def number_or_dash(value):
        return "-" if value in (NONE, -1) else repr(value)

    return message(0x106, body, MORE, extra=extra), (
        f"event described_gesture {serial} number={number} index={index} "
        f"view={number_or_dash(view)} screen={number_or_dash(screen)} pid={pid} "
        f"path={quoted(path)} kind={kind} fingers={fingers[0]}-{fingers[1]} taps={taps} "
        f"direction={direction} edge={edge} flags={flags} "
        f"times={','.join(map(number_or_dash, times))} "
        f"lengths={','.join(map(number_or_dash, lengths))} to={quoted(to)} after={quoted(after)} "
        f"simultaneous={quoted(simultaneous)}")


def observed_gesture(recognizer, path, kind, state, touch=1, pid=812, reason=0, words="", time=1000):
    body = packed("QQIiBBBBIII", time, touch, recognizer, pid, kind, state, reason, 0,
                       len(path.encode()), len(words.encode()), 0) + text(path) + text(words)
    return message(0x131, body), (
        f"event observed_gesture {recognizer} path={quoted(path)} kind={kind} state={state} "
        f"reason={quoted(REASONS[reason])} time={time} touch={touch} pid={pid} text={quoted(words)}")


def observed_signal(device, finding, identity, place, time=1000, screen=0, over=0, words=""):
    x, y = place or (float("nan"), float("nan"))
    body = packed("QQIBBHIIdd", time, identity, device, finding, over, 0, screen,
                       len(words), x, y) + text(words)
    shown = "secure" if place is None else "{:g},{:g}".format(*place)
    return message(0x132, body), (
        f"event observed_signal {device} finding={finding} touch={identity} time={time} "
        f"screen={'none' if screen == NONE else screen} place={shown} over={over} "
        f"text={quoted(words)}")


def observed_change(kind, value=0, client=NONE, attachment=NONE, pid=0, handles=0, passes=0,
                    gestures=0, path="", name="", time=1000):
    def number_or_dash(number):
        return "-" if number == NONE else number

    body = packed("QQIIIiHHIII", time, value, kind, client, attachment, pid, handles, passes,
                       gestures, len(path.encode()), len(name.encode())) + text(path) + text(name)
    return message(0x133, body), (
        f"event observed_change {kind} time={time} value={value} client={number_or_dash(client)} "
        f"attachment={number_or_dash(attachment)} pid={pid} handles={handles} passes={passes} "
        f"gestures={gestures} path={quoted(path)} name={quoted(name)}")


def touch(identity, phase, number, handle, x, y, time=1000, target=1, path="", shown=None,
          reason=0,
          flags=0, taps=1, screen=0, previous=None, samples=()):
    """A record: bytes of the struct, of its trailing parts, number of samples, lines."""
    previous = previous or (x, y)
    window, on_screen = (x + 8, y + 16), (x + 108, y + 216)
    data = path.encode()
    before_age = packed("QII", identity, number, target)
    after_age = packed("BBHHHHH8f", PHASES[phase], reason, flags, taps, screen, len(samples),
                            len(data), x, y, *previous, *window, *on_screen)
    trailing = b"".join(packed("Qff", *sample) for sample in samples) + pad(data)
    shown = path if shown is None else shown
    lines = [f"  {phase} {identity} attachment={handle} target={target} path={quoted(shown)} "
             f"time={time} reason={quoted(REASONS[reason])} flags={flags} taps={taps} screen={screen} "
             f"at={floats((x, y))} previous={floats(previous)} window={floats(window)} "
             f"panel={floats(on_screen)}"]
    lines += [f"    sample time={when} at={floats((sx, sy))}" for when, sx, sy in samples]
    return (before_age, time, after_age), trailing, len(samples), lines


def unseen(record):
    """The same record, where the client does not show it."""
    return *record[:3], []


def touches(*records, time=1000, sequence=1, device=1, more=False, hide=False):
    body = packed("QQIHH", time, sequence, device, len(records), sum(r[2] for r in records))
    for (before_age, changed, after_age), *_ in records:
        body += before_age + packed("I", time - changed) + after_age
    body += b"".join(r[1] for r in records)
    lines = [f"event touches time={time} sequence={sequence} device={device} more={int(more)}"]
    for record in records:
        lines += record[3]
    return message(0x110, body, MORE if more else 0), *([] if hide else ["\n".join(lines)])


def cancelled(identity, handle, x, y, path, sequence=1, device=1, reason=9, target=1):
    """What the library itself says of a live touch."""
    return (f"event touches time=now sequence={sequence} device={device} more=0\n"
            f"  cancelled {identity} attachment={handle} target={target} path={quoted(path)} "
            f"time=now reason={quoted(REASONS[reason])} flags=0 taps=1 screen=0 at={floats((x, y))} "
            f"previous={floats((x, y))} window={floats((x + 8, y + 16))} "
            f"panel={floats((x + 108, y + 216))}")


def view(serial, index, parent, path, frame, controller="", flags=0, holder=0, controller_holder=0,
         origin=(0, 0), transform=(1, 0, 0, 1, 0, 0), alpha=1.0):
    body = packed("4Iii", serial, index, parent, flags, holder, controller_holder)
    body += packed("13d", *frame, *origin, *transform, alpha)
    body += packed("II", len(path.encode()),
                        len(controller.encode())) + text(path) + text(controller)
    where = "none" if parent == NONE else parent
    return message(0x104, body, MORE), (
        f"event view {serial} index={index} parent={where} path={quoted(path)} "
        f"controller={quoted(controller)} flags={flags} holder={holder} "
        f"controller_holder={controller_holder} frame={floats(frame)} origin={floats(origin)} "
        f"transform={floats(transform)} alpha={alpha!r}")


def link(pid, outcome, phases, number, path):
    data = packed("iHHII", pid, outcome, phases, number, len(path.encode())) + text(path)
    where = "none" if number == NONE else number
    return data, (f"    asked {quoted(path)} pid={pid} outcome={outcome} phases={phases} "
                  f"attachment={where}")


def seen(identity, phase, place, path, chain=(), total=0, reason=0, discard=0, flags=0, taps=1,
         screen=0):
    fixed = packed("QBBBBHHIIIIdd", identity, PHASES[phase], reason, discard, 0, flags, taps,
                        screen,
                        len(path.encode()), len(chain), total, *place)
    trailing = text(path) + b"".join(entry[0] for entry in chain)
    where = floats(place) if place[0] == place[0] else "none"
    lines = [f"  {phase} {identity} reason={quoted(REASONS[reason])} discarded={discard} "
             f"flags={flags} taps={taps} screen={screen} panel={where} path={quoted(path)} total={total}"]
    return fixed, trailing, lines + [entry[1] for entry in chain]


def observed(*records, time=1000, sequence=1, device=1, more=False):
    body = packed("QQII", time, sequence, device, len(records))
    body += b"".join(r[0] for r in records) + b"".join(r[1] for r in records)
    lines = [f"event observed time={time} sequence={sequence} device={device} more={int(more)}"]
    for record in records:
        lines += record[2]
    return message(0x130, body, MORE if more else 0), "\n".join(lines)
