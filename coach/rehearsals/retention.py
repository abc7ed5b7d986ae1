"""Retention periods of recordings, takes and uploads, by cohort.

A period starts on the day of arrival. Nothing is deleted before its owner was warned, or
during a legal hold. `coach.portal.personal.retention` warns and deletes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.selectors import cohorts_as, standing_holds
from coach.lib.words.dates import written
from coach.rehearsals.kinds import Kind as RecordingKind
from coach.rehearsals.models import Rehearsal, RetentionNotice, Upload

Kind = RetentionNotice.Kind

_COLUMN = {Kind.MEDIA: "keep_media_days", Kind.REPORTS: "keep_reports_days"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The deletion dates of a recording and of the whole take; None if only the owner deletes."""

    media: datetime | None
    all_of_it: datetime | None


def day_words(at: datetime) -> str:
    """Return a deletion date in words, without the hour."""
    return written(at, "j F Y")


def days_kept(cohort: Cohort | None, kind: Kind) -> int | None:
    """Return the retention period of a cohort's takes in days, or None if unlimited."""
    if cohort is not None:
        days: int | None = getattr(cohort, _COLUMN[kind])
        return days
    of_the_site = {Kind.MEDIA: settings.KEEP_MEDIA_DAYS, Kind.REPORTS: settings.KEEP_REPORTS_DAYS}
    return of_the_site[kind] or None


def upload_days(owner: User) -> int:
    """Return the retention period of the user's unused uploads in days."""
    groups = cohorts_as(owner, role=Role.TRAINEE)
    chosen = [group.keep_uploads_days for group in groups if group.keep_uploads_days]
    return min(chosen, default=settings.KEEP_UPLOADS_DAYS)


def upload_kept_until(upload: Upload) -> datetime:
    """Return the deletion time of an unused upload."""
    return upload.updated_at + timedelta(days=upload_days(upload.owner))


def dates_of(take: Rehearsal) -> Dates:
    """Return the deletion dates of a take; prefetch `told` for lists."""
    told = {each.kind: each.sent_at for each in take.told.all()}
    all_of_it = _day(take, Kind.REPORTS, told.get(Kind.REPORTS))
    media = None if take.media_removed_at else _day(take, Kind.MEDIA, told.get(Kind.MEDIA))
    if media is not None and all_of_it is not None:
        media = min(media, all_of_it)
    return Dates(media=media, all_of_it=all_of_it)


def _day(take: Rehearsal, kind: Kind, told_at: datetime | None) -> datetime | None:
    """Return the end of the retention period, but not before the notice period is over."""
    days = days_kept(take.cohort, kind)
    if days is None:
        return None
    return max(take.created_at + timedelta(days=days), (told_at or timezone.now()) + _notice())


def _notice() -> timedelta:
    return timedelta(days=settings.RETENTION_NOTICE_DAYS)


def soon_over(kind: Kind) -> Iterator[QuerySet[Rehearsal]]:
    """Yield takes that are overdue or due within the notice period, by cohort.

    Takes under a legal hold are left out.
    """
    for cohort in (None, *Cohort.objects.all()):
        days = days_kept(cohort, kind)
        if days is None:
            continue
        before = timezone.now() - timedelta(days=days) + _notice()
        # A trial ends by itself, and its visitor has no address to write to.
        takes = Rehearsal.objects.filter(
            cohort=cohort, created_at__lt=before, owner__trial_ends_at=None
        )
        if kind == Kind.MEDIA:
            takes = takes.filter(media_removed_at=None)
        yield _without_held(takes).select_related("owner", "cohort").prefetch_related("told")


def _without_held(takes: QuerySet[Rehearsal]) -> QuerySet[Rehearsal]:
    holds = standing_holds()
    held = Membership.objects.filter(user=OuterRef("owner"), cohort__in=holds.values("cohort"))
    on_them = Q(owner__in=holds.exclude(user=None).values("user"))
    on_its_cohort = Q(cohort__in=holds.exclude(cohort=None).values("cohort"))
    return takes.exclude(on_them | on_its_cohort).exclude(Exists(held))


def takes_without_need_of_original() -> QuerySet[Rehearsal]:
    """Return takes whose original may be deleted (`KEEP_ORIGINALS_DAYS`): those with a copy for
    playback, without a legal hold; none if the setting is off.
    """
    if not settings.KEEP_ORIGINALS_DAYS:
        return Rehearsal.objects.none()
    before = timezone.now() - timedelta(days=settings.KEEP_ORIGINALS_DAYS)
    old = Rehearsal.objects.filter(created_at__lt=before, has_copy=True)
    return _without_held(old.filter(media_removed_at=None, original_removed_at=None))


def exercise_kept_until(recording: Rehearsal) -> datetime:
    """Return the deletion time of an exercise's recording."""
    return recording.created_at + timedelta(days=_exercise_days(recording.cohort))


def _exercise_days(cohort: Cohort | None) -> int:
    """Return the retention period of exercises: the site's, or the group's if that is shorter."""
    of_takes = days_kept(cohort, Kind.MEDIA)
    return min(settings.KEEP_EXERCISES_DAYS, of_takes or settings.KEEP_EXERCISES_DAYS)


def exercises_over() -> Iterator[Rehearsal]:
    """Yield recordings of exercises whose retention period is over, without a legal hold."""
    own = Rehearsal.any_kind.filter(kind=RecordingKind.EXERCISE).select_related("owner", "cohort")
    for recording in _without_held(own):
        if exercise_kept_until(recording) <= timezone.now():
            yield recording


def is_over(take: Rehearsal, kind: Kind) -> bool:
    """Return whether a take may be deleted now: it is due, and its owner was warned in time."""
    told = {each.kind: each.sent_at for each in take.told.all()}
    day = _day(take, kind, told.get(kind))
    return kind in told and day is not None and day <= timezone.now()


def note_told(takes: Sequence[Rehearsal], kind: Kind) -> None:
    """Record that the owners of these takes were warned."""
    RetentionNotice.objects.bulk_create(
        [RetentionNotice(rehearsal=take, kind=kind, sent_at=timezone.now()) for take in takes],
        ignore_conflicts=True,
    )


def forget_notices_but(kind: Kind, takes: Sequence[Rehearsal]) -> None:
    """Delete the notices of takes no longer due, so that a later date is announced again."""
    due = [take.pk for take in takes]
    RetentionNotice.objects.filter(kind=kind).exclude(rehearsal__in=due).delete()


def takes_with_a_date(user: User) -> QuerySet[Rehearsal]:
    """Return the user's takes with the related rows that `dates_of` needs."""
    takes = Rehearsal.objects.filter(owner=user).select_related("cohort", "owner")
    return takes.prefetch_related("told").order_by("created_at")


def announced_for(user: User) -> list[tuple[Rehearsal, Dates]]:
    """Return the user's takes with an announced deletion, and their dates."""
    # Notices about a deleted recording are obsolete; the next retention task deletes them.
    recording = Q(told__kind=Kind.MEDIA, media_removed_at=None)
    takes = takes_with_a_date(user).filter(recording | Q(told__kind=Kind.REPORTS)).distinct()
    return [(take, dates_of(take)) for take in takes]
