"""What came back: a data frame that knows how far its numbers are off, and what it cost."""
from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

import pandas


@dataclass(frozen=True)
class Price:
    """What an answer cost, and what is left to ask with.

    Under zcdp `rho` and `rho_left` are what is counted; the epsilons then say what they buy.
    """

    epsilon: float
    delta: float
    rho: Optional[float]
    cached: bool  # the same question was paid for before
    epsilon_left: float
    delta_left: float
    rho_left: Optional[float]
    receipt: Optional[str]  # names the charge; None where nothing was paid

    def __str__(self) -> str:
        if self.cached:
            return f"cost nothing: this is the stored answer; {self.epsilon_left:g} left"
        return f"cost {self.epsilon:g}; {self.epsilon_left:g} left"


@dataclass(frozen=True)
class ColumnError:
    """The noise of one column: 95 % of answers like this are within `moe95` of the truth.

    Where that depends on how many people match, `condition` says what it was computed for, and the
    rows of `Answer.low` and `Answer.high` are what holds. It is None for a value that was chosen
    from a list, such as a mode.
    """

    column: str
    mechanism: str
    scale: Optional[float]
    moe95: Optional[float]
    condition: Optional[str]


class Answer(pandas.DataFrame):
    """A pandas.DataFrame with `price`, `errors`, `notices`, and the intervals `low` and `high`."""

    # pandas hands these on to frames that are made of this one.
    _metadata = ["price", "errors", "notices", "_low", "_high"]

    price: Optional[Price]  # None where nothing about people was asked
    errors: Dict[str, ColumnError]
    notices: List[str]  # the server's own words about this answer

    @property
    def _constructor(self) -> Callable[..., "Answer"]:
        return Answer

    @property
    def low(self) -> pandas.DataFrame:
        """The lower ends of the 95 % intervals, for each column with noise."""
        return self._end("_low")

    @property
    def high(self) -> pandas.DataFrame:
        """The upper ends."""
        return self._end("_high")

    def _end(self, which: str) -> pandas.DataFrame:
        # Rows and columns may have been left out since.
        end: pandas.DataFrame = getattr(self, which)
        kept = [column for column in end.columns if column in self.columns]
        return end.loc[self.index, kept]

    def plot_errors(self, x: Optional[str] = None, y: Optional[str] = None, ax: Any = None) -> Any:
        """Points with error bars: `y` (the first column with noise) over `x` (the first one without).

        Draws on `ax`, matplotlib's axes, or on new ones, and returns them.
        """
        if y is None:
            y = next((name for name in self.columns if name in self.errors), None)
        if y is None or y not in self._low.columns:
            raise ValueError("there is no column with noise to plot; name one: y=")
        if x is None:
            x = next((name for name in self.columns if name not in self.errors), None)
        places = self[x] if x is not None else self.index
        if ax is None:
            from matplotlib import pyplot  # only who draws needs it

            _, ax = pyplot.subplots()
        values = self[y].astype(float)
        below = values - self.low[y].astype(float)
        above = self.high[y].astype(float) - values
        ax.errorbar([str(place) for place in places], values, yerr=[below, above], fmt="o", capsize=4)
        ax.set_ylabel(y)
        if x is not None:
            ax.set_xlabel(x)
        ax.set_title(str(self.price or ""))
        return ax

    def _repr_html_(self) -> str:
        """In a notebook: the table, and below it what it cost and how far it is off."""
        table = super()._repr_html_()
        said = "<br>".join(html.escape(notice) for notice in getattr(self, "notices", None) or [])
        return f"{table}<p>{said}</p>" if said else str(table)
