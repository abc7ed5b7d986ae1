"""allauth adapter: closed sign-up, rate limits, and security log entries."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_noop, override
from django.utils.translation import gettext_lazy as _

from coach.accounts.freshness import is_confirmed_at_provider
from coach.accounts.languages import chosen_before
from coach.accounts.models import User
from coach.accounts.oidc.selectors import confirms_at_provider
from coach.accounts.services import set_language
from coach.audit.services import record_act
from coach.lib.mail import with_site_headers

log = logging.getLogger(__name__)

OTHERS_WORDS = (gettext_noop("Forgot your password?"),)
"""Texts of allauth on our pages, whose French we replace: our catalogue comes first."""

_KNOWN_COOKIE = "rostrum_known"
_KNOWN_SECONDS = 90 * 24 * 3600

_SECOND_FACTOR_CHANGES: Final[dict[str, Promise]] = {
    "mfa/email/totp_activated": _("An authenticator app was set up."),
    "mfa/email/totp_deactivated": _("The authenticator app was removed."),
    "mfa/email/webauthn_added": _("A passkey was added."),
    "mfa/email/webauthn_removed": _("A passkey was removed."),
    "mfa/email/recovery_codes_generated": _("New recovery codes were created."),
    "oidc/connected": _("An account of your institution was connected and signs you in."),
    "oidc/disconnected": _("The account of your institution no longer signs you in."),
}
"""What happened, by allauth's name of the email."""

_RESET = "account/email/password_reset_key"
LETTERS = "6/h/key"
"""Limit of password links sent to one person: each of them works, and mailboxes cannot be flooded
(rule of thumb)."""


class InvitationOnlyAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no stubs
    """Adapter for invited accounts only, with slow password guessing and logged events."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _(
            "Wrong email or password. Check both, or choose a new password."
        ),
        "incorrect_password": _("Wrong password. Nothing was changed."),
        "enter_current_password": _("Wrong password. Nothing was changed."),
        "too_many_login_attempts": _(
            "There were several failed attempts to sign in, by you or by another person. Wait "
            "five minutes and try again, or choose “I forgot my password”: the link in our "
            "email lets you in at once."
        ),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: there is no sign-up."""
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email in its reader's language.

        Neither a failing relay nor a rate limit reveals which addresses have an account.
        """
        reader = context.get("user")
        if template_prefix == _RESET and not _may_be_written_to(self.request, email):
            log.warning("a link to a new password was not sent: enough went there within an hour")
            return
        if template_prefix == _RESET and isinstance(reader, User):
            record_act(action="accounts.link_asked", target=reader)
        language = reader.language if isinstance(reader, User) else get_language()
        try:
            with override(language):
                super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            log.exception("a mail (%s) could not be sent", template_prefix)

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Return an email with the headers of this site."""
        return with_site_headers(super().render_mail(template_prefix, email, context, headers))

    def send_notification_mail(
        self, template_prefix: str, user: User, *_args: Any, **_more: Any
    ) -> None:
        """Tell a person by email that a way to sign in to their account changed."""
        if change := _SECOND_FACTOR_CHANGES.get(template_prefix):
            with override(user.language):
                context = {"user": user, "change": str(change)}
            self.send_mail("account/email/second_factor", user.email, context)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt: for this address and client, and with a higher limit for the address
        anywhere.

        A browser that this person signed in with before is exempt, so that attackers elsewhere
        cannot lock them out.
        """
        super().pre_authenticate(request, **credentials)
        address = credentials.get("email", "").lower()
        if not address or _is_known(request, address):
            return
        anywhere = ratelimit.consume(
            request,
            app="allauth.account",
            action="login_failed_anywhere",
            key=address,
        )
        if not anywhere:
            raise self.validation_error("too_many_login_attempts")
        # A right password refunds these counts; a wrong one has been counted.
        self._login_failed_rl_usage.usage.extend(anywhere.usage)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return a key of email address and client address, so that a guesser locks only
        themselves out.
        """
        by_address = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{by_address}:{ratelimit.get_ip(request)}"

    def reauthenticate(self, user: User, password: str) -> bool:
        """Return whether the password is right, checked by the person's only address."""
        found = self.authenticate(context.request, email=user.email, password=password)
        return found is not None and found.pk == user.pk

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether allauth's own pages ask again: not if the provider just did."""
        asks: bool = super().is_reauthentication_required(app=app, **kwargs)
        return asks and not is_confirmed_at_provider(context.request)

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """Return the ways to confirm: the password; without one, the institution's provider, or
        the page that emails a link to choose a password.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if not methods and isinstance(user, User) and confirms_at_provider(user):
            methods = [{"id": "oidc", "description": "", "url": reverse("oidc_confirm")}]
        if not methods and isinstance(user, User) and not user.has_usable_password():
            url = reverse("account_reset_password")
            methods = [{"id": "choose_password", "description": "", "url": url}]
        return methods

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Log a failed attempt: the account it was for, never the password."""
        person = User.objects.filter(email=credentials.get("email", "").lower()).first()
        record_act(action="accounts.sign_in_failed", target=person)

    def post_login(self, request: HttpRequest, user: User, **details: Any) -> HttpResponse:
        """Log the sign-in, keep a language chosen just before, and mark this browser as known."""
        record_act(action="accounts.signed_in", target=user, actor=user)
        if chosen := chosen_before(request):
            set_language(user=user, language=chosen)
        response: HttpResponse = super().post_login(request, user, **details)
        response.set_signed_cookie(
            _KNOWN_COOKIE,
            str(user.pk),
            salt=_KNOWN_COOKIE,
            max_age=_KNOWN_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return response

    def set_password(self, user: User, password: str) -> None:
        """Set the password and log that the person chose a new one."""
        super().set_password(user, password)
        record_act(action="accounts.password_chosen", target=user, actor=user)


def _may_be_written_to(request: HttpRequest, address: str) -> bool:
    rates = {_RESET: LETTERS}
    key = address.lower()
    usage = ratelimit.consume(request, app="rostrum", action=_RESET, config=rates, key=key)
    return usage is not None


def _is_known(request: HttpRequest, address: str) -> bool:
    """Return whether the person with this address has signed in with this browser before."""
    known = request.get_signed_cookie(
        _KNOWN_COOKIE, default=None, salt=_KNOWN_COOKIE, max_age=_KNOWN_SECONDS
    )
    return known is not None and User.objects.filter(pk=known, email=address).exists()
