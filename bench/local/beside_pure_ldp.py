"""The same work by pure-ldp (PyPI), for bench/local/run. It is plain Python: few reports are timed,
and the time of ten million is the measured rate carried on."""
import json
import sys
import time

import pure_ldp.frequency_oracles.direct_encoding as direct
import pure_ldp.frequency_oracles.local_hashing as hashing
import pure_ldp.frequency_oracles.unary_encoding as unary

VALUES = 1000
EPSILON = 1.0
CASES = [
    ("krr", 200_000, lambda: (direct.DEClient(EPSILON, VALUES), direct.DEServer(EPSILON, VALUES))),
    ("olh", 2_000, lambda: (hashing.LHClient(EPSILON, VALUES, use_olh=True),
                            hashing.LHServer(EPSILON, VALUES, use_olh=True))),
    ("oue", 20_000, lambda: (unary.UEClient(EPSILON, VALUES, use_oue=True),
                             unary.UEServer(EPSILON, VALUES, use_oue=True))),
    ("sue", 20_000, lambda: (unary.UEClient(EPSILON, VALUES), unary.UEServer(EPSILON, VALUES))),
]


def measure(mechanism, people, make):
    client, server = make()
    start = time.perf_counter()
    # It counts values from 1.
    reports = [client.privatise(person % VALUES + 1) for person in range(people)]
    randomized = time.perf_counter()
    for report in reports:
        server.aggregate(report)
    server.estimate(1, suppress_warnings=True)
    estimated = time.perf_counter()
    return {"mechanism": mechanism, "timed_reports": people,
            "reports_per_second": people / (randomized - start),
            "estimate_seconds": (estimated - randomized) * 10_000_000 / people}


json.dump([measure(*case) for case in CASES], sys.stdout)
