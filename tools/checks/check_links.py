#!/usr/bin/env python3
"""Checks that every relative link in a Markdown file leads to a file of the tree.

usage: check_links.py ROOT
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
FOLDERS = ("docs", "src", "bench", "examples", "test")


def check(root):
    root = pathlib.Path(root)
    pages = [*root.glob("*.md"), *(p for top in FOLDERS for p in (root / top).rglob("*.md"))]
    wrong = []
    for page in sorted(pages):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for link in LINK.findall(line):
                target = link.split("#")[0]
                if target and "://" not in target and not (page.parent / target).exists():
                    wrong.append(f"{page.relative_to(root)}:{number}: there is no {link}")
    return wrong


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else "every link leads somewhere")
    sys.exit(1 if found else 0)
