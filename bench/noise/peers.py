"""The same sampling work by the libraries a user would pick instead; prints one JSON object.

Nanoseconds a sample, the best of several rounds. A library that is not installed is left out.
"""
import json
import time

SCALES = ["1", "10", "1000", "1099511627776"]


def best(work, count, rounds=5):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) / count * 1e9)
    return min(times)


def opendp():
    import opendp.prelude as dp

    dp.enable_features("contrib")
    count = 50_000
    zeros = [0] * count
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    space_l2 = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    result = {"laplace": {}, "gaussian": {}, "fresh laplace": {}, "fresh gaussian": {}}
    one = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    one_l2 = dp.atom_domain(T=int), dp.absolute_distance(T=float)
    for scale in SCALES:
        s = float(scale)
        laplace = dp.m.make_laplace(*space, scale=s)
        gaussian = dp.m.make_gaussian(*space_l2, scale=s)
        result["laplace"][scale] = best(lambda: laplace(zeros), count, 3)
        result["gaussian"][scale] = best(lambda: gaussian(zeros), count, 3)
        fresh = 500

        def each(make, domain):
            for i in range(fresh):
                make(*domain, scale=s + i / 1000)(0)

        result["fresh laplace"][scale] = best(lambda: each(dp.m.make_laplace, one), fresh, 3)
        result["fresh gaussian"][scale] = best(lambda: each(dp.m.make_gaussian, one_l2), fresh, 3)
    return result


def diffprivlib():
    from diffprivlib.mechanisms import GaussianDiscrete, Geometric

    count = 3000
    result = {"laplace": {}, "gaussian": {}}
    for scale in SCALES[:3]:
        laplace = Geometric(epsilon=1 / float(scale), sensitivity=1)
        result["laplace"][scale] = best(lambda: [laplace.randomise(0) for _ in range(count)], count, 3)
    gaussian = GaussianDiscrete(epsilon=0.5, delta=1e-5, sensitivity=1)
    result["gaussian"]["10"] = best(lambda: [gaussian.randomise(0) for _ in range(count)], count, 3)
    return result


report = {}
for library in (opendp, diffprivlib):
    try:
        report[library.__name__] = library()
    except ImportError as missing:
        report[library.__name__] = {"missing": str(missing)}
print(json.dumps(report))
