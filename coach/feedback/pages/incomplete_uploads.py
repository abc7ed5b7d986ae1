"""Texts about incomplete uploads, for the Practise page and the page of an upload."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePath

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.lib.words.dates import written
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Upload
from coach.rehearsals.retention import upload_days, upload_kept_until
from coach.rehearsals.selectors import recorded_uploads_for, uploads_for

_QUIET = timedelta(seconds=10)
"""The time without data after which a recorder counts as closed or offline: it sends a piece every
two seconds, so five are missing (rule of thumb)."""
_MOST = 50
"""The maximum number of uploads on one page; sites may allow more to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingUpload:
    """The state of an upload that is not a take yet, with a link to continue it if possible."""

    sentence: str
    url: str
    act: str
    """The text of the link."""
    went_wrong: bool
    """Whether it has a problem, rather than only missing answers."""
    is_interrupted: bool = False
    """Whether a browser recording ended because the page was closed or the connection lost."""


def waiting_uploads(user: User) -> tuple[WaitingUpload, ...]:
    """Return the user's uploads that need a decision or have expired, newest first."""
    waiting = Q(state__in=[*Upload.WAITING, Upload.State.EXPIRED])
    going_on = Q(state=Upload.State.RECEIVING, received_bytes__gt=0) & ~Q(capture={})
    return _told(uploads_for(user).filter(waiting | going_on))


def recorded_uploads(user: User) -> tuple[WaitingUpload, ...]:
    """Return the user's complete browser recordings."""
    return _told(recorded_uploads_for(user))


def _told(uploads: QuerySet[Upload]) -> tuple[WaitingUpload, ...]:
    return tuple(
        WaitingUpload(
            sentence=_sentence(upload),
            act=_act(upload),
            went_wrong=not _waits_for_answers(upload),
            is_interrupted=_is_interrupted(upload),
            url=_place(upload),
        )
        for upload in uploads.order_by("-created_at")[:_MOST]
    )


def _waits_for_answers(upload: Upload) -> bool:
    return upload.state == Upload.State.COMPLETE and not upload.problem


def _place(upload: Upload) -> str:
    """Return the page for the decision; for a recording in progress, the recorder's."""
    if upload.state == Upload.State.EXPIRED:
        return ""
    if upload.state == Upload.State.RECEIVING:
        return reverse("feedback:record")
    return reverse("feedback:cut_off", args=[upload.pk])


def _is_interrupted(upload: Upload) -> bool:
    """Return whether a browser recording was interrupted; an open recorder sends all the time."""
    if not upload.capture or upload.problem:
        return False
    quiet = timezone.now() - upload.updated_at > _QUIET
    return upload.state == Upload.State.CUT_OFF or (
        upload.state == Upload.State.RECEIVING and quiet and not upload.is_being_written
    )


def _act(upload: Upload) -> str:
    if upload.state == Upload.State.RECEIVING:
        return _("Open recorder")
    return _("Complete the details") if _waits_for_answers(upload) else _("Choose what to do")


def _sentence(upload: Upload) -> str:
    day = written(upload_kept_until(upload), "j F Y")
    if upload.state == Upload.State.EXPIRED:
        day = written(upload.updated_at, "j F Y")
        days = upload_days(upload.owner)
        return ngettext(
            "We kept the uploaded part of “%(name)s” for %(days)d day and deleted it on %(day)s.",
            "We kept the uploaded part of “%(name)s” for %(days)d days and deleted it on %(day)s.",
            days,
        ) % {"name": within_quotes(called(upload)), "days": days, "day": day}
    if upload.state == Upload.State.RECEIVING:
        return what_happened(upload)
    if upload.state == Upload.State.COMPLETE:
        kept = _("We keep it until %(day)s.") % {"day": day}
    else:
        kept = _("We keep the uploaded part until %(day)s.") % {"day": day}
    return f"{what_happened(upload)} {kept}"


def what_happened(upload: Upload) -> str:
    """Return the progress of the upload and the reason for its end, in one sentence."""
    name = {"name": within_quotes(called(upload))}
    if _is_interrupted(upload):
        return (
            _("Your recording “%(name)s” was interrupted. Everything up to that point is saved.")
            % name
        )
    if upload.state == Upload.State.RECEIVING:
        return _("“%(name)s” is still recording, or was just interrupted.") % name
    if upload.problem == Upload.Problem.DISK_FULL:
        return _("The disk of this site was full before “%(name)s” was completely uploaded.") % name
    if upload.state == Upload.State.COMPLETE and upload.problem:
        return _("“%(name)s” was uploaded, then something failed on our side.") % name
    if _waits_for_answers(upload):
        return _("“%(name)s” is saved. Complete its details to start the analysis.") % name
    if upload.problem:
        return _("Something failed on our side while “%(name)s” was uploading.") % name
    return _("The upload of “%(name)s” did not finish.") % name


def called(upload: Upload) -> str:
    """Return the name that the owner knows; a browser recording's has no extension."""
    return PurePath(upload.name).stem if upload.capture else upload.name
