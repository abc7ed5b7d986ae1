"""Services for requests for an account: ask, confirm an address, approve, decline."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from coach.accounts.invitations import invite_person
from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import add_person, join_cohort
from coach.audit.services import record_act
from coach.lib.mail import with_site_headers
from coach.portal.joining.selectors import (
    SIGNER,
    expired_requests,
    is_of_domain,
    open_codes,
    person_with,
    waiting_requests,
)
from coach.portal.models import AccessRequest, GroupCode

log = logging.getLogger(__name__)

ASKING = "60/h/ip,3/d/key"
"""Limit of requests from one network address, which a class may share, and for one email address
(rule of thumb)."""
WITH_CODE = "300/h/ip,3/d/key"
"""The same with a code of a group, which a lecture hall enters at once (rule of thumb)."""
OPENING = "600/h/ip"
"""Limit of codes tried from one network address. There are 8.5e11 codes of eight letters: guessing
one of ten open ones would take ten thousand years."""
MOST_WAITING = 300
"""Requests that may wait at once, so that nobody can fill the table (rule of thumb)."""


def may_ask(request: HttpRequest, address: str, *, with_code: bool = False) -> bool:
    """Count a request and return whether it is within the limits."""
    action = "join_with_code" if with_code else "join"
    rates = {action: WITH_CODE if with_code else ASKING}
    usage = ratelimit.consume(request, app="rostrum", action=action, config=rates, key=address)
    return usage is not None


def may_try_code(request: HttpRequest) -> bool:
    """Count the opening of a code's page and return whether it is within the limit."""
    rates = {"code": OPENING}
    usage = ratelimit.consume(request, app="rostrum", action="code", config=rates, limit_get=True)
    return usage is not None


@transaction.atomic
def ask_for_account(
    *,
    address: str,
    name: str,
    reason: str,
    language: str,
    site: str,
    code: GroupCode | None = None,
) -> None:
    """Save a request and send the email that belongs to it.

    With the code of a group, the person only confirms the address, and joins the group.

    A person who has an account gets an email that says so, and nothing is saved: the page answers
    the same. Raises ValidationError if too many requests wait.
    """
    person = person_with(address)
    if person is not None:
        onwards = f"?next={reverse('portal:code', args=[code.code])}" if code else ""
        links = {"site": site, "link": f"{site}{reverse('account_login')}{onwards}"}
        _send_later("known", person.email, person.language, links)
        return
    needs_approval = code is None and not is_of_domain(address)
    if needs_approval and waiting_requests().count() >= MOST_WAITING:
        raise ValidationError(_("Many requests are waiting. Please try again in some days."))
    is_first = needs_approval and not waiting_requests().exists()
    values = {
        "name": name,
        "reason": reason,
        "language": language,
        "needs_approval": needs_approval,
        "code": code,
        "asked_at": timezone.now(),
    }
    asked, _is_new = AccessRequest.objects.update_or_create(email=address, defaults=values)
    if needs_approval:
        record_act(action="accounts.access_asked", target=asked)
        if is_first:
            _tell_administrators(site)
    else:
        token = SIGNER.sign(str(asked.pk))
        link = f"{site}{reverse('portal:confirm_join', args=[token])}"
        days = settings.RESET_LINK_DAYS
        _send_later("confirm", address, language, {"site": site, "link": link, "days": days})


def _tell_administrators(site: str) -> None:
    """Email the administrators about the first of the waiting requests; it names nobody."""
    link = f"{site}{reverse('portal:requests')}"
    for each in User.objects.filter(is_staff=True, is_active=True):
        _send_later("waiting", each.email, each.language, {"link": link})


@transaction.atomic
def make_account(*, asked: AccessRequest) -> User:
    """Make the account of a confirmed address, or return the one that was made meanwhile.

    Raises ValidationError if the request came with a code that is over by now.
    """
    person = person_with(asked.email) or add_person(
        address=asked.email, name=asked.name, roles=[Role.TRAINEE], language=asked.language
    )
    if asked.code is not None:
        use_code(code=asked.code, person=person)
    asked.delete()
    return person


@transaction.atomic
def use_code(*, code: GroupCode, person: User) -> None:
    """Make the person a trainee of the code's group, and count the use.

    A person who is in the group already uses nothing. Raises ValidationError if the code is over.
    """
    held = open_codes().select_for_update(of=("self",)).filter(pk=code.pk).first()
    if held is None:
        raise ValidationError(_("This code has ended. Ask for a new one."))
    if person.memberships.filter(cohort=held.cohort, role=Role.TRAINEE).exists():
        return
    join_cohort(person=person, cohort=held.cohort, role=Role.TRAINEE, actor=person)
    held.uses += 1
    held.save(update_fields=["uses"])


@transaction.atomic
def approve_request(*, asked: AccessRequest, cohort: Cohort | None, actor: User, site: str) -> User:
    """Make the account, add it to the group, and invite its person after the transaction."""
    record_act(action="accounts.access_approved", target=asked, actor=actor)
    person = person_with(asked.email) or add_person(
        address=asked.email,
        name=asked.name,
        roles=[Role.TRAINEE],
        language=asked.language,
        actor=actor,
    )
    if cohort is not None:
        join_cohort(person=person, cohort=cohort, role=Role.TRAINEE, actor=actor)
    asked.delete()
    transaction.on_commit(lambda: invite_person(person=person, site=site, actor=actor))
    return person


@transaction.atomic
def decline_request(*, asked: AccessRequest, actor: User, site: str) -> None:
    """Delete the request and tell the person that there is no account."""
    record_act(action="accounts.access_declined", target=asked, actor=actor)
    _send_later("declined", asked.email, asked.language, {"site": site})
    asked.delete()


def delete_expired_requests() -> int:
    """Delete requests that nobody answered or confirmed in time; return their number."""
    return expired_requests().delete()[0]


def _send_later(kind: str, address: str, language: str, context: dict[str, Any]) -> None:
    """Send an email once the transaction is committed, in its reader's language."""

    def send() -> None:
        with override(language):
            subject, _blank, body = render_to_string(
                f"portal/joining/email_{kind}.txt", context
            ).partition("\n")
        try:
            with_site_headers(EmailMessage(subject.strip(), body.lstrip(), to=[address])).send()
        except (OSError, SMTPException):
            log.exception("an email about an account could not be sent")

    transaction.on_commit(send)
