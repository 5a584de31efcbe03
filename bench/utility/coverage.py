"""How often the truth is within the margins that answers claim: every aggregate, by education, under both accountings."""
import collections
import json
import math
import pathlib
import statistics
import tempfile

import beside_peers

# At the lower price a count's margin is 30 steps under pure accounting: more than 20, so that whole numbers hardly round it
# up. Moments of small groups are lost in noise there, and are not at the higher one.
PRICES = (0.1, 1)
SHARE = "100.0 * count(*) FILTER (WHERE income = '>50K') / count(*)"


def deviation(values):
    return math.sqrt(variance(values))


def variance(values):
    mean = statistics.fmean(values)
    return statistics.fmean((value - mean) ** 2 for value in values)


def covariance(people):
    ages, hours = [one.age for one in people], [one.hours for one in people]
    return statistics.fmean(a * h for a, h in zip(ages, hours)) - statistics.fmean(ages) * statistics.fmean(hours)


def quantile(values, q):
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


ages, hours = (lambda people: [one.age for one in people]), (lambda people: [one.hours for one in people])
AGGREGATES = {
    "count(*)": len,
    "sum(hours)": lambda people: sum(hours(people)),
    "avg(hours)": lambda people: statistics.fmean(hours(people)),
    "var_pop(age)": lambda people: variance(ages(people)),
    "var_samp(age)": lambda people: statistics.variance(ages(people)),
    "stddev_pop(age)": lambda people: deviation(ages(people)),
    "stddev_samp(age)": lambda people: statistics.stdev(ages(people)),
    "covar_pop(age, hours)": covariance,
    "corr(age, hours)": lambda people: covariance(people) / deviation(ages(people)) / deviation(hours(people)),
    "regr_slope(hours, age)": lambda people: covariance(people) / variance(ages(people)),
    SHARE: lambda people: 100 * statistics.fmean(one.rich for one in people),
    "avg(hours) / avg(age)": lambda people: statistics.fmean(hours(people)) / statistics.fmean(ages(people)),
    "avg(age) - avg(hours)": lambda people: statistics.fmean(ages(people)) - statistics.fmean(hours(people)),
    "percentile_disc(0.5) WITHIN GROUP (ORDER BY weight)":
        lambda people: quantile([one.weight for one in people], 0.5),
    "percentile_disc(0.9) WITHIN GROUP (ORDER BY weight)":
        lambda people: quantile([one.weight for one in people], 0.9),
}
Person = collections.namedtuple("Person", "rich age hours weight")


def by_education(rows):
    groups = collections.defaultdict(list)
    for income, education, _, age, worked, weight in rows:
        groups[education].append(Person(income == ">50K", int(age), int(worked), int(weight)))
    return groups


def within(program, where, aggregate, truth, epsilon, questions):
    """How many numbers were within their margins, of how many; of those without a margin none is counted."""
    held, said, shown = 0, 0, 0
    sql = f"SELECT education, {aggregate} AS v FROM adult GROUP BY education"
    for i in questions:
        answer = json.loads(beside_peers.tacit(program, "query", where, beside_peers.another(sql, i), "--format",
                                               "json", "--intervals", "--epsilon", epsilon))
        if answer["privacy"]["cached"]:
            raise SystemExit(f"the answer was stored before: {sql}")
        for row in answer["rows"]:
            shown += 1
            low, high = (beside_peers.number(cell) for cell in row[2:4])
            if low is not None and high is not None:
                said += 1
                # What a reader sees is rounded in its fifteenth digit or so.
                slack = 1e-9 * abs(truth[row[0]])
                held += low - slack <= truth[row[0]] <= high + slack
    return held, said, shown


def table(program, data, repetitions):
    rows = beside_peers.read(data)
    groups = by_education(rows)
    print(f"\nAdult by education (16 groups of {min(map(len, groups.values()))} to {max(map(len, groups.values())):,} "
          f"people), {repetitions} repetitions: numbers within their margins\n")
    prices = [(accounting, epsilon) for accounting in ("pure", "zcdp") for epsilon in PRICES]
    print("| aggregate | " + " | ".join(f"{accounting}, {epsilon}" for accounting, epsilon in prices) + " |")
    print("| --- |" + " --- |" * len(prices))
    with tempfile.TemporaryDirectory() as name:
        where = {accounting: beside_peers.make(program, pathlib.Path(name), rows, accounting)
                 for accounting in ("pure", "zcdp")}
        for number, (aggregate, of) in enumerate(AGGREGATES.items()):
            truth = {level: of(people) for level, people in groups.items()}
            cells = []
            for accounting, epsilon in prices:
                # No two aggregates ask the same words: a deviation is made of what a variance was made of.
                first = int(10_000 * number + 100_000_000 * epsilon)
                held, said, shown = within(program, where[accounting], aggregate, truth, epsilon,
                                           range(first, first + repetitions))
                none = f"; {shown - said:,} without" if said < shown else ""
                cells.append((f"{100 * held / said:.1f} % of {said:,}" if said else "no margins") + none)
            print(f"| `{aggregate}` | " + " | ".join(cells) + " |", flush=True)
