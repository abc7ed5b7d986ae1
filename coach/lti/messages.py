"""Messages of a platform: the signed ID token of a launch, with every check of LTI 1.3."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

import jwt
from django.core.cache import cache

from coach.accounts.models import Role
from coach.lib.pages.plain_text import one_line, storable
from coach.lib.web.http import uuid_of
from coach.lti.asking import NoAnswer, ask_json
from coach.lti.keys import RS256
from coach.lti.models import MOST_ADDRESS, MOST_NAME, Platform

CLAIM: Final = "https://purl.imsglobal.org/spec/lti/claim/"
LINKING: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/"
MEMBERS: Final = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
GRADES: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
SCORES: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
VERSION: Final = "1.3.0"
_RESOURCE, _DEEP_LINK = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"
_REQUIRED: Final = ["iss", "sub", "aud", "exp", "iat", "nonce"]
LEEWAY: Final = 60
"""Seconds by which the clocks of site and platform may differ (rule of thumb)."""
_OLDEST: Final = 3600
"""Seconds after which a message is too old, whatever its end says (rule of thumb)."""
_KEYS_CACHED, _KEYS_ASKED = 3600, 60
"""Seconds for which a platform's keys are cached, and within which they are not asked twice."""
_MOST_KEYS: Final = 20
_MEMBERSHIP: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership#"


class Refused(Exception):
    """An error: a message that is not a platform's own, is old, or was used; with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepLinking:
    """A platform's wish for a link: where it goes to, and what has to come back with it."""

    return_url: str
    data: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A checked message of a platform."""

    subject: str
    name: str
    address: str
    """An email address in lower case, or empty."""
    address_is_denied: bool
    """Whether the platform says itself that the address is not confirmed."""
    role: Role | None
    deployment_id: str
    context_id: str
    context_title: str
    members_url: str
    assignment: UUID | None
    column_url: str
    """The line item to which progress may be passed back, or empty."""
    linking: DeepLinking | None


def read_message(platform: Platform, id_token: str, *, nonce: str) -> Message:
    """Return a message that this platform signed for this site just now. Raises Refused."""
    claims = _signed(platform, id_token)
    # Of a token for several tools, the one that asked for it.
    audience = claims["aud"]
    is_alone = isinstance(audience, str) or len(audience) == 1
    if claims.get("azp", platform.client_id if is_alone else None) != platform.client_id:
        raise Refused("it was made for another tool")
    if claims["nonce"] != nonce:
        raise Refused("its nonce is not ours")
    if not isinstance(claims["iat"], int | float) or claims["iat"] < time.time() - _OLDEST:
        raise Refused("it is old")
    if claims.get(f"{CLAIM}version") != VERSION:
        raise Refused("its version is not 1.3.0")
    deployment = claims.get(f"{CLAIM}deployment_id")
    if not isinstance(deployment, str) or deployment not in platform.deployment_ids:
        raise Refused("its deployment is not registered")
    return _message(claims, deployment)


def _signed(platform: Platform, id_token: str) -> dict[str, Any]:
    try:
        header = jwt.get_unverified_header(id_token)
        if header.get("alg") != RS256:
            raise Refused("it is not signed with RS256")
        claims: dict[str, Any] = jwt.decode(
            id_token,
            _key_of(platform, header.get("kid")),
            algorithms=[RS256],
            audience=platform.client_id,
            issuer=platform.issuer,
            leeway=LEEWAY,
            options={"require": _REQUIRED},
        )
    except (jwt.PyJWTError, TypeError, ValueError) as error:
        raise Refused(f"it is not valid: {type(error).__name__}") from error
    return claims


def _key_of(platform: Platform, kid: object) -> jwt.PyJWK:
    """Return the platform's key of this name; an unknown one is asked for once in a minute."""
    digest = hashlib.sha256(platform.keys_url.encode()).hexdigest()[:16]
    name = f"lti:{platform.pk}:{digest}"
    if not isinstance(kid, str):
        raise Refused("it names no key")
    known: dict[str, dict[str, Any]] = cache.get(name) or {}
    if kid not in known and cache.add(f"{name}:asked", value=True, timeout=_KEYS_ASKED):
        known = _fetch_keys(platform)
        cache.set(name, known, _KEYS_CACHED)
    if kid not in known:
        raise Refused("the platform has no such key")
    return jwt.PyJWK(known[kid], algorithm=RS256)


def _fetch_keys(platform: Platform) -> dict[str, dict[str, Any]]:
    try:
        found = ask_json(platform.keys_url).content
    except NoAnswer as error:
        raise Refused(f"the platform's keys are not there: {error}") from error
    keys = found.get("keys") if isinstance(found, dict) else None
    listed = [each for each in keys or [] if isinstance(each, dict)][:_MOST_KEYS]
    return {
        each["kid"]: each
        for each in listed
        if each.get("kty") == "RSA"
        and isinstance(each.get("kid"), str)
        and each.get("alg", RS256) == RS256
        and each.get("use", "sig") == "sig"
    }


def _message(claims: Mapping[str, Any], deployment: str) -> Message:
    kind = claims.get(f"{CLAIM}message_type")
    if kind not in (_RESOURCE, _DEEP_LINK):  # no set: it may be a list
        raise Refused("its type is unknown")
    subject = claims["sub"]
    if not subject or subject != _text(claims, "sub"):
        raise Refused("it names nobody")
    context, custom = _object(claims, f"{CLAIM}context"), _object(claims, f"{CLAIM}custom")
    return Message(
        subject=subject,
        name=_name(claims),
        address=_text(claims, "email").lower(),
        address_is_denied=claims.get("email_verified") is False,
        role=role_of(claims.get(f"{CLAIM}roles")),
        deployment_id=deployment,
        context_id=_text(context, "id"),
        context_title=one_line(_text(context, "title") or _text(context, "label")),
        members_url=_address(_object(claims, MEMBERS), "context_memberships_url"),
        assignment=uuid_of(_text(custom, "assignment")),
        column_url=_column(_object(claims, GRADES)),
        linking=_linking(claims) if kind == _DEEP_LINK else None,
    )


def role_of(roles: object) -> Role | None:
    """Return the role in a group for the roles in a course, by their full or short names.

    Roles in the institution, such as being staff, are none in the course.
    """
    stated = {str(each).removeprefix(_MEMBERSHIP) for each in _list(roles)}
    if "Instructor" in stated:
        return Role.COACH
    return Role.TRAINEE if "Learner" in stated else None


def _linking(claims: Mapping[str, Any]) -> DeepLinking:
    settings = _object(claims, f"{LINKING}deep_linking_settings")
    return_url = _text(settings, "deep_link_return_url", most=4 * MOST_ADDRESS)
    if "ltiResourceLink" not in _list(settings.get("accept_types")):
        raise Refused("it takes no links to assignments")
    parts = urlsplit(return_url)
    if parts.scheme != "https" or not parts.hostname or ";" in parts.netloc:
        raise Refused("the address for a link is not https")
    data = settings.get("data")
    return DeepLinking(return_url=return_url, data=data if isinstance(data, str) else None)


def _column(service: Mapping[str, Any]) -> str:
    return _address(service, "lineitem") if SCORES in _list(service.get("scope")) else ""


def _name(claims: Mapping[str, Any]) -> str:
    parts = [_text(claims, "name")] if _text(claims, "name") else []
    parts = parts or [_text(claims, "given_name"), _text(claims, "family_name")]
    name = " ".join(each for each in parts if each)
    return one_line(name or _text(claims, "email").partition("@")[0])[:120]


def _object(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = claims.get(name)
    return found if isinstance(found, dict) else {}


def _list(found: object) -> Sequence[Any]:
    return found if isinstance(found, list) else []


def _text(claims: Mapping[str, Any], name: str, most: int = MOST_NAME) -> str:
    found = claims.get(name)
    is_text = isinstance(found, str) and len(found) <= most and found == storable(found)
    return found.strip() if is_text else ""  # type: ignore[union-attr]


def _address(claims: Mapping[str, Any], name: str) -> str:
    return _text(claims, name, most=MOST_ADDRESS)
