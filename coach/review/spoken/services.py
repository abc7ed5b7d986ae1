"""Services for spoken replies: save a recording, transcribe it again, delete it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Feedback
from coach.feedback.services import AlreadyReleased, open_draft
from coach.lib.words.placeholder_names import FORMER_COACH
from coach.rehearsals.models import Upload
from coach.rehearsals.removals import remove_for_good, remove_upload
from coach.review.spoken.models import SpokenReply
from coach.review.spoken.selectors import unreleased_replies
from coach.review.spoken.tasks import enqueue
from coach.storage import places, storage
from coach.uploads.services import UploadGone, lock_upload

MOST_REPLIES = 6
"""The maximum number of replies to one take, six minutes in all (rule of thumb)."""


def upload_key(rehearsal_id: UUID) -> str:
    """Return the key for uploads of replies on a take."""
    return f"reply:{rehearsal_id}"


@transaction.atomic
def save_reply(*, feedback: Feedback, coach: User, upload: Upload, at: float) -> SpokenReply:
    """Make an upload a reply at a time of the take, and enqueue its transcription.

    Raises AlreadyReleased, ValidationError, UploadGone, StillArriving and StorageUnavailable; the
    upload is kept then.
    """
    draft = open_draft(feedback.pk)
    if not 0 <= at <= (draft.rehearsal.duration or 0.0):
        raise ValidationError(_("Choose a time inside the recording."))
    if draft.rehearsal.spoken_replies.count() >= MOST_REPLIES:
        raise ValidationError(
            _("At most %(most)s spoken replies to a take. Delete one first.")
            % {"most": MOST_REPLIES}
        )
    arrived = lock_upload(upload)
    if arrived.meant_for != upload_key(draft.rehearsal_id):
        raise UploadGone
    reply = SpokenReply.objects.create(
        rehearsal=draft.rehearsal,
        author=coach,
        author_name=str(coach),
        at=at,
        media_key=storage().name_take(arrived.pk),
        sha256=arrived.sha256,
    )
    if reply.media_key is not None:
        storage().adopt(arrived.pk, reply.media_key)
    arrived.delete()  # its bytes now belong to the reply
    record_act(action="spoken.recorded", target=reply, actor=coach)
    transaction.on_commit(partial(enqueue, reply))
    return reply


@transaction.atomic
def process_again(*, reply: SpokenReply, coach: User) -> None:
    """Enqueue a failed reply again. A second call changes nothing."""
    failed = SpokenReply.objects.filter(pk=reply.pk, state=SpokenReply.State.FAILED)
    queued = {"state": SpokenReply.State.QUEUED, "problem": {}, "attempts": 0}
    if failed.exclude(media_key=None).update(queued_at=timezone.now(), **queued):
        record_act(action="spoken.transcribed_again", target=reply, actor=coach)
        transaction.on_commit(partial(enqueue, reply))


@transaction.atomic
def delete_reply(*, reply: SpokenReply, feedback: Feedback, coach: User) -> None:
    """Delete a reply that is not released, with its recording. Raises AlreadyReleased."""
    open_draft(feedback.pk)
    if not unreleased_replies(feedback.rehearsal).filter(pk=reply.pk).exists():
        raise AlreadyReleased
    record_act(action="spoken.deleted", target=reply, actor=coach)
    _remove_files(reply)
    reply.delete()


def remove_files_of_take(rehearsal_id: UUID) -> None:
    """Remove the recordings of a take that is deleted; their rows are deleted with it."""
    for reply in SpokenReply.objects.filter(rehearsal=rehearsal_id):
        _remove_files(reply)
    for upload in Upload.objects.filter(meant_for=upload_key(rehearsal_id)):
        remove_upload(upload)


def _remove_files(reply: SpokenReply) -> None:
    if reply.media_key is not None:
        remove_for_good(places.take_place(reply.media_key))


@transaction.atomic
def remove_voice_of(user: User) -> int:
    """Delete the recordings of an erased coach; the words stay with the take, without a name."""
    count = 0
    for reply in SpokenReply.objects.select_for_update().filter(author=user):
        _remove_files(reply)
        ended = SpokenReply.State.FAILED if reply.state in SpokenReply.GOING_ON else reply.state
        count += SpokenReply.objects.filter(pk=reply.pk).update(
            author=None,
            author_name=FORMER_COACH,
            media_key=None,
            sha256="",
            has_copy=False,
            state=ended,
            lease=None,
            lease_until=None,
        )
    return count
