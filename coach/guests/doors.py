"""How a guest comes in: by the link's secret part once, then by a mark in their browser's session.

The secret stands in no address but the first, so it travels in no referrer, and each look asks
whether the link is still open.
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
"""So many links that open nothing may be tried from one place (rule of thumb)."""
NAMES = "60/h/ip"
"""So many names may be given at doors from one place: those of two classes, and not those of
somebody who makes names up until their own looks are out of the owner's sight (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """Somebody who came in by a link."""

    link: GuestLink
    name: str
    visit: uuid.UUID


def knock(request: HttpRequest, token: str) -> GuestLink | None:
    """The link, if it is open; from one place not every link can be tried."""
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


def may_call_themselves(request: HttpRequest, link: GuestLink, name: str) -> bool:
    """Whether one more name may be given from here; the same one again is none more."""
    former = request.session.get(_PLACE, {}).get(str(link.pk), {})
    return former.get("name") == name or _is_within(request, _NAMED, NAMES)


def let_in(request: HttpRequest, link: GuestLink, name: str) -> None:
    """Remember in this browser that its reader came by this link, and how they call themselves."""
    visits = request.session.get(_PLACE, {})
    former = visits.get(str(link.pk), {})
    visits[str(link.pk)] = {"name": name, "visit": former.get("visit") or str(uuid.uuid4())}
    request.session[_PLACE] = visits


def guest_of(request: HttpRequest, link_id: uuid.UUID) -> Guest | None:
    """Who came in by this link with this browser, while the link is open."""
    mark = request.session.get(_PLACE, {}).get(str(link_id))
    if mark is None:
        return None
    link = GuestLink.objects.filter(pk=link_id).select_related("rehearsal__owner").first()
    if link is None or not opens(link):
        return None
    return Guest(link=link, name=mark["name"], visit=uuid.UUID(mark["visit"]))


_View = Callable[..., HttpResponseBase]


def guests_only(view: _View) -> _View:
    """The view for whoever came in; anybody else is told that the link is over."""

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
    """One answer for what never was, is over or was ended."""
    return discreet(render(request, "guests/over.html", status=404))


def discreet(response: HttpResponseBase) -> HttpResponseBase:
    """No search engine keeps it, no other site learns of it, no cache holds it.

    Our own site is told where a form was sent from: without that, none would be taken.
    """
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "private, no-store"
    return response
