"""bench/synth/table.py [--data DIR] [--seeds N] [--first S] [--only PARTS] [--peers PYTHON]: runs synth_bench and prints its figures.

Seeds start at 5000 unless named: none below it was used while settings were chosen.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys

BENCH = "build/release/synth_bench"

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


def nist(path, arguments):
    print("NIST national2019, ten columns, delta 1/n^2, add_remove, k-marginal over all pairs")
    print(f"{'epsilon':>8} {'score':>8} {'wanted':>8} {'':8} {'seconds':>8}  range; published")
    for epsilon, wanted, published in NIST:
        rows = run("nist", path, "--epsilon", epsilon, "--seeds", arguments.seeds, "--first", arguments.first)
        score = mean(rows, "k2")
        print(f"{epsilon:>8} {score:8.1f} {wanted:8.1f} {verdict(score >= wanted):8} {mean(rows, 'seconds'):8.2f}  "
              f"{spread(rows, 'k2')}{'; ' + published if published else ''}", flush=True)


def adult(folder, arguments):
    print("\nAdult, 13 attributes, all 286 three-way tables, epsilon 1, delta 1/n^2, 4 triples measured")
    print(f"{'':12} {'max':>8} {'mean':>9} {'TV':>8} {'seconds':>8}  wanted: max, mean, TV")
    for neighbours, largest, average, variation in ADULT:
        rows = run("adult", folder / "adult_gem_48842_coded.csv", "--domain", folder / "adult_gem_domain.json",
                   "--workload", "triples", "--neighbours", neighbours, "--seeds", arguments.seeds, "--first",
                   arguments.first)
        got = [mean(rows, key) for key in ("max3", "mean3", "tv3")]
        words = [verdict(g <= w) for g, w in zip(got, (largest, average, variation))]
        print(f"{neighbours:12} {got[0]:8.4f} {got[1]:9.2e} {got[2]:8.4f} {mean(rows, 'seconds'):8.2f}  "
              f"{largest}, {average}, {variation}: {', '.join(words)}", flush=True)


def large(arguments):
    print("\nlarge tables, invented: twelve values a column, epsilon 1 (the mechanism alone, without the engine)")
    print(f"{'rows x columns':>16} {'seconds':>8} {'k-marginal':>10}  wanted")
    wanted = {"500000x20": "", "1000000x20": "60 s, and twice the line before at most", "100000x100": "300 s"}
    for size, words in wanted.items():
        rows = run("large", size, "--seeds", 1, "--first", arguments.first)
        print(f"{size:>16} {mean(rows, 'seconds'):8.1f} {mean(rows, 'k2'):10.1f}  {words}", flush=True)


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
    parser.add_argument("--first", type=int, default=5000)
    parser.add_argument("--peers", default="", help="a python that can import snsynth")
    parser.add_argument("--only", default="nist,adult,large,peers")
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
    if "peers" in parts:
        peers(folder, arguments)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\nlargest memory of a run: {largest:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
