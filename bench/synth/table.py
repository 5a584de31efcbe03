"""bench/synth/table.py [--data DIR] [--seeds N] [--first S] [--only PARTS] [--peers PYTHON]: runs synth_bench and prints its figures.

Seconds are elapsed, and "cpu s" of the processor, over all threads: that does not depend on what else the machine does.
Seeds start at 9100 unless named: none of these was used, or looked at, while settings were chosen.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

BENCH = "build/release/synth_bench"
TACIT = "build/release/tacit"

# epsilon, k-marginal wanted, what others published
NIST = [
    ("1", 983.0, "AIM 976, MST 958 (each with .7 left after preprocessing), independent 913.5"),
    ("0.7", 979.0, ""),
    ("0.3", 963.0, ""),
    ("0.1", 913.5, "more than independent columns"),
    ("10", 995.5, ""),
]
# neighbours, wanted max, mean and total variation
ADULT = [("add_remove", 0.0073, 6.3e-5, 0.0345), ("replace_one", 0.0077, 7.4e-5, 0.0407)]


def run(*words):
    done = subprocess.run([BENCH, *map(str, words)], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def mean(rows, key):
    return sum(row[key] for row in rows) / len(rows)


def spread(rows, key):
    return f"{min(row[key] for row in rows):.4g} to {max(row[key] for row in rows):.4g}"


def verdict(good):
    return "reached" if good else "missed"


def longest(rows, wanted):
    """The longest run, and whether it is within the seconds wanted."""
    seconds = max(row["seconds"] for row in rows)
    return f"{seconds:8.2f} ({wanted} s: {verdict(seconds <= wanted)})"


def nist(path, arguments):
    print("NIST national2019, ten columns, delta 1/n^2, add_remove, k-marginal over all pairs")
    print(f"{'epsilon':>8} {'score':>8} {'wanted':>8} {'':8} {'cpu s':>8} {'seconds':>8} {'longest':>8}  range; published")
    for epsilon, wanted, published in NIST:
        rows = run("nist", path, "--epsilon", epsilon, "--seeds", arguments.seeds, "--first", arguments.first)
        score = mean(rows, "k2")
        print(f"{epsilon:>8} {score:8.1f} {wanted:8.1f} {verdict(score >= wanted):8} {mean(rows, 'cpu'):8.2f} {mean(rows, 'seconds'):8.2f} "
              f"{longest(rows, 3)}  {spread(rows, 'k2')}{'; ' + published if published else ''}", flush=True)


def adult(folder, arguments):
    print("\nAdult, 13 attributes, all 286 three-way tables, epsilon 1, delta 1/n^2, 6 triples measured")
    print(f"{'':12} {'max':>8} {'mean':>9} {'TV':>8} {'cpu s':>8} {'seconds':>8} {'longest':>8}  wanted: max, mean, TV")
    for neighbours, largest, average, variation in ADULT:
        rows = run("adult", folder / "adult_gem_48842_coded.csv", "--domain", folder / "adult_gem_domain.json",
                   "--workload", "triples", "--neighbours", neighbours, "--seeds", arguments.seeds, "--first",
                   arguments.first)
        got = [mean(rows, key) for key in ("max3", "mean3", "tv3")]
        words = [verdict(g <= w) for g, w in zip(got, (largest, average, variation))]
        print(f"{neighbours:12} {got[0]:8.4f} {got[1]:9.2e} {got[2]:8.4f} {mean(rows, 'cpu'):8.2f} {mean(rows, 'seconds'):8.2f} {longest(rows, 5)}  "
              f"{largest}, {average}, {variation}: {', '.join(words)}", flush=True)


LARGE_POLICY = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 1, delta: 1e-9}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-10}
tables:
  t:
    unit: id
    rows_per_unit: 1
    columns:
      id: {hidden: true}
"""
# rows x columns, seconds wanted
LARGE = [("500000x20", None), ("1000000x20", 60), ("100000x100", 300)]


def large(arguments):
    print("\nlarge tables, invented: every fifth column a number below 100, the others of twelve values; epsilon 1")
    print("the mechanism alone, without the engine; pairs of columns that were counted")
    print(f"{'rows x columns':>16} {'cpu s':>8} {'seconds':>8} {'pairs':>6} {'own estimate of the error':>26}  wanted")
    before = None
    for size, wanted in LARGE:
        row = run("large", size, "--seeds", 1, "--first", arguments.first)[0]
        words = "" if wanted is None else f"{wanted} s: {verdict(row['seconds'] <= wanted)}"
        if size == "1000000x20":
            ratio = row["seconds"] / before
            words += f"; {ratio:.2f} times the half, at most 2: {verdict(ratio <= 2)}"
        before = row["seconds"]
        print(f"{size:>16} {row['cpu']:8.1f} {row['seconds']:8.1f} {row['pairs']:6} {row['error']:26.4f}  {words}", flush=True)


def command(arguments):
    """tacit synth on the same tables: with the engine, the ledger and the file."""
    print("\nthe same by tacit synth, from the question to the file")
    print(f"{'rows x columns':>16} {'cpu s':>8} {'seconds':>8} {'MB':>6}  wanted: seconds, 2,000 MB")
    for size, wanted in LARGE[1:]:
        with tempfile.TemporaryDirectory() as name:
            scratch = pathlib.Path(name)
            subprocess.run([BENCH, "write", size, scratch / "t.csv"], check=True)
            subprocess.run([TACIT, "init", scratch / "d", "--table", f"t={scratch / 't.csv'}"], check=True,
                           capture_output=True)
            columns = int(size.split("x")[1])
            lists = [f"      c{c}: {{bounds: [0, 99]}}" if c % 5 == 0 else f"      c{c}: {{keys: {list(range(12))}}}"
                     for c in range(columns)]
            (scratch / "d" / "tacit.yaml").write_text(LARGE_POLICY + "\n".join(lists) + "\n")
            (scratch / "t.csv").unlink()
            start = time.monotonic()
            child = subprocess.Popen([TACIT, "synth", scratch / "d", "t", "--epsilon", "1", "--out", scratch / "out.csv"],
                                     stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            took = time.monotonic() - start
            good = os.waitstatus_to_exitcode(status) == 0 and (scratch / "out.csv").stat().st_size > 0
            ran = usage.ru_utime + usage.ru_stime
            megabytes = usage.ru_maxrss / 1024
            words = [] if wanted is None else [verdict(good and took <= wanted)]
            words.append(verdict(good and megabytes <= 2000))
            print(f"{size:>16} {ran:8.1f} {took:8.1f} {megabytes:6.0f}  {', '.join(words)}", flush=True)


def peers(folder, arguments):
    if not arguments.peers:
        print("\nother programs: not asked for (--peers PYTHON, one that has smartnoise-synth)")
        return
    print("\nother programs on NIST's ten columns, epsilon 1", flush=True)
    subprocess.run([arguments.peers, "-B", "bench/synth/peers.py", str(folder / "sdnist_national2019.csv")], check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=os.environ.get("TACIT_DATA", ""))
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--first", type=int, default=9100)
    parser.add_argument("--peers", default="", help="a python that can import snsynth")
    parser.add_argument("--only", default="nist,adult,large,command,peers")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.data)
    wanted = ["sdnist_national2019.csv", "adult_gem_48842_coded.csv", "adult_gem_domain.json"]
    missing = [name for name in wanted if not arguments.data or not (folder / name).is_file()]
    if missing:
        print(f"bench synth needs --data DIR (or TACIT_DATA) with: {', '.join(missing)}", file=sys.stderr)
        return 0 if not arguments.data else 2
    parts = arguments.only.split(",")
    if "nist" in parts:
        nist(folder / wanted[0], arguments)
    if "adult" in parts:
        adult(folder, arguments)
    if "large" in parts:
        large(arguments)
    if "command" in parts:
        command(arguments)
    if "peers" in parts:
        peers(folder, arguments)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\nlargest memory of a run: {largest:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
