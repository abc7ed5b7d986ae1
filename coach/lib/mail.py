"""Email sent from a background thread, so that a page does not wait for the SMTP relay.

Its response time would also reveal whether an address has an account here.

If the site reads returned emails, each email carries a signature of its recipient, so that nobody
can make up a bounce for somebody else's address.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend

log = logging.getLogger(__name__)

MOST_WAITING = 200
"""Most emails that may wait in one process; if the relay is away, older ones would lose their
value."""

_MESSAGE_ID = re.compile(r"<([0-9a-f]{24})\.([0-9a-f]{32})@")

_SENDERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="mail")
_ROOM = threading.BoundedSemaphore(MOST_WAITING)


def with_site_headers(message: EmailMessage) -> EmailMessage:
    """Add the headers that relays and automatic responders expect.

    By default Django puts the host name into the Message-ID, which is `localhost` in a container.
    Automatic out-of-office replies ignore such mail (RFC 3834).
    """
    message.extra_headers.setdefault("Message-ID", _message_id(message))
    if settings.BOUNCES_HOST:
        # The sender of the envelope, to whom relays return emails; readers see the other one.
        message.extra_headers.setdefault("From", message.from_email)
        message.from_email = settings.BOUNCES_ADDRESS
    message.extra_headers.setdefault("Auto-Submitted", "auto-generated")
    if settings.EMAIL_REPLY_TO:
        message.reply_to = [settings.EMAIL_REPLY_TO]
    return message


def _message_id(message: EmailMessage) -> str:
    unique = secrets.token_hex(12)
    domain = urlsplit(settings.SITE_ADDRESS).hostname or "localhost"
    return f"<{unique}.{_signature(unique, ''.join(message.to))}@{domain}>"


def _signature(unique: str, address: str) -> str:
    key = (settings.BOUNCES_PASSWORD or settings.SECRET_KEY).encode()
    return hmac.new(key, f"{unique}:{address.lower()}".encode(), hashlib.sha256).hexdigest()[:32]


def was_sent_to(address: str, returned: str) -> bool:
    """Return whether a returned email quotes the Message-ID of one that we sent to this address."""
    return any(
        hmac.compare_digest(signature, _signature(unique, address))
        for unique, signature in _MESSAGE_ID.findall(returned)
    )


def is_mail_printed() -> bool:
    """Return whether no SMTP relay is set: emails are then only printed in a log."""
    return settings.EMAIL_BACKEND.startswith("django.core.mail.backends.console.")


def open_relay() -> BaseEmailBackend:
    """Return a connection whose caller waits for each email and gets errors.

    Printed emails go past what Celery puts in place of standard output: there, as in all logs,
    links that open an account are left out, and nobody could use an invitation.
    """
    options: dict[str, Any] = {"stream": sys.__stdout__} if is_mail_printed() else {}
    return get_connection(at_once=True, **options)


class BesideEmailBackend(EmailBackend):
    """SMTP backend that sends in a background thread; with `at_once=True` the caller waits
    and gets errors.
    """

    def __init__(self, *args: Any, at_once: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self._at_once = at_once

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Return the number of messages sent, or queued for sending."""
        if self._at_once:
            return super().send_messages(email_messages) or 0
        if not _ROOM.acquire(blocking=False):
            log.error("too many mails wait for the relay; this one is given up")
            return 0
        _SENDERS.submit(self._deliver, email_messages)
        return len(email_messages)

    def _deliver(self, messages: Sequence[EmailMessage]) -> None:
        try:
            super().send_messages(messages)
        except (OSError, SMTPException):
            log.exception("a mail could not be sent")
        finally:
            _ROOM.release()
