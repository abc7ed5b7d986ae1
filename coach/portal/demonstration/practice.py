"""Practice of a demonstration's trainee: a plan with two focuses, key messages, questions after a
talk, notes of a live session, a redone part of a take, and a recorded exercise.

Plan and messages cost nothing. The part and the exercise are recorded and measured like any other,
once nothing else is being analysed, so that no visitor waits for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from coach.accounts.models import Role
from coach.feedback.items import items_for_reading
from coach.feedback.models import Run
from coach.feedback.selectors import feedback_for_owner, is_held_back
from coach.portal.demonstration.actions import person_of
from coach.portal.demonstration.seeding import send, sha256_of
from coach.practice.coach_tasks.services import set_task
from coach.practice.coaching_sessions.services import keep_session
from coach.practice.exercises.catalogue import exercises
from coach.practice.exercises.listening.services import hand_in_exercise
from coach.practice.key_messages.services import set_key_messages
from coach.practice.models import CoachingSession, ExerciseDone, FocusArea, KeyMessage, SpanAgain
from coach.practice.plan.services import choose_focus
from coach.practice.redo.detectability import can_be_clear
from coach.practice.redo.focus import measures_for
from coach.practice.redo.lengths import report_on
from coach.practice.redo.services import begin_span, hand_in_again
from coach.questions.models import WrittenQuestion
from coach.questions.services import QuestionWords, begin_session, write_question
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import note_opened

OWNER: Final = "nadia@rostrum.example"
TALK, AGAIN = "library", "library-again"
"""Her talk, and her redo of its beginning."""
UMS: Final = "fillers.filled_pauses_per_minute"
PAUSES: Final = "pauses.silent_per_minute"
FOCUS: Final = (UMS, "pauses.boundary_pause_share")
EXERCISE: Final = "breathe_instead"
SPAN: Final = (0.0, 30.0)
QUESTIONS: Final = {
    "en": "Who in this group could use your idea tomorrow, and for what?",
    "fr": "Qui, dans ce groupe, pourrait se servir de votre idée dès demain, et pour quoi ?",
}
"""Questions of the demonstration's coach."""
MESSAGES: Final = (
    "Our library needs four more hours a week.",
    "On an ordinary Tuesday, sixty-one people come in the last half hour.",
    "Reading aloud helps every child.",
)
"""Key messages of her talk; she does not say the last one."""

SESSION_NOTES: Final = (
    "We shortened the opening to one sentence and marked three places to pause.\n"
    "Next: the same talk on video, standing, with the request as the last sentence."
)
"""Notes of a live session with her coach."""


def practise(recordings: Mapping[str, Path]) -> None:
    """Choose the focuses, write the messages, redo a part and record an exercise, once.

    Later choices of visitors are kept. A refused step, because a visitor has changed something, is
    left out.
    """
    if TALK not in recordings:
        return
    sha256 = sha256_of(recordings[TALK])
    take = Rehearsal.objects.filter(owner__email=OWNER, sha256=sha256).first()
    if take is None or not take.runs.filter(state=Run.State.DONE).exists() or is_held_back(take):
        return
    _plan(take)
    _ask(take)
    _meet(take)
    if not KeyMessage.objects.filter(talk=take.talk_id).exists():
        set_key_messages(talk=take.talk, texts=MESSAGES)
    if AGAIN in recordings:
        with suppress(ValidationError):
            _do_again(take, recordings[AGAIN])
            _record_exercise(take, recordings[AGAIN])


@transaction.atomic
def _plan(take: Rehearsal) -> None:
    if FocusArea.objects.filter(person=take.owner).exists():
        return
    note_opened(rehearsal=take)
    for metric in FOCUS:
        with suppress(ValidationError):
            choose_focus(person=take.owner, metric=metric, actor=take.owner)


@transaction.atomic
def _ask(take: Rehearsal) -> None:
    """Let a coach write two questions for the group; one waits among three after the take."""
    coach = person_of(Role.COACH)
    if take.cohort is None or WrittenQuestion.objects.filter(author=coach).exists():
        return
    with suppress(ValidationError):
        for language, text in QUESTIONS.items():
            words = QuestionWords(
                text=text, kind="friendly", language=language, cohort=take.cohort.pk
            )
            write_question(coach=coach, words=words)
        begin_session(take=take, with_hostile=True)


@transaction.atomic
def _meet(take: Rehearsal) -> None:
    """Keep the coach's notes of a live session on the day before the take, and set a task."""
    if CoachingSession.objects.filter(person=take.owner).exists():
        return
    set_task(
        take=take,
        coach=person_of(Role.COACH),
        exercise=EXERCISE,
        text="Before your next take, please.",
        due_on=timezone.localdate() + timedelta(days=7),
    )
    day = timezone.localdate(take.created_at) - timedelta(days=1)
    keep_session(person=take.owner, coach=person_of(Role.COACH), held_on=day, notes=SESSION_NOTES)


@transaction.atomic
def _do_again(take: Rehearsal, recording: Path) -> None:
    """Redo the part, from the card about it if there is one."""
    start, end = SPAN
    report = report_on(take)
    is_done = SpanAgain.objects.filter(take=take).exists()
    if is_done or report is None or (take.duration or 0) < end:
        return
    able = [each for each in (UMS, PAUSES) if each in measures_for(take)]
    metric = next((each for each in able if can_be_clear(each, report, SPAN)), None)
    if metric is None:
        return
    feedback = feedback_for_owner(take)
    read = items_for_reading(feedback) if feedback else []
    card = next((each.item for each in read if each.card.metric == metric), None)
    span = begin_span(take=take, start=start, end=end, metric=metric, item=card)
    hand_in_again(span=span, upload=send(owner=take.owner, recording=recording))


@transaction.atomic
def _record_exercise(take: Rehearsal, recording: Path) -> None:
    if ExerciseDone.objects.filter(user=take.owner, exercise=EXERCISE).exists():
        return
    upload = send(owner=take.owner, recording=recording)
    hand_in_exercise(user=take.owner, exercise=exercises()[EXERCISE], upload=upload)
