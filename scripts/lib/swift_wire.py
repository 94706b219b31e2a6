"""The Swift names of numbers in touchroute-protocol.h: swift_wire.py INCLUDE, to the standard output.

scripts/generate writes Sources/Client/Wire/Numbers.swift with it. What the header says of a number is its comment.
"""

from __future__ import annotations

import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """A type of Swift, of one enum of the header."""

    name: str
    enum: str
    prefix: str
    raw: str = "UInt32"
    is_set: bool = False
    also: str = ""
    """protocols beside the usual ones"""
    first: str = ""
    """a case that the header has no number for"""
    until: str = ""
    """the last number that the type has"""


KINDS = [
    Kind("ErrorCode", "error_code", "ERROR",
         first="/// A refusal that this version does not know. Never sent.\n    case other = 0"),
    Kind("CloseReason", "close_reason", "CLOSE"),
    Kind("DetachReason", "detach_reason", "DETACH", also=", BitwiseCopyable"),
    Kind("Setter", "setter", "SETTER"),
    Kind("GestureKind", "gesture_kind", "GESTURE", "UInt8"),
    Kind("GestureState", "gesture_state", "GESTURE", "UInt8", until="CANCELLED"),
    Kind("RecognizerState", "gesture_state", "GESTURE", "UInt8", until="POSSIBLE"),
    Kind("ObservedChangeKind", "observed_change_kind", "CHANGE"),
    Kind("Direction", "direction", "DIRECTION", "UInt8"),
    Kind("Edge", "edge", "EDGE", "UInt8"),
    Kind("Counter", "counter", "COUNT", "Int", until="DISCARDED_LOCKED"),
    Kind("GestureFlags", "gesture_flags", "GESTURE", "UInt16", is_set=True),
    Kind("AttachFlags", "attach_flags", "ATTACH", is_set=True),
    Kind("ViewFlags", "view_flags", "VIEW", is_set=True),
    Kind("ViewDetailsFlags", "view_details_flags", "DETAILS", is_set=True),
    Kind("ClientFlags", "client_flags", "CLIENT", is_set=True),
    Kind("DeviceFlags", "device_flags", "DEVICE", is_set=True),
    Kind("IdleScope", "idle_scope", "IDLE", "UInt16"),
    Kind("IdleFlags", "idle_flags", "IDLE", "UInt16", is_set=True),
    Kind("FeedbackCause", "feedback_cause", "FEEDBACK", "UInt16"),
    Kind("SetScreenFlags", "set_screen_flags", "SET_SCREEN", "UInt16", is_set=True),
]  # fmt: skip
OTHER_NAMES = {"PROTOCOL": "malformed"}
"""where the header's is a word of Swift"""


def sentence(comment: str) -> str:
    """A comment as a docstring says it: what it is, then its rule."""
    text = " ".join(line.strip().lstrip("*").strip() for line in comment.strip("/* \n").splitlines())
    if re.fullmatch(r"rules? [A-Z]\d+", text):
        return ""
    if re.fullmatch(r"\w+ = \w+", text):
        return f"`{text}` of the configuration."
    rule = re.match(r"rules? ([A-Z]\d+(?:, [A-Z]\d+)*): (.+)", text)
    if rule:
        text = f"{rule[2]} (rule {rule[1]})"
    return text[:1].upper() + text[1:].rstrip(".") + "."


def members(text: str, enum: str) -> tuple[str, list[tuple[str, str, str]]]:
    """What the header says of an enum, and each number's name, value and comment."""
    found = re.search(r"((?:/\*(?:(?!\*/).)*\*/\s*)?)^enum touchroute_" + enum + r" \{(.*?)^\};", text, re.S | re.M)
    if not found:
        raise SystemExit(f"swift_wire: the header has no enum touchroute_{enum}")
    numbers: list[tuple[str, str, str]] = []
    before = ""
    for comment, ahead, name, value in re.findall(r"(/\*.*?\*/)(\n)?|TOUCHROUTE_(\w+) = ([^,\s][^,]*),", found[2], re.S):
        if name:
            numbers.append((name, value, before))
            before = ""
        elif re.search(r"^\s*" + re.escape(comment), found[2], re.M):
            before = comment
        else:
            numbers[-1] = (*numbers[-1][:2], comment)
    return found[1], numbers


def swift_name(name: str) -> str:
    """KEEPS_TOUCHES as keepsTouches."""
    head, *rest = name.lower().split("_")
    return OTHER_NAMES.get(name, head + "".join(part.capitalize() for part in rest))


def doc(comment: str, indent: str, more: str = "") -> str:
    """The lines of a docstring."""
    lines = textwrap.wrap(sentence(comment), 96 - len(indent)) if comment else []
    return "".join(f"{indent}/// {line}\n" for line in [*lines, more] if line)


def declared(kind: Kind, text: str) -> str:
    """The type."""
    comment, numbers = members(text, kind.enum)
    if not comment:
        raise SystemExit(f"swift_wire: enum touchroute_{kind.enum} has no comment in front of it")
    shown = [(name.removeprefix(f"TOUCHROUTE_{kind.prefix}_").removeprefix(f"{kind.prefix}_"), *rest)
             for name, *rest in numbers]  # fmt: skip
    names = [name for name, *_ in shown]
    shown = shown[: names.index(kind.until) + 1] if kind.until else shown
    head = doc(comment, "  ", f"`enum touchroute_{kind.enum}`.")
    lines = [f"    {kind.first}\n"] if kind.first else []
    if not kind.is_set:
        for name, value, said in shown:
            lines.append(f"{doc(said, '    ')}    case {swift_name(name)} = {value}\n")
        return f"{head}  public enum {kind.name}: {kind.raw}, Sendable, CaseIterable{kind.also} {{\n{''.join(lines)}  }}\n"
    for name, value, said in shown:
        if not said:
            raise SystemExit(f"swift_wire: TOUCHROUTE_{kind.prefix}_{name} has no comment")
        lines.append(f"\n{doc(said, '    ')}    public static let {swift_name(name)} = {kind.name}(rawValue: {value})\n")
    return (
        f"{head}  public struct {kind.name}: OptionSet, Hashable, Sendable {{\n"
        f"    /// One bit for each of them.\n    public var rawValue: {kind.raw}\n\n"
        f"    /// Those of these bits.\n    public init(rawValue: {kind.raw}) {{ self.rawValue = rawValue }}\n"
        f"{''.join(lines)}  }}\n"
    )


def main() -> None:
    text = (Path(sys.argv[1]) / "touchroute-protocol.h").read_text()
    types = "\n".join(declared(kind, text) for kind in KINDS)
    print("// scripts/generate makes this file of touchroute-protocol.h.\n\nextension Wire {\n" + types + "}")


if __name__ == "__main__":
    main()
