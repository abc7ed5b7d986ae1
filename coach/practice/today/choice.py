"""The practice offered today: an exercise or a stretch to redo, in turn. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.lib.words.dates import here
from coach.practice.exercises.catalogue import CatalogueExercise, exercises
from coach.practice.exercises.page import minutes_words
from coach.practice.exercises.selectors import exercises_done_for
from coach.practice.one_thing.advice import Advice, advice_for
from coach.practice.redo.focus import measure_of, measures_for
from coach.practice.redo.lengths import report_on, seconds_to_compare
from coach.practice.redo.selectors import spans_for
from coach.practice.redo.services import obstacle_to_span

_FIRST = "ten_second_test"
"""The exercise for a person without a take: a test of camera and microphone."""
_MOST_MINUTES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What to practise today, with its page."""

    title: str
    why: str
    url: str
    button: str
    length: str


def offer_for(user: User) -> Offer:
    """Return today's practice: of the plan, else of the last report, else from the catalogue.

    An exercise and a stretch follow each other, so that nobody only repeats or only reads.
    """
    advice = advice_for(user)
    if advice is None:
        return _from_catalogue(user)
    stretch = _stretch(advice) if _did_exercise_last(user) or not advice.url else None
    return stretch or _exercise(advice) or _stretch(advice) or _from_catalogue(user)


def _did_exercise_last(user: User) -> bool:
    exercise = exercises_done_for(user).values_list("at", flat=True).first()
    redone = spans_for(user).filter(after__isnull=False).values_list("created_at", flat=True)
    last_redone = redone.first()
    return exercise is not None and (last_redone is None or exercise > last_redone)


def _exercise(advice: Advice) -> Offer | None:
    if advice.drill is None:
        return None
    return Offer(
        title=advice.drill.words.title,
        why=_why(advice),
        url=advice.url,
        button=_("Begin exercise"),
        length=minutes_words(advice.drill.minutes),
    )


def _stretch(advice: Advice) -> Offer | None:
    """Return the stretch of the last take that could show a change; None if there is none."""
    take, card = advice.take, advice.card
    metric = measure_of(card.metric if card else advice.metric)
    if take is None or not metric or metric not in measures_for(take) or obstacle_to_span(take):
        return None
    seconds = seconds_to_compare(metric, take, report_on(take), card)
    if seconds is None:
        return None
    page = reverse("practice:choose_span", args=[take.pk])
    return Offer(
        title=_("Say %(seconds)d seconds again")
        % {"seconds": min(seconds, take.duration or seconds)},
        why=_why(advice),
        url=f"{page}?card={advice.item_id}" if card else f"{page}?measure={metric}",
        button=_("Choose the part"),
        length=minutes_words(_MOST_MINUTES),
    )


def _why(advice: Advice) -> str:
    if advice.card is None:
        return _("From your plan: %(topic)s") % {"topic": advice.topic}
    return _("From your last report: %(topic)s") % {"topic": advice.topic}


def _from_catalogue(user: User) -> Offer:
    """Return the test of camera and microphone for a first day, else one short exercise a day."""
    short = [each for each in exercises().values() if each.minutes <= _MOST_MINUTES]
    found: CatalogueExercise = short[here(None).toordinal() % len(short)]
    if not user.rehearsals.exists() and not exercises_done_for(user).exists():
        found = exercises()[_FIRST]
    return Offer(
        title=found.words.title,
        why=found.words.aim,
        url=reverse("practice:exercise", args=[found.id]),
        button=_("Begin exercise"),
        length=minutes_words(found.minutes),
    )
