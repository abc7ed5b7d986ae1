"""Retention and deletion of interview recordings; the study keeps their text."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.drafts.purge import purge_drafts
from coach.rehearsals.models import Upload
from coach.rehearsals.removals import remove_for_good, remove_upload
from coach.research.coding.models import Interview, Recording, Speaker
from coach.research.coding.recordings.selectors import (
    is_held,
    recordings_with,
    withdrawn_recordings,
)
from coach.research.studies.models import Participant, Study
from coach.storage import places

log = logging.getLogger(__name__)

LONGEST_DAYS = 180
"""Days until a recording is deleted whose text is not locked (rule of thumb); its page shows the
date."""


def day_of_arrival(now: datetime) -> datetime:
    """Return the deletion date of a recording uploaded now, unless its text is locked before."""
    return now + timedelta(days=LONGEST_DAYS)


@transaction.atomic
def remove_recording(*, recording: Recording, action: str, actor: User | None = None) -> bool:
    """Delete a recording with its passages; the interview made from it stays.

    Return False if it was deleted already. A worker processing it notices and stops.
    """
    held = Recording.objects.select_for_update(of=("self",)).get(pk=recording.pk)
    if held.state == Recording.State.REMOVED:
        return False
    for upload in Upload.objects.filter(meant_for=held.upload_key):
        remove_upload(upload)
    if held.media_key is not None:
        remove_for_good(places.take_place(held.media_key))
    held.passages.all().delete()
    purge_drafts([str(held.pk)])
    held.state, held.removed_at = Recording.State.REMOVED, timezone.now()
    held.lease, held.lease_until, held.remove_at = None, None, None
    held.original_name, held.problem, held.has_copy = "", {}, False
    held.save()
    record_act(action=action, target=held, actor=actor, study=held.study.slug)
    return True


def remove_withdrawn_recordings() -> int:
    """Delete recordings of people who have withdrawn consent; return their number.

    If a legal hold prevents it they are closed to everybody, and deleted once it is lifted.
    """
    studies = Study.objects.filter(recordings__isnull=False).distinct()
    gone = [each for study in studies for each in withdrawn_recordings(study) if not is_held(each)]
    action = "research.recording_withdrawn"
    return sum(remove_recording(recording=each, action=action) for each in gone)


def remove_recordings_of(participant: Participant) -> int:
    """Delete all recordings in which an erased person is heard; return their number.

    One that is held for another person in it is deleted once that hold is lifted.
    """
    count = 0
    for each in recordings_with(Participant.objects.filter(pk=participant.pk)):
        if is_held(each):
            _keep_closed(each, participant)
        else:
            count += remove_recording(recording=each, action="research.recording_withdrawn")
    return count


def _keep_closed(recording: Recording, participant: Participant) -> None:
    """Keep a held recording closed after a person named only in its interview is erased."""
    heard = recording.voices.filter(participant=participant)
    if not heard.exists():
        last = recording.voices.aggregate(last=Max("number"))["last"] or 0
        recording.voices.create(
            number=last + 1, role=Speaker.Role.PARTICIPANT, participant=participant
        )


def note_locked_texts() -> int:
    """Start the retention period of recordings whose text is locked; return their number."""
    kept = Recording.objects.filter(
        interview__state=Interview.State.LOCKED, is_clock_set=False, removed_at=None
    ).select_related("study")
    count = 0
    for each in kept:
        over = timezone.now() + timedelta(days=each.study.recording_days)
        changes = {"is_clock_set": True, "remove_at": min(over, each.remove_at or over)}
        count += Recording.objects.filter(pk=each.pk, is_clock_set=False).update(**changes)
    return count


def remove_old_recordings() -> int:
    """Delete recordings whose retention period is over, unless a hold prevents it; return
    their number.
    """
    note_locked_texts()
    over = Recording.objects.filter(remove_at__lt=timezone.now(), removed_at=None)
    going = [each for each in over if not is_held(each)]
    action = "research.recording_expired"
    return sum(remove_recording(recording=each, action=action) for each in going)
