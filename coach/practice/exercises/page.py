"""Content of the exercise pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.feedback.documents import CardDocument, CardExercise
from coach.feedback.models import Item
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.practice.cards import card_now
from coach.practice.exercises.catalogue import CatalogueExercise, exercises
from coach.practice.exercises.listening.page import (
    Heard,
    ListeningPart,
    card_moment,
    listening_part,
)
from coach.practice.exercises.own import own_exercise
from coach.practice.exercises.selectors import exercises_done_for
from coach.rehearsals.models import Goal


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseStepRow:
    """One step with its length in seconds and in words."""

    text: str
    seconds: int
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForCard:
    """The card that led to the exercise."""

    item_id: str
    claim: str
    suggestion: str
    language: str
    report_url: str
    again_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExercisePage:
    """One exercise with its steps and timer."""

    id: str
    title: str
    quality: str
    aim: str
    """This, `example` and `source` are empty for a card's own exercise."""
    example: str
    source: str
    minutes: str
    total: str
    steps: tuple[ExerciseStepRow, ...]
    done: str
    """Date of the last time, in words; empty if never."""
    card: ForCard | None
    language: str = ""
    """Language of title and steps, if it is not the reader's."""
    is_done_now: bool = False
    listening: ListeningPart | None = None
    """Recording it; None if it does not listen."""
    moment: Heard | None = None
    """The moments of the card, to play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseRow:
    """One exercise in the list."""

    url: str
    title: str
    aim: str
    minutes: str
    done: str
    listens: str
    """What it listens for; empty if it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityGroup:
    """The exercises for one quality."""

    label: str
    exercises: tuple[ExerciseRow, ...]


def exercise_page(
    exercise: CatalogueExercise, *, user: User, item: Item | None, is_done_now: bool = False
) -> ExercisePage:
    """Return the page of an exercise, with the card that led to it, if any."""
    card = card_now(item) if item else None
    if item and card and (own := own_exercise(card, exercise)):
        return _page_of_cards_own(own, exercise, card, user=user, item=item, done=is_done_now)
    words = exercise.words
    return ExercisePage(
        id=exercise.id,
        title=words.title,
        quality=quality_words(exercise.quality),
        aim=words.aim,
        example=words.example,
        source=exercise.source_words,
        minutes=minutes_words(exercise.minutes),
        total=clock(exercise.seconds),
        steps=tuple(
            ExerciseStepRow(text=step.text, seconds=step.seconds, time=clock(step.seconds))
            for step in words.steps
        ),
        done=_done_last(user, exercise.id),
        card=_card(item, card) if item and card else None,
        is_done_now=is_done_now,
        listening=listening_part(exercise, user=user, item=item),
        moment=card_moment(item) if item else None,
    )


def _page_of_cards_own(
    own: CardExercise,
    guided: CatalogueExercise,
    card: CardDocument,
    *,
    user: User,
    item: Item,
    done: bool,
) -> ExercisePage:
    """Return the page of a card's own exercise: the rule's text and minutes, as one step."""
    seconds = 60 * own.minutes
    return ExercisePage(
        id=guided.id,
        title=own.title,
        quality=quality_words(guided.quality),
        aim="",
        example="",
        source="",
        minutes=minutes_words(own.minutes),
        total=clock(seconds),
        steps=(ExerciseStepRow(text=own.text, seconds=seconds, time=clock(seconds)),),
        done=_done_last(user, item.rule) or _recorded_last(user, item),
        card=_card(item, card),
        language=card.language,
        is_done_now=done,
        listening=listening_part(guided, user=user, item=item),
        moment=card_moment(item),
    )


def _done_last(user: User, exercise: str) -> str:
    last = exercises_done_for(user).filter(exercise=exercise).first()
    return done_words(last.at) if last else ""


def _recorded_last(user: User, item: Item) -> str:
    last = exercises_done_for(user).filter(item=item, recording__isnull=False).first()
    return done_words(last.at) if last else ""


def exercise_groups(user: User) -> tuple[QualityGroup, ...]:
    """Return all exercises by quality, each with its last date."""
    last = dict(exercises_done_for(user).order_by("at").values_list("exercise", "at"))
    rows: dict[str, list[ExerciseRow]] = {}
    for each in exercises().values():
        row = ExerciseRow(
            url=reverse("practice:exercise", args=[each.id]),
            title=each.words.title,
            aim=each.words.aim,
            minutes=minutes_words(each.minutes),
            done=done_words(last[each.id]) if each.id in last else "",
            listens=str(each.answer.about) if each.answer else "",
        )
        rows.setdefault(each.quality, []).append(row)
    return tuple(_groups(rows))


def _groups(rows: dict[str, list[ExerciseRow]]) -> Iterable[QualityGroup]:
    for goal in Goal:
        if goal.value in rows:
            yield QualityGroup(label=str(goal.label), exercises=tuple(rows[goal.value]))


def _card(item: Item, now: CardDocument) -> ForCard:
    take = item.feedback.rehearsal_id
    return ForCard(
        item_id=str(item.pk),
        claim=now.claim,
        suggestion=now.suggestion,
        language=now.language,
        report_url=f"{reverse('feedback:report', args=[take])}#card-{item.pk}",
        again_url=f"{reverse('feedback:record')}?again={take}",
    )


def minutes_words(minutes: int) -> str:
    """Return the approximate length in words."""
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def done_words(at: datetime) -> str:
    """Return the date of the last time in words."""
    return _("Done on %(date)s") % {"date": date_words(at)}


def quality_words(code: str) -> str:
    """Return the label of a quality."""
    return str(Goal(code).label)
