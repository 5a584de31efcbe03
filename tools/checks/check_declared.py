#!/usr/bin/env python3
"""Checks that what a header declares is defined, and that something uses it.

usage: check_declared.py ROOT
A function, a type or a constant of a header in src/ or apps/ is used when its name stands anywhere
in the tree's C++ but where it is declared and defined. Names are compared, not meanings: of two
functions with one name it is enough that one is used.
"""

import collections
import pathlib
import sys

from cpp_outline import outline

DECLARING = ("src", "apps")
USING = ("src", "apps", "test", "bench", "fuzz")
# What the language or a library calls, or asks for, by its name.
CALLED_BY_OTHERS = {"begin", "end", "size", "what", "await_ready", "await_suspend", "await_resume",
                    "PrintTo", "iterator", "const_iterator", "iterator_category", "difference_type",
                    "value_type", "pointer", "reference"}


def sources(root, tops):
    return sorted(p for top in tops for p in (root / top).rglob("*")
                  if p.suffix in (".h", ".cc") and p.is_file())


def check(root):
    root = pathlib.Path(root)
    defined, uses, declared = set(), collections.Counter(), []
    for file in sources(root, USING):
        path = file.relative_to(root)
        entries, words = outline(file.read_text(encoding="utf-8"))
        named = {entry.token for entry in entries}
        uses.update(word for i, word in enumerate(words) if i not in named)
        for entry in entries:
            uses[entry.name.split("::")[0]] -= "::" in entry.name  # Class:: of a definition
            if entry.kind == "function" and entry.is_definition:
                defined.add(entry.last)
            if path.suffix == ".h" and path.parts[0] in DECLARING and not entry.is_friend:
                declared.append((path, entry))
    wrong = []
    for path, entry in declared:
        if entry.kind == "constructor" or entry.last in CALLED_BY_OTHERS:
            continue
        if (entry.kind == "function" and entry.has_body_elsewhere and not entry.is_definition
                and entry.last not in defined):
            wrong.append(f"{path}:{entry.line}: {entry.full} is declared and defined nowhere")
        elif uses[entry.last] <= 0:
            wrong.append(f"{path}:{entry.line}: nothing uses {entry.full}")
    return wrong


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else "everything declared is defined and used")
    sys.exit(1 if found else 0)
