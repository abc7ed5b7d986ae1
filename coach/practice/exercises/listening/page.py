"""Content of the pages of an exercise that listens: recording, waiting, and the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.results import Note, Reason, Skipped
from coach.accounts.models import User
from coach.feedback.models import Item, Run
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.pages.measures import REASONS
from coach.feedback.reports import report_of
from coach.feedback.selectors import latest_run
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.measure_words import unit_words
from coach.lib.words.numbers import decimal, grouped, percent
from coach.lib.words.sentences import whole
from coach.practice.cards import card_now
from coach.practice.exercises.catalogue import CatalogueExercise, exercises
from coach.practice.exercises.listening.facts import COUNT, FACT_KINDS, WORDS, Fact, Moment
from coach.practice.exercises.listening.selectors import with_facts_for
from coach.practice.exercises.listening.services import MOST_MINUTES, obstacle_to_listening
from coach.practice.models import ExerciseDone
from coach.practice.preferences import reads_words_first
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.retention import day_words, exercise_kept_until

_EARLIER = 5
"""The number of earlier results on the page of an exercise (rule of thumb)."""

State = Literal["running", "failed", "done"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRow:
    """A fact in words; without a value it is left out of the comparison."""

    id: str
    label: str
    value: str
    quote: str = ""
    moments: tuple[Moment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One recording with what was counted in it, or the moment of a card."""

    key: str
    heading: str
    when: str
    media_url: str
    has_video: bool
    rows: tuple[FactRow, ...] = ()
    moments: tuple[Moment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFact:
    """One line of the table: a fact before and now."""

    label: str
    before: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierResult:
    """An earlier recording of the exercise in one line."""

    url: str
    """Empty once the recording is deleted."""
    when: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningPart:
    """The part of an exercise's page about recording it."""

    record_url: str
    about: str
    obstacle: str
    """Why it does not listen now; empty if it does."""
    earlier: tuple[EarlierResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingPage:
    """The page with the recorder."""

    id: str
    place: str
    title: str
    about: str
    task: str
    language: str
    back_url: str
    hand_in_url: str
    send_url: str
    obstacle: str
    days: int
    max_minutes: int = MOST_MINUTES
    is_sound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage:
    """What was heard in a recording, next to the one before."""

    key: str
    title: str
    about: str
    state: State
    percent: int
    problem: str
    now: Heard
    before: Heard | None
    compared: tuple[ComparedFact, ...]
    has_counts_before: bool
    missing: tuple[str, ...]
    """Why something could not be measured, and what would help."""
    is_cut: bool
    """Whether only the first minutes were measured."""
    deleted_on: str
    again_url: str
    back_url: str
    back_words: str
    words_first: bool


def listening_part(
    exercise: CatalogueExercise, *, user: User, item: Item | None
) -> ListeningPart | None:
    """Return the part of the page about recording; None if the exercise does not listen."""
    if exercise.answer is None:
        return None
    earlier = with_facts_for(user).filter(exercise=exercise.id)[:_EARLIER]
    return ListeningPart(
        record_url=_with_card(reverse("practice:record_exercise", args=[exercise.id]), item),
        about=str(exercise.answer.about),
        obstacle=obstacle_to_listening(user, exercise),
        earlier=tuple(result_of(each) for each in earlier),
    )


def result_of(done: ExerciseDone) -> EarlierResult:
    """Return a recording in one line, with its first counts."""
    url = ""
    if done.recording_id is not None:
        url = reverse("practice:exercise_heard", args=[done.recording_id])
    rows = _stored_rows(done)[:2]
    return EarlierResult(
        url=url,
        when=date_words(done.at),
        words=" · ".join(_("%(name)s: %(value)s") % _named(row) for row in rows),
    )


def _named(row: FactRow) -> dict[str, str]:
    return {"name": row.label, "value": row.value}


def _with_card(url: str, item: Item | None) -> str:
    return f"{url}?card={item.pk}" if item else url


def recording_page(
    exercise: CatalogueExercise, *, user: User, item: Item | None, days: int, task: str = ""
) -> RecordingPage:
    """Return the page with the recorder; `task` replaces the exercise's last step."""
    answer = exercise.answer
    card = card_now(item) if item else None
    return RecordingPage(
        id=exercise.id,
        place=f"exercise-{exercise.id}",
        title=exercise.words.title,
        about=str(answer.about) if answer else "",
        task=task or exercise.words.steps[-1].text,
        language=card.language if task and card else "",
        back_url=_with_card(reverse("practice:exercise", args=[exercise.id]), item),
        hand_in_url=_with_card(reverse("practice:use_exercise", args=[exercise.id]), item),
        send_url=_with_card(reverse("practice:send_exercise", args=[exercise.id]), item),
        obstacle=obstacle_to_listening(user, exercise),
        days=days,
        is_sound=not (answer and answer.needs_picture),
    )


def answer_page(done: ExerciseDone, recording: Rehearsal) -> AnswerPage:
    """Return what was heard in a recording, next to the one before or the card's moment."""
    exercise = exercises()[done.exercise]
    state, percent_done, problem = _state(recording)
    facts = _facts(exercise, recording) if state == "done" else ()
    now = _heard(recording, "now", _("Now"), date_words(done.at), _rows(facts))
    before = _before(done) if state == "done" else None
    counts_before = {row.id: row for row in before.rows} if before else {}
    return AnswerPage(
        key=str(recording.pk),
        title=exercise.words.title,
        about=str(exercise.answer.about) if exercise.answer else "",
        state=state,
        percent=percent_done,
        problem=problem,
        now=now,
        before=before,
        compared=tuple(
            ComparedFact(
                label=row.label,
                before=counts_before[row.id].value if row.id in counts_before else "",
                now=row.value,
            )
            for row in now.rows
        ),
        has_counts_before=bool(counts_before),
        missing=_missing(facts),
        is_cut=(recording.duration or 0.0) > 60 * MOST_MINUTES + 1,
        deleted_on=day_words(exercise_kept_until(recording)),
        again_url=_with_card(reverse("practice:record_exercise", args=[exercise.id]), done.item),
        back_url=_with_card(reverse("practice:exercise", args=[exercise.id]), done.item),
        back_words=exercise.words.title,
        words_first=reads_words_first(done.user),
    )


def _state(recording: Rehearsal) -> tuple[State, int, str]:
    run = latest_run(recording)
    if run is None:
        return "running", 0, ""
    page = analysing_page(recording, run)
    if page.failed:
        return "failed", 0, page.problem
    return ("done", 100, "") if run.state == Run.State.DONE else ("running", page.percent, "")


def _facts(exercise: CatalogueExercise, recording: Rehearsal) -> tuple[Fact, ...]:
    run = latest_run(recording)
    if run is None or exercise.answer is None:
        return ()
    return tuple(exercise.answer.facts(report_of(run)))


def _rows(facts: Iterable[Fact]) -> tuple[FactRow, ...]:
    return tuple(
        FactRow(
            id=fact.id,
            label=str(FACT_KINDS[fact.id].label),
            value=value_words(fact.value, FACT_KINDS[fact.id].unit),
            quote=fact.quote,
            moments=fact.moments,
        )
        for fact in facts
        if fact.value is not None
    )


def _stored_rows(done: ExerciseDone) -> tuple[FactRow, ...]:
    """Return the stored counts of a recording, which may be deleted."""
    return tuple(
        FactRow(
            id=each["id"],
            label=str(FACT_KINDS[each["id"]].label),
            value=value_words(each["value"], each["unit"]),
        )
        for each in done.facts
        if each["id"] in FACT_KINDS
    )


def value_words(value: float, unit: str) -> str:
    """Return a value with its unit in words."""
    if unit in {COUNT, WORDS} or "per minute" in unit:
        return grouped(round(value))
    if unit == "share":
        return percent(value)
    places = 1 if unit in {"s", "syllables per second"} else 0
    number = decimal(value, places)
    if unit == "syllables per second":  # its name says so
        return number
    return f"{number} {unit_words(unit, value)}"


def _missing(facts: Iterable[Fact]) -> tuple[str, ...]:
    """Return each reason once, in the order of the facts."""
    notes = [fact.missing for fact in facts if fact.value is None and fact.missing is not None]
    return tuple(dict.fromkeys(map(_why, notes)))


def _why(note: Note) -> str:
    lead = str(REASONS[Reason(note.reason)]) if isinstance(note, Skipped) else ""
    return f"{lead} {whole(note)}".strip()


def _heard(
    recording: Rehearsal, key: str, heading: str, when: str, rows: Sequence[FactRow]
) -> Heard:
    here = "" if recording.media_removed_at else reverse("rehearsals:media", args=[recording.pk])
    return Heard(
        key=key,
        heading=heading,
        when=when,
        media_url=here,
        has_video=bool(recording.has_video),
        rows=tuple(rows),
    )


def _before(done: ExerciseDone) -> Heard | None:
    """Return the recording before this one, else the moment of the card that led here."""
    earlier = with_facts_for(done.user).filter(exercise=done.exercise, at__lt=done.at)
    last = earlier.exclude(facts=[]).first()
    if last is None:
        return card_moment(done.item) if done.item else None
    if last.recording is None:
        return Heard(
            key="before",
            heading=_("Before"),
            when=date_words(last.at),
            media_url="",
            has_video=False,
            rows=_stored_rows(last),
        )
    rows = _rows(_facts(exercises()[last.exercise], last.recording))
    return _heard(last.recording, "before", _("Before"), date_words(last.at), rows)


def card_moment(item: Item) -> Heard | None:
    """Return the moments of a card in its take, to play; None if there are none to play."""
    take, card = item.feedback.rehearsal, card_now(item)
    if card is None or not card.clips or take.media_removed_at is not None:
        return None
    return Heard(
        key="before",
        heading=_("Before"),
        when=_("In your take of %(date)s") % {"date": date_words(take.created_at)},
        media_url=reverse("rehearsals:media", args=[take.pk]),
        has_video=bool(take.has_video),
        moments=tuple(
            Moment(start=clip.start, end=clip.end, label=clock(clip.named)) for clip in card.clips
        ),
    )
