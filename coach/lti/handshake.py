"""Third-party login: our question to the platform, and the check that a message answers it.

The state is signed, belongs to one browser, and ends after ten minutes. Its nonce works once.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.core import signing
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from coach.lti.messages import Message, Refused, read_message
from coach.lti.models import Platform, UsedNonce

ASKED: Final = (
    "iss",
    "login_hint",
    "target_link_uri",
    "lti_message_hint",
    "client_id",
    "lti_deployment_id",
)
"""The parameters of a login initiation."""
_SALT, _COOKIE = "coach.lti.state", "rostrum_lti"
_SECONDS: Final = 600
_KEEP_NONCES: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Our question to a platform: its address, and the browser that has to bring the answer."""

    url: str
    browser: str


def platform_of(asked: Mapping[str, str]) -> Platform:
    """Return the platform that begins a login. Raises Refused."""
    found = Platform.objects.filter(issuer=asked.get("iss", ""), is_active=True)
    if asked.get("client_id"):
        found = found.filter(client_id=asked["client_id"])
    try:
        return found.get()
    except (ObjectDoesNotExist, Platform.MultipleObjectsReturned) as error:
        raise Refused("the platform is not registered") from error


def ask_platform(request: HttpRequest, platform: Platform, asked: Mapping[str, str]) -> Question:
    """Return the question to the platform: who opens this?"""
    browser = request.COOKIES.get(_COOKIE) or secrets.token_urlsafe(32)
    nonce = secrets.token_urlsafe(32)
    said = {"platform": str(platform.pk), "nonce": nonce, "browser": _digest(browser)}
    wanted = asked.get("target_link_uri", "")
    page = "lti:deep_link" if is_deep_link(request, wanted) else "lti:launch"
    parameters = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": request.build_absolute_uri(reverse(page)),
        "login_hint": asked.get("login_hint", ""),
        "state": signing.dumps(said, salt=_SALT),
        "nonce": nonce,
    }
    if hint := asked.get("lti_message_hint"):
        parameters["lti_message_hint"] = hint
    joint = "&" if urlsplit(platform.login_url).query else "?"
    return Question(url=f"{platform.login_url}{joint}{urlencode(parameters)}", browser=browser)


def is_deep_link(request: HttpRequest, wanted: str) -> bool:
    """Return whether a platform wants our page to choose an assignment for a link."""
    return wanted == request.build_absolute_uri(reverse("lti:deep_link"))


def remember_browser(response: HttpResponse, browser: str) -> None:
    """Let this browser bring the answer; it comes from another site, where `Lax` holds it back."""
    response.set_cookie(
        _COOKIE,
        browser,
        max_age=_SECONDS,
        path=reverse("lti:login").removesuffix("login/"),
        secure=True,
        httponly=True,
        samesite="None",
    )


def receive_message(request: HttpRequest) -> tuple[Platform, Message]:
    """Return the message of a platform that answers a question of ours, once. Raises Refused.

    A choice of an assignment opens no session, so it also works in a frame without cookies.
    """
    said = _state(request.POST.get("state", ""))
    platform = Platform.objects.filter(pk=said["platform"], is_active=True).first()
    if platform is None:
        raise Refused("the platform is not registered any more")
    message = read_message(platform, request.POST.get("id_token", ""), nonce=said["nonce"])
    browser = request.COOKIES.get(_COOKIE, "")
    is_same = constant_time_compare(_digest(browser), said["browser"])
    if message.linking is None and not (browser and is_same):
        raise Refused("it was asked for by another browser, or cookies are blocked")
    try:
        with transaction.atomic():
            UsedNonce.objects.create(nonce=said["nonce"])
    except IntegrityError as error:
        raise Refused("it was used before") from error
    return platform, message


def forget_nonces() -> int:
    """Delete nonces whose state has long expired; return their number."""
    old = timezone.now() - _KEEP_NONCES
    return UsedNonce.objects.filter(used_at__lt=old).delete()[0]


def _state(text: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = signing.loads(text, salt=_SALT, max_age=_SECONDS)
    except signing.BadSignature as error:
        raise Refused("its state is not ours, or has expired") from error
    return found


def _digest(browser: str) -> str:
    return hashlib.sha256(browser.encode()).hexdigest()
