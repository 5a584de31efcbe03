"""Linear regression by diffprivlib: a wish as JSON on the input, the coefficients of each repetition as
JSON on the output, the constant first. Bounds are passed in; its guarantee is for replacing one row.
"""
import json
import sys
import warnings

import numpy as np
from diffprivlib.models import LinearRegression

warnings.simplefilter("ignore")


def main():
    wish = json.load(sys.stdin)
    rows = np.array(wish["rows"], dtype=float)
    y, x = rows[:, 0], rows[:, 1:]
    low, high = np.array(wish["low"], dtype=float), np.array(wish["high"], dtype=float)
    found = []
    for _ in range(wish["repetitions"]):
        model = LinearRegression(epsilon=wish["epsilon"], bounds_X=(low[1:], high[1:]), bounds_y=(low[0], high[0]))
        model.fit(x, y)
        found.append([float(np.ravel(model.intercept_)[0]), *map(float, np.ravel(model.coef_))])
    print(json.dumps(found))


main()
