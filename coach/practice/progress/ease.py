"""Ease of speaking in a person's own words, take by take, without interpretation."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from coach.accounts.models import User
from coach.lib.words.dates import date_words
from coach.rehearsals.selectors import own_rehearsals_for
from coach.rehearsals.speaking_ease import Ease, HowEasy

MOST_TAKES = 40
"""Number of newest takes, as for measures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EaseLine:
    """Answers for one take, before and after; empty if not given."""

    when: str
    title: str
    url: str
    before: str
    after: str


def own_ease(user: User) -> tuple[EaseLine, ...]:
    """Return all the person's answers, oldest first; empty if there are none."""
    said = Ease.objects.filter(rehearsal__in=own_rehearsals_for(user))
    given = said.exclude(before="", after="").select_related("rehearsal")
    newest = given.order_by("-rehearsal__created_at")[:MOST_TAKES]
    return tuple(_line(each) for each in reversed(newest))


def _line(said: Ease) -> EaseLine:
    take = said.rehearsal
    return EaseLine(
        when=date_words(take.created_at),
        title=take.title,
        url=reverse("feedback:report", args=[take.pk]),
        before=_words(said.before),
        after=_words(said.after),
    )


def _words(code: str) -> str:
    return str(HowEasy(code).label) if code else ""
