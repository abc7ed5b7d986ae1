"""What stages cost on this installation: learned from each that ends, read in one short query.

A straight line through what stages of one kind have cost: so much for the start, so much for each
second of media. Its sums are kept, not the stages: reading takes a dozen rows however many takes
there are.
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
    """What one stage took that ended well at its first try."""

    stage: str
    shape: Shape
    cores: int
    processor_seconds: float
    seconds: float
    contention: float = 1.0
    """How many times as long as alone it may have taken since others computed beside it, those of
    its own run too."""


def learned_costs() -> Costs:
    """By stage and kind; what was never seen is left to the defaults."""
    return {(row.stage, row.kind): _line(row) for row in StageCost.objects.all()}


def learn(spent: Spent) -> None:
    """Take it into the sums. One statement that waits for nobody for long, and no transaction."""
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
    """The first is all that is known; later ones count for a fifth."""
    first = Value(1.0) / (F("seen") + Value(1.0))
    return Greatest(Value(1 - _STRETCH_FADING), first, output_field=FloatField())


def _begin(stage: str, kind: str, shape: Shape) -> None:
    """The first row of a kind begins with what is known of it elsewhere."""
    if StageCost.objects.filter(stage=stage, kind=kind).exists():
        return
    default = cost_of(stage, shape, DEFAULT_COSTS)
    first = [_sums(amount, default.processor_seconds(amount)) for amount in (_SHORT, _LONG)]
    sums = {name: _DEFAULTS_COUNT * (first[0][name] + first[1][name]) for name in first[0]}
    StageCost.objects.bulk_create(
        [StageCost(stage=stage, kind=kind, stretch=default.stretch, **sums)], ignore_conflicts=True
    )


def _sums(amount: float, work: float) -> dict[str, float]:
    """One stage's part of each sum. A share of error counts the same for short and for long."""
    weight = (_SHORT / max(amount, _SHORT)) ** 2
    return {
        "weight": weight,
        "amount": weight * amount,
        "work": weight * work,
        "amount_squared": weight * amount**2,
        "amount_by_work": weight * amount * work,
    }


def _line(row: StageCost) -> Cost:
    """Least squares; a line that would begin below nothing goes through it."""
    spread = row.weight * row.amount_squared - row.amount**2
    rate = (row.weight * row.amount_by_work - row.amount * row.work) / spread if spread > 0 else 0.0
    fixed = (row.work - rate * row.amount) / row.weight
    if fixed < 0:
        fixed, rate = 0.0, row.amount_by_work / row.amount_squared
    elif rate < 0:
        fixed, rate = 0.0, row.work / row.amount
    return Cost(fixed=fixed, rate=rate, stretch=row.stretch)
