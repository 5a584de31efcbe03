"""The same questions about Adult by the libraries that a user would pick instead.

Reads {"rows": [[income, education, country, age, hours, weight], ...], "repetitions": n, "libraries": [...]} from the
input and prints {library: {question: mean error}}. Epsilon 1 a question, bounds and keys given, a person is a row. A library that is
not installed, or has no such question, is left out. diffprivlib's mean, deviation and quantiles promise it only among
tables of one size, which is less than the others do.
"""
import collections
import importlib
import json
import math
import statistics
import sys

EPSILON = 1.0
AGE, HOURS, WEIGHT = (0, 120), (0, 100), (0, 1_500_000)


class Adult:
    def __init__(self, rows):
        self.rich = [row[0] == ">50K" for row in rows]
        self.education = [row[1] for row in rows]
        self.country = [row[2] for row in rows]
        self.age, self.hours, self.weight = ([int(row[i]) for row in rows] for i in (3, 4, 5))
        self.levels = sorted(set(self.education))
        self.true_levels = collections.Counter(self.education)
        self.true_countries = collections.Counter(self.country)
        hours = collections.defaultdict(list)
        for level, worked in zip(self.education, self.hours):
            hours[level].append(worked)
        self.hours_by_level = dict(hours)
        self.true_means = {level: statistics.mean(worked) for level, worked in hours.items()}

    def quantile(self, values, q):
        return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


def over(keys, truth, answer):
    return statistics.mean(abs(answer.get(key, 0) - truth[key]) for key in keys)


def repeated(times, once):
    return statistics.mean(once() for _ in range(times))


def opendp(adult, times):
    import opendp.prelude as dp
    dp.enable_features("contrib")
    ints = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    texts = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()

    def scaled(make, epsilon=EPSILON):
        return make(dp.binary_search_param(make, d_in=1, d_out=epsilon, bounds=(1e-9, 1e12), T=float))

    def count(epsilon=EPSILON):
        return scaled(lambda s: ints >> dp.t.then_count() >> dp.m.then_laplace(s), epsilon)

    def total(bounds, epsilon=EPSILON):
        return scaled(lambda s: ints >> dp.t.then_clamp(bounds) >> dp.t.then_sum() >> dp.m.then_laplace(s), epsilon)

    def mean_of(values, sums, counts):
        return sums(values) / max(1, counts(values))

    rich = [1 for is_rich in adult.rich if is_rich]
    counted, summed = count(), total(HOURS)
    half_sum, half_count = total(HOURS, EPSILON / 2), count(EPSILON / 2)
    third_sum, third_count = total(AGE, EPSILON / 3), count(EPSILON / 3)
    third_squares = total((0, AGE[1] ** 2), EPSILON / 3)
    squares = [age * age for age in adult.age]

    def deviation():
        n = max(2, third_count(adult.age))
        mean = third_sum(adult.age) / n
        return math.sqrt(max(0, third_squares(squares) / n - mean * mean))

    def quantile(values, bounds, q, step):
        make = lambda scale, last=1: ints >> dp.m.then_private_quantile(
            dp.max_divergence(), candidates=list(range(bounds[0], last + 1, step)), alpha=q, scale=scale)
        scale = dp.binary_search_param(lambda s: make(s, step), d_in=1, d_out=EPSILON)
        chosen = make(scale, bounds[1])
        true = adult.quantile(values, q)
        return repeated(times, lambda: abs(chosen(values) - true))

    by_level = scaled(lambda s: texts >> dp.t.then_count_by_categories(adult.levels, null_category=False) >>
                      dp.m.then_laplace(s))
    levels = lambda: dict(zip(adult.levels, by_level(adult.education)))
    true_hours, n = sum(adult.hours), len(adult.hours)
    return {
        "count": repeated(times, lambda: abs(counted(rich) - len(rich))),
        "sum": repeated(times, lambda: abs(summed(adult.hours) - true_hours)),
        "average": repeated(times, lambda: abs(mean_of(adult.hours, half_sum, half_count) - true_hours / n)),
        "deviation": repeated(times, lambda: abs(deviation() - statistics.pstdev(adult.age))),
        "median": quantile(adult.age, AGE, 0.5, 1),
        "0.9 quantile": quantile(adult.weight, WEIGHT, 0.9, 1),
        "counts by key": repeated(times, lambda: over(adult.levels, adult.true_levels, levels())),
        "averages by key": repeated(times, lambda: over(adult.levels, adult.true_means, {
            level: mean_of(worked, half_sum, half_count) for level, worked in adult.hours_by_level.items()})),
    }


def diffprivlib(adult, times):
    import warnings
    import numpy
    from diffprivlib import tools
    warnings.simplefilter("ignore")
    hours, age, weight = (numpy.array(values, dtype=float) for values in (adult.hours, adult.age, adult.weight))
    rich = numpy.array(adult.rich)
    by_level = {level: numpy.array(worked, dtype=float) for level, worked in adult.hours_by_level.items()}
    counted = lambda part: float(tools.count_nonzero(part, epsilon=EPSILON))
    quantile = lambda values, bounds, q: float(tools.quantile(values, q, epsilon=EPSILON, bounds=bounds))
    return {
        "count": repeated(times, lambda: abs(counted(rich) - sum(adult.rich))),
        "sum": repeated(times, lambda: abs(float(tools.sum(hours, epsilon=EPSILON, bounds=HOURS)) - hours.sum())),
        "average": repeated(times, lambda: abs(float(tools.mean(hours, epsilon=EPSILON, bounds=HOURS)) - hours.mean())),
        "deviation": repeated(times, lambda: abs(float(tools.std(age, epsilon=EPSILON, bounds=AGE)) - age.std())),
        "median": repeated(times, lambda: abs(quantile(age, AGE, 0.5) - adult.quantile(adult.age, 0.5))),
        "0.9 quantile": repeated(times, lambda: abs(quantile(weight, WEIGHT, 0.9) - adult.quantile(adult.weight, 0.9))),
        "counts by key": repeated(times, lambda: over(adult.levels, adult.true_levels, {
            level: counted(numpy.ones(len(worked))) for level, worked in by_level.items()})),
        "averages by key": repeated(times, lambda: over(adult.levels, adult.true_means, {
            level: float(tools.mean(worked, epsilon=EPSILON, bounds=HOURS)) for level, worked in by_level.items()})),
    }


def pydp(adult, times):
    from pydp.algorithms import laplacian
    bounded = lambda kind, bounds: kind(EPSILON, lower_bound=bounds[0], upper_bound=bounds[1], dtype="float")
    result = lambda kind, bounds, values: bounded(kind, bounds).quick_result(values)
    hours, age = [float(worked) for worked in adult.hours], [float(a) for a in adult.age]
    rich = [1.0 for is_rich in adult.rich if is_rich]
    count = lambda values: laplacian.Count(EPSILON, dtype="float").quick_result(values)
    floats = {level: [float(worked) for worked in all_hours] for level, all_hours in adult.hours_by_level.items()}
    return {
        "count": repeated(times, lambda: abs(count(rich) - len(rich))),
        "sum": repeated(times, lambda: abs(result(laplacian.BoundedSum, HOURS, hours) - sum(hours))),
        "average": repeated(times, lambda: abs(result(laplacian.BoundedMean, HOURS, hours) - statistics.mean(hours))),
        "deviation": repeated(times, lambda: abs(result(laplacian.BoundedStandardDeviation, AGE, age) -
                                                 statistics.pstdev(age))),
        "median": repeated(times, lambda: abs(result(laplacian.Median, AGE, age) - adult.quantile(adult.age, 0.5))),
        "counts by key": repeated(times, lambda: over(adult.levels, adult.true_levels, {
            level: count(worked) for level, worked in floats.items()})),
        "averages by key": repeated(times, lambda: over(adult.levels, adult.true_means, {
            level: result(laplacian.BoundedMean, HOURS, worked) for level, worked in floats.items()})),
    }


def smartnoise(adult, times):
    import pandas
    from snsql import Privacy, from_df
    frame = pandas.DataFrame({"education": adult.education, "age": adult.age, "hours": adult.hours,
                              "rich": [int(is_rich) for is_rich in adult.rich]})
    columns = {"education": {"type": "string"}, "rich": {"type": "int", "lower": 0, "upper": 1},
               "age": {"type": "int", "lower": AGE[0], "upper": AGE[1]},
               "hours": {"type": "int", "lower": HOURS[0], "upper": HOURS[1]}}
    metadata = {"": {"": {"adult": {"row_privacy": True, "rows": len(frame), "censor_dims": False, **columns}}}}

    def ask(sql, numbers):
        # The price is for each number that it measures: an average measures two.
        privacy = Privacy(epsilon=EPSILON / numbers, delta=1e-9)
        return from_df(frame, metadata=metadata, privacy=privacy).execute(sql)[1:]

    hours, ages = statistics.mean(adult.hours), statistics.pstdev(adult.age)
    return {
        "count": repeated(times, lambda: abs(ask("SELECT COUNT(*) AS n FROM adult WHERE rich = 1", 1)[0][0] -
                                             sum(adult.rich))),
        "sum": repeated(times, lambda: abs(ask("SELECT SUM(hours) AS s FROM adult", 1)[0][0] - sum(adult.hours))),
        "average": repeated(times, lambda: abs(ask("SELECT AVG(hours) AS a FROM adult", 2)[0][0] - hours)),
        "deviation": repeated(times, lambda: abs(ask("SELECT STDDEV(age) AS d FROM adult", 3)[0][0] - ages)),
        "counts by key": repeated(times, lambda: over(adult.levels, adult.true_levels, dict(
            ask("SELECT education, COUNT(*) AS n FROM adult GROUP BY education", 1)))),
        "averages by key": repeated(times, lambda: over(adult.levels, adult.true_means, dict(
            ask("SELECT education, AVG(hours) AS a FROM adult GROUP BY education", 2)))),
    }


def pipelinedp(adult, times):
    import pipeline_dp
    rows = list(enumerate(zip(adult.education, adult.hours)))

    def ask(metrics, bounds=(0, 1)):
        accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=1e-9)
        engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
        result = engine.aggregate(
            rows, pipeline_dp.AggregateParams(
                metrics=metrics, noise_kind=pipeline_dp.NoiseKind.LAPLACE, max_partitions_contributed=1,
                max_contributions_per_partition=1, min_value=bounds[0], max_value=bounds[1]),
            pipeline_dp.DataExtractors(privacy_id_extractor=lambda row: row[0],
                                       partition_extractor=lambda row: row[1][0],
                                       value_extractor=lambda row: row[1][1]), public_partitions=adult.levels)
        accountant.compute_budgets()
        return dict(result)

    counts = lambda: {key: n.count for key, n in ask([pipeline_dp.Metrics.COUNT]).items()}
    means = lambda: {key: n.mean for key, n in ask([pipeline_dp.Metrics.MEAN], HOURS).items()}
    return {"counts by key": repeated(times, lambda: over(adult.levels, adult.true_levels, counts())),
            "averages by key": repeated(times, lambda: over(adult.levels, adult.true_means, means()))}


def tumult(adult, times):
    import os
    import warnings
    import pandas
    warnings.simplefilter("ignore")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session
    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.driver.host": "127.0.0.1",
               "spark.driver.bindAddress": "127.0.0.1", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master("local[1]")
    for name, value in options.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    frame = spark.createDataFrame(pandas.DataFrame({
        "education": adult.education, "age": adult.age, "hours": adult.hours, "weight": adult.weight,
        "rich": [int(is_rich) for is_rich in adult.rich]})).cache()
    session = Session.from_dataframe(privacy_budget=PureDPBudget(float("inf")), source_id="adult", dataframe=frame,
                                     protected_change=AddOneRow())
    keys = KeySet.from_dict({"education": adult.levels})
    rows = lambda query: session.evaluate(query, PureDPBudget(EPSILON)).collect()
    number = lambda query: float(rows(query)[0][0])
    table = lambda query: {row[0]: float(row[1]) for row in rows(query)}
    adults = lambda: QueryBuilder("adult")
    off = lambda query, true: repeated(times, lambda: abs(number(query) - true))
    return {
        "count": off(adults().filter("rich = 1").count(), sum(adult.rich)),
        "sum": off(adults().sum("hours", *HOURS), sum(adult.hours)),
        "average": off(adults().average("hours", *HOURS), statistics.mean(adult.hours)),
        "deviation": off(adults().stdev("age", *AGE), statistics.pstdev(adult.age)),
        "median": off(adults().median("age", *AGE), adult.quantile(adult.age, 0.5)),
        "0.9 quantile": off(adults().quantile("weight", 0.9, *WEIGHT), adult.quantile(adult.weight, 0.9)),
        "counts by key": repeated(times, lambda: over(adult.levels, adult.true_levels,
                                                      table(adults().groupby(keys).count()))),
        "averages by key": repeated(times, lambda: over(adult.levels, adult.true_means,
                                                        table(adults().groupby(keys).average("hours", *HOURS)))),
    }


# How many repetitions fewer: those that take seconds for each.
LIBRARIES = [("OpenDP", "opendp", opendp, 1), ("diffprivlib", "diffprivlib", diffprivlib, 1), ("PyDP", "pydp", pydp, 4),
             ("SmartNoise SQL", "snsql", smartnoise, 4), ("PipelineDP", "pipeline_dp", pipelinedp, 10),
             ("Tumult", "tmlt.analytics", tumult, 20)]


def main():
    wish = json.load(sys.stdin)
    adult = Adult(wish["rows"])
    found = {}
    for name, module, measure, fewer in LIBRARIES:
        if name not in wish["libraries"]:
            continue
        try:
            importlib.import_module(module)
        except ImportError:
            print(f"{name} cannot be had here", file=sys.stderr)
            continue
        print(f"asking {name}", file=sys.stderr)
        try:
            found[name] = measure(adult, max(1, wish["repetitions"] // fewer))
        except Exception as error:  # a peer's fault is told, and the others go on
            print(f"{name} failed: {error!r}"[:400], file=sys.stderr)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
