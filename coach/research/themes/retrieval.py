"""Retrieval of passages from all redacted interviews, by words, codes and people.

Without a code a passage is a turn; with codes it is what was coded. `moments` retrieves what was
coded in takes.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.research.coding.erasing import BLANK, blanked
from coach.research.coding.models import Assignment, Coding, Text, Turn
from coach.research.coding.places import SpanIndex, turns_touched
from coach.research.coding.rounds.selectors import codable_interviews
from coach.research.coding.selectors import codings_for
from coach.research.studies.models import Study

_ACCENTS = re.compile("[\u0300-\u036f]")


@dataclass(frozen=True, kw_only=True)
class PassageQuery:
    """The passages that a reader wants; empty fields do not restrict them."""

    words: str = ""
    codes: frozenset[int] = frozenset()
    also: int | None = None
    """A second code."""
    is_both: bool = False
    """Whether words need both codes, not either."""
    group: str = ""
    participant: int | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to look for."""
        return not (self.words or self.codes or self.also or self.group or self.participant)


class SpokenTurn(NamedTuple):
    """A turn of a text, with who speaks."""

    text: int
    number: int
    start: int
    end: int
    label: str
    person: int | None
    pseudonym: str | None
    group: str | None
    is_gone: bool
    start_ms: int | None
    end_ms: int | None


@dataclass(frozen=True, kw_only=True)
class Found:
    """What was found: its words and its codings."""

    start: int
    end: int
    words: str
    given: tuple[Coding, ...] = ()

    @property
    def codes(self) -> list[str]:
        """Return the names of its codes, without duplicates."""
        return list(dict.fromkeys(each.code.name for each in self.given))

    @property
    def coders(self) -> list[str]:
        """Return the labels of its coders, without duplicates."""
        return list(dict.fromkeys(each.coder.label for each in self.given))

    @property
    def memos(self) -> list[str]:
        """Return the memos of its codings, without duplicates."""
        return list(dict.fromkeys(each.memo for each in self.given if each.memo))

    @property
    def is_settled(self) -> bool:
        """Return whether adjudication confirmed a code."""
        return any(each.status == Coding.Status.ADJUDICATED for each in self.given)


@dataclass(frozen=True, kw_only=True)
class FoundPassage(Found):
    """A passage of an interview in code points, and the turns that it is in."""

    text: Text
    turns: tuple[SpokenTurn, ...]

    @property
    def unit(self) -> int:
        """Return the key of its interview."""
        return self.text.interview_id

    @property
    def language(self) -> str:
        """Return the language of its words."""
        return self.text.interview.language

    @property
    def place(self) -> str:
        """Return interview, turn and speaker."""
        first = self.turns[0]
        return f"{self.text.interview.label} · {first.number} · {first.label}"

    @property
    def anchor(self) -> str:
        """Return its place on the page of its text."""
        return f"turn-{self.turn}"

    @property
    def turn(self) -> int:
        """Return the number of its first turn."""
        return self.turns[0].number

    @property
    def people(self) -> set[int]:
        """Return the participants who speak in it (by key)."""
        return {each.person for each in self.turns if each.person and not each.is_gone}

    @property
    def pseudonyms(self) -> list[str]:
        """Return the pseudonyms of the participants who speak in it."""
        named = [each.pseudonym for each in self.turns if each.pseudonym and not each.is_gone]
        return list(dict.fromkeys(named))


def folded(words: str) -> str:
    """Return words for comparison, without case, accents and line breaks.

    By whole texts, so that a search of all interviews takes a fraction of a second.
    """
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", words.casefold()))
    return " ".join(bare.split())


def passages_for(user: User, study: Study, query: PassageQuery) -> list[FoundPassage]:
    """Return the passages that this person may see, in the order of the interviews.

    Codes that adjudication rejected are left out.
    """
    texts = _texts(study)
    wanted = folded(query.words)
    if query.codes or query.also:
        spans = _coded(user, texts, query)
    else:
        texts = {pk: text for pk, text in texts.items() if _has(text.text, wanted)}
        spans = None
    turns = Turn.objects.filter(text__in=list(texts))
    by_text = _turns(turns if spans is None else turns_touched(turns, spans))
    found: list[FoundPassage] = []
    for pk, text in texts.items():
        here = by_text.get(pk, [])
        places = _whole(text, here) if spans is None else spans.get(pk, {})
        found += _passages(text, places, SpanIndex(here), query, wanted)
    return found


def _has(words: str, wanted: str) -> bool:
    return not wanted or wanted in folded(words)


Spans = Mapping[tuple[int, int], list[Coding]]


def _texts(study: Study) -> dict[int, Text]:
    locked = Text.objects.filter(
        interview__in=codable_interviews(study), kind=Text.Kind.LOCKED, is_current=True
    )
    rows = locked.select_related("interview").order_by("interview__number")
    return {each.pk: each for each in rows}


def _turns(turns: QuerySet[Turn]) -> dict[int, list[SpokenTurn]]:
    person = "speaker__participant"
    found: dict[int, list[SpokenTurn]] = defaultdict(list)
    for row in turns.order_by("number").values_list(
        *("text", "number", "start", "end", "speaker__label"),
        *(person, f"{person}__pseudonym", f"{person}__group", f"{person}__withdrawn_at"),
        *("start_ms", "end_ms"),
    ):
        text, number, start, end, label, key, name, group, gone, start_ms, end_ms = row
        turn = SpokenTurn(
            *(text, number, start, end, label),
            *(key, name, group, gone is not None, start_ms, end_ms),
        )
        found[text].append(turn)
    return found


def _whole(text: Text, turns: Iterable[SpokenTurn]) -> Spans:
    """Return the words of each turn, without the label of the speaker."""
    places: dict[tuple[int, int], list[Coding]] = {}
    for turn in turns:
        said = text.text[turn.start : turn.end]
        words = said.removeprefix(f"{turn.label}:").lstrip()
        places[turn.end - len(words), turn.end] = []
    return places


def _coded(user: User, texts: Mapping[int, Text], query: PassageQuery) -> dict[int, Spans]:
    """Return the coded spans of each text with their codings."""
    rows = codings_asked(user, query).filter(text__in=list(texts)).order_by("start", "end", "pk")
    by_text: dict[int, list[Coding]] = defaultdict(list)
    for each in rows:
        by_text[each.text_id or 0].append(each)
    return {pk: coded_spans(given, query) for pk, given in by_text.items()}


def codings_asked(user: User, query: PassageQuery) -> QuerySet[Coding]:
    """Return the codings with the codes of a query that this person may see; without codes, all."""
    rows = codings_for(user).exclude(status=Coding.Status.REJECTED).select_related("code", "coder")
    wanted = {*query.codes, *([query.also] if query.also else [])}
    return rows.filter(code__in=wanted) if wanted else rows


def coded_spans(given: list[Coding], query: PassageQuery) -> Spans:
    """Return the coded spans of a text or take; of two codes on the same words, the overlaps."""
    if query.also and query.codes and query.is_both:
        return _overlaps(given, query)
    places: dict[tuple[int, int], list[Coding]] = defaultdict(list)
    for each in given:
        places[_span(each)].append(each)
    return places


def _span(coding: Coding) -> tuple[int, int]:
    if coding.rehearsal_id:
        return coding.start_ms or 0, coding.end_ms or 0
    return coding.start or 0, coding.end or 0


def _overlaps(given: list[Coding], query: PassageQuery) -> Spans:
    """Return the words that have one of the codes and the second one."""
    places: dict[tuple[int, int], list[Coding]] = defaultdict(list)
    others = [each for each in given if each.code_id == query.also]
    for each in given:
        for other in others if each.code_id in query.codes and each.code_id != query.also else ():
            spans = _span(each), _span(other)
            start, end = max(span[0] for span in spans), min(span[1] for span in spans)
            if start < end:
                here = places[start, end]
                here += [coding for coding in (each, other) if coding not in here]
    return places


def _passages(
    text: Text, places: Spans, turns: SpanIndex[SpokenTurn], query: PassageQuery, wanted: str
) -> Iterator[FoundPassage]:
    for (start, end), given in sorted(places.items(), key=lambda pair: pair[0]):
        touched = tuple(turns.touched(start, end))
        if not any(_is_asked(each, query) for each in touched):
            continue
        gone = [
            (max(each.start, start) - start, min(each.end, end) - start)
            for each in touched
            if each.is_gone
        ]
        words = text.text[start:end]
        words = blanked(words, gone) if gone else words
        if words.strip(f"{BLANK}\n ") and _has(words, wanted):
            yield FoundPassage(
                text=text, start=start, end=end, words=words, turns=touched, given=tuple(given)
            )


def _is_asked(turn: SpokenTurn, query: PassageQuery) -> bool:
    if turn.is_gone:
        return False
    is_in_group = not query.group or turn.group == query.group
    return is_in_group and (not query.participant or turn.person == query.participant)


def shares_of(user: User, study: Study) -> dict[int | UUID, int]:
    """Return the assignments through which this person reads interviews and watches takes (by
    key).
    """
    own = Assignment.objects.filter(coder__user=user, round__study=study)
    rows = own.values_list("interview", "rehearsal", "pk")
    return {interview or rehearsal: pk for interview, rehearsal, pk in rows}
