"""Quantiles by OpenDP: a wish as JSON on the input, {"0.5": mean error} as JSON on the output.

Every whole number of the bounds is a candidate.
"""
import json
import math
import sys

import opendp.prelude as dp

dp.enable_features("contrib")


def main():
    wish = json.load(sys.stdin)
    values, low, high = wish["values"], wish["low"], wish["high"]
    ordered = sorted(min(max(value, low), high) for value in values)
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    errors = {}
    for name in wish["quantiles"]:
        q = float(name)
        true = ordered[max(0, math.ceil(q * len(ordered)) - 1)]

        def make(scale, candidates=(0, 1)):
            return space >> dp.m.then_private_quantile(dp.max_divergence(), list(candidates), alpha=q, scale=scale)

        # What it costs does not depend on the candidates.
        scale = dp.binary_search_param(make, d_in=1, d_out=float(wish["epsilon"]))
        measurement = make(scale, range(low, high + 1))
        found = [measurement(values) for _ in range(wish["repetitions"])]
        errors[name] = sum(abs(value - true) for value in found) / len(found)
    print(json.dumps(errors))


main()
