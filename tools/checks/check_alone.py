#!/usr/bin/env python3
"""Checks that every source compiles by itself. The builds compile several as one, where a source
could lean on what its neighbour includes or declares.

usage: check_alone.py BUILD_FOLDER
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def sources(entry):
    """The sources that a line of compile_commands.json compiles: those of a unit, or the one."""
    file = pathlib.Path(entry["file"])
    return INCLUDED.findall(file.read_text(encoding="utf-8")) if file.parent.name == "Unity" else [str(file)]


def command(entry, source):
    words = shlex.split(entry["command"])
    if pathlib.Path(words[0]).name == "ccache":
        words = words[1:]
    output = words.index("-o")
    words = [w for i, w in enumerate(words) if i not in (output, output + 1) and w != entry["file"]]
    return [*words, "-fsyntax-only", source]


def complaint(entry, source):
    # Compilers cut the lines that they show, in the middle of a letter too.
    run = subprocess.run(command(entry, source), cwd=entry["directory"], capture_output=True, encoding="utf-8",
                         errors="replace")
    if run.returncode == 0:
        return None
    errors = [line for line in run.stderr.splitlines() if "error" in line]
    return f"{source} does not compile by itself: {(errors or [run.stderr.strip()])[0]}"


def check(folder):
    entries = json.loads((pathlib.Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))
    work = [(entry, source) for entry in entries for source in sources(entry)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [text for text in pool.map(lambda one: complaint(*one), work) if text]


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else "every source compiles by itself")
    sys.exit(1 if found else 0)
