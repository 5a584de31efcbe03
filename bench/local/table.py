"""Sets our figures, pure-ldp's and the goals in one table: table.py OURS THEIRS."""
import json
import sys

GOAL_PER_SECOND = {"krr": 20e6, "olh": 5e6}
GOAL_ESTIMATE_SECONDS = 2.0


def load(path):
    with open(path, encoding="utf-8") as file:
        return {row["mechanism"]: row for row in json.load(file)}


def figure(row, key):
    return f"{row[key]:,.0f}" if row else "-"


ours, theirs = load(sys.argv[1]), load(sys.argv[2])
print("1,000 values, epsilon 1, one core; estimates of 10,000,000 reports")
print(f"{'':6}{'reports/s':>14}{'pure-ldp':>12}{'goal':>12}   "
      f"{'estimate, s':>12}{'from text, s':>14}{'pure-ldp, s':>13}{'goal':>6}")
missed = []
for name, row in ours.items():
    other = theirs.get(name)
    goal = GOAL_PER_SECOND.get(name)
    print(f"{name:6}{row['reports_per_second']:>14,.0f}"
          f"{figure(other, 'reports_per_second'):>12}"
          f"{f'{goal:,.0f}' if goal else '-':>12}   "
          f"{row['estimate_seconds']:>12.3f}{row['from_text_seconds']:>14.3f}"
          f"{figure(other, 'estimate_seconds'):>13}"
          f"{GOAL_ESTIMATE_SECONDS:>6.1f}")
    if goal and row["reports_per_second"] < goal:
        missed.append(f"{name} makes fewer than {goal:,.0f} reports/s")
    if row["estimate_seconds"] > GOAL_ESTIMATE_SECONDS:
        missed.append(f"{name} takes more than {GOAL_ESTIMATE_SECONDS} s to estimate")
if theirs:
    timed = ", ".join(f"{name} {row['timed_reports']:,}" for name, row in theirs.items())
    print(f"pure-ldp was timed on fewer reports ({timed}) and its estimates carried on to ten million")
for miss in missed:
    print("MISSED: " + miss)
sys.exit(1 if missed else 0)
