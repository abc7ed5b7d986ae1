"""Services that send, settle and delete notifications."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models, transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.notices.models import Bounce, Kind, Mute, Notice
from coach.rehearsals.models import Rehearsal

KEPT_FOR = timedelta(days=90)
"""Days for which settled notifications stay on the page (rule of thumb); see `forget_old`."""


def key_of(thing: models.Model) -> str:
    """Return the key by which a notification refers to an object."""
    # Django's public API, despite the underscore.
    return f"{thing._meta.label_lower}:{thing.pk}"  # noqa: SLF001


def notify(
    *,
    person: User,
    kind: Kind,
    rehearsal: Rehearsal,
    about: models.Model,
    not_before: datetime | None = None,
) -> None:
    """Notify a person of one event about a take, in the transaction of the event.

    Nothing is shown or emailed before `not_before`, so an event undone before then was never
    announced. Repeating it changes nothing; a settled notification becomes new again.
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


def record_bounce(*, person: User, status: str) -> None:
    """Store that the person's address can't receive emails, with the code of RFC 3463."""
    values = {"address": person.email, "status": status, "noticed_at": timezone.now()}
    Bounce.objects.update_or_create(person=person, defaults=values)


def email_again(*, person: User) -> bool:
    """Send emails to an address again that could not receive them; return whether one stood."""
    deleted, _by_model = Bounce.objects.filter(person=person).delete()
    return bool(deleted)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """One event, with the person to notify and its take, if it is about one."""

    person: User
    rehearsal: Rehearsal | None
    about: models.Model


def notify_once(kind: Kind, news: Iterable[News]) -> None:
    """Notify people of many events, each only once: a settled one does not become new again."""
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


def settle(*, about: models.Model, kind: Kind | None = None, person: User | None = None) -> int:
    """Settle the notifications about an object, answered or withdrawn, of one person or of all;
    return their number.
    """
    found = Notice.objects.filter(about=key_of(about), settled_at=None)
    if person is not None:
        found = found.filter(person=person)
    if kind is not None:
        found = found.filter(kind=kind)
    return found.update(settled_at=timezone.now())


def note_seen(*, person: User, rehearsal: Rehearsal) -> None:
    """Mark notifications about a take as seen, since the person has opened it."""
    now = timezone.now()
    Notice.objects.filter(
        person=person, rehearsal=rehearsal, seen_at=None, not_before__lte=now
    ).update(seen_at=now)


def note_all_seen(*, person: User) -> None:
    """Mark all notifications as seen, since the person has read the list."""
    now = timezone.now()
    Notice.objects.filter(person=person, seen_at=None, not_before__lte=now).update(seen_at=now)


@transaction.atomic
def choose_mails(*, person: User, wanted: Iterable[str], offered: Iterable[Kind]) -> None:
    """Set the kinds that a person wants by email; kinds not offered stay as they are."""
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
    """Delete old notifications; return their number.

    A reminder to practise is over once they did: deleted earlier, it would be sent again.
    """
    seen = models.Q(seen_at__isnull=False) & ~models.Q(kind=Kind.PRACTICE)
    over = seen | models.Q(settled_at__isnull=False)
    count, _rows = Notice.objects.filter(over, not_before__lt=timezone.now() - KEPT_FOR).delete()
    return count
