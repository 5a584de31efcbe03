#!/usr/bin/env python3
"""Checks that the prose of every page is wrapped at 100 columns; with --write, wraps what is not.

usage: check_wrapped.py ROOT [--write]

Tables, headings, code and what has no space to break at stay as they are.
"""

import pathlib
import re
import sys

WIDTH = 100
SKIPPED = {"build", "node_modules", ".git"}
FENCE = re.compile(r"\s*(```|~~~)")
MARKER = re.compile(r"(\s*)((?:[-*+]|\d+[.)])\s+)?(.*)")
NO_PROSE = re.compile(r"\s*(\||#|<|>|\[[^\]]+\]:)")
# A piece of code is not broken, and a space inside one is no place to break at.
WORD = re.compile(r"(?:`[^`]*`|\S)+")
# At the start of a line these would begin a list, a heading or a quotation.
BEGINS_SOMETHING = re.compile(r"([-*+>|]|#+|\d+[.)])$")


def starts_paragraph(line):
    return bool(MARKER.match(line).group(2))


def paragraphs(lines):
    """Ranges of lines that are one paragraph of prose each."""
    at, in_code, in_list = 0, False, False
    while at < len(lines):
        line = lines[at]
        if FENCE.match(line):
            in_code = not in_code
        is_prose = line.strip() and not in_code and not FENCE.match(line) and not NO_PROSE.match(line)
        if not is_prose:
            at += 1
            continue
        in_list = starts_paragraph(line) or (in_list and line.startswith(" "))
        first, at = at, at + 1
        while (at < len(lines) and lines[at].strip() and not starts_paragraph(lines[at])
               and not FENCE.match(lines[at]) and not NO_PROSE.match(lines[at])):
            at += 1
        is_indented_code = lines[first].startswith("    ") and not in_list
        if not is_indented_code:
            yield first, at


def wrapped(paragraph):
    indent, marker, _ = MARKER.match(paragraph[0]).groups()
    rest = " " * len(indent + (marker or ""))
    text = " ".join(line.strip() for line in paragraph)
    text = text[len(marker):] if marker else text
    lines, line = [], indent + (marker or "")
    is_empty = True
    for word in WORD.findall(text):
        fits = len(line) + (0 if is_empty else 1) + len(word) <= WIDTH
        if is_empty or fits or BEGINS_SOMETHING.match(word):
            line += word if is_empty else " " + word
        else:
            lines.append(line)
            line = rest + word
        is_empty = False
    return lines + [line]


def mended(text):
    lines = text.split("\n")
    out, done = [], 0
    for first, end in paragraphs(lines):
        paragraph = lines[first:end]
        has_break = any(line.endswith(("  ", "\\")) for line in paragraph)
        if has_break or all(len(line) <= WIDTH for line in paragraph):
            continue
        out += lines[done:first] + wrapped(paragraph)
        done = end
    return "\n".join(out + lines[done:])


def pages(root):
    for path in sorted(root.rglob("*.md")):
        if not SKIPPED & set(path.relative_to(root).parts):
            yield path


def check(root, write=False):
    root = pathlib.Path(root)
    wrong = []
    for path in pages(root):
        text = path.read_text(encoding="utf-8")
        better = mended(text)
        if better == text:
            continue
        if write:
            path.write_text(better, encoding="utf-8")
            continue
        pairs = zip(text.split("\n"), better.split("\n"))
        line = next(number for number, (old, new) in enumerate(pairs, 1) if old != new)
        wrong.append(f"{path.relative_to(root)}:{line}: a line of more than {WIDTH} columns;"
                     " mend it with: tools/checks/check_wrapped.py . --write")
    return wrong


if __name__ == "__main__":
    found = check(sys.argv[1], "--write" in sys.argv[2:])
    print("\n".join(found) if found else f"every page is wrapped at {WIDTH} columns")
    sys.exit(1 if found else 0)
