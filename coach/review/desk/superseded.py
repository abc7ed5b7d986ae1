"""That a newer take of the same talk was sent since: of what waits, and at the desk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.lib.words.dates import date_words
from coach.rehearsals.models import Rehearsal
from coach.review.desk.values import NewerTake
from coach.review.selectors import newest_sent_to


def newer_words_of(reviews: Iterable[Any], coach: User) -> Mapping[UUID, str]:
    """What a row of the queue says about it, by take; those that are the newest are left out."""
    takes = [each.rehearsal for each in reviews]
    newest = newest_sent_to(coach, {take.talk_id for take in takes}) if takes else {}
    return {
        take.pk: _("A newer take of this talk has been answered")
        if found.is_answered
        else _("A newer take of this talk is also waiting")
        for take in takes
        if (found := newest.get(take.talk_id)) and found.created_at > take.created_at
    }


def newer_take(take: Rehearsal, coach: User) -> NewerTake | None:
    """What the desk says about it, with the way there; nothing where this is the newest."""
    found = newest_sent_to(coach, [take.talk_id]).get(take.talk_id)
    if found is None or found.created_at <= take.created_at:
        return None
    words = (
        _("%(name)s sent a newer take of this talk on %(date)s. It has already been answered.")
        if found.is_answered
        else _(
            "%(name)s sent a newer take of this talk on %(date)s. It is also waiting for review."
        )
    )
    return NewerTake(
        words=words % {"name": take.owner, "date": date_words(found.created_at)},
        url=reverse("review:desk", args=[found.take]),
    )
