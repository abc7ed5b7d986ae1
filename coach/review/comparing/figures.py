"""The minutes for a talk with and without automatic cards, with their 95% intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, variance

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import Cohort
from coach.feedback.pages.about_take import Fact
from coach.lib.words.numbers import decimal
from coach.review.models import Review
from coach.review.team.item_times import LEAST_COACHES

LEAST_TALKS = 30
"""The minimum number of talks on either side: a mean of fewer such skewed times is not described
well by a t interval (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean or a difference of means, with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MinutesCompared:
    """The minutes of the timed talks on both sides."""

    with_cards: tuple[float, ...]
    without_cards: tuple[float, ...]
    coaches: int
    """The coaches who answered them."""

    @property
    def is_enough(self) -> bool:
        """Whether both sides have enough talks, of enough coaches."""
        talks = min(len(self.with_cards), len(self.without_cards))
        return talks >= LEAST_TALKS and self.coaches >= LEAST_COACHES


def minutes_in(groups: QuerySet[Cohort]) -> MinutesCompared:
    """Return the minutes of all answered talks of these groups that were drawn and timed.

    With cards: the active time at the review page until the release. Without: until the coach had
    written their own cards and had the automatic ones shown.
    """
    timed = Q(cards=Review.Cards.WITH, desk_seconds__gt=0)
    timed |= Q(cards=Review.Cards.WITHOUT, own_seconds__gt=0)
    rows = Review.objects.filter(
        timed, grant__cohort__in=groups, finished_at__isnull=False, grant__answered_at__isnull=False
    ).values_list("cards", "desk_seconds", "own_seconds", "handled_by")
    sides: dict[str, list[float]] = {Review.Cards.WITH: [], Review.Cards.WITHOUT: []}
    coaches = set()
    for cards, whole, own, coach in rows:
        sides[cards].append((whole if cards == Review.Cards.WITH else own or 0.0) / 60)
        coaches.add(coach)
    return MinutesCompared(
        with_cards=tuple(sides[Review.Cards.WITH]),
        without_cards=tuple(sides[Review.Cards.WITHOUT]),
        coaches=len(coaches - {None}),
    )


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean with Student's t interval."""
    error = sqrt(variance(values) / len(values))
    return _around(fmean(values), error, len(values) - 1)


def difference_of(more: Sequence[float], less: Sequence[float]) -> Mean:
    """Return the difference of two means with Welch's interval (1947)."""
    a, b = variance(more) / len(more), variance(less) / len(less)
    parts = a * a / (len(more) - 1) + b * b / (len(less) - 1)
    freedom = (a + b) ** 2 / parts if parts else len(more) + len(less) - 2
    return _around(fmean(more) - fmean(less), sqrt(a + b), freedom)


def _around(value: float, error: float, freedom: float) -> Mean:
    half = error * _t975(freedom)
    return Mean(value=value, low=value - half, high=value + half)


def _t975(freedom: float) -> float:
    """Return the 97.5% quantile of Student's t (Abramowitz and Stegun 1964, 26.7.5)."""
    z = NormalDist().inv_cdf(0.975)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


def comparison_facts(groups: QuerySet[Cohort]) -> tuple[Fact, ...]:
    """Return the figures in words; empty if these groups compare nothing."""
    found = minutes_in(groups)
    is_on = groups.filter(without_cards_percent__gt=0).exists()
    if not is_on and not found.with_cards and not found.without_cards:
        return ()
    return compared_words(found)


def compared_words(found: MinutesCompared) -> tuple[Fact, ...]:
    """Return both means and their difference in words, or that they are not known."""
    return (
        _side(_("With automatic cards"), found.with_cards, found),
        _side(_("Without automatic cards"), found.without_cards, found),
        Fact(label=_("Saved by the cards"), value=_saved(found)),
    )


def _side(label: str, minutes: Sequence[float], found: MinutesCompared) -> Fact:
    talks = ngettext("%(count)s talk", "%(count)s talks", len(minutes)) % {"count": len(minutes)}
    if not found.is_enough:
        return Fact(label=label, value=_("not known (%(talks)s so far)") % {"talks": talks})
    words = _("%(minutes)s minutes (95%% interval %(low)s to %(high)s; %(talks)s)")
    return Fact(label=label, value=words % {**_figures(mean_of(minutes)), "talks": talks})


def _saved(found: MinutesCompared) -> str:
    if not found.is_enough:
        return _("not known")
    words = _("%(minutes)s minutes for a talk (95%% interval %(low)s to %(high)s)")
    return words % _figures(difference_of(found.without_cards, found.with_cards))


def _figures(mean: Mean) -> dict[str, str]:
    return {
        "minutes": decimal(mean.value),
        "low": decimal(mean.low),
        "high": decimal(mean.high),
    }
