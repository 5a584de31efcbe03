#!/usr/bin/env python3
"""tacit learn and tacit predict from outside: a model learned, kept, shown and used."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

TACIT = sys.argv[1]

POLICY = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.5, epsilon_max: 2, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns:
      id: {hidden: true}
      age: {bounds: [0, 100]}
      income: {bounds: [0, 100000]}
      sex: {keys: [F, M]}
"""
ROWS = "SELECT income, age, sex = 'F' AS female FROM people"


def run(*arguments, code=0):
    done = subprocess.run([TACIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def spent(deployment):
    accounts = json.loads(run("budget", deployment, "--format", "json"))["accounts"]
    return float(accounts[0]["spent"]["epsilon"]) if accounts else 0


def make(folder):
    draw = random.Random(1)
    rows = ["id,age,sex,income,note"]
    for i in range(20000):
        age, female = draw.randint(18, 90), draw.random() < 0.5
        income = 20000 + 400 * age - 5000 * female + draw.gauss(0, 8000)
        rows.append(f"{i},{age},{'FM'[not female]},{income:.2f},x")
    (folder / "people.csv").write_text("\n".join(rows) + "\n")
    deployment = folder / "world"
    run("init", deployment, "--table", f"people={folder / 'people.csv'}", "--unit", "people.id")
    (deployment / "tacit.yaml").write_text(POLICY)
    return deployment


def learns(folder, deployment):
    model = folder / "model.json"
    said = run("learn", "linear", deployment, ROWS, "--target", "income", "--epsilon", "1", "--out", model)
    assert "female" in said and "low" in said, said
    assert spent(deployment) == 1, spent(deployment)
    kept = json.loads(model.read_text())
    constant, age, female = kept["coefficients"]
    # Far beyond what either error can do.
    assert abs(age - 400) < 60 and abs(female + 5000) < 1500 and abs(constant - 20000) < 4000, kept["coefficients"]
    assert kept["privacy"]["epsilon"] == "1" and kept["privacy"]["receipt"], kept["privacy"]
    assert len(kept["noise_covariance"]) == 3 and kept["ridge"] == 0
    return model


def is_free_afterwards(folder, deployment):
    run("learn", "linear", deployment, ROWS, "--target", "age", "--features", "income", "--epsilon", "1", "--out", folder / "age.json")
    first, second = (json.loads((folder / name).read_text()) for name in ("model.json", "age.json"))
    assert second["rows_estimated"] == first["rows_estimated"], "made of the same release"
    for call in (f"tacit.moments('{ROWS}')", f"tacit.pca('{ROWS}')", f"tacit.linear_regression('{ROWS}', target => 'income')"):
        sql = "SELECT * FROM " + call.replace("'F'", "''F''")
        answer = json.loads(run("query", deployment, sql, "--epsilon", "1", "--format", "json"))
        assert answer["privacy"]["epsilon"] == 0, answer["privacy"]
        told = run("explain", deployment, sql, "--epsilon", "1")
        assert "notice" in told or "tacit.moments" in sql or "tacit.pca" in sql, told
    assert spent(deployment) == 1


def shows(folder, model):
    assert "se_noise" in run("learn", "show", model)
    page = folder / "model.html"
    run("learn", "show", model, "--html", page)
    text = page.read_text()
    assert "<svg" in text and "female" in text and "<script" not in text


def predicts(folder, model):
    new = folder / "new.csv"
    new.write_text('name,age,female\n"Ann, B.",40,true\nBob,40,false\nOld,400,no\nNobody,,f\n')
    lines = run("predict", model, new).splitlines()
    assert lines[0] == "name,age,female,income_predicted,income_predicted_low,income_predicted_high", lines[0]
    ann, bob, old = (line.rsplit(",", 3)[1:] for line in lines[1:4])
    assert abs(float(ann[0]) - 31000) < 2500 and abs(float(bob[0]) - 36000) < 2500, lines
    assert float(ann[1]) < float(ann[0]) < float(ann[2])
    assert abs(float(old[0]) - 60000) < 4000, "ages beyond the range count as its end"
    assert lines[4] == "Nobody,,f,,,"
    new.write_text("age,female\n40,perhaps\n")
    assert "new.csv:2: female is true or false" in run("predict", model, new, code=2)
    new.write_text("age\n40\n")
    assert "female" in run("predict", model, new, code=2)
    assert "cannot read" in run("predict", folder / "none.json", new, code=2)
    (folder / "bad.json").write_text('{"tacit_model": 1}')
    assert "bad.json: this is not a model" in run("predict", folder / "bad.json", new, code=2)


def knows_categories(folder, deployment):
    model = folder / "sexes.json"
    run("learn", "linear", deployment, "SELECT income, sex FROM people", "--target", "income", "--epsilon", "0.5", "--out", model)
    new = folder / "sexes.csv"
    new.write_text("sex\nF\nM\n")
    female, male = (float(line.split(",")[1]) for line in run("predict", model, new).splitlines()[1:])
    assert abs(male - female - 5000) < 2500, (female, male)
    new.write_text("sex\nF\nQ\n")
    assert "sexes.csv:3: the model knows no sex 'Q'" in run("predict", model, new, code=2)


CLASSES = "SELECT income > 50000 AS rich, age, sex FROM people"


def tells_classes_apart(folder):
    (folder / "classes").mkdir()
    deployment = make(folder / "classes")
    (deployment / "tacit.yaml").write_text(POLICY.replace("epsilon: 3", "epsilon: 20"))
    new = folder / "classes.csv"
    new.write_text("name,age,sex\nAnn,20,F\nBob,90,M\nEve,85,M\nNobody,,F\n")
    paid = 0
    for command in ("bayes", "svm", "logistic", "tree", "boost"):
        model = folder / f"{command}.json"
        said = run("learn", command, deployment, CLASSES, "--target", "rich", "--epsilon", "2", "--out", model)
        paid += 2
        assert spent(deployment) == paid and "age" in said, said
        again = folder / "again.json"
        run("learn", command, deployment, CLASSES, "--target", "rich", "--epsilon", "2", "--out", again)
        assert spent(deployment) == paid, "the same model is free"
        first, second = (json.loads(file.read_text()) for file in (model, again))
        assert first["fit"] == second["fit"] and first["privacy"]["epsilon"] == "2"
        lines = [line.split(",") for line in run("predict", model, new).splitlines()]
        assert lines[0][3:] == ["rich_predicted", "rich_margin" if command == "svm" else "rich_probability"], lines[0]
        # 28,000 and 56,000 on the line, with a spread of 8,000.
        assert lines[1][3] == "false" and lines[2][3] == lines[3][3] == "true", (command, lines)
        assert float(lines[1][4]) < float(lines[2][4]) and lines[4][3:] == ["", ""], lines
        assert "age" in run("learn", "show", model)
        page = folder / "classes.html"
        run("learn", "show", model, "--html", page)
        assert "<svg" in page.read_text() and "<script" not in page.read_text()
    new.write_text("age,sex\n20,Q\n")
    assert "classes.csv:2: the model knows no sex 'Q'" in run("predict", folder / "tree.json", new, code=2)
    for target, why in (("age", "age is a number"), ("wealth", "no column wealth")):
        assert why in run("learn", "svm", deployment, CLASSES, "--target", target, code=3)
    few = "SELECT income > 50000 AS rich, age FROM people WHERE note = 'nobody'"
    said = subprocess.run([TACIT, "learn", "boost", deployment, few, "--target", "rich", "--out", folder / "few.json"],
                          capture_output=True, text=True)
    assert said.returncode == 1 and "nothing was learned" in said.stderr and not (folder / "few.json").exists()


def finds_groups(folder):
    (folder / "groups").mkdir()
    deployment = make(folder / "groups")
    model = folder / "groups.json"
    said = run("learn", "kmeans", deployment, "SELECT age, income FROM people", "--k", "2", "--epsilon", "1", "--out", model)
    assert spent(deployment) == 1 and "centre" in said, said
    run("learn", "kmeans", deployment, "SELECT age, income FROM people", "--k", "2", "--epsilon", "1")
    assert spent(deployment) == 1, "the same centres are free"
    new = folder / "groups.csv"
    new.write_text("age,income\n20,20000\n90,60000\n25,25000\n30,\n")
    nearest = [line.rsplit(",", 1)[1] for line in run("predict", model, new).splitlines()]
    assert nearest[0] == "centre" and nearest[1] == nearest[3] != nearest[2] and nearest[4] == "", nearest
    assert "k-means, 2 centres" in run("learn", "show", model)
    page = folder / "groups.html"
    run("learn", "show", model, "--html", page)
    assert "<svg" in page.read_text() and "<script" not in page.read_text()
    assert "not written as PMML" in run("learn", "show", model, "--pmml", folder / "no.pmml", code=3)
    assert "k is '1'" in run("learn", "kmeans", deployment, "SELECT age, income FROM people", "--k", "1", code=3)


def scores_a_holdout(folder):
    (folder / "held").mkdir()
    deployment = make(folder / "held")
    model = folder / "held.json"
    said = run("learn", "bayes", deployment, CLASSES, "--target", "rich", "--epsilon", "1", "--holdout", "0.25", "--out", model)
    assert spent(deployment) == 1 and "(holdout)" in said, said
    score = json.loads(model.read_text())["fit"]["score"]
    rows = sum(score["right"] + score["wrong"])
    assert abs(rows - 5000) < 400 and sum(score["right"]) / rows > 0.8, score
    assert "right" in run("learn", "show", model)
    said = run("learn", "bayes", deployment, CLASSES, "--target", "rich", "--holdout", "2", code=3)
    assert "holdout is '2'" in said, said


def aggregates_blocks(folder):
    (folder / "blocks").mkdir()
    deployment = make(folder / "blocks")
    asked = ("aggregate", deployment, "SELECT age FROM people", "--blocks", "20", "--seconds", "0.5", "--range", "0,100", "--epsilon", "2")
    program = ("--", "awk", "NR > 1 {s += $1; n++} END {print s / n}")
    tried = subprocess.run([TACIT, *map(str, asked), *program], capture_output=True, text=True)
    if tried.returncode == 5 and "cannot be shut in" in tried.stderr:
        return
    assert tried.returncode == 0 and spent(deployment) == 2, tried
    assert run(*asked, *program) == tried.stdout and spent(deployment) == 2, "the same again is free"
    # 54 years on average; the noise has a deviation of 3.5.
    mean = float(tried.stdout.splitlines()[2].split("|")[1])
    assert abs(mean - 54) < 45, tried.stdout
    assert "no program" in run(*asked, "--", "no-such-program", code=2)
    assert "could read" in run(*asked, "--visible", folder, *program, code=2)


def refuses(folder, deployment):
    for rows, target, code, why in (
        ("SELECT income, note FROM people", "income", 3, "note has no public list"),
        ("SELECT income, age FROM people", "wages", 3, "no column wages"),
        ("SELECT income, age, FROM people", "income", 3, "in the rows to learn from"),
        ("SELECT avg(income) AS income FROM people", "income", 3, "gives none"),
        ("SELECT income, id FROM people", "income", 3, "id"),
    ):
        said = run("learn", "linear", deployment, rows, "--target", target, "--out", folder / "no.json", code=code)
        assert why in said, (why, said)
    assert not (folder / "no.json").exists()
    said = run("learn", "linear", deployment, ROWS, "--target", "income", "--out", folder / "nowhere" / "no.json", code=2)
    assert "cannot write" in said, said
    assert spent(deployment) == 1.5
    # What is left does not buy it.
    run("learn", "linear", deployment, "SELECT income, age FROM people WHERE age > 20", "--target", "income", "--epsilon", "1.2")
    said = run("learn", "linear", deployment, "SELECT income, age FROM people WHERE age > 30", "--target", "income", code=4)
    assert "budget" in said, said


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        deployment = make(folder)
        model = learns(folder, deployment)
        is_free_afterwards(folder, deployment)
        shows(folder, model)
        predicts(folder, model)
        knows_categories(folder, deployment)
        refuses(folder, deployment)
        tells_classes_apart(folder)
        finds_groups(folder)
        scores_a_holdout(folder)
        aggregates_blocks(folder)
    print("learned, kept, shown, used")


main()
