"""Emails with invitations: sent in small rounds by the worker for email, and retried.

As with notifications (`coach.notices.mailing`), the rows are the source of truth: a relay that is
away delays an email and loses none.
"""

from __future__ import annotations

from django.conf import settings
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from coach.accounts.invitations import invitation_mail
from coach.audit.services import record_act
from coach.lib.mail import open_relay
from coach.notices.mailing import Sending, deliver, next_try
from coach.portal.people.selectors import waiting_invitations

MAILS_A_ROUND = 100
"""Invitations sent in one round, of which there is one a minute: many relays refuse more (rule of
thumb)."""


def invitation_round() -> int:
    """Email the invitations that wait; return the number sent. A relay that is away ends it."""
    sent = 0
    relay = open_relay()
    due = waiting_invitations(timezone.now()).values_list("pk", flat=True)[:MAILS_A_ROUND]
    for key in list(due):
        outcome = _write_to(key, relay)
        sent += outcome is Sending.SENT
        if outcome is Sending.AWAY:
            break
    return sent


@transaction.atomic
def _write_to(key: int, relay: BaseEmailBackend) -> Sending:
    """Send one invitation, whose row is locked against other rounds."""
    now = timezone.now()
    rows = waiting_invitations(now).filter(pk=key).select_related("person")
    row = rows.select_for_update(skip_locked=True, of=("self",)).first()
    if row is None:
        return Sending.NOTHING
    inviter = str(row.asked_by or _site_name())
    mail = invitation_mail(person=row.person, site=settings.SITE_ADDRESS, inviter=inviter)
    outcome = deliver(mail, relay)
    if outcome is Sending.SENT:
        row.mailed_at = now
        record_act(action="accounts.invited", target=row.person, actor=row.asked_by)
    elif outcome is Sending.REFUSED:
        row.refused_at = now
    else:
        row.try_at, row.tries = next_try(row.tries, now), min(row.tries + 1, 100)
    row.save()
    return outcome


def _site_name() -> str:
    return settings.SITE_ADDRESS.partition("://")[2]
