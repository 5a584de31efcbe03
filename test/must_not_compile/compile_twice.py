#!/usr/bin/env python3
"""Compiles a file as it stands, which must work, and with -DWRONG, which must not.

usage: compile_twice.py FILE COMPILER FLAG...
The file's first line is `// WRONG: <regular expression>`: what the compiler has to complain about.
"""

import os
import re
import subprocess
import sys
import tempfile


def compile_once(command, file, *flags):
    # English, whatever the user's language: the expected message is matched against it.
    return subprocess.run([*command, *flags, "-fsyntax-only", file], stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "LC_ALL": "C"}, check=False)


def verdict(file, command):
    """What is wrong with the file, or None."""
    with open(file, encoding="utf-8") as source:
        expected = re.match(r"// WRONG: (.+)", source.readline())
    if not expected:
        return "the first line does not say what is WRONG"
    right = compile_once(command, file)
    if right.returncode != 0:
        return "the right half does not compile:\n" + right.stderr
    wrong = compile_once(command, file, "-DWRONG")
    if wrong.returncode == 0:
        return "the wrong half compiles"
    errors = "\n".join(line for line in wrong.stderr.splitlines() if "error:" in line)
    if not re.search(expected.group(1), errors):
        return f"it fails for another reason than '{expected.group(1)}':\n{wrong.stderr}"
    return None


def self_test(command):
    """The driver must find each way in which a file can be no test."""
    def of(text):
        with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
            file.write(text)
            file.flush()
            return verdict(file.name, command)

    bad = "#ifdef WRONG\nint x = undeclared;\n#endif\n"
    assert of("// WRONG: undeclared\n" + bad) is None
    assert "first line" in of(bad)
    assert "another reason" in of("// WRONG: is private\n" + bad)
    assert "right half" in of("// WRONG: undeclared\nint y = undeclared;\n" + bad)
    assert "wrong half" in of("// WRONG: undeclared\nint x = 1;\n")


if __name__ == "__main__":
    if sys.argv[1] == "--self-test":
        self_test(sys.argv[2:])
        sys.exit(0)
    problem = verdict(sys.argv[1], sys.argv[2:])
    if problem:
        print(f"{sys.argv[1]}: {problem}")
    sys.exit(1 if problem else 0)
