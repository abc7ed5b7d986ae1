"""Limits of an upload: file type, size, the owner's quota, and free disk space."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db.models import F, Q, Sum
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.backends.media.sniff import check_kind
from analysis.errors import AnalysisError
from coach.accounts.models import Role, User
from coach.accounts.selectors import cohorts_as
from coach.accounts.trial import most_bytes
from coach.lib.web.health import OK
from coach.lib.words.sentences import note_of, whole
from coach.lib.words.sizes import size_words
from coach.rehearsals.models import Rehearsal, Upload
from coach.storage import storage

log = logging.getLogger(__name__)


class UploadRefused(Exception):
    """An error: an upload may not begin or continue; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class QuotaExceeded(UploadRefused):
    """An error: the owner's quota is used up, or the disk is nearly full."""


class WrongKind(UploadRefused):
    """An error: the file is not a recording."""


def check_recording(head: bytes) -> None:
    """Check a file's type by its first bytes. Raises WrongKind."""
    try:
        check_kind(head)
    except AnalysisError as problem:
        raise WrongKind(whole(note_of(problem))) from problem


def upload_obstacle(*, owner: User, expected_bytes: int, meant_for: str = "") -> str:
    """Return why this user cannot begin an upload of this size, or an empty string.

    `meant_for` names the purpose of an upload that does not become a take.
    """
    return (
        trial_obstacle(owner)
        or (_waiting_elsewhere(owner) if meant_for else _waiting(owner))
        or quota_obstacle(owner=owner, expected_bytes=expected_bytes)
        or group_quota_obstacle(owner=owner, expected_bytes=expected_bytes)
        or disk_obstacle(expected_bytes)
    )


def trial_obstacle(owner: User) -> str:
    """Return that a visitor's trial has its one recording already, or an empty string."""
    if not owner.is_trial or not Rehearsal.any_kind.filter(owner=owner).exists():
        return ""
    return _("A trial is one recording, and you have used yours. Nothing was sent or stored.")


def size_obstacle(size: int) -> str:
    """Return that a recording exceeds the size limit, or an empty string."""
    if size <= settings.MAX_UPLOAD_BYTES:
        return ""
    return _("This file is larger than the limit of %(limit)s. Nothing was sent or stored.") % {
        "limit": size_words(settings.MAX_UPLOAD_BYTES)
    }


def _waiting(owner: User) -> str:
    # Takes and other recordings are counted separately: they are handled on different pages.
    count = Upload.objects.filter(_undecided(), owner=owner, meant_for="").count()
    if count < settings.MOST_WAITING_UPLOADS:
        return ""
    return ngettext(
        "You have %(count)d unfinished upload. Analyse or discard it on your Practise page; "
        "then you can upload this one.",
        "You have %(count)d unfinished uploads. Analyse or discard some of them on your "
        "Practise page; then you can upload this one.",
        count,
    ) % {"count": count}


def _waiting_elsewhere(owner: User) -> str:
    count = Upload.objects.filter(_undecided(), owner=owner).exclude(meant_for="").count()
    if count < settings.MOST_WAITING_UPLOADS:
        return ""
    return ngettext(
        "You have %(count)d unfinished upload. Use or discard it on the page where you "
        "uploaded it; then you can upload this one.",
        "You have %(count)d unfinished uploads. Use or discard some of them on the pages where "
        "you uploaded them; then you can upload this one.",
        count,
    ) % {"count": count}


def _undecided() -> Q:
    """Return the filter for uploads that wait for their owner or are not complete."""
    return Q(state__in=[Upload.State.RECEIVING, *Upload.WAITING])


def quota_obstacle(*, owner: User, expected_bytes: int) -> str:
    """Return that the upload would exceed the user's quota, or an empty string."""
    takes = Rehearsal.any_kind.filter(owner=owner).aggregate(all=Sum("size_bytes"))["all"] or 0
    waiting = Upload.objects.filter(_undecided(), owner=owner)
    # The rest of an unfinished upload may still arrive. PostgreSQL's GREATEST ignores NULL.
    each = Greatest(F("received_bytes"), F("expected_bytes"))
    kept = takes + (waiting.aggregate(all=Sum(each))["all"] or 0)
    most = most_bytes(owner)
    if kept + expected_bytes <= most:
        return ""
    return _(
        "Your recordings take up %(kept)s; the limit is %(most)s per person. Delete takes you "
        "no longer need; then you can upload this one."
    ) % {
        "kept": size_words(kept),
        "most": size_words(most),
    }


def group_quota_obstacle(*, owner: User, expected_bytes: int) -> str:
    """Return that the upload would exceed the quota of the owner's group, or an empty string.

    Unfinished uploads are not counted: they belong to no group yet.
    """
    group = next(iter(cohorts_as(owner, role=Role.TRAINEE)), None)
    if group is None or group.most_bytes is None:
        return ""
    kept = Rehearsal.any_kind.filter(cohort=group).aggregate(all=Sum("size_bytes"))["all"] or 0
    if kept + expected_bytes <= group.most_bytes:
        return ""
    return _(
        "The recordings of the group %(group)s take up %(kept)s; its limit is %(most)s. Nothing "
        "was sent. Ask an administrator for more space, or delete takes that you no longer need."
    ) % {"group": group.name, "kept": size_words(kept), "most": size_words(group.most_bytes)}


def check_room() -> str:
    """Return `ok` for monitoring, or the problem of the storage."""
    return storage().check() or OK


def disk_obstacle(expected_bytes: int) -> str:
    """Return that the disk would be too full, or an empty string. The log has the figures."""
    free = storage().free_bytes()
    if free is None or free - expected_bytes >= settings.LEAST_FREE_BYTES:
        return ""
    log.error(
        "no room for an upload of %d bytes: %d free, %d are to stay free",
        *(expected_bytes, free, settings.LEAST_FREE_BYTES),
    )
    return _(
        "The disk of this site is nearly full, so nothing was sent. Tell your administrator if "
        "this continues; the log shows the details."
    )
