#!/usr/bin/env python3
"""Answers as data frames, without a server. usage: answer_test.py"""
import datetime
import pathlib
import sys
import unittest
from decimal import Decimal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "src"))

from tacit.answer import Answer, Price  # noqa: E402
from tacit.ask import _answer  # noqa: E402


def said(column, mechanism=None, moe95=None, condition=None, notices="cost 0.1 of your 1; 0.9 left.\ngroups are withheld"):
    return (column, mechanism, 10.0 if mechanism else None, moe95, condition, 0.1, 0.0, None, False, 0.9, 1e-7, None, "r1", notices)


def by_sex():
    names = ["sex", "n", "n_low", "n_high"]
    rows = [("F", 120, 90, 150), ("M", 80, 50, 110), ("X", -3, -33, 27)]
    return _answer(names, rows, [said("sex"), said("n", "discrete_laplace", 30.0), said("n_low"), said("n_high")])


class Axes:
    """Stands for matplotlib's."""

    def __init__(self):
        self.bars, self.words, self.turned = [], [], None

    def errorbar(self, places, values, yerr, **style):
        self.bars.append((list(places), list(values), [list(end) for end in yerr]))

    def set_xlabel(self, text):
        self.words.append(text)

    set_ylabel = set_title = set_xlabel

    def tick_params(self, axis, labelrotation):
        self.turned = (axis, labelrotation)

    def get_xticklabels(self):
        return []


class AnswerTest(unittest.TestCase):
    def test_intervals_are_beside_the_frame_and_not_in_it(self):
        answer = by_sex()
        self.assertEqual(list(answer.columns), ["sex", "n"])
        self.assertEqual(list(answer.low["n"]), [90, 50, -33])
        self.assertEqual(list(answer.high["n"]), [150, 110, 27])
        self.assertEqual(answer.errors["n"].moe95, 30)
        self.assertNotIn("sex", answer.errors)

    def test_price_and_words_are_the_servers(self):
        answer = by_sex()
        self.assertEqual(answer.price, Price(0.1, 0.0, None, False, 0.9, 1e-7, None, "r1"))
        self.assertEqual(answer.notices, ["cost 0.1 of your 1; 0.9 left.", "groups are withheld"])
        self.assertEqual(str(answer.price), "cost 0.1; 0.9 left")
        self.assertIn("groups are withheld", answer._repr_html_())

    def test_what_is_left_out_of_the_frame_is_left_out_of_the_intervals(self):
        some = by_sex().sort_values("n").query("n > 0")
        self.assertIsInstance(some, Answer)
        self.assertEqual(list(some.low["n"]), [50, 90])
        self.assertEqual(some.price.epsilon, 0.1)
        self.assertEqual(list(some[["sex"]].low.columns), [])

    def test_a_column_of_the_query_that_is_called_like_an_interval_stays(self):
        names = ["n_low", "n", "n_low", "n_high"]
        answer = _answer(names, [("north", 5, 1, 9)], [said("n_low"), said("n", "discrete_laplace", 4.0), said("n_low"), said("n_high")])
        self.assertEqual(list(answer.columns), ["n_low", "n"])
        self.assertEqual(list(answer.low["n"]), [1])

    def test_numerics_are_floats_and_no_rows_are_a_frame_too(self):
        names = ["s", "s_low", "s_high"]
        told = [said("s", "discrete_laplace", 1.0), said("s_low"), said("s_high")]
        answer = _answer(names, [(Decimal("1.50"), Decimal("0.5"), Decimal("2.5"))], told)
        self.assertEqual(answer["s"].dtype, float)
        self.assertEqual(len(_answer(names, [], told).low), 0)

    def test_an_answer_of_the_catalog_has_no_price(self):
        answer = _answer(["table_name"], [("people",)], [])
        self.assertIsNone(answer.price)
        self.assertEqual((answer.errors, answer.notices, list(answer.low.columns)), ({}, [], []))
        with self.assertRaises(ValueError):
            answer.plot_errors(ax=Axes())

    def test_a_plot_has_bars_as_long_as_the_intervals(self):
        axes = Axes()
        self.assertIs(by_sex().plot_errors(ax=axes), axes)
        self.assertEqual(axes.bars, [(["F", "M", "X"], [120, 80, -3], [[30, 30, 30], [30, 30, 30]])])
        self.assertEqual(axes.words, ["n, with 95 % intervals of the noise", "sex", "cost 0.1; 0.9 left"])

    def test_numbers_and_times_stand_where_they_belong(self):
        told = [said("x"), said("n", "discrete_laplace", 30.0), said("n_low"), said("n_high")]
        for first, second, turned in ((2020, 2024, None), (datetime.date(2024, 1, 1), datetime.date(2024, 2, 1), ("x", 30))):
            axes = Axes()
            _answer(["x", "n", "n_low", "n_high"], [(first, 5, 1, 9), (second, 6, 2, 10)], told).plot_errors(ax=axes)
            self.assertEqual((axes.bars[0][0], axes.turned), ([first, second], turned))
        axes = Axes()
        _answer(["x", "n", "n_low", "n_high"], [(2020, 5, 1, 9), (None, 6, 2, 10)], told).plot_errors(ax=axes)
        self.assertEqual([type(place) for place in axes.bars[0][0]], [str, str])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
