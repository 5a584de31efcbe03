"""Asking a gateway."""
from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import pandas
import psycopg

from .answer import Answer, ColumnError, Price

Parameters = Union[Sequence[Any], Mapping[str, Any], None]
Number = Union[int, float, str]

_LAST = """SELECT column_name, mechanism, scale, moe95, condition, epsilon, delta, rho, cached,
                  epsilon_left, delta_left, rho_left, receipt, notices
           FROM tacit.last WHERE answer > %s ORDER BY position"""


def connect(conninfo: str = "", **parameters: Any) -> psycopg.Connection[Any]:
    """A psycopg connection for questions: nothing is written, so each stands for itself."""
    parameters.setdefault("autocommit", True)
    return psycopg.connect(conninfo, **parameters)


def read_sql(sql: str, connection: psycopg.Connection[Any], params: Parameters = None, *,
             epsilon: Optional[Number] = None, error: Optional[Number] = None) -> Answer:
    """Asks, and gives the answer with its errors and its price.

    `params` are bound as psycopg binds them (%s, %(name)s). `epsilon` is the price of this question,
    `error` instead of it the error at 95 % that it may have; neither: the session's own. A refusal is
    psycopg's exception, with what would pass in its hint. The same question again costs nothing.
    """
    if epsilon is not None and error is not None:
        raise ValueError("a price and an error are two ways to say one thing: name one of them")
    wanted = {"tacit.intervals": "on"}
    if epsilon is not None:
        wanted["tacit.epsilon"] = str(epsilon)
    if error is not None:
        wanted["tacit.error"] = str(error)
    with _settings(connection, wanted):
        row = connection.execute("SELECT coalesce(max(answer), 0) FROM tacit.last").fetchone()
        answers_before = row[0] if row else 0
        cursor = connection.execute(sql, params)  # type: ignore[arg-type]
        if cursor.description is None:
            raise ValueError("this is no question: it gives no rows")
        names = [column.name for column in cursor.description]
        rows = cursor.fetchall()
        said = connection.execute(_LAST, [answers_before]).fetchall()
    return _answer(names, rows, said)


def explain(sql: str, connection: psycopg.Connection[Any], params: Parameters = None) -> str:
    """What a question would cost, and how far its answer would be off. Free."""
    rows = connection.execute("EXPLAIN " + sql, params).fetchall()  # type: ignore[arg-type]
    return "\n".join(str(row[0]) for row in rows)


def budget(connection: psycopg.Connection[Any]) -> pandas.DataFrame:
    """What you may spend, have spent and have left."""
    cursor = connection.execute("SELECT * FROM tacit.budget")
    assert cursor.description is not None
    return pandas.DataFrame(cursor.fetchall(), columns=[column.name for column in cursor.description])


@contextmanager
def _settings(connection: psycopg.Connection[Any], wanted: Dict[str, str]) -> Iterator[None]:
    """Settings for one question; afterwards they are what they were, also after a refusal."""
    # A price forgets an error that was set before, and the other way round: both are put back.
    names = list(wanted)
    for pair in ("tacit.epsilon", "tacit.error"):
        if len(wanted) > 1 and pair not in names:
            names.append(pair)
    before = {name: _show(connection, name) for name in names}
    try:
        for name, value in wanted.items():
            connection.execute("SELECT set_config(%s, %s, false)", [name, value])
        yield
    finally:
        # Inside a transaction that failed, ROLLBACK puts them back.
        if connection.info.transaction_status != psycopg.pq.TransactionStatus.INERROR:
            for name, old in sorted(before.items(), key=lambda each: bool(each[1])):
                connection.execute("SELECT set_config(%s, %s, false)", [name, old])


def _show(connection: psycopg.Connection[Any], name: str) -> str:
    row = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row is not None
    return str(row[0])


def _answer(names: List[str], rows: List[Tuple[Any, ...]], said: List[Tuple[Any, ...]]) -> Answer:
    """`said` is tacit.last: a row for each column of the answer, in its order; none for an answer that
    was not about people."""
    frame = pandas.DataFrame.from_records(rows, columns=range(len(names)), coerce_float=True)
    ends = _interval_columns(names, said)
    taken = {place for pair in ends.values() for place in pair}
    shown = [place for place in range(len(names)) if place not in taken]

    answer = Answer(frame[shown].set_axis([names[place] for place in shown], axis="columns"))
    for which, end in (("_low", 0), ("_high", 1)):
        part = frame[[pair[end] for pair in ends.values()]]
        setattr(answer, which, part.set_axis([names[place] for place in ends], axis="columns"))
    answer.errors = {row[0]: ColumnError(column=row[0], mechanism=row[1], scale=row[2], moe95=row[3], condition=row[4])
                     for row in said if row[1] is not None}
    answer.notices = said[0][13].split("\n") if said and said[0][13] else []
    if said:
        (epsilon, delta, rho, cached, epsilon_left, delta_left, rho_left, receipt) = said[0][5:13]
        answer.price = Price(epsilon, delta, rho, cached, epsilon_left, delta_left, rho_left, receipt)
    else:
        answer.price = None
    return answer


def _interval_columns(names: List[str], said: List[Tuple[Any, ...]]) -> Dict[int, Tuple[int, int]]:
    """Where the ends of each noisy column's interval stand. Columns are told apart by their places:
    two of them may have one name, and a query may well call something `n_low` itself."""
    ends: Dict[int, Tuple[int, int]] = {}
    free = {place for place, row in enumerate(said) if row[1] is None}
    for place, row in enumerate(said):
        if row[1] is None:
            continue
        found = []
        for end in ("_low", "_high"):
            at = next((i for i in sorted(free) if i > place and names[i] == row[0] + end), None)
            if at is not None:
                found.append(at)
        if len(found) == 2:
            ends[place] = (found[0], found[1])
            free -= set(found)
    return ends
