#!/usr/bin/env python3
"""Fetches the clients that Debian does not have, and the larger ones of npm, into a folder: fetch.py FOLDER.

What cannot be had is said and left out: no test of the gateway stands on a registry that answers. Each part is fetched once;
remove its folder to have it anew."""
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE_S = 1800
# Superset pins an SQLAlchemy of its own, so it lives apart. Its own list leaves two things open that it needs.
PYTHON = {"drivers": ["sqlalchemy[asyncio]==2.1.*", "psycopg[binary]", "psycopg2-binary", "asyncpg", "pandas", "polars", "pyarrow",
                      "connectorx", "adbc-driver-postgresql", "ibis-framework[postgres]", "packaging", "jinja2"],
          "superset": ["apache-superset==6.1.*", "flask-caching==2.3.1", "cachetools", "psycopg2-binary"]}
PGADMIN = "pgadmin4==9.*"


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, timeout=PATIENCE_S, **more)


def fetch_packages(folder, packages):
    run("/usr/bin/python3", "-m", "venv", folder)
    run(folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages)


def fetch_pgadmin(folder):
    """Its templates only: the program itself is not run."""
    folder.mkdir()
    run("/usr/bin/python3", "-m", "venv", folder / "venv")
    run(folder / "venv" / "bin" / "python", "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", folder, PGADMIN)
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder, [name for name in files.namelist() if "/templates/" in name and name.endswith((".sql", ".macros"))])
    wheel.unlink()


def fetch_pgx(folder):
    shutil.copytree(HERE / "pgx", folder)
    run("go", "build", "-o", "ask", ".", cwd=folder, env={**os.environ, "GOFLAGS": "-mod=mod -buildvcs=false"})


def fetch_orms(folder):
    folder.mkdir()
    shutil.copy(HERE / "orms" / "package.json", folder)
    run("npm", "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts", cwd=folder)


def main():
    root = pathlib.Path(sys.argv[1])
    root.mkdir(parents=True, exist_ok=True)
    parts = {name: lambda to, packages=packages: fetch_packages(to, packages) for name, packages in PYTHON.items()}
    parts |= {"pgadmin": fetch_pgadmin, "pgx": fetch_pgx, "orms": fetch_orms}
    for name, fetch in parts.items():
        folder = root / name
        if (folder / "complete").exists():
            continue
        shutil.rmtree(folder, ignore_errors=True)
        print(f"== fetching {name}", file=sys.stderr, flush=True)
        try:
            # In its last place from the start: the programs of a venv name their folder.
            fetch(folder)
            (folder / "complete").touch()
        except (OSError, subprocess.SubprocessError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            why = (getattr(error, "stderr", "") or str(error)).strip().splitlines() or ["?"]
            print(f"== {name} cannot be had here, and is left out: {why[-1]}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
