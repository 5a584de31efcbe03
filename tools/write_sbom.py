#!/usr/bin/env python3
"""What a built program consists of, as CycloneDX 1.5: the Debian packages of the libraries that it loads,
and DuckDB by the hash of the file that is shipped.
usage: write_sbom.py PROGRAM VERSION [--duckdb FILE] [--depends]
--depends prints instead the Depends: line of a package. Needs readelf, ldd and dpkg."""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

# Loaded when they are first needed, so that the program does not name them itself (base/late_library.h).
LATE = {"libpq.so.5": "a ledger in PostgreSQL, and attacks on a server over the network", "libcurl.so.4": "tables that a Trino cluster reads", "libClp.so.1": "the reconstruction attack"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(file):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", str(file)))


def found(file):
    """{library: path} of everything that the loader would load."""
    return dict(re.findall(r"^\s*(\S+) => (\S+) \(", run("ldd", str(file)), re.MULTILINE))


def package_of(path):
    """The package that owns a library: on a system whose /lib is in /usr it may be filed under either."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr"), path, path.removeprefix("/usr")):
        owner = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if owner.returncode == 0:
            return owner.stdout.split(": ")[0].split(",")[0].strip()
    sys.exit(f"ERROR:  no package holds {path}\nHINT:  build with Debian's libraries, or ship it beside the program")


def facts(package):
    name, version, source, architecture = run(
        "dpkg-query", "-W", "-f", "${Package}\t${Version}\t${source:Package}\t${Architecture}", package).split("\t")
    return {"name": name, "version": version, "source": source, "architecture": architecture}


def licences(package):
    copyright_file = pathlib.Path("/usr/share/doc") / package / "copyright"
    if not copyright_file.exists():
        return []
    names = re.findall(r"^License: *(\S.*)$", copyright_file.read_text(errors="replace"), re.MULTILINE)
    return sorted(set(name.strip() for name in names))


def late_packages():
    listed = run("/sbin/ldconfig", "-p")
    for library in LATE:
        place = re.search(rf"{re.escape(library)} .*=> (\S+)", listed)
        if place:
            yield facts(package_of(place.group(1)))["name"]


def component(fact, direct):
    return {"type": "library", "bom-ref": f"{fact['name']}@{fact['version']}", "name": fact["name"], "version": fact["version"],
            "purl": f"pkg:deb/debian/{fact['name']}@{fact['version']}?arch={fact['architecture']}",
            "licenses": [{"license": {"name": name}} for name in licences(fact["name"])],
            "properties": [{"name": "tacit:source-package", "value": fact["source"]}, {"name": "tacit:linked", "value": "directly" if direct else "through another"}]}


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("program")
    reader.add_argument("version")
    reader.add_argument("--duckdb")
    reader.add_argument("--depends", action="store_true")
    args = reader.parse_args()
    paths = found(args.program)
    if args.duckdb:
        paths |= {name: path for name, path in found(args.duckdb).items() if name not in paths}
    direct = set(needed(args.program)) | set(needed(args.duckdb) if args.duckdb else [])
    packages = {}
    for library, path in sorted(paths.items()):
        fact = facts(package_of(path))
        known = packages.setdefault(fact["name"], (fact, False))
        packages[fact["name"]] = (fact, known[1] or library in direct)
    if args.depends:
        # At least the version that it was built and tested with, without what Debian added to it.
        print("Depends: " + ", ".join(f"{name} (>= {re.sub('[-+~][^-]*$', '', fact['version'])})" for name, (fact, is_direct) in sorted(packages.items()) if is_direct))
        print("Recommends: " + ", ".join(sorted(set(late_packages()))))
        return
    components = [component(fact, is_direct) for fact, is_direct in (packages[name] for name in sorted(packages))]
    if args.duckdb:
        digest = hashlib.sha256(pathlib.Path(args.duckdb).read_bytes()).hexdigest()
        pins = (pathlib.Path(__file__).parent / "duckdb.pins").read_text()
        package = re.search(rf"^{os.uname().machine}\s+library\s+(\S+)@(\S+)", pins, re.MULTILINE)
        components.append({"type": "library", "bom-ref": "duckdb", "name": "duckdb", "version": package.group(2).split("-")[0], "purl": f"pkg:npm/{package.group(1).replace('@', '%40')}@{package.group(2)}",
                           "licenses": [{"license": {"id": "MIT"}}], "hashes": [{"alg": "SHA-256", "content": digest}]})
    own = hashlib.sha256(pathlib.Path(args.program).read_bytes()).hexdigest()
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
           "metadata": {"component": {"type": "application", "bom-ref": "tacit", "name": "tacit", "version": args.version, "licenses": [{"license": {"id": "Apache-2.0"}}],
                                      "hashes": [{"alg": "SHA-256", "content": own}]}},
           "components": components,
           "dependencies": [{"ref": "tacit", "dependsOn": [c["bom-ref"] for c in components]}]}
    json.dump(bom, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
