"""Telling somebody, and what ends a notice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models, transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.notices.models import Kind, Mute, Notice
from coach.rehearsals.models import Rehearsal

KEPT_FOR = timedelta(days=90)
"""So long what is over can still be looked up on the page (rule of thumb); see `forget_old`."""


def key_of(thing: models.Model) -> str:
    """By what a notice knows what it is about."""
    # Django's public, underscored API.
    return f"{thing._meta.label_lower}:{thing.pk}"  # noqa: SLF001


def notify(
    *,
    person: User,
    kind: Kind,
    rehearsal: Rehearsal,
    about: models.Model,
    not_before: datetime | None = None,
) -> None:
    """Tell somebody of one thing about a take, in the transaction in which it happens.

    Nothing is shown and no mail leaves before `not_before`, so that what is taken back before then
    was never told. Telling again the same changes nothing; what had been settled is new again.
    """
    at = not_before or timezone.now()
    notice, is_new = Notice.objects.get_or_create(
        person=person,
        kind=kind,
        about=key_of(about),
        defaults={"rehearsal": rehearsal, "not_before": at},
    )
    if not is_new and notice.settled_at is not None:
        Notice.objects.filter(pk=notice.pk).update(
            not_before=at, settled_at=None, seen_at=None, mailed_at=None, tries=0, try_at=None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """One thing about a take that somebody is told of."""

    person: User
    rehearsal: Rehearsal
    about: models.Model


def notify_once(kind: Kind, news: Iterable[News]) -> None:
    """Tell many things at once, each of them once for all: what was settled is not new again."""
    at = timezone.now()
    rows = [
        Notice(
            person=each.person,
            kind=kind,
            about=key_of(each.about),
            rehearsal=each.rehearsal,
            not_before=at,
        )
        for each in news
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)


def settle(*, about: models.Model, kind: Kind | None = None) -> int:
    """It is over for everybody: answered, taken back. Returns how many notices that ends."""
    found = Notice.objects.filter(about=key_of(about), settled_at=None)
    if kind is not None:
        found = found.filter(kind=kind)
    return found.update(settled_at=timezone.now())


def note_seen(*, person: User, rehearsal: Rehearsal) -> None:
    """The person has opened the take, so they know what there was to know of it."""
    now = timezone.now()
    Notice.objects.filter(
        person=person, rehearsal=rehearsal, seen_at=None, not_before__lte=now
    ).update(seen_at=now)


def note_all_seen(*, person: User) -> None:
    """The person has read the list."""
    now = timezone.now()
    Notice.objects.filter(person=person, seen_at=None, not_before__lte=now).update(seen_at=now)


@transaction.atomic
def choose_mails(*, person: User, wanted: Iterable[str], offered: Iterable[Kind]) -> None:
    """Of which kinds a person wants mail; kinds that they were not asked about stay as they are."""
    before = sorted(person.muted_notices.values_list("kind", flat=True))
    chosen = set(wanted)
    off = {kind for kind in offered if kind not in chosen}
    person.muted_notices.filter(kind__in=set(offered) - off).delete()
    Mute.objects.bulk_create(
        [Mute(person=person, kind=kind) for kind in off], ignore_conflicts=True
    )
    after = sorted(person.muted_notices.values_list("kind", flat=True))
    if before != after:
        record_act(
            action="notices.mails_chosen", target=person, actor=person, before=before, after=after
        )


def forget_old() -> int:
    """Notices that are over for long; returns how many.

    One that somebody is to practise is over when they did: forgotten before, it would be told anew.
    """
    seen = models.Q(seen_at__isnull=False) & ~models.Q(kind=Kind.PRACTICE)
    over = seen | models.Q(settled_at__isnull=False)
    count, _rows = Notice.objects.filter(over, not_before__lt=timezone.now() - KEPT_FOR).delete()
    return count
