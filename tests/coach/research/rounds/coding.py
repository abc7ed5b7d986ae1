"""Coding as a coder's browser does it: addresses, shares, marks."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.research.coding.annotation.reading import read_turns
from coach.research.coding.models import Assignment, Code, Text

HTMX = {"HX-Request": "true"}

SAID = [
    "I like pauses 👩🏽‍🏫, they help; q\u0303uite a lot, <really> & truly.",
    "À mon avis, التوقّف يساعد كثيرًا.",
]


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


def utf16_units(text: str, points: int) -> int:
    """The position in UTF-16 units of a position in code points."""
    return len(text[:points].encode("utf-16-le")) // 2


def share_of(user: User) -> Assignment:
    return Assignment.objects.get(coder__user=user)


def send(client: Client, user: User, quote: str, code: str, **more: object) -> str:
    """Mark a quote as the browser says it: turns, and UTF-16 units in their words."""
    text = Text.objects.get()
    start = text.text.index(quote)
    read = next(each for each in read_turns(text) if each.start <= start < each.end)
    begins = utf16_units(read.words, start - read.start)
    number = read.turn.number
    fields = {
        "code": Code.objects.get(name=code).pk,
        "first": number,
        "begins": begins,
        "last": number,
        "ends": begins + utf16_units(quote, len(quote)),
        **more,
    }
    answer = client.post(url("mark", share_of(user).pk), fields, headers=HTMX)
    assert answer.status_code == 200
    return answer.content.decode()
