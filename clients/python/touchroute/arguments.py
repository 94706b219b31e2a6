"""Checks of what a program passes: whatever is wrong with it is a RequestError that says what."""

from __future__ import annotations

import math
import numbers
import re

from . import abi
from .errors import RequestError

MAX_NUMBER = 0xFFFFFFFF
MAX_TOUCH = 0xFFFFFFFFFFFFFFFF


def shown(value: object) -> str:
    """A value as a message quotes it."""
    text = repr(value)
    return text if len(text) <= 64 else f"{text[:61]}..."


def boolean(value: object, what: str) -> bool:
    """True or False."""
    if isinstance(value, bool):
        return value
    raise RequestError(f"{what} has to be True or False, not {shown(value)}")


def integer(value: object, what: str, least: int, most: int) -> int:
    """A whole number from least to most."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        number = int(value)
        if least <= number <= most:
            return number
    raise RequestError(
        f"{what} has to be a whole number from {least} to {most}, not {shown(value)}"
    )


def number(value: object, what: str) -> float:
    """A finite number."""
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        try:
            result = float(value)
        except OverflowError:
            result = math.inf
        if math.isfinite(result):
            return result
    raise RequestError(f"{what} has to be a finite number, not {shown(value)}")


def several(value: object, what: str, names: str) -> tuple[float, ...]:
    """As many finite numbers as there are names, in a tuple or a list."""
    count = len(names.split(", "))
    if not isinstance(value, (tuple, list)) or len(value) != count:
        raise RequestError(f"{what} has to be {count} numbers ({names}), not {shown(value)}")
    return tuple(number(part, f"each number of {what}") for part in value)


def path_bytes(path: object) -> bytes:
    """A responder's path as it goes over the wire; empty where it is."""
    if not isinstance(path, str):
        raise RequestError(f"a responder's path has to be a str, not {shown(path)}")
    try:
        data = path.encode()
    except UnicodeEncodeError:
        data = b"\0"
    if b"\0" in data:
        raise RequestError(f"a responder's path has to be text, without NUL: {shown(path)}")
    if len(data) > abi.MAX_PATH:
        raise RequestError(
            f"a responder's path can have {abi.MAX_PATH} bytes, this has {len(data)}: "
            f"{path[:64]}..."
        )
    return data


def text_bytes(text: object, what: str, most: int) -> bytes:
    """A text of at most so many characters as it goes over the wire."""
    expected = f"{what} has to be a text of at most {most} characters, without control characters"
    if not isinstance(text, str) or len(text) > most or any(char < " " for char in text):
        raise RequestError(f"{expected}, not {shown(text)}")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise RequestError(f"{expected}, not {shown(text)}") from None


def name_bytes(name: object, what: str, most: int) -> bytes:
    """A name of at most so many characters as it goes over the wire."""
    if not isinstance(name, str) or len(name) > most or not re.fullmatch(r"[A-Za-z0-9_.-]*", name):
        raise RequestError(
            f"{what} has to be a name of at most {most} letters, digits, _, . and -, not "
            f"{shown(name)}"
        )
    return name.encode()
