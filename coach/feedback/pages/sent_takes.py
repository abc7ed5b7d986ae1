"""That two takes of one talk lie with a coach: which one waits, and a way to take it back."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.pages.side_values import OlderTake, SentTakes
from coach.feedback.selectors import sent_takes_of
from coach.lib.words.dates import date_words
from coach.rehearsals.models import Rehearsal


def sent_takes(take: Rehearsal, *, is_released: bool) -> SentTakes:
    """Of a take that was sent: older ones that no coach has answered, and the newest after it.

    Once it is answered itself, what was sent after it changes nothing about it.
    """
    waiting = sent_takes_of(take.talk_id, only_waiting=True)
    older = waiting.filter(created_at__lt=take.created_at)
    after = sent_takes_of(take.talk_id).filter(created_at__gt=take.created_at)
    newest = None if is_released else after.first()
    return SentTakes(
        older=tuple(_older(each) for each in older),
        newer_words=_newer_words(newest) if newest else "",
        newer_url=reverse("feedback:report", args=[newest.pk]) if newest else "",
    )


def _older(take: Rehearsal) -> OlderTake:
    words = _("An older take of this talk, from %(date)s, is also waiting for your coach.")
    return OlderTake(
        words=words % {"date": date_words(take.created_at)},
        url=reverse("feedback:report", args=[take.pk]),
        take_back_url=reverse("feedback:withdraw", args=[take.pk]),
    )


def _newer_words(take: Rehearsal) -> str:
    words = _("You have since sent a newer take of this talk, from %(date)s.")
    return words % {"date": date_words(take.created_at)}


def taken_back_words(take: Rehearsal, *, stays: bool) -> str:
    """That an older one was taken back from the page of a newer one, which stays where it is."""
    words = (
        _("The take from %(date)s is private again. This one stays with your coach.")
        if stays
        else _("The take from %(date)s is private again.")
    )
    return words % {"date": date_words(take.created_at)}


def answered_meanwhile_words(take: Rehearsal) -> str:
    """That an older one was not taken back: it waits no longer."""
    words = _(
        "Your coach replied to the take from %(date)s in the meantime, so it was not withdrawn."
    )
    return words % {"date": date_words(take.created_at)}
