"""What Python has to know of touchroute.h and touchroute-protocol.h: python_abi.py INCLUDE, to the standard output.

Numbers by their names without TOUCHROUTE_, the structs that functions take or callbacks show, and how the
functions are called. scripts/generate writes clients/python/touchroute/abi.py with it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

NUMBERS = {
    "double": "c_double", "float": "c_float", "int": "c_int", "short": "c_short", "size_t": "c_size_t",
    **{f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
HEAD = '''\
"""The C library's numbers, structs and functions. scripts/generate makes this file of the headers."""

from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_float, c_int, c_int32, c_short, c_size_t, c_uint8,
    c_uint16, c_uint32, c_uint64, c_void_p, py_object,
)
'''


def without_comments(text: str) -> str:
    """Preprocessor lines that define no number, and comments, are taken out."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"^#(?!define TOUCHROUTE_\w+ \S).*$", "", text, flags=re.M)


def constants(text: str) -> list[str]:
    """Each number and string that has a name."""
    found = [
        (name, re.sub(r"\b(0x[0-9a-f]+|\d+)u\b", r"\1", value.strip()))
        for name, value in re.findall(r"^#define TOUCHROUTE_(\w+) +(.+)$", text, flags=re.M)
    ]
    for body in re.findall(r"enum touchroute_\w+ \{(.*?)\};", text, flags=re.S):
        found += re.findall(r"TOUCHROUTE_(\w+) = ([^,]+?)\s*,", body)
    return [f"{name} = {value}" for name, value in found]


def kind(text: str) -> str:
    """The type in ctypes of a type in C."""
    words = text.replace("const", "").replace("*", " * ").split()
    stars, name = words.count("*"), [word for word in words if word != "*"]
    if name[0] == "struct":
        if name[1] == "touchroute_connection":
            return "c_void_p"
        return name[1] if stars == 0 else f"POINTER({name[1]})"
    if name[0] == "void":
        return "py_object" if stars else "None"
    if name[0] == "char":
        return "c_char_p" if stars == 1 else "POINTER(c_char_p)"
    return NUMBERS[name[0]] if stars == 0 else f"POINTER({NUMBERS[name[0]]})"


def parameters(text: str) -> list[str]:
    """The types of a function's parameters, whether these have names or not."""
    types = []
    for parameter in text.split(","):
        words = parameter.replace("*", " * ").split()
        if words[-1] != "*" and len([word for word in words if word not in ("const", "struct", "*")]) > 1:
            words.pop()  # the name
        types.append(kind(" ".join(words)))
    return types


def fields(body: str) -> list[tuple[str, str]]:
    """The fields of a struct, with their types."""
    found = []
    for declaration in (part.strip() for part in body.split(";")):
        if not declaration:
            continue
        call = re.fullmatch(r"void \(\*(\w+)\)\((.*)\)", declaration, flags=re.S)
        if call:
            found.append((call[1], f"CFUNCTYPE(None, {', '.join(parameters(call[2]))})"))
            continue
        base, rest = re.match(r"((?:const )?(?:struct )?\w+)(.*)", declaration, flags=re.S).groups()
        for name in rest.split(","):
            array = re.fullmatch(r"\s*((?:\*|const\b|\s)*)(\w+)(?:\[(\d+)\])?\s*", name)
            of = kind(base + array[1])
            found.append((array[2], f"{of} * {array[3]}" if array[3] else of))
    return found


def ordered(structs: dict[str, list[tuple[str, str]]], names: list[str]) -> list[str]:
    """Those structs, and before each all that it has in it or points at."""
    found: list[str] = []
    for name in names:
        inner = re.findall(r"touchroute_\w+", str([of for _, of in structs[name]]))
        found += [name for name in [*ordered(structs, inner), name] if name not in found]
    return found


def main() -> None:
    folder = Path(sys.argv[1])
    text = "\n".join(
        without_comments((folder / name).read_text()) for name in ("touchroute-protocol.h", "touchroute.h")
    )
    structs = {
        name: fields(body) for name, body in re.findall(r"^struct (touchroute_\w+) \{(.*?)^\};", text, re.S | re.M)
    }
    functions = [
        (name, kind(result), parameters(of))
        for result, name, of in re.findall(r"^([a-z][\w \*]*?)\b(touchroute_\w+)\(([^;{]*)\);", text, re.M)
    ]
    lines = [HEAD, *constants(text), ""]
    named = re.findall(r"touchroute_\w+", str([row[1:] for row in functions]))
    for name in ordered(structs, named):
        lines += ["", f"class {name}(Structure):", "    _fields_ = ["]
        lines += [f'        ("{field}", {of}),' for field, of in structs[name]]
        lines += ["    ]", ""]
    lines += ["", "FUNCTIONS = {"]
    lines += [f'    "{name}": ({result}, [{", ".join(of)}]),' for name, result, of in functions]
    lines += ["}"]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
