"""smartnoise-sql on a count and a sum over a million people, beside the same SQL in SQLite.

For a pandas frame smartnoise-sql rewrites the SQL and runs it in SQLite, into which it copies the frame each time."""
import sqlite3
import time

import numpy
import pandas
from snsql import Privacy, from_connection

ROWS = 1_000_000
META = {"": {"main": {"people": {
    "row_privacy": False, "rows": ROWS,
    "pid": {"type": "int", "private_id": True},
    "age": {"type": "int", "lower": 0, "upper": 120},
    "town": {"type": "int"},
    "income": {"type": "float", "lower": 0, "upper": 200000}}}}}


def best(work, times=3):
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return 1e3 * min(taken)


def main():
    numbers = numpy.random.default_rng(1)
    frame = pandas.DataFrame({
        "pid": numbers.permutation(ROWS), "age": numbers.integers(0, 100, ROWS),
        "town": numbers.integers(0, 50, ROWS), "income": numbers.integers(0, 9_000_000, ROWS) / 100})
    private = from_connection(frame, privacy=Privacy(epsilon=0.1, delta=1e-9), metadata=META)
    plain = sqlite3.connect(":memory:")
    frame.to_sql("people", plain, index=False)
    print(f"smartnoise-sql, {ROWS} rows, a pandas frame, fastest of 3:\n")
    print("| query | SQLite, ms | smartnoise-sql, ms | ratio |\n| --- | --- | --- | --- |")
    for name, sql in [("count", "SELECT COUNT(*) AS n FROM main.people"),
                      ("sum", "SELECT SUM(income) AS s FROM main.people")]:
        bare = best(lambda: plain.execute(sql.replace("main.people", "people")).fetchall())
        noisy = best(lambda: private.execute(sql))
        print(f"| {name} | {bare:.0f} | {noisy:.0f} | {noisy / bare:.1f} |", flush=True)


if __name__ == "__main__":
    main()
