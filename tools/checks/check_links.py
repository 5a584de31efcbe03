#!/usr/bin/env python3
"""Checks that what pages and comments point to is there.

usage: check_links.py ROOT
Every relative link in a Markdown file leads to a file of the tree. And every file that a page or a
comment of a source names with its folder (functions/finite.cc) is in a folder of that name;
folder/... stands for any.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
FOLDERS = ("docs", "src", "apps", "bench", "examples", "fuzz", "test", "tools", "clients")
NAMED = re.compile(r"(?<![\w./-])(?:\.\./)*((?:[a-z0-9_]+/)+[a-z0-9_]+\.(?:h|cc|md))\b")
COMMENT = re.compile(r"(?:^|\s)//(.*)")


def tree(root):
    return [*root.glob("*.*"), *(p for top in FOLDERS for p in (root / top).rglob("*") if p.is_file())]


def check_page(page, root, text):
    for number, line in enumerate(text.splitlines(), 1):
        for link in LINK.findall(line):
            target = link.split("#")[0]
            if target and "://" not in target and not (page.parent / target).exists():
                yield f"{page.relative_to(root)}:{number}: there is no {link}"


def check_names(file, root, text, ends):
    for number, line in enumerate(text.splitlines(), 1):
        said = LINK.sub("", line) if file.suffix == ".md" else "".join(COMMENT.findall(line))
        for name in NAMED.findall(said):
            if not name.startswith("folder/") and name not in ends:
                yield f"{file.relative_to(root)}:{number}: there is no {name}"


def check(root):
    root = pathlib.Path(root)
    files = tree(root)
    ends = set()
    for file in files:
        parts = file.relative_to(root).parts
        ends |= {"/".join(parts[i:]) for i in range(len(parts))}
    wrong = []
    for file in sorted(files):
        if file.suffix not in (".md", ".h", ".cc"):
            continue
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".md":
            wrong.extend(check_page(file, root, text))
        wrong.extend(check_names(file, root, text, ends))
    return wrong


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else "every link and every name leads somewhere")
    sys.exit(1 if found else 0)
