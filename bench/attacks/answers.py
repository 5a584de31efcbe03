#!/usr/bin/env python3
"""Averaging, reconstruction and membership beside what others measured or theory says.

usage: answers.py [--data DIR] [--tacit PATH]; the people are invented, so no data is read.
"""

import argparse
import json
import math
import subprocess
import time

# Known figures: chance that the rounded mean is the truth; share of bits right; found at 1 % false
# alarms and AUC.
AVERAGING = {1: 0.04, 10: 0.09, 100: 0.29, 400: 0.53, 1000: 0.75, 4000: 0.97}
RECONSTRUCTION = {
    "4n": {0.1: 1.000, 0.25: 0.959, 0.33: 0.910, 0.5: 0.801, 1: 0.661, 2: 0.583},
    "2n": {0.1: 0.993, 0.25: 0.844, 0.33: 0.774, 0.5: 0.696, 1: 0.605, 2: 0.540},
}
MEMBERSHIP = {
    (100, 1000): (0.74, 0.988),
    (100, 5000): (1.0, 1.0),
    (1000, 1000): (0.11, 0.76),
    (1000, 5000): (0.41, 0.94),
    (1000, 20000): (0.985, 0.999),
}


def attack(tacit, *arguments):
    started = time.monotonic()
    run = subprocess.run(
        [tacit, "attack", *arguments, "--format", "json"], capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout), time.monotonic() - started


def averaging(tacit):
    report, seconds = attack(tacit, "averaging", "--server", "laplace", "--runs", "2000")
    print(f"\naveraging fresh Laplace noise, epsilon 0.1, 2,000 runs ({seconds:.1f} s)")
    print(f"{'answers':>10} {'here':>8} {'interval':>18} {'known':>8} {'normal limit':>13}")
    for point in report["charts"][0]["series"][0]["points"]:
        x = point["x"]
        limit = math.erf(0.5 / (math.sqrt(2) * 10 / math.sqrt(x)) / math.sqrt(2))
        if x == 1:
            limit = 1 - math.exp(-0.05)
        known = AVERAGING.get(x)
        shown = "" if known is None else f"{known:.2f}"
        interval = f"{point['low'] / 100:.3f} to {point['high'] / 100:.3f}"
        print(f"{x:>10} {point['y'] / 100:>8.3f} {interval:>18} {shown:>8} {limit:>13.3f}")


def reconstruction(tacit):
    report, seconds = attack(
        tacit, "reconstruction", "--server", "exact", "--questions", "64", "--runs", "5"
    )
    print(f"\nreconstruction of coins, noise c sqrt(n), 5 runs ({seconds:.1f} s)")
    for series in report["charts"][1]["series"]:
        kind = "4n" if "4n" in series["name"] else "2n"
        print(f"  {series['name']}")
        for point in series["points"]:
            known = RECONSTRUCTION[kind][point["x"]]
            print(f"    c = {point['x']:<5} {point['y'] / 100:.3f}   known {known:.3f}")


def membership(tacit):
    report, seconds = attack(tacit, "membership", "--worlds", "5")
    print(f"\nmembership from published means ({seconds:.1f} s): found at 1 % false alarms, AUC")
    for people, means, release, found, auc in report["tables"][0]["rows"]:
        known = MEMBERSHIP.get((people, means)) if release == "exact means" else (0.015, 0.52)
        shown = "" if known is None else f"known {known[0]:.3f} / {known[1]:.3f}"
        print(f"  n = {people:<5.0f} d = {means:<6.0f} {release:<22} {found:.3f} / {auc:.3f}   {shown}")


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("--data")
    flags.add_argument("--tacit", default="build/release/tacit")
    wish = flags.parse_args()
    averaging(wish.tacit)
    reconstruction(wish.tacit)
    membership(wish.tacit)


if __name__ == "__main__":
    main()
