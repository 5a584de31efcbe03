#!/usr/bin/env python3
"""Checks that proofs and the code that they are about know each other.

usage: check_proofs.py ROOT
Above a function or a class that a proof is about stands a comment `// proof: folder/page.md#section`,
the page as an include would name it and the section as a link would: its heading, or the words in
bold that a paragraph begins with, in small letters, hyphens for blanks. The page names what it is about in a paragraph that begins with **Code.** Every
page of src/ has such a paragraph, what it names has the comment, and what has the comment is named.
"""

import pathlib
import re
import sys

from cpp_outline import outline

LINK = re.compile(r"^\s*//.*?\bproof: (\S+?)\.?$")
CODE = re.compile(r"^\*\*Code\.\*\*(.*?)(?:\n\s*\n|\Z)", re.M | re.S)
HEADING = re.compile(r"#+ (.*)|\*\*([^*]+)\*\*")
NAME = re.compile(r"`((?:\w+::)*\w+)`")
# Why 8: a comment may go on below the link, and a signature takes some lines to come to its name.
LINES_BETWEEN_MAX = 8


def anchors(page):
    """The sections of a Markdown text, as links call them."""
    found = set()
    for line in page.splitlines():
        title = HEADING.match(line)
        if title:
            words = (title.group(1) or title.group(2)).strip().lower()
            found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


def named_in(page):
    return {name for code in CODE.findall(page) for name in NAME.findall(code)}


def proved(entries, line):
    """The name of what is declared below a link, or None."""
    below = [e for e in entries
             if e.kind in ("function", "type") and 0 < e.line - line <= LINES_BETWEEN_MAX]
    return min(below, key=lambda e: e.token).full if below else None


def check(root):
    root = pathlib.Path(root)
    pages = {str(p.relative_to(root / "src")): p.read_text(encoding="utf-8")
             for p in sorted((root / "src").rglob("*.md"))}
    wrong, linked = [], {}
    for file in sorted(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cc")):
        text = file.read_text(encoding="utf-8")
        lines = [(n, LINK.match(line)) for n, line in enumerate(text.splitlines(), 1)]
        links = [(n, match.group(1)) for n, match in lines if match]
        entries = outline(text)[0] if links else []
        for number, link in links:
            place = f"{file.relative_to(root)}:{number}"
            page, _, section = link.partition("#")
            name = proved(entries, number)
            if page not in pages:
                wrong.append(f"{place}: there is no src/{page}")
            elif section not in anchors(pages[page]):
                wrong.append(f"{place}: src/{page} has no section '{section}'")
            elif name is None:
                wrong.append(f"{place}: no function and no class below it")
            elif name not in named_in(pages[page]):
                wrong.append(f"{place}: **Code.** of src/{page} does not name {name}")
            else:
                linked.setdefault(page, set()).add(name)
    for page, text in pages.items():
        names = named_in(text)
        if not names:
            wrong.append(f"src/{page}: no **Code.** says what it is about")
        for name in sorted(names - linked.get(page, set())):
            wrong.append(f"src/{page}: names {name}, which has no comment `proof: {page}#...`")
    return wrong


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) if found else "proofs and code know each other")
    sys.exit(1 if found else 0)
