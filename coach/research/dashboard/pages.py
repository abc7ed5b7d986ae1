"""Content of the dashboard pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from coach.accounts.models import User
from coach.research.dashboard.coding import quotable_people
from coach.research.dashboard.completeness import COMPLETENESS, figures_of, missing_of
from coach.research.dashboard.registry import GLANCES
from coach.research.dashboard.spec import Asked, Chart, Choice, Glance
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.studies.models import Study
from coach.research.studies.selectors import sees_allocation

MOST_ROWS = 60
"""On a page; the CSV has all of them."""


def asked_by(user: User, study: Study, chosen: Mapping[str, str]) -> Asked:
    """Return what the user may see of a study: consent as of the study's cut-off, or now."""
    return Asked(
        included=Included(study=study, cut_off=study.cut_off or last_change(study)),
        knows_conditions=sees_allocation(user, study),
        chosen=chosen,
    )


def overview(asked: Asked) -> dict[str, Any]:
    """Return the amounts of data, and what is missing."""
    figures = figures_of(asked.included)
    return {
        "study": asked.included.study,
        "figures": figures,
        "by_models": figures["by_models"],
        "missing": missing_of(list(COMPLETENESS.rows(asked))),
        "glances": GLANCES,
    }


@dataclass(frozen=True, kw_only=True)
class GlancePage:
    """One table with its chart."""

    glance: Glance
    study: Study
    heads: list[str]
    rows: list[list[str]]
    more: int
    """Rows that only the CSV has."""
    choices: tuple[Choice, ...]
    chosen: str
    """For the addresses of chart and CSV."""
    has_chart: bool
    open_rounds: int
    quotable: int | None


def glance_page(glance: Glance, asked: Asked) -> GlancePage:
    """Return the first rows as words; the chart has its own URL."""
    rows = list(glance.rows(asked))
    choices = glance.choices(asked)
    columns = [column for column in glance.columns if not column.is_chosen]
    is_of_codes = glance.name in {"codes", "codes-together", "quotes"}
    rounds = asked.included.study.rounds.filter(state="open").count() if is_of_codes else 0
    return GlancePage(
        glance=glance,
        study=asked.included.study,
        heads=[str(column.label) for column in columns],
        rows=[
            [_said(column.words, row.get(column.name)) for column in columns]
            for row in islice(rows, MOST_ROWS)
        ],
        more=max(len(rows) - MOST_ROWS, 0),
        choices=choices,
        chosen=urlencode({choice.name: choice.value for choice in choices}),
        has_chart=glance.chart is not None and glance.chart(rows) is not None,
        open_rounds=rounds,
        quotable=quotable_people(asked.included) if glance.name == "quotes" else None,
    )


def _said(words: Any, value: Any) -> str:
    return "" if value is None else str(words(value))


def chart_of(glance: Glance, asked: Asked) -> Chart | None:
    """Return the chart, or None if there is nothing to draw."""
    return glance.chart(list(glance.rows(asked))) if glance.chart else None
