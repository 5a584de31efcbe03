"""Answers of a Tacit gateway as pandas data frames, with their errors and their price.

    import tacit
    connection = tacit.connect("host=localhost port=5433 user=ana dbname=clinic")
    answer = tacit.read_sql("SELECT sex, count(*) AS n FROM patients GROUP BY sex", connection)
    answer.price, answer.low, answer.high
    answer.plot_errors(x="sex", y="n")
"""
from .answer import Answer, ColumnError, Price
from .ask import budget, connect, explain, read_sql

__all__ = ["Answer", "ColumnError", "Price", "budget", "connect", "explain", "read_sql"]
__version__ = "1.0"
