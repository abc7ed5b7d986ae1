"""Emails that came back: read from the mailbox of the site by IMAP.

Only delivery reports in the standard form (RFC 3464) count, and only if they quote an email that
we sent to that address (`coach.lib.mail.was_sent_to`).
"""

from __future__ import annotations

import imaplib
import logging
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from django.conf import settings

from coach.accounts.models import User
from coach.lib.mail import was_sent_to
from coach.notices.services import record_bounce

log = logging.getLogger(__name__)

MOST_BYTES = 200_000
"""Bytes read of a returned email: its report, and at least the headers of ours (rule of thumb)."""
EMAILS_A_ROUND = 200
TIMEOUT_SECONDS = 20
_TLS_PORT = 993
"""IMAP with TLS from the start (RFC 8314)."""

_BAD_ADDRESS = re.compile(r"5\.(1\.\d{1,3}|2\.1|4\.1|4\.4)")
"""Permanent faults of an address: RFC 3463 for 5.1 (address), 5.2.1 (mailbox disabled) and 5.4.4
(no route); Exchange Online says 5.4.1 for an unknown recipient. A full mailbox, or an email taken
for spam, does not count."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One recipient in a delivery report who can't be reached for good."""

    address: str
    status: str


def read_bounces() -> int:
    """Read the mailbox and store addresses that can't receive emails; return their number.

    A report that was understood is deleted. Everything else stays there, marked as read. A mailbox
    that can't be reached is logged and read in the next round.
    """
    try:
        return _read_mailbox()
    except (OSError, imaplib.IMAP4.error):
        log.exception("the mailbox for returned emails cannot be read")
        return 0


def _read_mailbox() -> int:
    found = 0
    with _connected() as mailbox:
        mailbox.login(settings.BOUNCES_ADDRESS, settings.BOUNCES_PASSWORD)
        mailbox.select("INBOX")
        _ok, (keys,) = mailbox.uid("SEARCH", "UNSEEN")
        for key in keys.decode().split()[:EMAILS_A_ROUND]:
            _ok, parts = mailbox.uid("FETCH", key, f"(BODY.PEEK[]<0.{MOST_BYTES}>)")
            recorded = _record(next((part[1] for part in parts if isinstance(part, tuple)), b""))
            mailbox.uid("STORE", key, "+FLAGS", r"(\Deleted)" if recorded else r"(\Seen)")
            found += recorded
        mailbox.expunge()
    return found


def _connected() -> imaplib.IMAP4:
    """Connect with TLS from the start on port 993, by STARTTLS on any other port."""
    # What imaplib uses by default checks no certificate.
    context = ssl.create_default_context()
    where = (settings.BOUNCES_HOST, settings.BOUNCES_PORT)
    if settings.BOUNCES_PORT == _TLS_PORT:
        return imaplib.IMAP4_SSL(*where, ssl_context=context, timeout=TIMEOUT_SECONDS)
    mailbox = imaplib.IMAP4(*where, timeout=TIMEOUT_SECONDS)
    mailbox.starttls(context)
    return mailbox


def _record(content: bytes) -> int:
    """Store the failures in a returned email; return their number."""
    quoted = content.decode("latin-1")
    recorded = 0
    for failure in failures_in(content):
        if not was_sent_to(failure.address, quoted):
            log.warning("a delivery report does not quote an email of this site")
            continue
        for person in User.objects.filter(email__iexact=failure.address):
            record_bounce(person=person, status=failure.status)
            recorded += 1
    return recorded


def failures_in(content: bytes) -> Iterator[Failure]:
    """Yield the recipients of a delivery report whose address is at fault."""
    for part in message_from_bytes(content).walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        blocks = part.get_payload()
        for block in blocks if isinstance(blocks, list) else []:
            if isinstance(block, Message):
                yield from _failures_of(block)


def _failures_of(block: Message) -> Iterator[Failure]:
    """Yield both addresses of a block: relays rewrite aliases, and only one is ours."""
    status = _BAD_ADDRESS.match(str(block.get("Status", "")).strip())
    if status is None or str(block.get("Action", "")).strip().lower() != "failed":
        return
    given = {str(block.get(name, "")) for name in ("Original-Recipient", "Final-Recipient")}
    for address in sorted({each.rpartition(";")[2].strip().strip("<>").lower() for each in given}):
        if address:
            yield Failure(address=address, status=status[0])
