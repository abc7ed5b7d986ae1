"""Services for exercises that listen: submit a recording, store its counts, delete it."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from analysis.metrics import PROFILE_FAMILIES
from coach.accounts.models import Purpose, User
from coach.accounts.selectors import consents_of, has_consent, profile_of
from coach.audit.services import record_act
from coach.feedback.models import Item, Run
from coach.feedback.reports import report_of
from coach.feedback.selectors import latest_run
from coach.practice.exercises.catalogue import CatalogueExercise, exercises
from coach.practice.exercises.listening.answers import Answer
from coach.practice.exercises.listening.facts import FACT_KINDS
from coach.practice.models import ExerciseDone
from coach.practice.preferences import spoken_of
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Aim, Audience, Rehearsal, Setting, SpokenLanguage, Upload
from coach.rehearsals.selectors import how_one_speaks_for, own_rehearsals_for
from coach.rehearsals.services import delete_rehearsal
from coach.rehearsals.talk_context import TalkContext, context_of_take
from coach.uploads.services import UploadGone
from coach.uploads.storing import ShortRecording, submit_rehearsal

MOST_MINUTES = 2
"""The length of a recording, so that the answer is there soon (rule of thumb)."""


def is_turned_off(user: User, answer: Answer) -> bool:
    """Return whether the person's profile turns off something that the answer needs."""
    named = {*user.disabled_families, *profile_of(user).leaves_out}
    off = {family for name in named for family in PROFILE_FAMILIES[name]}
    if off & answer.also:
        return True
    return len(spoken_of(user, answer.metrics)) < len(answer.metrics)


def obstacle_to_listening(user: User, exercise: CatalogueExercise) -> str:
    """Return why the exercise cannot listen to this person; empty if it can."""
    if exercise.answer is None:
        return _("This exercise cannot be recorded.")
    if is_turned_off(user, exercise.answer):
        return _(
            "Your profile asks us not to measure this, so you cannot record this exercise here."
        )
    was_asked = consents_of(user).filter(purpose=Purpose.ANALYSIS).exists()
    if was_asked and not has_consent(user, purpose=Purpose.ANALYSIS):
        # An exercise gives this consent for somebody new, and never again after a withdrawal.
        return _(
            "You withdrew your consent to analysis, so we measure nothing here. Submitting a "
            "new take gives this consent again."
        )
    return ""


@transaction.atomic
def hand_in_exercise(
    *, user: User, exercise: CatalogueExercise, upload: Upload, item: Item | None = None
) -> ExerciseDone:
    """Measure a recording for the one thing that the exercise is about; it counts as done.

    `item` is the person's own card that led to it. Safe to call twice. Raises ValidationError,
    UploadGone, StillArriving and StorageUnavailable.
    """
    obstacle = obstacle_to_listening(user, exercise)
    answer = exercise.answer
    if obstacle or answer is None:
        raise ValidationError(obstacle)
    take = item.feedback.rehearsal if item else None
    recording = submit_rehearsal(
        owner=user,
        upload=upload,
        context=_context(user, take, exercise.words.title),
        form_token=uuid4(),
        short=ShortRecording(
            kind=Kind.EXERCISE,
            of=take,
            title=exercise.words.title,
            disabled_families=answer.disabled_families,
        ),
        part=(None, 60.0 * MOST_MINUTES),
    )
    if recording.kind != Kind.EXERCISE:
        raise UploadGone  # the upload has become a take in the meantime
    done, is_new = ExerciseDone.objects.get_or_create(
        recording=recording,
        defaults={"user": user, "exercise": exercise.id, "rehearsal": take, "item": item},
    )
    if is_new:
        record_act(
            action="practice.exercise_recorded", target=done, actor=user, exercise=exercise.id
        )
    return done


def _context(user: User, take: Rehearsal | None, title: str) -> TalkContext:
    """Return the context of the card's take, of the newest take, or the usual one."""
    known = take or own_rehearsals_for(user).order_by("-created_at").first()
    if known is not None:
        return replace(
            context_of_take(known),
            title=title,
            looks_into_lens_first=False,
            shows_slides=False,
            time_limit=None,
        )
    said = how_one_speaks_for(user)
    return TalkContext(
        title=title,
        aim=Aim.INFORM,
        audience=Audience.MIXED,
        setting=Setting.CAMERA,
        language=said.get("language", SpokenLanguage.AUTO),
        speaks_as=said.get("speaks_as", ""),
    )


def note_facts_of(*, recording: Rehearsal) -> None:
    """Store the counts of an exercise's recording once they are known, so that they outlive it."""
    done = ExerciseDone.objects.filter(recording=recording, facts=[]).first()
    run = latest_run(recording)
    if done is None or run is None or run.state != Run.State.DONE:
        return
    answer = exercises()[done.exercise].answer if done.exercise in exercises() else None
    if answer is None:
        return
    done.facts = [
        {"id": fact.id, "value": round(fact.value, 3), "unit": FACT_KINDS[fact.id].unit}
        for fact in answer.facts(report_of(run))
        if fact.value is not None
    ]
    done.save(update_fields=["facts"])


@transaction.atomic
def delete_recorded(*, done: ExerciseDone) -> None:
    """Delete a recorded exercise with its recording and counts.

    Raises ValidationError if a hold prevents it.
    """
    record_act(action="practice.exercise_deleted", target=done, actor=done.user)
    if done.recording is not None:
        delete_rehearsal(rehearsal=done.recording)
    done.delete()
