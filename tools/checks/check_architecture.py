#!/usr/bin/env python3
"""Checks that docs/architecture.md says of the tree what is so.

usage: check_architecture.py ROOT
Four of its tables are read. `folder of src/`: each folder of src/ has its line, and no other has
one. `beside src/`: likewise the folders of the tree itself and those of test/. `folder | rooms`:
each folder of src/ and apps/ that has folders has its line, and so has each of the others down to
their first rooms; it names all of them and no other (what stands in parentheses is for people).
Nothing is named twice in one of these. `step | function`: each function is defined in the file
named, the function of the step that calls it does call it, and it calls its steps in order. And
every page of docs/decisions is linked from the page. A folder `testing` is said to be what it is
once, for all of them.
"""

import pathlib
import re
import sys

from cpp_outline import outline

PAGE = "docs/architecture.md"
TICKED = re.compile(r"`([^`]+)`")
LINKED = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
TOPS = ("src", "apps")
SHALLOW = ("clients", "docs", "examples", "bench", "fuzz", "tools")  # and each folder of test/


def tables(text):
    """Each table of a page as (head, [(line number, cells)])."""
    found, rows = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            rows = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if rows is None:
            rows = []
            found.append((cells, rows))
        elif not set("".join(cells)) <= set("-: "):
            rows.append((number, cells))
    return found


def table_with(found, first, page):
    for head, rows in found:
        if re.sub("`", "", head[0]) == first:
            return rows
    raise ValueError(f"{page} has no table `{first}`")


def folders_in(folder):
    return {p.name for p in folder.iterdir()
            if p.is_dir() and p.name not in ("testing", "__pycache__")
            and any(f.is_file() for f in p.rglob("*"))}


def named_first(rows, named):
    """Fills {name: line} from the first cells, and says what is there twice."""
    for number, cells in rows:
        for name in TICKED.findall(cells[0]):
            if name in named:
                yield f"{PAGE}:{number}: {name} is named twice"
            named[name] = number


def check_folders(root, rows):
    there, named = folders_in(root / "src"), {}
    yield from named_first(rows, named)
    for name in sorted(there - set(named)):
        yield f"{PAGE}: src/{name} is not in the table of folders"
    for name in sorted(set(named) - there):
        yield f"{PAGE}:{named[name]}: there is no src/{name}"


def check_beside(root, rows):
    """What is hidden, or made (build), is no part of the tree."""
    there = {name for name in folders_in(root) if not name.startswith(".")} - {"src", "build"}
    if (root / "test").is_dir():
        there |= {f"test/{name}" for name in folders_in(root / "test")}
    named = {}
    yield from named_first(rows, named)
    for name in sorted(there - set(named)):
        yield f"{PAGE}: {name} is not in the table of what is beside src/"
    for name in sorted(set(named) - there):
        yield f"{PAGE}:{named[name]}: there is no {name}"


def folders_with_rooms(root):
    """(name on the page, names of its rooms), of every folder that has some and is told about."""
    deep = [p for top in TOPS for p in [root / top, *(root / top).rglob("*")]]
    shallow = [root / top for top in SHALLOW] + [p for p in (root / "test").glob("*")]
    for path in sorted(p for p in deep + shallow if p.is_dir()):
        if path != root / "src" and "testing" not in path.parts and folders_in(path):
            yield str(path.relative_to(root)).removeprefix("src/"), folders_in(path)


def check_rooms(root, rows):
    first, named = {}, {}
    yield from named_first(rows, first)
    for number, cells in rows:
        rooms = set(TICKED.findall(re.sub(r"\([^()]*\)", "", cells[1])))
        for folder in TICKED.findall(cells[0]):
            named[folder] = (number, rooms)
    for name, there in folders_with_rooms(root):
        number, rooms = named.pop(name, (0, set()))
        if number == 0:
            yield f"{PAGE}: the rooms of {name} are not in the table"
            continue
        for room in sorted(there - rooms):
            yield f"{PAGE}:{number}: {name}/{room} is not named"
        for room in sorted(rooms - there):
            yield f"{PAGE}:{number}: there is no {name}/{room}"
    for name, (number, _) in named.items():
        yield f"{PAGE}:{number}: {name} is no folder with rooms"


def read_steps(root, rows):
    """{step: (line, function, words of its body or None, step that calls it)}"""
    steps = {}
    for number, cells in rows:
        function = TICKED.findall(cells[1])[0]
        file = (root / "docs" / LINKED.search(cells[2]).group(2)).resolve()
        body = None
        if file.is_file():
            entries, words = outline(file.read_text(encoding="utf-8"))
            bodies = [words[e.body[0]:e.body[1]] for e in entries if e.body and e.full == function]
            body = sum(bodies, []) if bodies else None
        steps[cells[0]] = (number, function, body, cells[3])
    return steps


def check_walk(root, rows):
    steps, last = read_steps(root, rows), {}
    for step, (number, function, body, caller) in steps.items():
        place = f"{PAGE}:{number}: step {step}"
        if body is None:
            yield f"{place}: {function} is not defined there"
        if caller in ("", "-"):
            continue
        if caller not in steps:
            yield f"{place}: there is no step {caller}"
            continue
        calls = steps[caller][2] or []
        name = function.split("::")[-1]
        if name not in calls:
            yield f"{place}: {steps[caller][1]} does not call {function}"
        elif calls.index(name) < last.get(caller, 0):
            yield f"{place}: {steps[caller][1]} calls {function} earlier than the steps above it"
        else:
            last[caller] = calls.index(name)


def check_decisions(root, text):
    linked = {target for _, target in LINKED.findall(text)}
    for page in sorted((root / "docs/decisions").glob("*.md")):
        if f"decisions/{page.name}" not in linked:
            yield f"{PAGE}: docs/decisions/{page.name} is linked nowhere"


def check(root):
    root = pathlib.Path(root).resolve()
    text = (root / PAGE).read_text(encoding="utf-8")
    found = tables(text)
    return [*check_folders(root, table_with(found, "folder of src/", PAGE)),
            *check_beside(root, table_with(found, "beside src/", PAGE)),
            *check_rooms(root, table_with(found, "folder", PAGE)),
            *check_walk(root, table_with(found, "step", PAGE)),
            *check_decisions(root, text)]


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else f"{PAGE} says what is so")
    sys.exit(1 if found else 0)
