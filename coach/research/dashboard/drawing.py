"""Charts as SVG by matplotlib: text stays text, and the same rows give the same bytes.

A separate image, so that the page needs no inline style; the table next to it has the same content.
matplotlib is loaded when a chart is requested, not when the web process starts.
"""

from __future__ import annotations

import io
import textwrap
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from coach.lib.words.numbers import percent
from coach.research.dashboard.spec import DashboardChart, Kind, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ONE_AT_A_TIME = threading.Lock()
"""matplotlib's settings are global to the process."""

WIDE, NARROW = 570.0, 268.0
"""In points: 760 pixels, and a telephone's 358."""
_LINE = 17.0
_HEAD = 62.0
_LETTERS = {WIDE: 34, NARROW: 17}
_SQUARES = {34: 24, 17: 12}
"""Number of readable codes in a square of shares, by the length of labels."""
_POINTS_AN_INCH = 72.0
_LOWER_LEFT = 3
"""The corner of a legend, in matplotlib's numbering."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTheme:
    """Colours from `static/css/tokens.css`; series differ in shape and hatching too."""

    ink: str
    soft: str
    line: str
    paper: str
    series: tuple[str, ...]


THEMES: Final = {
    "light": ChartTheme(
        ink="#1d2422",
        soft="#545c58",
        line="#87857c",
        paper="#f8f6f1",
        series=("#0b5c63", "#8a5300", "#6d3b7c", "#2f6fb0", "#7a5c3e"),
    ),
    "dark": ChartTheme(
        ink="#eae7df",
        soft="#aeb4ae",
        line="#7c857f",
        paper="#151917",
        series=("#74cbc6", "#e9b860", "#d3a3e3", "#8dbdf0", "#cdb094"),
    ),
}
_SHAPES = ("o", "s", "D", "^", "v")
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\")


def draw(chart: DashboardChart, *, theme: str, is_narrow: bool) -> bytes:
    """Return the chart as an SVG document in UTF-8."""
    with _ONE_AT_A_TIME:
        from matplotlib import rc_context  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415

        colours, width = THEMES[theme], NARROW if is_narrow else WIDE
        with rc_context(_settings(colours)), warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of letters that its own font lacks: browsers have them
            inches = (width / _POINTS_AN_INCH, _height(chart, width) / _POINTS_AN_INCH)
            figure = Figure(figsize=inches, layout="constrained")
            axes = figure.add_subplot()
            _DRAWN[chart.kind](axes, chart, colours, _LETTERS[width])
            out = io.BytesIO()
            figure.savefig(
                out, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
            )
        return out.getvalue()


def _settings(colours: ChartTheme) -> Any:
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": "rostrum",
        "text.parse_math": False,
        "font.size": 9.5,
        "axes.edgecolor": colours.line,
        "axes.labelcolor": colours.soft,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": colours.soft,
        "ytick.color": colours.ink,
        "text.color": colours.ink,
        "hatch.linewidth": 0.6,
    }


def _height(chart: DashboardChart, width: float) -> float:
    if chart.kind == "columns":
        return min(width * 0.75, 260.0) + 18 * len(chart.series)
    if chart.kind == "heat":
        letters = _LETTERS[width]
        return _HEAD + _LINE * min(len(chart.labels), _SQUARES[letters]) + 5 * letters
    beside = len(chart.series) if chart.kind in {"counts", "dots"} else 1
    letters = _LETTERS[width]
    lines = sum(max(len(_wrapped(each, letters).split("\n")), beside) for each in chart.labels)
    return _HEAD + 12 * len(chart.series) + _LINE * lines


def _wrapped(label: str, letters: int) -> str:
    return "\n".join(textwrap.wrap(label, letters)[:3]) or " "


def _bars(axes: Axes, chart: DashboardChart, colours: ChartTheme, letters: int) -> None:
    """Draw parts of a whole, one stacked bar per label."""
    before = [0.0] * len(chart.labels)
    for place, series in enumerate(chart.series):
        values = [value or 0.0 for value in series.values]
        axes.barh(
            range(len(values)),
            values,
            left=before,
            height=0.66,
            color=colours.series[place],
            hatch=_HATCHES[place],
            edgecolor=colours.paper,
            label=series.name,
        )
        before = [start + value for start, value in zip(before, values, strict=True)]
    _down(axes, chart, letters)


def _counts(axes: Axes, chart: DashboardChart, colours: ChartTheme, letters: int) -> None:
    """Draw counts, with series next to each other."""
    thick = 0.8 / len(chart.series)
    for place, series in enumerate(chart.series):
        axes.barh(
            [at - 0.4 + thick * (place + 0.5) for at in range(len(series.values))],
            [value or 0.0 for value in series.values],
            height=thick * 0.9,
            color=colours.series[place],
            hatch=_HATCHES[place],
            edgecolor=colours.paper,
            label=series.name,
        )
    _down(axes, chart, letters)


def _dots(axes: Axes, chart: DashboardChart, colours: ChartTheme, letters: int) -> None:
    """Draw values with intervals, one line per label and series."""
    step = 0.7 / max(len(chart.series), 1)
    for place, series in enumerate(chart.series):
        there, values, around = _plotted_values(series)
        axes.errorbar(
            values,
            [at - 0.35 + step * (place + 0.5) for at in there],
            xerr=around,
            fmt=_SHAPES[place],
            color=colours.series[place],
            markersize=4.5,
            linewidth=1.2,
            clip_on=False,
            label=series.name,
        )
    _down(axes, chart, letters)


def _plotted_values(series: Series) -> tuple[list[int], list[float], list[list[float]]]:
    """Return the positions with values, the values, and the lengths of their intervals."""
    there = [at for at, value in enumerate(series.values) if value is not None]
    values = [series.values[at] or 0.0 for at in there]
    ends = [(series.low[at], series.high[at]) for at in there]
    down = [
        value - (value if low is None else low)
        for value, (low, _) in zip(values, ends, strict=True)
    ]
    up = [
        (value if high is None else high) - value
        for value, (_, high) in zip(values, ends, strict=True)
    ]
    return there, values, [[max(each, 0.0) for each in side] for side in (down, up)]


def _down(axes: Axes, chart: DashboardChart, letters: int) -> None:
    """Put labels from top to bottom, and figures along the bottom."""
    axes.set_yticks(range(len(chart.labels)), [_wrapped(each, letters) for each in chart.labels])
    axes.set_ylim(len(chart.labels) - 0.5, -0.5)
    axes.set_xlim(left=0.0, right=1.0 if chart.is_share else None)
    axes.set_xlabel(_wrapped(chart.axis, 2 * letters))
    axes.tick_params(axis="y", length=0)
    if chart.is_share:
        axes.xaxis.set_major_formatter(_percent)
    _legend(axes, chart)


def _percent(value: float, _place: float | None = None) -> str:
    return percent(value)


def _columns(axes: Axes, chart: DashboardChart, colours: ChartTheme, letters: int) -> None:
    """Draw values with intervals over an order, joined by lines."""
    step = 0.5 / len(chart.series)
    for place, series in enumerate(chart.series):
        there, values, around = _plotted_values(series)
        axes.errorbar(
            [at - 0.25 + step * (place + 0.5) for at in there],
            values,
            yerr=around,
            fmt=f"{_SHAPES[place]}-",
            color=colours.series[place],
            markersize=4.5,
            linewidth=1.2,
            label=series.name,
        )
    axes.set_xticks(range(len(chart.labels)), list(chart.labels))
    axes.set_title(_wrapped(chart.axis, 2 * letters), loc="left", fontsize=9.5)
    _legend(axes, chart)


def _heat(axes: Axes, chart: DashboardChart, colours: ChartTheme, letters: int) -> None:
    """Draw shares as shades of a square."""
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415

    depth = LinearSegmentedColormap.from_list("depth", [colours.paper, colours.series[0]])
    most = _SQUARES[letters]
    table = [[value or 0.0 for value in series.values[:most]] for series in chart.series[:most]]
    names = [each if len(each) <= letters else f"{each[:letters]}…" for each in chart.labels[:most]]
    mesh = axes.pcolormesh(table, cmap=depth, vmin=0.0, edgecolors=colours.line, linewidth=0.3)
    middles = [at + 0.5 for at in range(len(names))]
    axes.set_yticks(middles, names)
    axes.set_xticks(middles, names, rotation=90)
    axes.invert_yaxis()
    axes.tick_params(length=0, labelsize=8)
    figure = axes.get_figure()
    if figure is not None:
        bar = figure.colorbar(mesh, ax=axes, location="bottom", shrink=0.6, format=_percent)
        bar.set_label(_wrapped(chart.axis, 2 * letters))


def _legend(axes: Axes, chart: DashboardChart) -> None:
    if len(chart.series) > 1:
        axes.legend(loc=_LOWER_LEFT, bbox_to_anchor=(0, 1.0), frameon=False, borderaxespad=0.2)


_DRAWN: Final[dict[Kind, Callable[[Any, DashboardChart, ChartTheme, int], None]]] = {
    "bars": _bars,
    "counts": _counts,
    "dots": _dots,
    "columns": _columns,
    "heat": _heat,
}
