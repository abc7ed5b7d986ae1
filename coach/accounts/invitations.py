"""Invitations: a link to choose a password that no one else knows."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from allauth.account.forms import (
    EmailAwarePasswordResetTokenGenerator,
    default_token_generator,
)
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import base36_to_int
from django.utils.translation import gettext, override

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.mail import open_relay, with_site_headers

log = logging.getLogger(__name__)


def link_days(person: User) -> int:
    """Return the number of days for which a link sent to this person now is valid.

    An invitation may wait: a class is invited before a holiday. A password reset was requested a
    moment ago.
    """
    return settings.RESET_LINK_DAYS if person.has_usable_password() else settings.INVITATION_DAYS


class LinkTokens(EmailAwarePasswordResetTokenGenerator):  # type: ignore[misc]  # no stubs
    """Token generator for links to choose a password; their lifetime depends on the reader."""

    def check_token(self, user: User, token: str | None) -> bool:
        """Return whether the link is valid; Django has checked the longer of the two lifetimes."""
        if not super().check_token(user, token):
            return False
        made_at = base36_to_int(str(token).partition("-")[0])
        age = self._num_seconds(self._now()) - made_at
        return bool(age <= link_days(user) * 24 * 3600)


def make_link(*, person: User, site: str, actor: User | None) -> str:
    """Return the URL where the person can choose a password, once, within some days."""
    record_act(action="accounts.invited", target=person, actor=actor)
    return _link(person, site)


def _link(person: User, site: str) -> str:
    token = default_token_generator.make_token(person)
    keys = {"uidb36": user_pk_to_url_str(person), "key": token}
    return f"{site.rstrip('/')}{reverse('account_reset_password_from_key', kwargs=keys)}"


def invitation_mail(*, person: User, site: str, inviter: str) -> EmailMessage:
    """Return the email with such a link, in the language of its reader."""
    context = {
        "person": person,
        "inviter": inviter,
        "site": site.rstrip("/"),
        "link": _link(person, site),
        "days": link_days(person),
    }
    with override(person.language):
        subject = gettext("Your account at Rostrum")
        body = render_to_string("account/email/invitation.txt", context)
    return with_site_headers(EmailMessage(subject, body, to=[person.email]))


def invite_person(*, person: User, site: str, actor: User) -> bool:
    """Email such a link to the person; return whether it was sent."""
    record_act(action="accounts.invited", target=person, actor=actor)
    mail = invitation_mail(person=person, site=site, inviter=str(actor))
    # The inviting administrator waits for the relay, and learns whether it accepted the email.
    mail.connection = open_relay()
    try:
        mail.send()
    except (OSError, SMTPException):
        log.exception("an invitation could not be sent")
        return False
    return True
