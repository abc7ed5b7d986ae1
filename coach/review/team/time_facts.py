"""Working times in words, for leads and for each coach's own."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import Cohort, User
from coach.feedback.pages.about_take import Fact
from coach.lib.words.numbers import decimal
from coach.review.team.item_times import (
    GOAL_TIMES,
    LEAST_TIMED,
    Handled,
    Timed,
    handled_by,
    handled_in,
    item_times_in,
    item_times_of,
)

_IN_SECONDS = 120
"""The number of seconds below which times are shown in seconds (rule of thumb)."""


def time_facts_in(groups: QuerySet[Cohort], since: datetime) -> tuple[Fact, ...]:
    """Return the time facts over all coaches of these groups."""
    return _facts(handled_in(groups, since), item_times_in(groups, since))


def time_facts_of(coach: User, since: datetime) -> tuple[Fact, ...]:
    """Return a coach's own time facts."""
    return _facts(handled_by(coach, since), item_times_of(coach, since))


def _facts(handled: Handled, timed: Timed) -> tuple[Fact, ...]:
    return (
        Fact(label=_("Median review time"), value=_times(handled.median)),
        Fact(
            label=_("Goal, for a talk of five minutes"),
            value=_("%(times)s times its length at most") % {"times": decimal(GOAL_TIMES)},
        ),
        Fact(label=_("Timed reviews"), value=_count(handled.count)),
        *_item_facts(timed),
    )


def _item_facts(timed: Timed) -> tuple[Fact, ...]:
    if timed.is_withheld:
        return (Fact(label=_("Median time for a card"), value=_("too few to show")),)
    return (
        Fact(label=_("Median time for a card"), value=_length(timed.median)),
        Fact(label=_("90% of cards take at most"), value=_length(timed.p90)),
        Fact(label=_("Timed cards"), value=_count(timed.count)),
    )


def _times(times: float | None) -> str:
    if times is None:
        return _("not known")
    if times < 0.05:
        return _("less than a tenth of the talk’s length")
    return _("%(times)s times the talk’s length") % {"times": decimal(times)}


def _length(seconds: float | None) -> str:
    if seconds is None:
        return _("not known")
    if seconds < _IN_SECONDS:
        whole = max(round(seconds), 1)
        return ngettext("%(count)s second", "%(count)s seconds", whole) % {"count": whole}
    whole = round(seconds / 60)
    return ngettext("%(count)s minute", "%(count)s minutes", whole) % {"count": whole}


def _count(count: int) -> str:
    if count >= LEAST_TIMED:
        return str(count)
    words = _("%(count)s (fewer than %(least)s: too few to tell much yet)")
    return words % {"count": count, "least": LEAST_TIMED}
