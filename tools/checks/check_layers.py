#!/usr/bin/env python3
"""Checks that every file of src/ includes only what tools/layers.txt allows.

usage: check_layers.py ROOT
Also checked: an include in quotes names a file of the tree as folder/file.h, and a folder called
testing (fixed entropy and the like) is included by tests, benchmarks and fuzzers only.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def read_layers(text):
    """Returns {folder: set of folders it may include}."""
    allowed, above = {}, set()
    for line in text.splitlines():
        names, _, without = line.split("#")[0].partition("without")
        level = names.split()
        if any("/" in name for name in level):
            continue  # a rule about rooms
        for folder in level:
            if folder in allowed:
                raise ValueError(f"tools/layers.txt names {folder} twice")
            unknown = set(without.split()) - above
            if unknown:
                raise ValueError(f"tools/layers.txt: {folder} without {unknown}, which is not above it")
            allowed[folder] = (above - set(without.split())) | {folder}
        above |= set(level)
    return allowed


def read_rooms(text, root):
    """Returns {room of a folder: set of rooms it may not include}, from lines like
    `ledger/chain ledger/decide without ledger/sqlite`."""
    shut = {}
    for line in text.splitlines():
        names, _, without = line.split("#")[0].partition("without")
        if "/" not in names:
            continue
        for room in names.split() + without.split():
            if not (root / "src" / room).is_dir():
                raise ValueError(f"tools/layers.txt: there is no src/{room}")
        for room in names.split():
            shut.setdefault(room, set()).update(without.split())
    return shut


def is_test(path):
    return path.stem.endswith("_test") or "testing" in path.parts[:-1]


def check_room(path, included, shut):
    """What is wrong with an include between two rooms, or None."""
    room, target = "/".join(path.parts[1:3]), "/".join(included.split("/")[:2])
    if target in shut.get(room, ()) and not is_test(path):
        return f"{room} may not include {target} (tools/layers.txt)"
    return None


def check_include(path, included, allowed, root):
    """What is wrong with one include of one file of src/, or None."""
    folder = path.parts[1]
    target = pathlib.PurePosixPath(included)
    if not (root / "src" / target).is_file():
        return f'"{included}" is not a file of src/; write it as "folder/file.h"'
    if target.parts[0] not in allowed[folder]:
        return f"{folder} may not include {target.parts[0]} (tools/layers.txt)"
    if "testing" in target.parts[:-1] and not is_test(path):
        return f'"{included}" is for tests only'
    return None


def includes(file):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def sources(root, top):
    return sorted(p for p in (root / top).rglob("*") if p.suffix in (".h", ".cc") and p.is_file())


def check(root):
    root = pathlib.Path(root)
    layers = (root / "tools/layers.txt").read_text(encoding="utf-8")
    allowed, shut = read_layers(layers), read_rooms(layers, root)
    wrong = []
    for folder in sorted(p.name for p in (root / "src").iterdir() if p.is_dir()):
        if folder not in allowed:
            wrong.append(f"src/{folder}: not in tools/layers.txt; give it a place in the order")
    for file in sources(root, "src"):
        path = file.relative_to(root)
        if len(path.parts) < 3:
            wrong.append(f"{path}: a source of src/ belongs into a folder")
        elif path.parts[1] in allowed:
            for number, included in includes(file):
                problem = check_include(path, included, allowed, root) or check_room(path, included, shut)
                if problem:
                    wrong.append(f"{path}:{number}: {problem}")
    for file in sources(root, "apps"):
        path = file.relative_to(root)
        for number, included in includes(file):
            if "/testing/" in included and not is_test(path):
                wrong.append(f'{path}:{number}: "{included}" is for tests only')
    return wrong


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else "every include follows tools/layers.txt")
    sys.exit(1 if found else 0)
