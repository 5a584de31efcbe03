#!/usr/bin/env python3
"""One of the outside clients against the sample clinic, served: run.py TACIT FOLDER PART. Exit code 77: it is not here."""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "e2e"))
from clinic import Clinic  # noqa: E402
from gateway import PASSWORDS  # noqa: E402

tacit, root, part = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
ABSENT = 77


def command():
    """What asks, or None where it was not fetched. The pages of pgAdmin are filled in by the drivers' python."""
    drivers = root / "drivers" / "bin" / "python"
    if part == "pgx":
        return [root / "pgx" / "ask"]
    if part == "orms":
        return ["node", HERE / "orms" / "orms_test.js"]
    if part == "pgadmin":
        return [drivers, HERE / "pgadmin_test.py", root / "pgadmin"]
    return [root / part / "bin" / "python", HERE / f"{part}_test.py"]


wanted = {part, "drivers"} if part == "pgadmin" else {part}
if missing := [name for name in sorted(wanted) if not (root / name / "complete").exists()]:
    print(f"{', '.join(missing)}: not here; ./scripts/test --clients fetches them where a registry can be reached")
    sys.exit(ABSENT)
with Clinic(tacit) as clinic:
    words = {"TACIT_DSN": clinic.dsn("ana"), "TACIT_PORT": str(clinic.port), "TACIT_PASSWORD": PASSWORDS["ana"],
             "TACIT_ROOT_CERTIFICATE": str(clinic.folder / "server.crt"), "NODE_PATH": str(root / "orms" / "node_modules")}
    asking = [str(word) for word in command()] + ([clinic.dsn("ana")] if part == "pgx" else [])
    sys.exit(subprocess.run(asking, env={**os.environ, **words}, timeout=900).returncode)
