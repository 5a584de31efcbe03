#!/usr/bin/python3
"""Tests beside a Trino cluster of their own: a coordinator and two workers on loopback.
usage: with_trino.py CACHE TEST_PROGRAM TACIT ROOT

The server is fetched from the Maven registry once, into CACHE. Where that cannot be reached it says
so and is skipped (code 77), unless CI=true."""
import os
import pathlib
import subprocess
import sys
import time

import trino_cluster

HERE = pathlib.Path(__file__).resolve().parent


def run(cluster, program, tacit, root):
    """The example first: the last test kills a worker, and with it half of every table."""
    environment = {**os.environ, "TACIT_TRINO_URL": cluster.url,
                   "TACIT_TRINO_HTTPS_URL": cluster.https_url,
                   "TACIT_TRINO_CERTIFICATE": cluster.certificate,
                   "TACIT_TRINO_PASSWORD": trino_cluster.PASSWORD,
                   "TACIT_TRINO_WORKERS": " ".join(
                       str(process.pid) for name, process in cluster.nodes.items()
                       if name != "coordinator")}
    for command in ([sys.executable, "-B", str(HERE / "trino_example_test.py"), tacit, root],
                    [program]):
        code = subprocess.run(command, env=environment, check=False).returncode
        if code != 0:
            return code
    return 0


def main():
    cache, program, tacit, root = sys.argv[1:]
    begun = time.monotonic()
    try:
        cluster = trino_cluster.Cluster(cache)
    except trino_cluster.CannotBeHad as why:
        print(f"Trino cannot be had here, so that nothing was tested with it: {why}")
        return 1 if os.environ.get("CI") == "true" else 77
    print(f"a cluster of {len(cluster.nodes)} nodes after {time.monotonic() - begun:.0f} s", flush=True)
    try:
        code = run(cluster, program, tacit, root)
        if code != 0:
            print(f"---- the coordinator's log\n{cluster.log('coordinator')[-3000:]}")
        return code
    finally:
        cluster.stop()


if __name__ == "__main__":
    sys.exit(main())
