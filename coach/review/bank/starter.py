"""Starter sentences of the comment bank, which a coach copies and then edits as their own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.db import transaction

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.review.models import BankComment

LANGUAGES = ("en", "fr")
_FILE = Path(__file__).with_name("starter.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """A starter sentence about one quality."""

    tag: str
    text: str


def starters_in(language: str) -> tuple[Starter, ...]:
    """Return all starter sentences in this language, by quality; in English for others."""
    return _read(_known(language))


@cache
def _read(language: str) -> tuple[Starter, ...]:
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))["comment"]
    return tuple(Starter(tag=row["tag"], text=row[language]) for row in rows)


def new_starters_for(coach: User, language: str) -> list[Starter]:
    """Return the starter sentences that are not in the coach's bank."""
    kept = set(BankComment.objects.filter(owner=coach).values_list("text", flat=True))
    return [each for each in starters_in(language) if each.text not in kept]


@transaction.atomic
def keep_starters(*, coach: User, language: str, tags: Iterable[str]) -> int:
    """Copy the starter sentences about these qualities to the coach's bank. Return their number."""
    wanted = set(tags)
    rows = [
        BankComment(owner=coach, text=each.text, tag=each.tag)
        for each in new_starters_for(coach, language)
        if each.tag in wanted
    ]
    if rows:
        BankComment.objects.bulk_create(rows, ignore_conflicts=True)
        record_act(
            action="review.starters_kept",
            target=coach,
            actor=coach,
            after={"language": _known(language), "count": len(rows)},
        )
    return len(rows)


def _known(language: str) -> str:
    return language if language in LANGUAGES else LANGUAGES[0]
