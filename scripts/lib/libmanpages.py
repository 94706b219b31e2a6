"""Writes the manual pages of section 3: python3 libmanpages.py HEADER DATE VERSION FOLDER

From the header of the C client's API: libtouchroute.3 of what is said of the whole and of its types, and
a page for each function, from the comment before it. Two functions that share a comment share a page.
"""

import os
import re
import sys

from manpage import escaped

LIBRARY = "libtouchroute"


def blocks(text):
    """Comments and declarations in their order: (comment or "", declaration or "")."""
    found, comment, lines = [], "", []
    inside = False
    for line in text.split("\n"):
        stripped = line.strip()
        if not lines and stripped.startswith("/*"):
            if comment:
                found.append((comment, ""))
            comment, inside = "", True
        if inside:
            comment += line + "\n"
            inside = "*/" not in line
        elif stripped.startswith("#") or stripped in ('extern "C" {', "}"):
            if comment:
                found.append((comment, ""))
            comment = ""
        elif stripped or lines:
            lines.append(line)
            declaration = "\n".join(lines)
            if stripped.endswith(";") and declaration.count("{") == declaration.count("}"):
                found.append((comment, declaration))
                comment, lines = "", []
        elif comment:
            found.append((comment, ""))
            comment = ""
    return found


def sentences(comment):
    """A comment's text, without its marks."""
    lines = comment.strip().removeprefix("/*").removesuffix("*/").split("\n")
    return [re.sub(r"^ ?\* ?", "", line.strip() if number == 0 else line).rstrip()
            for number, line in enumerate(lines)]


def marked(text):
    """A line of prose: functions, constants, and what the environment holds in bold."""
    names = r"(-?\b(?:touchroute_\w+|TOUCHROUTE_\w+|E[A-Z]{3,}|POLLIN|POLLOUT)\b)"
    parts = re.split(names, text)
    line = "".join("\\fB" + escaped(part) + "\\fR" if index % 2 else escaped(part)
                   for index, part in enumerate(parts))
    return re.sub(r"^([.'])", r"\\&\1", line)


def prose(lines):
    """A comment's lines as roff: paragraphs, `word: what it is` as entries, examples as they are."""
    result, paragraph = [], []

    def flush():
        if paragraph:
            result.append(marked(" ".join(paragraph)))
            paragraph.clear()

    code, before = False, "text"
    for line in lines:
        # An example is indented, behind an empty line.
        if line.startswith("  ") and not before:
            result.append(".PP\n.RS 4\n.EX")
            code = True
        before = line
        if code and line.startswith("  "):
            result.append(escaped(line[2:]))
            continue
        if code:
            result.append(".EE\n.RE")
            code = False
        entry = re.match(r"\s*(-E[A-Z]+(?: +)|[A-Za-z_]+: |-E[A-Z]+: )(.*)", line)
        if not line:
            flush()
            result.append(".PP")
        elif entry:
            flush()
            result += [".TP", marked(entry[1].strip().rstrip(":"))]
            paragraph.append(entry[2])
        else:
            paragraph.append(line.strip())
    flush()
    if code:
        result.append(".EE\n.RE")
    return result


def code(text):
    return [".PP", ".nf", *(re.sub(r"^([.'])", r"\\&\1", escaped(line)) for line in text.split("\n")), ".fi"]


def first_sentence(lines):
    text = " ".join(line.strip() for line in lines if line.strip()).removeprefix("Control socket. ")
    return re.split(r"(?<=[a-z)])[.;:](?: |$)", text)[0].removesuffix(".")


def page(name, what, version, date, parts):
    title = f'.TH {name.upper()} 3 "{date}" "touchroute {version}" "touchroute"'
    lines = ["'\\\" t", title, ".SH NAME", f"{name} \\- {escaped(what)}"]
    for heading, body in parts:
        lines += [f".SH {heading}", *body]
    # A paragraph's mark has nothing to do beside a heading, another one, or the end.
    kept = [line for line, after in zip(lines, lines[1:] + [".SH"])
            if not (line == ".PP" and after.split(" ")[0].split("\n")[0] in (".PP", ".SH", ".TP"))]
    return "\n".join(line for line, before in zip(kept, [""] + kept)
                     if not (line == ".PP" and before.startswith(".SH"))) + "\n"


SYNOPSIS = [".nf", "\\fB#include <touchroute.h>\\fR", ".fi"]
LINKING = [".PP", f"Link with \\fI\\-ltouchroute\\fR, or copy the library's files into the program: see {LIBRARY}(3)."]


def main(header, date, version, folder):
    found = blocks(open(header, encoding="utf-8").read())
    functions, previous = [], None
    for comment, declaration in found:
        match = re.search(r"\b(touchroute_\w+)\(", declaration)
        if not match or "{" in declaration:
            previous = None
            continue
        if not comment and previous:
            previous[1].append((match[1], declaration))
            continue
        previous = (sentences(comment), [(match[1], declaration)])
        functions.append(previous)

    os.makedirs(folder, exist_ok=True)

    def write(name, text):
        with open(os.path.join(folder, f"{name}.3"), "w", encoding="utf-8") as file:
            file.write(text)

    also = [f"\\fB{LIBRARY}\\fR(3), \\fBtouchroute\\-protocol\\fR(7), \\fBtouchrouted\\fR(8)"]
    for lines, names in functions:
        name = names[0][0]
        declarations = [declaration for _, declaration in names]
        what = first_sentence(lines)
        write(name, page(name, what[0].lower() + what[1:], version, date, [
            ("SYNOPSIS", SYNOPSIS + code("\n".join(declarations)) + LINKING),
            ("DESCRIPTION", prose(lines)), ("SEE ALSO", also)]))
        for other, _ in names[1:]:
            write(other, f".so man3/{name}.3\n")

    overview, types, remarks = [], [], []
    for comment, declaration in found[1:]:
        if re.search(r"\btouchroute_\w+\(", declaration) and "{" not in declaration:
            continue
        if declaration.startswith("struct touchroute_connection;"):
            overview = prose(sentences(comment))
        elif declaration:
            types += code((comment + declaration).strip("\n"))
        elif comment and not re.match(r"/\* (----|What the library holds)", comment):
            remarks += [".PP", *prose(sentences(comment))]
    listed = []
    for lines, names in functions:
        listed += [".TP", ", ".join(f"\\fB{name}\\fR(3)" for name, _ in names), marked(first_sentence(lines)) + "."]
    write(LIBRARY, page(LIBRARY, "a program's connection to touchrouted, which routes touches", version, date, [
        ("SYNOPSIS", SYNOPSIS + [".PP", "cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs libtouchroute)"]),
        ("DESCRIPTION", overview), ("FUNCTIONS", listed), ("REQUESTS", remarks), ("TYPES", types),
        ("SEE ALSO", ["\\fBtouchroute\\-protocol\\fR(7), \\fBtouchrouted\\fR(8)"])]))


if __name__ == "__main__":
    main(*sys.argv[1:])
