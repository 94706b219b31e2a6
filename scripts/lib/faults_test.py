#!/usr/bin/env python3
"""Tests of faults.py and mutants.py, without a build of the checkout: Tests/Whole/TidyTests runs them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import mutants  # noqa: E402
import planted_copy  # noqa: E402
from faults import Source  # noqa: E402


def changes(text: str, path: str = "a.swift") -> set[tuple[str, str]]:
    """What can be planted in a text: kinds, and the lines as they are then."""
    return {(fault.kind, fault.after) for fault in Source(path, text).faults()}


def body(statement: str) -> str:
    return f"func example() {{\n  {statement}\n  return\n}}\n"


class FaultTests(unittest.TestCase):
    def found(self, statement: str, kind: str) -> set[str]:
        return {after for each, after in changes(body(statement)) if each == kind}

    def test_a_bound_moves_by_one(self) -> None:
        expected = {"let b = a <= 8 && c", "let b = a < 9 && c"}
        self.assertEqual(self.found("let b = a < 8 && c", "bound moved"), expected)
        expected = {"f(a[0..<(list.count - 1)])"}
        self.assertEqual(self.found("f(a[0..<list.count])", "bound moved"), expected)

    def test_a_step_is_left_out_or_goes_too_far(self) -> None:
        self.assertEqual(self.found("a = list[b - 1]", "step left out"), {"a = list[b - 0]"})
        self.assertEqual(self.found("a += 1", "step too far"), {"a += 2"})

    def test_and_is_or(self) -> None:
        expected = {"return a || b.c { $0 == d }"}
        self.assertEqual(self.found("return a && b.c { $0 == d }", "and/or"), expected)

    def test_a_condition_is_turned_round_or_constant(self) -> None:
        text = "guard let a = b, a < c, !d else { return }"
        after = {
            "guard let a = b, !(a < c), !d else { return }",
            "guard let a = b, a < c, !(!d) else { return }",
        }
        self.assertEqual(self.found(text, "condition negated"), after)
        self.assertEqual(
            self.found("for a in b where a.c {", "condition never"), {"for a in b where false {"}
        )
        self.assertEqual(self.found("let a = b ? c : d", "condition always"), {"let a = true ? c : d"})
        self.assertEqual(self.found("while a.b {", "condition always"), set())

    def test_a_constant_is_the_other_one(self) -> None:
        self.assertEqual(self.found("a = true", "constant"), {"a = false"})

    def test_the_other_end_is_taken(self) -> None:
        self.assertEqual(self.found("let a = b.first?.c", "other end"), {"let a = b.last?.c"})
        self.assertEqual(self.found("let a = min(b, c) + d", "other end"), {"let a = max(b, c) + d"})

    def test_arguments_change_places_and_labels_stay(self) -> None:
        self.assertEqual(self.found("f(a, to: b.c(d))", "arguments swapped"), {"f(b.c(d), to: a)"})
        self.assertEqual(
            self.found("f(a, &b)\n  f(a, a)\n  f(a, 1)\n  max(a, b)", "arguments swapped"), set()
        )

    def test_a_statement_is_left_out(self) -> None:
        self.assertEqual(self.found("a.b(c)", "statement left out"), {""})
        self.assertEqual(self.found("if a { b = c }", "statement left out"), {"if a { }"})
        self.assertEqual(self.found("let a = b\n  return c(d)\n  break", "statement left out"), set())

    def test_prose_and_declarations_stay_as_they_are(self) -> None:
        for text in [
            "// a < b\n/* c && d */\n/// e(f, g)\n",
            'import A\nlet a = "b < c \\(d ? "e" : f) && true"\n',
            "func a(b: C, d: E) -> F\nenum G { case h(i, j) }\n",
            'var description: String {\n  a < b ? "c" : "d"\n}\n',
            body('logger.warning("\\(a) is \\(b && c)", d)'),
            body("precondition(a < b)"),
        ]:
            self.assertEqual(changes(text), set(), text)

    def test_c_is_read_as_c(self) -> None:
        text = (
            "#define A (1 < 2)\nstatic int f(int a, int b) {\n  int c = 0;\n  for (int i = 0; i < a; i++)\n"
        )
        text += "    c += g(a, b);\n  return h(a, b) && c;\n}\n"
        found = changes(text, "a.c")
        self.assertIn(("statement left out", ";"), found)
        self.assertIn(("bound moved", "for (int i = 0; i <= a; i++)"), found)
        self.assertIn(("arguments swapped", "c += g(b, a);"), found)
        self.assertIn(("and/or", "return h(a, b) || c;"), found)
        self.assertNotIn("static", " ".join(after for _, after in found))
        text = "void f(int a, ...) {\n  va_list list;\n  va_end(list);\n}\n"
        self.assertEqual(changes(text, "a.c"), set())

    def test_a_woven_fault_is_at_work_only_where_it_is_told(self) -> None:
        text = (
            "static int f(int a, int b) {\n  if (a < 3 && b)\n    a += 1;\n  return a > b ? a * 10 : b;\n}\n"
        )
        faults = dict(enumerate(Source("a.c", text).faults(), 1))
        self.assertGreater(len(faults), 10)
        # What the functions of each come to: woven without and with the fault, and written by hand.
        program = "#include <stdio.h>\n" + planted_copy.C_SWITCH + text
        main = ""
        for number, fault in faults.items():
            versions = {
                "woven": planted_copy.woven(text, {number: fault}),
                "plain": text.replace(fault.before, fault.after, 1),
            }
            program += "".join(
                version.replace(" f(", f" {name}{number}(") for name, version in versions.items()
            )
            main += f"  n = {number}; TRY(0, f, woven{number}) TRY(n, plain{number}, woven{number}) TRY(0, f, plain{number})"
            main += " putchar(10);\n"
        program += (
            "#define TRY(on, one, other) activeFault = on; differ = 0; for (int i = 0; i < 9; i++) \\\n"
        )
        program += '  differ |= one(i / 2, i % 3) != other(i / 2, i % 3); printf("%d", differ);\n'
        program += f"int main(void) {{\n  int n, differ;\n{main}}}\n"
        with tempfile.TemporaryDirectory() as folder:
            command = ["cc", "-w", "-x", "c", "-", "-o", f"{folder}/program"]
            subprocess.run(command, input=program, text=True, check=True)
            output = subprocess.run([f"{folder}/program"], text=True, capture_output=True).stdout
        self.assertEqual(output.split(), ["001"] * len(faults))

    def test_faults_of_the_sources_change_something_and_are_drawn_alike_by_one_seed(self) -> None:
        faults = mutants.catalog(mutants.sources(["Sources/Core/Gestures", "Sources/Client/CTouchroute"]))
        order = mutants.drawn(faults, 7)
        self.assertGreater(len(order), 1000)
        self.assertEqual(order, mutants.drawn(faults, 7))
        self.assertNotEqual(order[:9], mutants.drawn(faults, 8)[:9])
        for fault in faults.values():
            self.assertNotEqual(fault.before, fault.after)
        path = "Sources/Core/Gestures/Arbiter.swift"
        text = (planted_copy.ROOT / path).read_text()
        planted = {number: faults[number] for number in order if faults[number].path == path}
        self.assertEqual(planted_copy.woven(text, planted).count("\n"), text.count("\n"))
        # They are told apart by what they change, so a fault has its number for longer than a draw.
        again = mutants.catalog(mutants.sources([path]))
        self.assertEqual({number: faults[number] for number in again}, again)


if __name__ == "__main__":
    unittest.main()
