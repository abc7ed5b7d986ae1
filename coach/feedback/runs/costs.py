"""Learned costs of stages on this installation: updated by each that ends, read in one short query.

The cost of stages of one kind is a straight line: a fixed part, plus a rate per second of media.
Only the sums of the regression are stored, not the stages: reading takes a dozen rows however many
takes there are.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, FloatField, Value
from django.db.models.functions import Greatest, Least

from analysis.plan import DEFAULT_COSTS, Cost, Costs, Shape, cost_of, gain
from coach.feedback.models import StageCost

_FADING = 0.97
"""What a stage counts for after the next one of its kind: some thirty are remembered (rule of
thumb: enough to even out, few enough to follow another machine or engine within a day)."""
_STRETCH_FADING = 0.8
"""How busy machines are changes within minutes, so this follows the last five (rule of thumb)."""
_TELLING_SECONDS = 10.0
"""A shorter stage is mostly its beginning, and tells that much less of how busy a machine is (rule
of thumb)."""
_DEFAULTS_COUNT = 1.0
"""At each of two lengths, what the figures of a fresh installation count for at the beginning."""
_SHORT, _LONG = 60.0, 900.0
_LEAST_STRETCH, _MOST_STRETCH = 0.1, 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Resources used by a stage that succeeded at its first attempt."""

    stage: str
    shape: Shape
    cores: int
    processor_seconds: float
    seconds: float
    contention: float = 1.0
    """How many times as long as alone it may have taken since others computed beside it, those of
    its own run too."""


def learned_costs() -> Costs:
    """Return the costs by stage and kind; a stage never seen keeps its default."""
    return {(row.stage, row.kind): _line(row) for row in StageCost.objects.all()}


def learn(spent: Spent) -> None:
    """Add a stage to the sums, in one short statement without a transaction."""
    amount = spent.shape.amount(spent.stage)
    if amount <= 0 or spent.processor_seconds <= 0:
        return
    kind = spent.shape.kind(spent.stage)
    sums = _sums(amount, spent.processor_seconds)
    alone = spent.contention * spent.processor_seconds / gain(spent.stage, spent.cores)
    stretch = min(max(spent.seconds / alone, _LEAST_STRETCH), _MOST_STRETCH)
    told = min(spent.seconds / _TELLING_SECONDS, 1.0)
    _begin(spent.stage, kind, spent.shape)
    StageCost.objects.filter(stage=spent.stage, kind=kind).update(
        **{name: F(name) * _FADING + value for name, value in sums.items()},
        stretch=F("stretch") + told * _share_of_the_newest() * (Value(stretch) - F("stretch")),
        seen=Least(F("seen") + 1, 1_000_000),
    )


def _share_of_the_newest() -> Greatest:
    """Return the weight of the newest stage: 1 for the first, a fifth for later ones."""
    first = Value(1.0) / (F("seen") + Value(1.0))
    return Greatest(Value(1 - _STRETCH_FADING), first, output_field=FloatField())


def _begin(stage: str, kind: str, shape: Shape) -> None:
    """Create the first row of a kind from the default costs."""
    if StageCost.objects.filter(stage=stage, kind=kind).exists():
        return
    default = cost_of(stage, shape, DEFAULT_COSTS)
    first = [_sums(amount, default.processor_seconds(amount)) for amount in (_SHORT, _LONG)]
    sums = {name: _DEFAULTS_COUNT * (first[0][name] + first[1][name]) for name in first[0]}
    StageCost.objects.bulk_create(
        [StageCost(stage=stage, kind=kind, stretch=default.stretch, **sums)], ignore_conflicts=True
    )


def _sums(amount: float, work: float) -> dict[str, float]:
    """Return one stage's part of each sum, weighted so that relative errors count equally
    at any length.
    """
    weight = (_SHORT / max(amount, _SHORT)) ** 2
    return {
        "weight": weight,
        "amount": weight * amount,
        "work": weight * work,
        "amount_squared": weight * amount**2,
        "amount_by_work": weight * amount * work,
    }


def _line(row: StageCost) -> Cost:
    """Fit a line by least squares; a negative intercept or slope is set to 0."""
    spread = row.weight * row.amount_squared - row.amount**2
    rate = (row.weight * row.amount_by_work - row.amount * row.work) / spread if spread > 0 else 0.0
    fixed = (row.work - rate * row.amount) / row.weight
    if fixed < 0:
        fixed, rate = 0.0, row.amount_by_work / row.amount_squared
    elif rate < 0:
        fixed, rate = 0.0, row.work / row.amount
    return Cost(fixed=fixed, rate=rate, stretch=row.stretch)
