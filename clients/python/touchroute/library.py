"""The C library libtouchroute, which does the work."""

from __future__ import annotations

import ctypes
import os

from . import abi

VARIABLE = "TOUCHROUTE_LIBRARY"
NAME = "libtouchroute.so.0"


def _load() -> ctypes.CDLL:
    name = os.environ.get(VARIABLE) or NAME
    where = f"Install the package libtouchroute0, or set {VARIABLE} to the path of a {NAME}"
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"the C library of touchroute can't be loaded: {error}. {where}") from None
    for function, (result, arguments) in abi.FUNCTIONS.items():
        try:
            found = library[function]
        except AttributeError:
            raise ImportError(f"{name} is another version than this module: {function} is missing. {where}") from None
        found.restype = result
        found.argtypes = arguments
        setattr(library, function, found)
    return library


LIBRARY = _load()
