#!/usr/bin/python3
"""Runs a program beside a PostgreSQL server of its own, which it finds by the usual variables."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "catalog"))
import postgres  # noqa: E402

PORT = postgres.free_port()
CLUSTER = postgres.Cluster(port=PORT)
try:
    ENVIRONMENT = {**os.environ, "PGHOST": CLUSTER.folder, "PGPORT": str(PORT), "PGUSER": "tacit",
                   "PGDATABASE": "clinic", "TACIT_PG_DATA": f"{CLUSTER.folder}/data"}
    sys.exit(subprocess.run(sys.argv[1:], env=ENVIRONMENT, check=False).returncode)
finally:
    CLUSTER.stop()
