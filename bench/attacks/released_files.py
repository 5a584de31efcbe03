"""The attacks on released files, and how long coarsening takes: released_files.py [--data DIR]

DIR (or TACIT_DATA) holds arx_adult_30162.csv, adult_48842.csv and sdnist_national2019.csv; what is not
there is said and left out. Figures to compare with are the published ones and a rough run of others.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

BUILD = pathlib.Path(__file__).resolve().parents[2] / "build" / "release"
TACIT = BUILD / "tacit"
ADULT_QI = "age,workclass,education,marital-status,race,sex,native-country"
ALL_NINE = "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class"


def attack(*arguments):
    done = subprocess.run([TACIT, "attack", *map(str, arguments), "--format", "json"], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def cells(report, table=0):
    return report["tables"][table]["rows"]


def timed(*arguments, runs=5):
    """The fastest wall time of a whole command, and its processor time, in milliseconds."""
    wall, processor = [], []
    for _ in range(runs):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([*map(str, arguments)], check=True, capture_output=True)
        wall.append(1000 * (time.perf_counter() - started))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return min(wall), min(processor)


def speed(adult, scratch):
    print("\nHow long coarsening takes (wanted: Adult under 50 ms, 1.2 million rows under 5 s)")
    people = scratch / "people.csv"
    subprocess.run([BUILD / "mondrian_bench", "--invent", "1200000", people], check=True)
    nine = "age,sex,marital,race,birthplace,education,occupation,income,hours"
    for path, qi, runs in ((adult, ALL_NINE, 20), (people, nine, 2)):
        if path is None:
            continue
        subprocess.run([BUILD / "mondrian_bench", path, "5", str(runs)], check=True)
        wall, processor = timed(TACIT, "anonymize", path, "--qi", qi, "--k", 5, "--out",
                                scratch / "out.csv", runs=min(runs, 10))
        print(f"  the whole command, files included: {wall:.0f} ms ({processor:.0f} ms of processor)")


def intersection(adult):
    print("\nIntersection on Adult: two subsets of 17,581 sharing 5,000, mean of 3 seeds (a rough run of others)")
    report = attack("intersection", adult, "--qi", ADULT_QI, "--sensitive", "occupation", "--k", "2,5,10",
                    "--l", "2,3,4", "--l-kind", "both", "--t", "0.5", "--overlap", 5000, "--epsilon", "0.1,1")
    others = {"k = 2": "7.4 31.2 55.9", "k = 5": "0.8 4.0 22.3", "k = 10": "0.15 0.35 3.8",
              "distinct l = 2": "0 23.6 54.6", "distinct l = 3": "0 5.7 30.9", "distinct l = 4": "0 0.7 8.2",
              "entropy l = 2": "0 13.9 42.1", "entropy l = 3": "0 1.7 11.8", "entropy l = 4": "0 0.1 1.5",
              "k = 10, t = 0.5": "0 0 <=.01"}
    print(f"  {'':<18}{'one release':>12}{'perfect':>10}{'at most 2':>11}{'average':>9}   others: one, perfect, at most 2")
    for row in cells(report):
        print(f"  {row[0]:<18}{row[2]:>12.2%}{row[3]:>10.2%}{row[4]:>11.2%}{row[8]:>9.1f}   {others.get(row[0], '')}")
    print("  the same on two private releases: epsilon of each, one value left and right, guess right with and without the rows")
    for row in cells(report, 1):
        print(f"    epsilon {row[0]}: {row[3]:.2%}, {row[4]:.2%}, {row[5]:.2%}")


def nist(path, scratch):
    print("\nIntersection on NIST national2019, people who have the sensitive value (a rough run of others: perfect breach)")
    qi = "PUMA,AGEP,SEX,MSP,HISP,RAC1P,HOUSING_TYPE,OWN_RENT,EDU"
    for sensitive, overlap, ks, others in (("INDP", 5000, "5,10,20", "12.6 1.0 .01"), ("PINCP", 250, "5,10,30", "64.2 27.1 1.4"),
                                           ("PINCP", 1600, "5,10,30", "46.0 14.5 .35")):
        with open(path, newline="") as source, open(scratch / "nist.csv", "w", newline="") as target:
            rows = csv.reader(source)
            header = next(rows)
            writer = csv.writer(target)
            writer.writerow(header)
            writer.writerows(row for row in rows if row[header.index(sensitive)] != "N")
        report = attack("intersection", scratch / "nist.csv", "--qi", qi, "--sensitive", sensitive, "--category",
                        sensitive, "--missing", "N", "--k", ks, "--overlap", overlap)
        ours = ", ".join(f"{row[0]}: {row[3]:.2%}" for row in cells(report))
        print(f"  {sensitive}, {overlap} in both: {ours}   others: {others}")


def census(scratch):
    print("\nIntersection on the census-like table: 70,000 people, 5,000 in both, mean of 3 splits, seed 1")
    for sensitive in ("occupation", "income"):
        report = attack("intersection", "--census", 70000, "--sensitive", sensitive, "--k", "5,10,30", "--overlap", 5000)
        for row in cells(report):
            print(f"  {sensitive}, {row[0]}: perfect breach {row[3]:.2%}, at most 2 left {row[4]:.2%}, average partition {row[8]:.1f}")
    print("  the study with real people: about 40 % at k = 30")
    # The widest column there can be: everybody's own number. What it gives is the most that any column can.
    people, numbered = scratch / "census.csv", scratch / "numbered.csv"
    subprocess.run([BUILD / "mondrian_bench", "--invent", "70000", people], check=True)
    with open(people, newline="") as source, open(numbered, "w", newline="") as target:
        writer = csv.writer(target)
        for number, row in enumerate(csv.reader(source)):
            writer.writerow(row + ["serial" if number == 0 else f"s{number * 7919 % 70001}"])
    report = attack("intersection", numbered, "--qi", "age,sex,marital,race,birthplace,education", "--sensitive", "serial",
                    "--k", 30, "--overlap", "250,1000,5000")
    for row in cells(report):
        print(f"  a number of one's own, {row[0]}, {row[1]:.0f} in both: perfect breach {row[3]:.2%}")


def uniqueness(path):
    print("\nUnique rows of Adult (others: 0.12 5.9 24.1 42.2 72.2 %)")
    names = ["age", "sex", "race", "marital-status", "native-country", "education", "workclass", "occupation",
             "relationship", "hours-per-week"]
    started = time.perf_counter()
    report = attack("uniqueness", path, "--qi", ",".join(names), "--up-to", len(names), "--all-sets")
    by_set = {row[3]: row[1] for row in cells(report)}
    for size in (3, 5, 7, 8, 10):
        print(f"  {size} columns: {by_set[', '.join(names[:size])]:.2%}")
    print(f"  all {len(by_set)} sets in {time.perf_counter() - started:.1f} s")


def linkage():
    print("\nLinkage in an invented town, 50,000 people, seed 1: precision, recall, guess right")
    for row in cells(attack("linkage")):
        share = lambda value: f"{value:.1%}" if isinstance(value, float) else str(value)
        print(f"  {row[0]:<52} {share(row[2]):>7} {share(row[3]):>7} {share(row[4]):>7}")
    print("Sparse records, 20,000 people x 5,000 items, one item wrong: found, wrong record, claimed though absent")
    for row in cells(attack("linkage", "--invent-ratings")):
        print(f"  {row[1]} items known, {row[0]:<30} {row[3]:>6.1%} {row[4]:>6.1%} {row[5]:>6.1%}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=os.environ.get("TACIT_DATA"))
    folder = parser.parse_args().data

    def find(name):
        path = pathlib.Path(folder) / name if folder else None
        if path is not None and path.is_file():
            return path
        print(f"{name} is not there (--data DIR or TACIT_DATA names its folder): its figures are left out")
        return None

    adult, wide, sdnist = map(find, ("arx_adult_30162.csv", "adult_48842.csv", "sdnist_national2019.csv"))
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        speed(adult, scratch)
        if adult is not None:
            intersection(adult)
        if sdnist is not None:
            nist(sdnist, scratch)
        census(scratch)
    if wide is not None:
        uniqueness(wide)
    linkage()


main()
