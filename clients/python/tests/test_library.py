"""How the C library is found, and whether abi.py says what its headers do."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import touchroute
from touchroute import abi, decoding

from . import ROOT
from .peer import Peer
from .test_connection import welcome

PACKAGE = ROOT / "clients/python"


class LibraryTests(unittest.TestCase):
    def imported(self, library: str) -> str:
        """What Python says last when the module is imported with that library."""
        result = subprocess.run(
            [sys.executable, "-B", "-c", "import touchroute"],
            env={**os.environ, "PYTHONPATH": str(PACKAGE), "TOUCHROUTE_LIBRARY": library},
            text=True, stderr=subprocess.PIPE,
        )  # fmt: skip
        return result.stderr.strip().rpartition("\n")[2]

    def test_a_library_that_is_not_there_is_named_and_what_to_do(self) -> None:
        said = self.imported("/nonexistent/libtouchroute.so.0")
        self.assertRegex(said, "^ImportError: .*/nonexistent/libtouchroute.so.0")
        self.assertRegex(said, "Install the package libtouchroute0, or set TOUCHROUTE_LIBRARY")

    def test_another_library_is_refused(self) -> None:
        self.assertRegex(self.imported("libc.so.6"), "libc.so.6 is another version.*touchroute_con")

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_every_struct_and_number_is_as_in_the_headers(self) -> None:
        structs = [
            value for value in vars(abi).values()
            if isinstance(value, type) and issubclass(value, ctypes.Structure)
            and value is not ctypes.Structure
        ]  # fmt: skip
        lines = ["#include <stddef.h>", "#include <touchroute.h>"]
        for it in structs:
            name = f"struct {it.__name__}"
            lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(it)}, "{name}");')
            for field, _ in it._fields_:
                place = getattr(it, field)
                lines.append(
                    f"_Static_assert(offsetof({name}, {field}) == {place.offset} && "
                    f'sizeof((({name} *)0)->{field}) == {place.size}, "{name} {field}");'
                )
        numbers = {
            name: value for name, value in vars(abi).items()
            if name.isupper() and isinstance(value, int)
        }  # fmt: skip
        lines += [
            f'_Static_assert(TOUCHROUTE_{name} == {value}, "{name}");'
            for name, value in numbers.items()
        ]
        self.assertGreater(len(structs), 25)
        self.assertGreater(len(numbers), 150)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "abi.c").write_text("\n".join(lines) + "\n")
            command = ["cc", "-fsyntax-only", f"-I{ROOT}/Sources/Client/CTouchroute/include"]
            result = subprocess.run(
                [*command, f"{folder}/abi.c"], text=True, stderr=subprocess.PIPE
            )
        self.assertEqual(result.stderr, "")

    def test_what_fails_in_a_callback_is_raised_by_dispatch(self) -> None:
        peer = Peer()
        self.addCleanup(peer.close)
        connection = touchroute.Connection(peer.path)
        self.addCleanup(connection.close)
        peer.accept()
        self.addCleanup(setattr, decoding.events, "Welcome", touchroute.Welcome)
        setattr(decoding.events, "Welcome", None)
        peer.send(welcome())
        with self.assertRaises(TypeError):
            connection.dispatch(10)

