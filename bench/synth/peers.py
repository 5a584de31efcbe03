"""bench/synth/peers.py FILE [EPSILON]: smartnoise-synth's MST and AIM on NIST's ten columns, scored as ours is.

The columns are handed over as categories whose values are public, so that nothing is spent on finding them.
"""
import itertools
import sys
import time
import warnings

import pandas

COLUMNS = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split()


def percentiles(ages):
    """NIST's bins: at most 20 of equal mass of the real ages."""
    counts = ages.value_counts()
    bins, seen, place = {}, 0, 0
    for age in range(100):
        bins[age] = place
        seen += counts.get(age, 0)
        while place + 1 < 20 and seen * 20 >= len(ages) * (place + 1):
            place += 1
    return bins


def k_marginal(real, made):
    distances = []
    for pair in itertools.combinations(real.columns, 2):
        a = real.groupby(list(pair)).size() / len(real)
        b = made.groupby(list(pair)).size() / len(made)
        distances.append(a.sub(b, fill_value=0).abs().sum())
    return (2 - sum(distances) / len(distances)) * 500


def main():
    warnings.filterwarnings("ignore")
    data = pandas.read_csv(sys.argv[1], usecols=COLUMNS, dtype=str)[COLUMNS]
    epsilon = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    for column in COLUMNS[1:]:
        data[column] = data[column].astype("category").cat.codes
    data["AGEP"] = data["AGEP"].astype(int)
    bins = percentiles(data["AGEP"])
    real = data.assign(AGEP=data["AGEP"].map(bins))
    from snsynth.aim import AIMSynthesizer
    from snsynth.mst import MSTSynthesizer
    from snsynth.transform import LabelTransformer, TableTransformer
    for name, kind in (("MST", MSTSynthesizer), ("AIM", AIMSynthesizer)):
        transformer = TableTransformer([LabelTransformer(nullable=False) for _ in COLUMNS])
        transformer.fit(data)
        synthesizer = kind(epsilon=epsilon, delta=1 / len(data) ** 2)
        start = time.monotonic()
        synthesizer.fit(data, transformer=transformer, preprocessor_eps=0.0)
        made = pandas.DataFrame(synthesizer.sample(len(data)), columns=COLUMNS)
        took = time.monotonic() - start
        made = made.astype(int)
        made["AGEP"] = made["AGEP"].map(bins)
        print(f"{name:>8} {k_marginal(real, made):8.1f} k-marginal, {took:.1f} s", flush=True)


if __name__ == "__main__":
    main()
