"""Content of the redaction page: open proposals first, then every turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from coach.research.coding.interviews.redaction.deciding import (
    NEW_TOKEN,
    names_left,
    normalised_words,
    proposed_token,
    spoken_stretches,
)
from coach.research.coding.interviews.redaction.unread import unread_words
from coach.research.coding.interviews.transcript_text import lead_in
from coach.research.coding.models import Interview, Redaction, Text, Turn

_AROUND: Final = 40
"""Code points before and after a place in the list."""
_RULES: Final[dict[str, str | Promise]] = {
    "known": _("a name known on this site"),
    "e_mail": _("looks like an email address"),
    "web": _("looks like a web address"),
    "handle": _("looks like a user name"),
    "phone": _("looks like a telephone number"),
    "number": _("looks like an account number"),
    "date": _("looks like a date"),
    "organisation": _("looks like an organisation"),
    "place": _("looks like an address"),
    "title": _("follows a form of address"),
    "introduced": _("someone introduces a name"),
    "placed": _("may be a place"),
    "capital": _("a capital letter inside a sentence"),
    "": _("marked by a person"),
}


@dataclass(frozen=True, slots=True)
class RedactionContext:
    """A redaction with the words before and after it."""

    redaction: Redaction
    before: str
    words: str
    after: str


@dataclass(slots=True, kw_only=True)
class SamePlaces:
    """Redactions of equal words with the same state, decided together."""

    first: Redaction
    words: str
    places: list[RedactionContext] = field(default_factory=list)
    proposed: str = ""
    """The token of the same person, as far as the names tell."""

    @property
    def token(self) -> str:
        """Return the token, decided or proposed."""
        return self.first.token or self.proposed

    @property
    def why(self) -> str | Promise:
        """Return the rule that found it, in words."""
        return _RULES.get(self.first.found_by, "")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Words of a turn, redacted or not."""

    words: str
    redaction: Redaction | None = None


@dataclass(frozen=True, slots=True)
class TurnWithRedactions:
    """A turn: its speaker, the start of its words, and its pieces."""

    turn: Turn
    start: int
    pieces: Sequence[TextPiece]


def redaction_page(interview: Interview, text: Text) -> dict[str, Any]:
    """Return the open groups, the decided groups, and the text."""
    rows = list(Redaction.objects.filter(text=text).order_by("start"))
    groups = _groups(text, rows)
    waiting = [each for each in groups if each.first.state == Redaction.State.PROPOSED]
    for group in waiting:
        group.proposed = proposed_token(text, rows, group.first)
    out = [(row.start, row.end) for row in rows if row.state == Redaction.State.APPROVED]
    return {
        "interview": interview,
        "study": interview.study,
        "text": text,
        "open": waiting,
        "decided": [each for each in groups if each.first.state != Redaction.State.PROPOSED],
        "n_out": sum(row.state == Redaction.State.APPROVED for row in rows),
        "kinds": Redaction.Kind.choices,
        "tokens": sorted({row.token for row in rows if row.token}),
        "new": NEW_TOKEN,
        "left": sorted(names_left(text, rows).items()) if out else [],
        "unread": unread_words(_without(text.text, spoken_stretches(text), out)),
        "turns": list(spoken_turns(text, rows)),
        "is_locked": interview.state == Interview.State.LOCKED,
    }


def _without(
    words: str, said: Sequence[tuple[int, int]], out: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Yield what is said, without redacted spans."""
    for start, end in said:
        at = start
        for first, last in out:
            if start <= first < end:
                yield words[at:first]
                at = last
        yield words[at:end]


def _groups(text: Text, rows: Sequence[Redaction]) -> list[SamePlaces]:
    found: dict[tuple[str, str, str], SamePlaces] = {}
    for row in rows:
        key = (normalised_words(text, row), row.state, row.token)
        words = " ".join(text.text[row.start : row.end].split())
        group = found.setdefault(key, SamePlaces(first=row, words=words))
        group.places.append(
            RedactionContext(
                row,
                text.text[max(row.start - _AROUND, 0) : row.start],
                text.text[row.start : row.end],
                text.text[row.end : row.end + _AROUND],
            )
        )
    return list(found.values())


def spoken_turns(text: Text, rows: Sequence[Redaction] = ()) -> Iterator[TurnWithRedactions]:
    """Yield the turns in order, split at redactions."""
    for turn in Turn.objects.filter(text=text).select_related("speaker").order_by("number"):
        head = lead_in(turn.speaker)
        start = turn.start + (len(head) if text.text.startswith(head, turn.start) else 0)
        inside = [row for row in rows if turn.start <= row.start < turn.end]
        yield TurnWithRedactions(turn, start, list(_pieces(text.text, start, turn.end, inside)))


def _pieces(words: str, start: int, end: int, rows: Sequence[Redaction]) -> Iterator[TextPiece]:
    at = start
    for row in rows:
        if at < row.start:
            yield TextPiece(words[at : row.start])
        yield TextPiece(words[row.start : row.end], row)
        at = row.end
    if at < end:
        yield TextPiece(words[at:end])
