"""Others on Adult: a wish as JSON on the input; of each the share guessed right and the area under the ROC curve of
every repetition, as JSON, on the output. Bounds are passed in."""
import json
import sys
import warnings

import numpy as np
from diffprivlib.models import GaussianNB, LogisticRegression, RandomForestClassifier
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression as PlainLogistic
from sklearn.metrics import roc_auc_score

warnings.simplefilter("ignore")


def main():
    wish = json.load(sys.stdin)
    rows, epsilon = wish["rows"], wish["epsilon"]
    y = np.array([row["rich"] for row in rows], dtype=int)
    fold = np.array([row["fold"] for row in rows])
    low = np.array([ends[0] for ends in wish["numbers"].values()], dtype=float)
    high = np.array([ends[1] for ends in wish["numbers"].values()], dtype=float)
    numbers = np.array([[float(row[name]) for name in wish["numbers"]] for row in rows])
    unit = (np.clip(numbers, low, high) - low) / (high - low)
    columns = [unit]
    for name in wish["texts"]:
        values = sorted({row[name] for row in rows})
        columns.append(np.array([[row[name] == value for value in values] for row in rows], dtype=float))
    x = np.concatenate(columns, axis=1)
    norm = float(np.sqrt(len(wish["numbers"]) + len(wish["texts"])))
    ends = (np.zeros(x.shape[1]), np.ones(x.shape[1]))

    def tried(make, features):
        found = []
        for k in range(wish["repetitions"]):
            train, test = fold != k % 5, fold == k % 5
            model = make()
            model.fit(features[train], y[train])
            found.append([float((model.predict(features[test]) == y[test]).mean()),
                          float(roc_auc_score(y[test], model.predict_proba(features[test])[:, 1]))])
        return found

    print(json.dumps({
        "diffprivlib, logistic regression, pure": tried(
            lambda: LogisticRegression(epsilon=epsilon, data_norm=norm, max_iter=1000), x),
        "diffprivlib, naive Bayes, 5 numbers, pure": tried(
            lambda: GaussianNB(epsilon=epsilon, bounds=(low, high)), numbers),
        "diffprivlib, random forest, pure": tried(
            lambda: RandomForestClassifier(epsilon=epsilon, bounds=ends, classes=[0, 1]), x),
        "without privacy, logistic regression": tried(lambda: PlainLogistic(max_iter=1000), x),
        "without privacy, boosted trees": tried(lambda: GradientBoostingClassifier(), x),
    }))


main()
