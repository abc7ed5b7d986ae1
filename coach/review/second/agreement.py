"""Agreement between first and second coaches, by quality, by rule and on moments."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import Cohort
from coach.lib.agreement import (
    CodedUnit,
    Coefficient,
    Level,
    Undefined,
    cohen_kappa,
    krippendorff_alpha,
    mean_of,
    positive_agreement,
)
from coach.lib.files.csv_tables import no_formula
from coach.review.rubric.words import QUALITIES
from coach.review.second.models import Decision
from coach.review.second.overlap import FIRST, SECOND, SeenTwice, seen_twice
from coach.review.second.pairs import Pair, pairs_in

LEAST_PAIRS = 20
"""The minimum number of pairs for a coefficient; with fewer, each pair would move it (rule of
thumb)."""

_WHY_NONE = {
    Undefined.NO_VARIATION: gettext_lazy(
        "both gave the same answer every time, so chance agreement cannot be estimated"
    ),
    Undefined.ONE_CODER: gettext_lazy("only one coach rated them"),
    Undefined.TOO_FEW_UNITS: gettext_lazy("no two coaches rated the same ones"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The agreement on one quality or rule. Coefficients are None under 20 pairs (`why_none`)."""

    kind: str
    """`quality`, `rule` or `moments`."""
    code: str
    label: str
    n: int
    """The number of pairs that both coaches rated."""
    same: float | None = None
    """The share of equal answers, 0 to 1."""
    alpha: Coefficient | None = None
    """Krippendorff's alpha: ordinal for levels; nominal for decisions and for slices of moments."""
    kappa: Coefficient | None = None
    """Cohen's kappa, unweighted, with the first and the second coach as raters."""
    rejected: Coefficient | None = None
    """Positive agreement on rejecting, for decisions only."""
    overlap: Coefficient | None = None
    """Mean intersection over union, 0 to 1, for moments only."""
    why_none: str = ""


def agreement_in(groups: QuerySet[Cohort], titles: dict[str, str]) -> list[Agreement]:
    """Return the agreement by quality, over all rules, by shared rule, and on moments."""
    pairs = pairs_in(groups)
    levels: dict[str, list[CodedUnit]] = defaultdict(list)
    decisions: dict[str, list[CodedUnit]] = defaultdict(list)
    for pair in pairs:
        _add_levels(levels, pair)
        _add_decisions(decisions, pair)
    rows = [
        _row("quality", each.code, str(each.label), levels[each.code], Level.ORDINAL)
        for each in QUALITIES
    ]
    together = [unit for units in decisions.values() for unit in units]
    rows.append(_row("rule", "", _("All rules together"), together, Level.NOMINAL))
    rows += [
        _row("rule", rule, titles.get(rule, ""), units, Level.NOMINAL)
        for rule, units in sorted(decisions.items())
    ]
    seen = list(seen_twice(pairs))
    rows.append(
        _moments_row(
            "kept",
            _("Cards that both would keep, with automatic moments where a coach marked none"),
            seen,
        )
    )
    marked = [each for each in seen if each.is_marked]
    rows.append(
        _moments_row("marked", _("Of these, cards where both coaches marked moments"), marked)
    )
    return rows


def _moments_row(code: str, label: str, seen: Sequence[SeenTwice]) -> Agreement:
    if len(seen) < LEAST_PAIRS:
        return Agreement(kind="moments", code=code, label=label, n=len(seen), why_none=_few())
    alpha = krippendorff_alpha([unit for each in seen for unit in each.units()], Level.NOMINAL)
    return Agreement(
        kind="moments",
        code=code,
        label=label,
        n=len(seen),
        alpha=alpha,
        overlap=mean_of([(each.take, each.overlap) for each in seen]),
        why_none=str(_WHY_NONE[alpha.undefined]) if alpha.undefined else "",
    )


def _few() -> str:
    words = _("fewer than %(least)s pairs, too few for a meaningful figure")
    return words % {"least": LEAST_PAIRS}


def _add_levels(units: dict[str, list[CodedUnit]], pair: Pair) -> None:
    a, b = pair.first.levels, pair.second.levels
    for code in a.keys() & b.keys():
        units[code].append(CodedUnit(values={FIRST: a[code], SECOND: b[code]}, cluster=pair.take))


def _add_decisions(units: dict[str, list[CodedUnit]], pair: Pair) -> None:
    a, b = pair.first.decisions, pair.second.decisions
    for rule in a.keys() & b.keys():
        said = {FIRST: a[rule].kind, SECOND: b[rule].kind}
        units[rule].append(CodedUnit(values=said, cluster=pair.take))


def _row(kind: str, code: str, label: str, units: Sequence[CodedUnit], level: Level) -> Agreement:
    n = len(units)
    if n < LEAST_PAIRS:
        return Agreement(kind=kind, code=code, label=label, n=n, why_none=_few())
    alpha = krippendorff_alpha(units, level)
    return Agreement(
        kind=kind,
        code=code,
        label=label,
        n=n,
        same=sum(unit.values[FIRST] == unit.values[SECOND] for unit in units) / n,
        alpha=alpha,
        kappa=cohen_kappa(units, FIRST, SECOND),
        rejected=(
            positive_agreement(units, FIRST, SECOND, Decision.Kind.REJECT.value)
            if kind == "rule"
            else None
        ),
        why_none=str(_WHY_NONE[alpha.undefined]) if alpha.undefined else "",
    )


COLUMNS = (
    *("kind", "code", "label", "n", "same", "alpha", "alpha_low", "alpha_high"),
    *("kappa", "kappa_low", "kappa_high"),
    *("rejected", "rejected_low", "rejected_high", "why_none"),
    *("overlap", "overlap_low", "overlap_high"),
)


def as_csv(rows: Iterable[Agreement]) -> str:
    """Return the table as CSV; figures hidden on the page are empty."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        cells = [row.same, *_figures(row.alpha, row.kappa, row.rejected)]
        writer.writerow(
            [
                *(row.kind, row.code, no_formula(row.label), row.n),
                *map(_cell, cells),
                row.why_none,
                *map(_cell, _figures(row.overlap)),
            ]
        )
    return out.getvalue()


def _figures(*found: Coefficient | None) -> list[float | None]:
    """Return each coefficient with its interval."""
    return [
        figure
        for each in found
        for figure in ((each.value, each.low, each.high) if each else (None,) * 3)
    ]


def _cell(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.4f}"
