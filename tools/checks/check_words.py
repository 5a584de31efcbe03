#!/usr/bin/env python3
"""Checks for words that do not belong where they stand, and for files too long to read.

usage: check_words.py ROOT
"""

import pathlib
import re
import sys

LINES_MAX = 500

GENERATOR = re.compile(
    r"mt19937|minstd_rand|ranlux|knuth_b|random_device|default_random_engine"
    r"|\b[dlm]rand48\b|\bs?random\s*\(|\b(std::)?s?rand\s*\("
)
FLOATING = re.compile(r"\b(double|float)\b")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|\bplaceholder\b|\bnot (yet )?implemented\b", re.I)
# A stream that lacks memory, or whose disk fails, ends as if there was no more.
STREAM = re.compile(r"std::[io]?stringstream|std::getline")
STREAM_THAT_SAYS = re.compile(r"exceptions\(std::ios::badbit\)|\.bad\(\)")
# Claims nobody can keep. `k-anonymous` is a property with a definition, and may be named.
CLAIM = re.compile(r"(?<!-)\banonymous\b|\bcompliant\b|\bzero[- ]risk\b", re.I)

COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def code_only(text):
    """The text without comments and string literals; line numbers stay."""
    return COMMENT_OR_TEXT.sub(lambda m: "\n" * m.group(0).count("\n"), text)


def matches(path, text, pattern, why):
    for number, line in enumerate(text.splitlines(), 1):
        match = pattern.search(line)
        if match:
            yield f"{path}:{number}: '{match.group(0)}': {why}"


def is_test(path):
    return path.stem.endswith("_test") or "testing" in path.parts[:-1]


def samples_noise(path):
    """True for the files whose arithmetic must be exact: all of src/noise but estimates of error."""
    return path.parts[:2] == ("src", "noise") and not re.search("error|bench", path.name)


def check_source(path, text):
    code = code_only(text)
    if len(text.splitlines()) > LINES_MAX:
        yield f"{path}: more than {LINES_MAX} lines; split it"
    yield from matches(path, text, UNFINISHED, "finish it, or leave it out")
    if is_test(path):
        return
    yield from matches(path, code, GENERATOR, "noise comes from base/secrets/entropy.h and nowhere else")
    if path.parts[0] == "src" and not STREAM_THAT_SAYS.search(code):
        yield from matches(path, code, STREAM,
                           "ends silently without memory: base/whole_file.h, or exceptions(std::ios::badbit)")
    if samples_noise(path):
        yield from matches(path, code, FLOATING, "samplers and sensitivities are exact")


def check(root):
    root = pathlib.Path(root)
    wrong = []
    for top in ("src", "apps"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in (".h", ".cc"):
                text = file.read_text(encoding="utf-8")
                wrong.extend(check_source(file.relative_to(root), text))
    for file in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        text = file.read_text(encoding="utf-8")
        wrong.extend(matches(file.relative_to(root), text, CLAIM, "a claim nobody can keep"))
    return wrong


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else "no word out of place")
    sys.exit(1 if found else 0)
