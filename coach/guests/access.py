"""Access of guests: by the link's secret once, then by a mark in the browser's session.

The secret is only in the first URL, so no referrer contains it, and every request checks that the
link is still open.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from allauth.core.internal import ratelimit
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from coach.guests.models import GuestLink
from coach.guests.selectors import link_of, opens

_PLACE = "guest_visits"
_WRONG, _NAMED = "guest_door", "guest_name"
WRONG_LINKS = "20/10m/ip"
"""Limit of invalid links tried from one address (rule of thumb)."""
NAMES = "60/h/ip"
"""Limit of names given from one address: enough for two classes, and not for a person who invents
names to push their own visits out of the owner's sight (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A guest who has opened a link."""

    link: GuestLink
    name: str
    visit: uuid.UUID


def open_link(request: HttpRequest, token: str) -> GuestLink | None:
    """Return the open link of a token; None if it is invalid or too many wrong ones were tried."""
    if not _may_try(request, dry_run=True):
        return None
    link = link_of(token)
    if link is None:
        _may_try(request, dry_run=False)
    return link


def _may_try(request: HttpRequest, *, dry_run: bool) -> bool:
    return _is_within(request, _WRONG, WRONG_LINKS, dry_run=dry_run)


def _is_within(request: HttpRequest, action: str, rate: str, *, dry_run: bool = False) -> bool:
    usage = ratelimit.consume(
        request,
        app="rostrum",
        action=action,
        config={action: rate},
        limit_get=True,
        dry_run=dry_run,
    )
    return usage is not None


def may_use_name(request: HttpRequest, link: GuestLink, name: str) -> bool:
    """Return whether a further name may be given from this address; a repeated one is not
    counted.
    """
    former = request.session.get(_PLACE, {}).get(str(link.pk), {})
    return former.get("name") == name or _is_within(request, _NAMED, NAMES)


def start_visit(request: HttpRequest, link: GuestLink, name: str) -> None:
    """Store the guest's link and name in the session."""
    visits = request.session.get(_PLACE, {})
    former = visits.get(str(link.pk), {})
    visits[str(link.pk)] = {"name": name, "visit": former.get("visit") or str(uuid.uuid4())}
    request.session[_PLACE] = visits


def guest_of(request: HttpRequest, link_id: uuid.UUID) -> Guest | None:
    """Return the guest of this browser for a link; None unless the link is open."""
    mark = request.session.get(_PLACE, {}).get(str(link_id))
    if mark is None:
        return None
    link = GuestLink.objects.filter(pk=link_id).select_related("rehearsal__owner").first()
    if link is None or not opens(link):
        return None
    return Guest(link=link, name=mark["name"], visit=uuid.UUID(mark["visit"]))


_View = Callable[..., HttpResponseBase]


def guests_only(view: _View) -> _View:
    """Restrict a view to guests; others get the page for a closed link."""

    @wraps(view)
    def guarded(
        request: HttpRequest, *, link_id: uuid.UUID, **place: uuid.UUID
    ) -> HttpResponseBase:
        guest = guest_of(request, link_id)
        if guest is None:
            return over(request)
        return discreet(view(request, guest, **place))

    return guarded


def over(request: HttpRequest) -> HttpResponseBase:
    """Return the same answer for a link that never existed, has expired or was ended."""
    return discreet(render(request, "guests/over.html", status=404))


def discreet(response: HttpResponseBase) -> HttpResponseBase:
    """Forbid indexing, caching and referrers to other sites.

    Our own site gets the referrer: without it no form would be accepted.
    """
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "private, no-store"
    return response
