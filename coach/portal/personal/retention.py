"""Retention: warns owners first, then deletes data whose period is over.

Cohorts set the periods (`coach.accounts.models.Cohort`), and `coach.rehearsals.retention` derives
the dates of a take. Calling it again changes nothing.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, override

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Run
from coach.lib.mail import open_relay
from coach.portal.receipts.services import forget_receipts
from coach.practice.exercises.listening.services import note_facts_of
from coach.rehearsals.models import Rehearsal, RetentionNotice
from coach.rehearsals.retention import (
    dates_of,
    day_words,
    exercises_over,
    forget_notices_but,
    is_over,
    note_told,
    soon_over,
    takes_without_need_of_original,
)
from coach.rehearsals.services import let_go, remove_original, remove_recording
from coach.research.coding.recordings.retention import remove_old_recordings
from coach.research.exports.pending_bundles import drop_with
from coach.research.models import Download
from coach.research.studies.locks import hold_studies_of
from coach.uploads.gaze.services import delete_expired_calibrations
from coach.uploads.services import expire_uploads

log = logging.getLogger(__name__)

Kind = RetentionNotice.Kind


def remove_all() -> dict[str, int]:
    """Run all deletions; return the number of deleted objects by name."""
    return {name: clock() for name, clock in CLOCKS}


def tell_all() -> dict[str, int]:
    """Send all warnings, in the worker that knows the mail account; return the numbers sent."""
    return {name: clock() for name, clock in TELLERS}


def remove_takes() -> int:
    """Delete takes whose retention period is over; return their number."""
    takes = _due(Kind.REPORTS)
    for take in takes:
        _remove(take)
    return len(takes)


@transaction.atomic
def _remove(take: Rehearsal) -> None:
    """Delete a take, with the waiting bundles that may contain it, as its owner would."""
    hold_studies_of(take.owner)
    let_go(rehearsal=take, action="rehearsals.expired", actor=None)
    drop_with(user=take.owner, since=take.created_at)


def remove_recordings() -> int:
    """Delete recordings whose retention period is over, unless one is being analysed."""
    takes = [
        take
        for take in _due(Kind.MEDIA)
        if not Run.objects.filter(rehearsal=take, state=Run.State.RUNNING).exists()
    ]
    for take in takes:
        remove_recording(rehearsal=take)
    return len(takes)


def remove_originals() -> int:
    """Delete originals that the site no longer stores; return their number.

    Takes that are being analysed are left for the next time.
    """
    of_take = Q(rehearsal=OuterRef("pk")) | Q(rehearsal__parent=OuterRef("pk"))
    running = Run.objects.filter(of_take, state=Run.State.RUNNING)
    takes = list(takes_without_need_of_original().exclude(Exists(running)))
    for take in takes:
        remove_original(rehearsal=take)
    return len(takes)


def remove_exercises() -> int:
    """Delete recordings of exercises whose retention period is over; their counts stay."""
    recordings = list(exercises_over())
    for recording in recordings:
        note_facts_of(recording=recording)
        let_go(rehearsal=recording, action="rehearsals.expired", actor=None)
    return len(recordings)


def _due(kind: Kind) -> list[Rehearsal]:
    soon = [take for takes in soon_over(kind) for take in takes]
    forget_notices_but(kind, soon)
    return [take for take in soon if is_over(take, kind)]


def tell_owners() -> int:
    """Email each owner once about all coming deletions; data of an unreachable owner is kept."""
    news: dict[User, dict[Kind, list[Rehearsal]]] = defaultdict(lambda: defaultdict(list))
    for kind in Kind:
        for takes in soon_over(kind):
            for take in takes:
                if kind not in {each.kind for each in take.told.all()}:
                    news[take.owner][kind].append(take)
    return sum(_warn_owner(owner, by_kind) for owner, by_kind in news.items())


def _warn_owner(owner: User, by_kind: dict[Kind, list[Rehearsal]]) -> bool:
    with override(owner.language):
        whole = {take.pk for take in by_kind[Kind.REPORTS]}
        context = {
            "media": [
                _row(take, Kind.MEDIA)
                for take in _oldest_first(by_kind[Kind.MEDIA])
                if take.pk not in whole
            ],
            "whole": [_row(take, Kind.REPORTS) for take in _oldest_first(by_kind[Kind.REPORTS])],
        }
        subject = gettext("Some of your takes will be deleted soon")
    # The owner of a closed account gets no email; they could not sign in to look either.
    if owner.is_active and not _write(owner, subject, "portal/email/retention.txt", context):
        return False
    for kind, takes in by_kind.items():
        note_told(takes, kind)
    record_act(action="rehearsals.notice_sent", target=owner)
    return True


def _oldest_first(takes: Iterable[Rehearsal]) -> list[Rehearsal]:
    return sorted(takes, key=lambda take: take.created_at)


def _row(take: Rehearsal, kind: Kind) -> dict[str, str]:
    dates = dates_of(take)
    day = dates.media if kind == Kind.MEDIA else dates.all_of_it
    return {
        "title": take.title,
        "taken": day_words(take.created_at),
        "day": day_words(day) if day else "",
    }


def remind_researchers() -> int:
    """Remind researchers to delete downloaded copies, which the site cannot delete."""
    late = Download.objects.filter(delete_by__lt=timezone.now(), reminded_at=None)
    by_person: dict[User, list[Download]] = defaultdict(list)
    for each in late.select_related("researcher"):
        by_person[each.researcher].append(each)
    return sum(_remind(person, downloads) for person, downloads in by_person.items())


def _remind(person: User, downloads: Sequence[Download]) -> bool:
    with override(person.language):
        rows = [{"file": each.file, "day": day_words(each.made_at)} for each in downloads]
        subject = gettext("Please delete your copies of research data")
    if not _write(person, subject, "portal/email/downloads.txt", {"rows": rows}):
        return False
    keys = [each.pk for each in downloads]
    Download.objects.filter(pk__in=keys).update(reminded_at=timezone.now())
    return True


def _write(person: User, subject: str, template: str, context: Mapping[str, object]) -> bool:
    with override(person.language):
        body = render_to_string(template, {"person": person, **context})
    try:
        # Data is deleted only after the relay has accepted the warning.
        relay = open_relay()
        EmailMessage(subject, body, to=[person.email], connection=relay).send()
    except (OSError, SMTPException):
        log.exception("a notice could not be sent; it is tried again")
        return False
    return True


CLOCKS: tuple[tuple[str, Callable[[], int]], ...] = (
    ("takes", remove_takes),
    ("recordings", remove_recordings),
    ("originals", remove_originals),
    ("exercises", remove_exercises),
    ("uploads", expire_uploads),
    ("gaze_calibrations", delete_expired_calibrations),
    ("interviews", remove_old_recordings),
    ("receipts", forget_receipts),
)
"""Deletions. Takes and recordings are announced before; the privacy page announces originals, the
page of an exercise its recording, and that of the gaze calibration the calibration."""

TELLERS: tuple[tuple[str, Callable[[], int]], ...] = (
    ("told", tell_owners),
    ("downloads", remind_researchers),
)
"""Announcements and reminders."""
