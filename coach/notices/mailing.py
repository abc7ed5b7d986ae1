"""Emails about new notifications: batched per person, retried until the relay accepts them.

The database rows are the source of truth: a relay, a worker or a broker that is away delays an
email and loses none. The scheduler starts each round; it runs in the `mail` queue, whose worker
alone knows the mail account.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPServerDisconnected

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import Min
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from coach.accounts.models import User
from coach.lib.mail import open_relay, with_site_headers
from coach.notices.models import Notice
from coach.notices.selectors import to_mail
from coach.notices.words import mail_words, place_of
from coach.rehearsals.selectors import rehearsals_for

log = logging.getLogger(__name__)

LONGEST_PAUSE_MINUTES = 60
"""A relay that is away is retried after 2, 4, 8 ... minutes, and then every hour (rule of
thumb)."""
PEOPLE_A_ROUND = 500


class Sending(Enum):
    """Outcome of sending an email."""

    NOTHING = "nothing"
    SENT = "sent"
    REFUSED = "refused"
    FAILED = "failed"
    AWAY = "away"


def mail_round() -> int:
    """Email everyone whose notifications have waited long enough; return the number of emails.

    If the relay is away the round ends, and the next one tries again.
    """
    sent = 0
    relay = open_relay()
    for person in _due_people(timezone.now()):
        outcome = _write_to(person, relay)
        sent += outcome is Sending.SENT
        if outcome is Sending.AWAY:
            break
    return sent


def _due_people(now: datetime) -> list[User]:
    gathered = now - timedelta(minutes=settings.NOTICE_MINUTES)
    oldest = (
        to_mail(now)
        .order_by()
        .values("person")
        .annotate(oldest=Min("not_before"))
        .filter(oldest__lte=gathered)
        .order_by("oldest")
        .values_list("person", flat=True)[:PEOPLE_A_ROUND]
    )
    people = User.objects.in_bulk(list(oldest))
    return [people[pk] for pk in oldest if pk in people]


@transaction.atomic
def _write_to(person: User, relay: BaseEmailBackend) -> Sending:
    """Send one email about everything new to a person; its rows are locked against other rounds."""
    now = timezone.now()
    rows = list(
        to_mail(now)
        .filter(person=person)
        .select_related("rehearsal")
        .select_for_update(skip_locked=True, of=("self",))
    )
    open_to_them = set(
        rehearsals_for(person)
        .filter(pk__in={each.rehearsal_id for each in rows})
        .values_list("pk", flat=True)
    )
    rows = [each for each in rows if each.rehearsal_id in {None, *open_to_them}]
    if not rows:
        return Sending.NOTHING
    outcome = deliver(_mail(person, rows), relay)
    _write_down(rows, outcome, now)
    return outcome


def _mail(person: User, rows: Sequence[Notice]) -> EmailMessage:
    by_kind: dict[str, list[Notice]] = defaultdict(list)
    for each in rows:
        by_kind[each.kind].append(each)
    everything = _address(reverse("notices:list"))
    with override(person.language):
        lines = [
            {
                "words": mail_words(kind, len(of_kind)),
                "link": _address(place_of(of_kind[0])) if len(of_kind) == 1 else everything,
            }
            for kind, of_kind in by_kind.items()
        ]
        subject = lines[0]["words"].rstrip(".") if len(lines) == 1 else gettext("What is new")
        context = {"person": person, "lines": lines, "choose": f"{everything}#mails"}
        body = render_to_string("notices/email/news.txt", context)
    return with_site_headers(EmailMessage(subject, body, to=[person.email]))


def _address(path: str) -> str:
    return f"{settings.SITE_ADDRESS}{path}"


def deliver(mail: EmailMessage, relay: BaseEmailBackend) -> Sending:
    """Send one email at once and return the outcome; errors of the relay are logged."""
    try:
        relay.send_messages([mail])
    except SMTPRecipientsRefused as error:
        for_good = all(code >= 500 for code, _said in error.recipients.values())
        log.warning("a relay refused a mail's address%s", " for good" if for_good else "")
        return Sending.REFUSED if for_good else Sending.FAILED
    except (SMTPServerDisconnected, OSError) as error:
        if isinstance(error, SMTPException) and not isinstance(error, SMTPServerDisconnected):
            log.exception("a relay did not take a mail; it is tried again")
            return Sending.FAILED
        log.warning("the mail relay is away; what waits is tried again: %s", error)
        return Sending.AWAY
    return Sending.SENT


def _write_down(rows: Sequence[Notice], outcome: Sending, now: datetime) -> None:
    found = Notice.objects.filter(pk__in=[each.pk for each in rows])
    if outcome is Sending.SENT:
        found.update(mailed_at=now, try_at=None)
    elif outcome is Sending.REFUSED:
        found.update(refused_at=now, try_at=None)
    else:
        for each in rows:
            Notice.objects.filter(pk=each.pk).update(
                tries=min(each.tries + 1, 100), try_at=next_try(each.tries, now)
            )


def next_try(tries: int, now: datetime) -> datetime:
    """Return the moment to try again after so many tries and one more."""
    return now + timedelta(minutes=min(2 ** (tries + 1), LONGEST_PAUSE_MINUTES))
