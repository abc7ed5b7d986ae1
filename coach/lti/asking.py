"""Requests to a platform: its keys, access tokens, members of a course, progress passed back.

Only checked public addresses are asked (`coach.webhooks.public_requests`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import urlencode

from coach.lti.keys import TOKEN_SECONDS, sign
from coach.lti.models import Completion, Platform
from coach.webhooks.addresses import NotFound, NotPublic
from coach.webhooks.public_requests import ask

_MOST_BYTES: Final = 2_000_000
"""Size of an answer: a page of members is far smaller (rule of thumb)."""
_ASSERTION: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

Outcome = Completion.Outcome


class NoAnswer(Exception):
    """An error: the platform did not answer as it should."""

    def __init__(self, outcome: Completion.Outcome, status: int | None = None) -> None:
        super().__init__(f"{outcome} {status or ''}".strip())
        self.outcome, self.status = outcome, status


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonReply:
    """A successful answer: its JSON, and its headers."""

    content: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200


def ask_json(
    url: str,
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> JsonReply:
    """Send a request, and return the JSON of the answer; None without any. Raises NoAnswer."""
    sent = {"User-Agent": "Rostrum LTI", "Accept": "application/json", **(headers or {})}
    try:
        reply = ask(url, method=method, headers=sent, body=body, most_bytes=_MOST_BYTES)
    except NotPublic as error:
        raise NoAnswer(Outcome.NOT_PUBLIC) from error
    except (NotFound, OSError, HTTPException) as error:
        raise NoAnswer(Outcome.UNREACHABLE) from error
    if not 200 <= reply.status < 300:
        raise NoAnswer(Outcome.REFUSED, reply.status)
    try:
        content = json.loads(reply.body) if reply.body else None
    except (ValueError, RecursionError) as error:
        raise NoAnswer(Outcome.REFUSED, reply.status) from error
    return JsonReply(content=content, headers=reply.headers, status=reply.status)


def access_token(platform: Platform, *, scope: str) -> str:
    """Return an access token for one service of the platform. Raises NoAnswer."""
    claims = {
        "iss": platform.client_id,
        "sub": platform.client_id,
        "aud": platform.token_audience or platform.token_url,
    }
    form = {
        "grant_type": "client_credentials",
        "client_assertion_type": _ASSERTION,
        "client_assertion": sign(claims, seconds=TOKEN_SECONDS),
        "scope": scope,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode(form).encode()
    reply = ask_json(platform.token_url, method="POST", headers=headers, body=body)
    token = reply.content.get("access_token") if isinstance(reply.content, dict) else None
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise NoAnswer(Outcome.REFUSED, reply.status)
    return token


class Tokens:
    """Access tokens of a round, each asked for once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, str], tuple[str, float]] = {}

    def of(self, platform: Platform, *, scope: str) -> str:
        """Return the token of a platform. Raises NoAnswer."""
        known = self._known.get((platform.pk, scope))
        if known is None or known[1] < time.monotonic():
            known = access_token(platform, scope=scope), time.monotonic() + 60
            self._known[platform.pk, scope] = known
        return known[0]
