"""Whether there is room for one more upload: of this person, and on the disk."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db.models import F, Q, Sum
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.lib.web.health import OK
from coach.lib.words.sizes import size_words
from coach.rehearsals.models import Rehearsal, Upload
from coach.storage import storage

log = logging.getLogger(__name__)


class QuotaExceeded(Exception):
    """An upload does not begin; why, in words."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def upload_obstacle(*, owner: User, expected_bytes: int, meant_for: str = "") -> str:
    """Why this person cannot begin an upload of this size, in words; empty where they can.

    `meant_for` says what it is for where it becomes no take.
    """
    return (
        (_waiting_elsewhere(owner) if meant_for else _waiting(owner))
        or quota_obstacle(owner=owner, expected_bytes=expected_bytes)
        or disk_obstacle(expected_bytes)
    )


def size_obstacle(size: int) -> str:
    """That one recording is larger than any may be, in words; empty where it is not."""
    if size <= settings.MAX_UPLOAD_BYTES:
        return ""
    return _("This file is larger than the limit of %(limit)s. Nothing was sent or stored.") % {
        "limit": size_words(settings.MAX_UPLOAD_BYTES)
    }


def _waiting(owner: User) -> str:
    # Each kind has its own room: what becomes no take cannot be decided on where takes are.
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
    """What waits for its owner, and what is only paused."""
    return Q(state__in=[Upload.State.RECEIVING, *Upload.WAITING])


def quota_obstacle(*, owner: User, expected_bytes: int) -> str:
    """That this would be more than one person may have here, in words."""
    takes = Rehearsal.any_kind.filter(owner=owner).aggregate(all=Sum("size_bytes"))["all"] or 0
    waiting = Upload.objects.filter(_undecided(), owner=owner)
    # What was begun may still come; PostgreSQL's greatest of a number and nothing is the number.
    each = Greatest(F("received_bytes"), F("expected_bytes"))
    kept = takes + (waiting.aggregate(all=Sum(each))["all"] or 0)
    if kept + expected_bytes <= settings.MOST_BYTES_OF_A_PERSON:
        return ""
    return _(
        "Your recordings take up %(kept)s; the limit is %(most)s per person. Delete takes you "
        "no longer need; then you can upload this one."
    ) % {
        "kept": size_words(kept),
        "most": size_words(settings.MOST_BYTES_OF_A_PERSON),
    }


def check_room() -> str:
    """For a monitor: `ok` where uploads may begin, else what is wrong where recordings lie."""
    return storage().check() or OK


def disk_obstacle(expected_bytes: int) -> str:
    """That the disk would be too full, in words; written to the log for those who keep the site."""
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
