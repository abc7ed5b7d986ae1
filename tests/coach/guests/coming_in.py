"""A guest comes in by a link to one take."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from coach.guests.models import GuestLink
from coach.guests.services import make_link
from coach.rehearsals.models import Rehearsal

ON_THE_PAGE = {"headers": {"sec-fetch-dest": "video"}}


def link_to(take: Rehearsal, *, shows_findings: bool = False) -> tuple[GuestLink, str]:
    return make_link(
        rehearsal=take, maker=take.owner, meant_for="Paul", days=7, shows_findings=shows_findings
    )


def come_in(take: Rehearsal, *, shows_findings: bool = False) -> tuple[Client, GuestLink]:
    """Paul, in a browser of his own, after the door."""
    link, token = link_to(take, shows_findings=shows_findings)
    client = Client()
    answer = client.post(reverse("guests:door", args=[token]), {"name": "Paul"})
    assert answer.headers["Location"] == reverse("guests:visit", args=[link.pk])
    return client, link


def inside(name: str, link: GuestLink, *more: object) -> str:
    return reverse(f"guests:{name}", args=[link.pk, *more])
