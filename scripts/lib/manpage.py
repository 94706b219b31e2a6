"""Writes a manual page: python3 manpage.py NAME SECTION DATE VERSION "WHAT IT IS" SOURCE...

A source is a page in Markdown, as those of docs are written, or a program, of which --help is taken.
The page goes to standard output, in man's macros.
"""

import os
import re
import subprocess
import sys
import textwrap

# The columns of a page's text on a terminal of 80.
WIDTH = 71


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def words(text):
    """Text with Markdown's marks, as a line of roff."""
    text = re.sub(r"\[([^\]]*)\]\((https?://[^)]*)\)", r"\1 (\2)", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(`+)(.+?)\1", text)
    line = ""
    for index in range(0, len(parts), 3):
        plain = parts[index].replace("\\", "\\e")
        plain = re.sub(r"\*\*(.+?)\*\*", r"\\fB\1\\fR", plain)
        plain = re.sub(r"(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])", r"\\fI\1\\fR", plain)
        line += plain
        if index + 2 < len(parts):
            line += "\\fB" + escaped(parts[index + 2].strip()) + "\\fR"
    return re.sub(r"^([.'])", r"\\&\1", line)


def code(lines):
    while lines and not lines[-1]:
        lines.pop()
    body = [re.sub(r"^([.'])", r"\\&\1", escaped(line)) for line in lines]
    indented = max(map(len, lines), default=0) + 4 <= WIDTH
    return [".PP", *[".RS 4"] * indented, ".EX", *body, ".EE", *[".RE"] * indented]


def table(rows):
    cells = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip()[1:-1])]
             for row in rows]
    head, body = cells[0], cells[2:]
    columns = len(head)
    widths = [max(len(row[column]) for row in body) for column in range(columns - 1)]
    if sum(widths) > 48:
        return entries(head, body)
    # A row that is kept on one page has groff warn where a page would end, on a terminal too.
    lines = [".PP", ".TS", "nokeep;", "l" + " l" * (columns - 2) + " lx.", ]
    if any(head):
        body = [[f"*{cell}*" if cell else "" for cell in head]] + body
    for row in body:
        *narrow, last = row[:columns]
        lines.append("\t".join([*map(words, narrow), "T{\n" + words(last) + "\nT}"]))
    return lines + [".TE"]


def entries(head, body):
    """A table that is too wide for a page, as a list."""
    result = []
    for first, second, *rest in body:
        notes = [f"{name}: {cell}" for name, cell in zip(head[2:], rest) if cell]
        text = second + (f" ({'; '.join(notes)})" if notes else "")
        result += [".TP", words(first), words(text) or "\\&"]
    return result


def blocks(lines):
    """Markdown, without its title, as lines of roff."""
    result, index = [], 0

    def taken(condition):
        nonlocal index
        start = index
        while index < len(lines) and condition(lines[index]):
            index += 1
        return lines[start:index]

    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
        elif line.startswith("```"):
            index += 1
            result += code(taken(lambda text: not text.startswith("```")))
            index += 1
        elif line.startswith("    "):
            result += code([text[4:] for text in taken(lambda t: t.startswith("    ") or not t)])
        elif line.startswith("|"):
            result += table(taken(lambda text: text.startswith("|")))
        elif heading := re.match(r"(##+) (.*)", line):
            macro = ".SH" if heading[1] == "##" else ".SS"
            result.append(f'{macro} "{words(heading[2])}"')
            index += 1
        elif item := re.match(r"(-|\d+\.) (.*)", line):
            index += 1
            rest = taken(lambda text: re.match(r"  +\S", text))
            mark = "\\(bu" if item[1] == "-" else item[1]
            result += [f".IP {mark} {2 if item[1] == '-' else 4}"]
            result.append(words(" ".join([item[2], *(text.strip() for text in rest)])))
        else:
            text = taken(lambda text: text.strip() and not re.match(r"(```|\||#|- |    )", text))
            result += [".PP", words(" ".join(text))]
    return result


def options(lines):
    """A list of --help: each name and what it is, in one or more lines."""
    result = []
    for line in lines:
        entry = re.match(r"  (\S(?:\S| (?! ))*)(?:  +(.*))?$", line)
        if entry and not line.startswith("   "):
            result += [".TP", f"\\fB{escaped(entry[1])}\\fR", words(entry[2] or "\\&")]
        elif line.strip():
            result.append(words(line.strip()))
    return result


def help_of(command):
    # As wide as its lines are long: an example that is wrapped can't be pasted.
    text = subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "1000"}).stdout
    parts = re.split(r"^(OVERVIEW|USAGE|ARGUMENTS|OPTIONS|SUBCOMMANDS): ?", text, flags=re.M)
    return {parts[i]: parts[i + 1].strip("\n") for i in range(1, len(parts), 2)}, text


def overview(text):
    """Paragraphs. Indented lines are commands or a list, and stay as they are."""
    result = []
    for paragraph in text.split("\n\n"):
        plain, commands = [], []
        for line in paragraph.split("\n"):
            if line.startswith("  "):
                commands.append(line[2:].rstrip())
            else:
                plain.append(line.strip())
        result += [".PP", words(" ".join(plain))] if plain else []
        result += code(commands) if commands else []
    return result


def of_tool(program):
    """The page of a program with subcommands, as swift-argument-parser explains them."""
    main, _ = help_of([program, "--help"])
    names = re.findall(r"^  ([a-z][a-z-]*)  ", main["SUBCOMMANDS"], flags=re.M)
    result = [".SH SYNOPSIS", "\\fBtouchroute\\fR \\fIcommand\\fR [\\fIargument\\fR ...]"]
    result += [".SH DESCRIPTION", *overview(main["OVERVIEW"]), ".SH COMMANDS"]
    commands = [[name] for name in names]
    while commands:
        command = commands.pop(0)
        page, _ = help_of([program, *command, "--help"])
        below = re.findall(r"^  ([a-z][a-z-]*)  ", page.get("SUBCOMMANDS", ""), flags=re.M)
        commands[:0] = [[*command, name] for name in below]
        result += [f'.SS "{escaped(page["USAGE"])}"', *overview(page["OVERVIEW"])]
        for part in ("ARGUMENTS", "OPTIONS"):
            lines = page.get(part, "").split("\n")
            kept, leave = [], False
            for line in lines:
                if line.startswith("  ") and not line.startswith("   "):
                    leave = bool(re.match(r"  (--version|-h, --help)", line))
                if not leave:
                    kept.append(line)
            result += options(kept)
    return result


def of_daemon(program):
    """The options of a program that explains itself as getopt's do."""
    _, text = help_of([program, "--help"])
    lines = text.split("\n")
    first = next(index for index, line in enumerate(lines) if line.startswith("  --"))
    last = lines.index("", first)
    return [".SH OPTIONS", *options(lines[first:last])]


def page(name, section, date, version, what, sources):
    lines = ["'\\\" t", f'.TH {name.upper()} {section} {date} "touchroute {version}"', ".nh", ".ad l",
             ".SH NAME", f"{name} \\- {what}"]
    for source in sources:
        if not source.endswith(".md"):
            lines += of_tool(source) if source.endswith("touchroute") else of_daemon(source)
            continue
        with open(source, encoding="utf-8") as file:
            text = file.read().split("\n")
        if text[0].startswith("# "):
            text[0] = "## DESCRIPTION"
        lines += blocks(text)
    return "\n".join(tidy(lines)) + "\n"


def tidy(lines):
    """No paragraph's beginning behind a heading, and no long lines of text."""
    result, verbatim = [], False
    for line in lines:
        if line == ".PP" and result[-1][:3] in (".SH", ".SS"):
            continue
        verbatim = line == ".EX" or (verbatim and line != ".EE")
        if verbatim or line.startswith(".") or len(line) <= 78 or "\t" in line:
            result.append(line)
            continue
        wrapped = textwrap.wrap(line, 78, break_long_words=False, break_on_hyphens=False)
        result += [re.sub(r"^([.'])", r"\\&\1", part) for part in wrapped]
    return result


if __name__ == "__main__":
    name, section, date, version, what, *sources = sys.argv[1:]
    sys.stdout.write(page(name, section, date, version, what, sources))
