"""Services for a recording: plan, submit, stop, listen, delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Upload
from coach.research.coding.interviews.recording_consent import people_who_agree
from coach.research.coding.models import Guide, Listening, Recording, Speaker, Voice
from coach.research.coding.recordings.retention import day_of_arrival, remove_recording
from coach.research.coding.recordings.selectors import is_held
from coach.research.coding.recordings.tasks import enqueue
from coach.research.studies.models import Participant, Study
from coach.storage import storage
from coach.uploads.services import UploadGone, lock_upload

MOST_VOICES = 9
"""One for each number key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingPlan:
    """Data of a conversation before its recording."""

    mode: str
    language: str
    held_on: date
    people: Sequence[Participant]
    n_voices: int
    guide: Guide | None = None


@transaction.atomic
def plan_recording(*, study: Study, plan: RecordingPlan, actor: User) -> Recording:
    """Save who will be heard, which is required before an upload.

    Raises ValidationError if a participant has not consented to being recorded.
    """
    agree = set(people_who_agree(study).values_list("pk", flat=True))
    refused = [each.pseudonym for each in plan.people if each.pk not in agree]
    if refused or not plan.people:
        raise ValidationError(
            _("These people have not agreed to be recorded: %(who)s")
            % {"who": ", ".join(refused) or _("no participant chosen")}
        )
    recording = Recording.objects.create(
        study=study,
        mode=plan.mode,
        language=plan.language,
        held_on=plan.held_on,
        guide=plan.guide,
        added_by=actor,
    )
    asking = max(plan.n_voices - len(plan.people), 0)
    parts: list[tuple[str, Participant | None]] = [
        *((Speaker.Role.INTERVIEWER, None) for _each in range(asking)),
        *((Speaker.Role.PARTICIPANT, each) for each in plan.people),
    ]
    Voice.objects.bulk_create(
        Voice(recording=recording, number=number, role=role, participant=person)
        for number, (role, person) in enumerate(parts, start=1)
    )
    record_act(action="research.recording_planned", target=recording, actor=actor, study=study.slug)
    return recording


@transaction.atomic
def add_voice(*, recording: Recording, role: str) -> Voice:
    """Add the voice of a non-participant, with the next number. Raises ValidationError."""
    held = Recording.objects.select_for_update(of=("self",)).get(pk=recording.pk)
    last = held.voices.aggregate(last=Max("number"))["last"] or 0
    if last >= MOST_VOICES or role == Speaker.Role.PARTICIPANT:
        raise ValidationError(_("There are number keys for nine speakers only."))
    return Voice.objects.create(recording=held, number=last + 1, role=role)


@transaction.atomic
def hand_in(*, recording: Recording, upload: Upload, actor: User) -> None:
    """Make an upload the recording, and enqueue its transcription.

    Safe to call twice. Raises UploadGone, StillArriving, StorageUnavailable and ValidationError.
    """
    held = Recording.objects.select_for_update(of=("self",)).get(pk=recording.pk)
    if held.state != Recording.State.AWAITED:
        return
    agree = people_who_agree(held.study)
    if held.voices.filter(role=Speaker.Role.PARTICIPANT).exclude(participant__in=agree).exists():
        raise ValidationError(_("Someone in this recording no longer agrees to be recorded."))
    arrived = lock_upload(upload)
    if arrived.meant_for != held.upload_key:
        raise UploadGone
    now = timezone.now()
    held.media_key = storage().name_take(arrived.pk)
    held.original_name, held.size_bytes = arrived.name, arrived.received_bytes
    held.sha256, held.is_partial = arrived.sha256, arrived.state == Upload.State.CUT_OFF
    held.state, held.step, held.queued_at = Recording.State.QUEUED, Recording.Step.PREPARE, now
    held.arrived_at, held.remove_at = now, day_of_arrival(now)
    held.save()
    storage().adopt(arrived.pk, held.media_key)
    arrived.delete()  # not what it brought, which lies under the recording's name now
    record_act(action="research.recording_arrived", target=held, actor=actor, study=held.study.slug)
    transaction.on_commit(partial(enqueue, held))


@transaction.atomic
def transcribe_again(*, recording: Recording, actor: User, language: str = "") -> None:
    """Enqueue another transcription, in another language if given.

    Finished earlier steps are reused; corrections of the words are lost.
    """
    ended = (Recording.State.FAILED, Recording.State.STOPPED, Recording.State.DONE)
    changes = {"state": Recording.State.QUEUED, "problem": {}, "attempts": 0, "progress": 0.0}
    if language:
        changes["language"] = language
    found = Recording.objects.filter(
        pk=recording.pk, state__in=ended, removed_at=None, interview=None
    )
    if found.update(queued_at=timezone.now(), step=Recording.Step.PREPARE, **changes):
        record_act(action="research.recording_again", target=recording, actor=actor)
        recording.step = Recording.Step.PREPARE
        transaction.on_commit(partial(enqueue, recording))


@transaction.atomic
def stop(*, recording: Recording, actor: User) -> None:
    """Stop the transcription within a second; the recording stays."""
    going_on = Recording.objects.filter(pk=recording.pk, state__in=Recording.GOING_ON)
    if going_on.update(state=Recording.State.STOPPED, lease=None, lease_until=None):
        record_act(action="research.recording_stopped", target=recording, actor=actor)


@transaction.atomic
def delete(*, recording: Recording, actor: User) -> None:
    """Delete a recording now; a planned one without a file leaves no row.

    Raises ValidationError if a legal hold prevents it.
    """
    if is_held(recording):
        raise ValidationError(
            _("This cannot be deleted now: a legal hold applies to the data of someone in it.")
        )
    never_came = recording.media_key is None
    remove_recording(recording=recording, action="research.recording_deleted", actor=actor)
    if never_came:
        Recording.objects.filter(pk=recording.pk).delete()


@transaction.atomic
def log_listening(*, recording: Recording, user: User) -> None:
    """Log who opened the recording, at most once an hour."""
    since = timezone.now() - timedelta(hours=1)
    if recording.listenings.filter(by=user, at__gte=since).exists():
        return
    Listening.objects.create(recording=recording, by=user)
    record_act(action="research.recording_heard", target=recording, actor=user)
