#!/usr/bin/env python3
"""Faults to plant: where a source in Swift or C can be changed in one place, and how.

A fault is known in two forms. The plain one is what a person would have written. The woven one keeps
both versions in the program, and chooses between them by a condition, which SWITCH stands for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

SWITCH = "§"

# Longer ones are left alone: both versions of an expression are compiled.
MOST_CHARACTERS = 240
MOST_LINES = 3


class Edit(NamedTuple):
    """Characters of a text, and what they are replaced by."""

    start: int
    end: int
    text: str


def edited(text: str, edits: tuple[Edit, ...], first: int, last: int) -> str:
    """The characters from first to last, with these edits, which do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
        last += len(edit.text) - (edit.end - edit.start)
    return text[first:last]


def flat(text: str) -> str:
    """An expression in one line, so that the lines after it keep their numbers where it is there twice."""
    return " ".join(text.split("\n"))


@dataclass(frozen=True)
class Fault:
    """One change of one file."""

    path: str
    kind: str
    first: int  # its lines, from 1
    last: int
    before: str  # these lines, as they are and as the fault has them
    after: str
    woven: tuple[Edit, ...]


class Token(NamedTuple):
    text: str
    start: int
    end: int
    line: int
    is_operator: bool  # with two operands, which the formatter puts spaces around


# ---- Reading a source ----

_STRING_START = re.compile(r'(#*)("""|")')


def _string_end(text: str, start: int) -> int:
    """Where a string of Swift or C ends that begins at start, with the strings in its interpolations."""
    opening = _STRING_START.match(text, start)
    assert opening
    hashes, quotes = opening.groups()
    position = opening.end()
    while position < len(text):
        if text.startswith(quotes + hashes, position):
            return position + len(quotes + hashes)
        if text.startswith("\\" + hashes + "(", position):
            position += len(hashes) + 2
            depth = 1
            while depth and position < len(text):
                if _STRING_START.match(text, position):
                    position = _string_end(text, position)
                    continue
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                position += 1
        else:
            position += 2 if text[position] == "\\" and not hashes else 1
    return position


def masked(text: str) -> str:
    """The text with comments and lines for a preprocessor blank, and each string a single word."""
    code: list[str] = []
    position = 0
    skipped = re.compile(r"//[^\n]*|/\*.*?\*/|(?m:^[ \t]*)#[a-z](?:[^\n\\]|\\.)*|'(?:\\.|[^'\\\n])+'", re.S)
    while position < len(text):
        if match := skipped.match(text, position):
            is_character = match.group().startswith("'")
            code.append(re.sub(r"[^\n]", "0" if is_character else " ", match.group()))
            position = match.end()
        elif _STRING_START.match(text, position):
            end = _string_end(text, position)
            code.append('"' + "_" * (end - position - 2) + '"')
            position = end
        else:
            code.append(text[position])
            position += 1
    return "".join(code)


_TOKEN = re.compile(r'[A-Za-z_$@][\w$]*|\d\w*(?:\.\d\w*)?|"_*"|[/=\-+!*%<>&|^~?.]+|[()\[\]{},:;#]')

# What an expression does not go beyond.
_ASSIGNMENTS = frozenset("= += -= *= /= %= &= |= ^= &+= &-= <<= >>= &<<= &>>=".split())
_LOGICAL = _ASSIGNMENTS | {"?", ":", "->"}
_COMPARISON = _LOGICAL | {"&&", "||"}
_WORDS = frozenset(
    "return if guard while where in try await throw let var else case switch for do defer repeat catch "
    "func init deinit subscript import typealias struct class enum extension protocol break continue "
    "fallthrough default goto static const unsigned union sizeof private fileprivate public package "
    "internal final mutating nonmutating override lazy weak unowned convenience required indirect "
    "associatedtype precondition preconditionFailure assert assertionFailure fatalError".split()
)
# What an expression ends at besides.
_STOPS = _WORDS - {"sizeof", "init"}
# After these comes a body in braces: at once, or behind what else they say.
_BLOCK_WORDS = frozenset("else do defer repeat get set willSet didSet".split())
_HEAD_WORDS = frozenset(
    "if while guard for switch where catch func init deinit subscript struct class enum extension protocol var".split()
)
_COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_TURNED = {
    "first": "last", "last": "first", "firstIndex": "lastIndex", "lastIndex": "firstIndex",
    "removeFirst": "removeLast", "removeLast": "removeFirst", "min": "max", "max": "min",
}  # fmt: skip
_LOG = r"(?:\b(?:logger|log)\.(?:log|write|\w*error|warning|notice|info|debug)|[.\w]*\blog)\("
_NOT_SWAPPED = (_WORDS | {"min", "max"}) - {"init"}
# Wordings, checks of our own mistakes, and what does nothing on our machines: no test pins these.
_EXCLUDED = re.compile(
    rf"{_LOG}|\b(?:precondition|preconditionFailure|assert|fatalError|fail|snprintf|vsnprintf|va_end)\("
    r"|\b(?:var|func) (?:\w*[dD]escription|\w*[tT]ext|sentence)\b[^{=\n]*\{"
)


class Source:
    """A file, taken apart as far as the faults need it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.is_c = path.endswith(".c")
        self.code = masked(text)
        self.tokens = self._tokens()
        self.partner = self._partners()
        self.brackets = self._brackets()
        self.bodies = set() if self.is_c else set(self._swift_bodies())
        self.excluded = set(self._excluded())

    def _tokens(self) -> list[Token]:
        code, tokens, line, position = self.code + "\n", [], 1, 0
        for match in _TOKEN.finditer(self.code):
            line += code.count("\n", position, match.start())
            position = match.start()
            spaced = code[match.start() - 1].isspace() and code[match.end()].isspace()
            is_operator = spaced and match.group()[0] in "/=-+!*%<>&|^~?."
            tokens.append(Token(match.group(), match.start(), match.end(), line, is_operator))
        return tokens

    def _partners(self) -> dict[int, int]:
        partner: dict[int, int] = {}
        waiting: list[int] = []
        for index, token in enumerate(self.tokens):
            if token.text in "([{":
                waiting.append(index)
            elif token.text in ")]}" and waiting:
                partner[index] = waiting.pop()
                partner[partner[index]] = index
        return partner

    def _brackets(self) -> list[str]:
        """The brackets that each token is in, from the outermost on."""
        around, brackets = "", []
        for token in self.tokens:
            if token.text in ")]}":
                around = around[:-1]
            brackets.append(around)
            if token.text in "([{":
                around += token.text
        return brackets

    def _swift_bodies(self) -> Iterator[int]:
        """The braces of Swift that open a body, not a closure."""
        for index, token in enumerate(self.tokens):
            if token.text in _BLOCK_WORDS and self.is_at(index + 1, "{"):
                yield index + 1
            elif token.text in _HEAD_WORDS and not self.is_at(index - 1, "."):
                brace = self.until(index + 1, {"{", "="} if token.text == "var" else {"{"})
                if self.is_at(brace, "{"):
                    yield brace

    def _excluded(self) -> Iterator[int]:
        offsets = {token.start: index for index, token in enumerate(self.tokens)}
        for match in _EXCLUDED.finditer(self.code):
            bracket = offsets.get(match.end() - 1, -1)
            first = next((offsets[at] for at in range(match.start(), match.end()) if at in offsets), bracket)
            yield from range(first, self.partner.get(bracket, bracket) + 1)

    def is_at(self, index: int, text: str) -> bool:
        return 0 <= index < len(self.tokens) and self.tokens[index].text == text

    def is_adjacent(self, index: int) -> bool:
        """Whether there is no space before a token."""
        return index > 0 and self.tokens[index - 1].end == self.tokens[index].start

    def breaks(self, index: int) -> bool:
        """Whether a statement of Swift ends between a token and the one before."""
        before, token = self.tokens[index - 1], self.tokens[index]
        if self.is_c or before.line == token.line:
            return False
        follows = (
            token.is_operator or token.text[0] in ".?" or token.text in {":", "else", "where", "throws", "->"}
        )
        return (
            not follows and not before.is_operator and before.text not in {",", "(", "[", "where", "return"}
        )

    def until(self, index: int, texts: set[str]) -> int:
        """The first of these tokens from index on, in no bracket of its own; or where the statement ends."""
        while index < len(self.tokens):
            text = self.tokens[index].text
            if text in texts or text in ")]}" or (text == ";" and ";" not in texts) or self.breaks(index):
                return index
            index = self.partner.get(index, index) + 1
        return index

    def expression(self, index: int, ends: frozenset[str]) -> tuple[int, int]:
        """The first and last token of the expression around one that goes as far as operators of these."""
        is_closing = self.tokens[index].text in ")]}"
        first, last = self.partner.get(index, index) if is_closing else index, index
        while first > 0 and not self.breaks(first):
            before = self.tokens[first - 1]
            is_end = before.text in ends and (before.is_operator or before.text == ":")
            if is_end or before.text in "([{,;" or before.text in _STOPS or first - 1 in self.bodies:
                break
            if before.text == "}" and (self.is_c or self.partner.get(first - 1) in self.bodies):
                break
            first = self.partner.get(first - 1, first - 1)
        if self.tokens[index].text in "([{":
            last = self.partner.get(index, index)
        while last + 1 < len(self.tokens) and not self.breaks(last + 1):
            after = self.tokens[last + 1]
            is_end = after.text in ends and (after.is_operator or after.text == ":")
            if is_end or after.text in ")]},;" or after.text in _STOPS or last + 1 in self.bodies:
                break
            last = self.partner.get(last + 1, last + 1)
        return first, last

    def text_of(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[last].end]

    # ---- Faults ----

    def faults(self) -> Iterator[Fault]:
        """All that can be planted here."""
        found = (self._compared, self._stepped, self._joined, self._conditions, self._booleans)
        for find in (*found, self._turned, self._arguments, self._statements):
            yield from find()

    def _fault(
        self, kind: str, first: int, last: int, plain: tuple[Edit, ...], woven: tuple[Edit, ...]
    ) -> Iterator[Fault]:
        """The fault, where it is one that is wanted; first and last are tokens."""
        start, end = self.tokens[first].start, self.tokens[last].end
        lines = self.tokens[first].line, self.tokens[last].line
        is_long = not 0 < end - start <= MOST_CHARACTERS or lines[1] - lines[0] >= MOST_LINES
        has_comment = re.search(r"//|/\*", self.text[start:end])
        if (
            is_long
            or has_comment
            or first in self.excluded
            or (self.is_c and "{" not in self.brackets[first])
        ):
            return
        begin = self.text.rfind("\n", 0, start) + 1
        finish = (self.text + "\n").find("\n", end)
        before, after = self.text[begin:finish], edited(self.text, plain, begin, finish)
        yield Fault(self.path, kind, *lines, " ".join(before.split()), " ".join(after.split()), woven)

    def _replaced(self, kind: str, first: int, last: int, plain: str) -> Iterator[Fault]:
        """A fault in place of some tokens, by a choice between it and them."""
        start, end = self.tokens[first].start, self.tokens[last].end
        choice = f"({SWITCH} ? {flat(plain)} : {self.text[start:end]})"
        yield from self._fault(kind, first, last, (Edit(start, end, plain),), (Edit(start, end, choice),))

    def _changed(self, kind: str, index: int, text: str, ends: frozenset[str]) -> Iterator[Fault]:
        """One token in an expression is another one."""
        first, last = self.expression(index, ends)
        token = self.tokens[index]
        if first == last:
            return
        start, end = self.tokens[first].start, self.tokens[last].end
        edit = Edit(token.start, token.end, text)
        choice = f"({SWITCH} ? {flat(edited(self.text, (edit,), start, end))} : {self.text[start:end]})"
        yield from self._fault(kind, first, last, (edit,), (Edit(start, end, choice),))

    def _compared(self) -> Iterator[Fault]:
        whole = {(first, last) for first, last, _ in self._clauses()}
        for index, token in enumerate(self.tokens):
            if not token.is_operator or token.text not in _COMPARED:
                continue
            is_equality = token.text in {"==", "!="}
            # A clause that is turned round as a whole is found elsewhere.
            if not is_equality or self.expression(index, _COMPARISON) not in whole:
                kind = "condition negated" if is_equality else "bound moved"
                yield from self._changed(kind, index, _COMPARED[token.text], _COMPARISON)
            if not is_equality and index + 1 < len(self.tokens):
                yield from self._moved_literal("bound moved", index + 1, 1)

    def _moved_literal(self, kind: str, index: int, by: int) -> Iterator[Fault]:
        if match := re.fullmatch(r"(\d+)(u?)", self.tokens[index].text):
            yield from self._replaced(kind, index, index, f"{int(match[1]) + by}{match[2]}")

    def _stepped(self) -> Iterator[Fault]:
        """One more or less: in sums, and at the end of a range."""
        for index, token in enumerate(self.tokens[:-1]):
            if token.is_operator and token.text in {"+", "-", "&+", "&-", "+=", "-=", "&+=", "&-="}:
                if self.tokens[index + 1].text in {"1", "1u"}:
                    yield from self._moved_literal("step left out", index + 1, -1)
                    yield from self._moved_literal("step too far", index + 1, 1)
            elif token.text == "..<" and not token.is_operator:
                last = index + 1
                while (
                    last + 1 < len(self.tokens)
                    and self.is_adjacent(last + 1)
                    and self.tokens[last + 1].text in "([."
                ):
                    last = self.partner.get(last + 1, last + 2)
                yield from self._replaced(
                    "bound moved", index + 1, last, f"({self.text_of(index + 1, last)} - 1)"
                )

    def _joined(self) -> Iterator[Fault]:
        for index, token in enumerate(self.tokens):
            if token.is_operator and token.text in {"&&", "||"}:
                other = "||" if token.text == "&&" else "&&"
                yield from self._changed("and/or", index, other, _LOGICAL)

    def _clauses(self) -> Iterator[tuple[int, int, str]]:
        """Conditions: the first and last token, and the word that they belong to."""
        for index, token in enumerate(self.tokens):
            if token.text == "?" and token.is_operator:
                yield (*self.expression(index - 1, _LOGICAL), "?")
            elif token.text in {"if", "while"} and self.is_c and self.is_at(index + 1, "("):
                yield index + 2, self.partner[index + 1] - 1, token.text
            elif token.text == "for" and self.is_c and self.is_at(index + 1, "("):
                first = self.until(index + 2, {";"}) + 1
                yield first, self.until(first, {";"}) - 1, "while"
            elif token.text in {"if", "guard", "while", "where"} and not self.is_c:
                yield from self._swift_clauses(index)

    def _swift_clauses(self, index: int) -> Iterator[tuple[int, int, str]]:
        word, ends = self.tokens[index].text, {",", "else", "{", ":"}
        line = self.text[self.text.rfind("\n", 0, self.tokens[index].start) + 1 :].split("\n")[0]
        if self.is_at(index - 1, "#") or (
            word == "where" and re.search(r"\b(func|extension|struct|class|init)\b", line)
        ):
            return
        first = index + 1
        while True:
            end = first
            while (
                (end := self.until(end, ends)) < len(self.tokens)
                and self.is_at(end, "{")
                and end not in self.bodies
            ):
                end = self.partner.get(end, end) + 1
            if self.tokens[first].text not in {"let", "var", "case", "#"}:
                yield first, end - 1, word
            if not self.is_at(end, ","):
                return
            first = end + 1

    def _conditions(self) -> Iterator[Fault]:
        for first, last, word in self._clauses():
            start, end = self.tokens[first].start, self.tokens[last].end
            clause = self.text[start:end]
            turned = f"((!({clause})) == ({SWITCH}))" if self.is_c else f"(({clause}) != ({SWITCH}))"
            yes, no = ("1", "0") if self.is_c else ("true", "false")
            faults = [("condition negated", f"!({clause})", turned)]
            faults.append(("condition never", no, f"(!({SWITCH}) && ({clause}))"))
            if word != "while":
                faults.append(("condition always", yes, f"(({SWITCH}) || ({clause}))"))
            for kind, plain, woven in faults:
                yield from self._fault(
                    kind, first, last, (Edit(start, end, plain),), (Edit(start, end, woven),)
                )

    def _booleans(self) -> Iterator[Fault]:
        for index, token in enumerate(self.tokens):
            if token.text in {"true", "false"} and not self.is_c and not self.is_at(index - 1, "case"):
                other, woven = (
                    ("false", f"(!({SWITCH}))") if token.text == "true" else ("true", f"({SWITCH})")
                )
                edits = Edit(token.start, token.end, other), Edit(token.start, token.end, woven)
                yield from self._fault("constant", index, index, edits[:1], edits[1:])

    def _turned(self) -> Iterator[Fault]:
        for index, token in enumerate(self.tokens):
            if token.text not in _TURNED or self.is_c:
                continue
            if self.tokens[index - 1].text.endswith("."):
                yield from self._changed("other end", index, _TURNED[token.text], _COMPARISON)
            elif (
                token.text in {"min", "max"}
                and self.is_at(index + 1, "(")
                and not self.is_at(index - 1, "func")
            ):
                last = self.partner[index + 1]
                plain = _TURNED[token.text] + self.text_of(index + 1, last)
                yield from self._replaced("other end", index, last, plain)

    def _arguments(self) -> Iterator[Fault]:
        """Two neighbouring arguments of a call change places, not their labels."""
        for index, token in enumerate(self.tokens):
            is_name = (
                token.text == "("
                and self.is_adjacent(index)
                and re.match(r"[a-zA-Z]", self.tokens[index - 1].text)
            )
            if not is_name or self.tokens[index - 1].text in _NOT_SWAPPED or self._is_declared(index):
                continue
            values = [value for value in self._values(index) if value]
            for one, other in zip(values, values[1:]):
                texts = self.text_of(*one), self.text_of(*other)
                if texts[0] == texts[1] or self._weight(one) != self._weight(other):
                    continue
                spans = [(self.tokens[first].start, self.tokens[last].end) for first, last in (one, other)]
                plain = Edit(*spans[0], texts[1]), Edit(*spans[1], texts[0])
                choices = [
                    f"({SWITCH} ? ({a}) : ({b}))"
                    for a, b in ((flat(texts[1]), texts[0]), (flat(texts[0]), texts[1]))
                ]
                woven = Edit(*spans[0], choices[0]), Edit(*spans[1], choices[1])
                yield from self._fault("arguments swapped", one[0], other[1], plain, woven)

    def _is_declared(self, index: int) -> bool:
        """Whether the bracket at index is of a declaration or a pattern."""
        first = index - 1
        if self.tokens[first].text == "init":
            return not self.tokens[first - 1].text.endswith(".")
        while first > 0 and self.tokens[first - 1].text.endswith("."):
            first -= 2 if self.is_adjacent(first - 1) else 1
        return first > 0 and self.tokens[first - 1].text in {"func", "case", "indirect"}

    def _values(self, index: int) -> Iterator[tuple[int, int] | None]:
        """The arguments in a bracket without their labels; None for what is none, or a closure."""
        first, end = index + 1, self.partner.get(index, index)
        while first < end:
            last = self.until(first, {","})
            value = first + 2 if self.is_at(first + 1, ":") else first
            texts = {token.text for token in self.tokens[value:last]}
            is_value = texts and not texts & {"{", '"', "let", "var", "inout", "in", "case"}
            is_value = (
                is_value
                and self.tokens[value].text not in {"&", "_", "-"}
                and '"' not in self.text_of(value, last - 1)
            )
            yield (value, last - 1) if is_value else None
            first = last + 1

    def _weight(self, value: tuple[int, int]) -> str:
        """What kind of expression it is, by its first token: of different kinds, types hardly match."""
        text = self.tokens[value[0]].text
        return (
            "number"
            if text[0].isdigit()
            else text if text in {"true", "false", "nil", ".", "NULL"} else "name"
        )

    def _statements(self) -> Iterator[Fault]:
        """Statements that are left out: calls and assignments."""
        for index, token in enumerate(self.tokens):
            if index == 0 or not self._begins(index) or token.text in _WORDS - {"try"}:
                continue
            if not re.match(r"[a-zA-Z_*]", token.text):
                continue
            last = self._last(index)
            body = self.tokens[index : last + 1]
            has_assignment = any(each.is_operator and each.text in _ASSIGNMENTS for each in body)
            is_done = has_assignment or body[-1].text in {")", "}", "++", "--"}
            is_declared = (
                self.is_c and len(body) > 1 and (re.match(r"\w|\*", body[1].text) and body[0].text != "*")
            )
            if (
                len(body) < 2
                or not is_done
                or is_declared
                or (not has_assignment and self._is_value(index, last))
            ):
                continue
            if any(number in self.excluded for number in range(index, last + 1)):
                continue
            end = self.tokens[last].end + (1 if self.is_c else 0)
            text = self.text[token.start : end]
            woven = f"{{ if (!({SWITCH})) {{ {text} }} }}" if self.is_c else f"if !({SWITCH}) {{ {text} }}"
            edits = Edit(token.start, end, ";" if self.is_c else ""), Edit(token.start, end, woven)
            yield from self._fault("statement left out", index, last, edits[:1], edits[1:])

    def _is_value(self, index: int, last: int) -> bool:
        """Whether a statement is all that a closure, a property or a function with a result has, and so its value."""
        if self.is_c or not (self.is_at(index - 1, "{") and self.is_at(last + 1, "}")):
            return False
        if index - 1 not in self.bodies:
            return True
        start = self.tokens[index - 1].start
        head = self.code[
            max(
                self.code.rfind(mark, 0, start) for mark in (" func ", " var ", " init", " if ", " else ")
            ) : start
        ]
        return head.startswith(" var") or (head.startswith(" func") and "->" in head)

    def _begins(self, index: int) -> bool:
        """Whether a statement begins with a token."""
        before, token = self.tokens[index - 1], self.tokens[index]
        if self.is_c:
            is_header = before.text == ")" and before.line < token.line
            return self.brackets[index].endswith("{") and (
                is_header or before.text in {";", "{", "}", "else", ":"}
            )
        if before.line == token.line:
            return before.text == "{"
        return self.breaks(index) or before.text in {"{", "}", ":", "in"}

    def _last(self, index: int) -> int:
        """The last token of the statement that begins with one."""
        last = index
        if not self.is_c:
            while (
                last + 1 < len(self.tokens)
                and not self.breaks(last + 1)
                and self.tokens[last + 1].text not in "};"
            ):
                last = self.partner.get(last + 1, last + 1)
            return last
        return self.until(index, {";"}) - 1
