"""Codes applied by people to participants' turns, in closed rounds and not rejected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from coach.research.coding.codebook.tree import code_paths
from coach.research.coding.models import Code, Coder, Coding, Round, Speaker, Turn
from coach.research.coding.places import SpanIndex
from coach.research.exports.bundle.scope import Conversation, Included, Person


class MarkedTurn(NamedTuple):
    """A turn of a participant."""

    interview: str
    number: int
    person: str


@dataclass(frozen=True, kw_only=True)
class CodeMarks:
    """All turns, and those of each code."""

    places: frozenset[MarkedTurn]
    codes: dict[int, set[MarkedTurn]]
    names: dict[int, str]
    """Each code with its parents: `Tone: what worked first`."""
    order: list[int] = field(default_factory=list)
    """Codes in the order of the codebook."""


def marks_in(included: Included) -> CodeMarks:
    """Return the codes on turns, without open rounds, models and rejected codings."""
    names, order, code_of = _codes(included)
    places: set[MarkedTurn] = set()
    found: dict[int, set[MarkedTurn]] = {}
    codings = codings_by_text(included)
    for talk in included.conversations:
        of_turn = {turn.pk: place for turn, place in asked_turns(talk)}
        places |= set(of_turn.values())
        turns = SpanIndex([turn for turn in talk.text.turns.all() if turn.pk in of_turn])
        for coding in codings.get(talk.text.pk, []):
            code = code_of[coding.code_id]
            touched = turns.touched(coding.start or 0, coding.end or 0)
            found.setdefault(code, set()).update(of_turn[turn.pk] for turn in touched)
    return CodeMarks(
        places=frozenset(places),
        codes={code: found[code] for code in order if found.get(code)},
        names=names,
        order=order,
    )


def codings_by_text(included: Included) -> dict[int, list[Coding]]:
    """Return people's valid codings by text key, in order."""
    found: dict[int, list[Coding]] = {}
    codings = Coding.objects.filter(
        study=included.study,
        text__isnull=False,
        round__state=Round.State.CLOSED,
        coder__kind=Coder.Kind.HUMAN,
    ).exclude(status=Coding.Status.REJECTED)
    for each in codings.order_by("start", "end", "guid"):
        found.setdefault(each.text_id or 0, []).append(each)
    return found


def asked_turns(talk: Conversation) -> Iterator[tuple[Turn, MarkedTurn]]:
    """Yield the turns of participants who consented to the use of their words."""
    for turn in talk.text.turns.all():
        person = speaker_of(talk, turn)
        if person is not None:
            yield turn, MarkedTurn(talk.interview.label, turn.number, person.name)


def speaker_of(talk: Conversation, turn: Turn) -> Person | None:
    """Return the speaker if they are a consenting participant; otherwise None."""
    if turn.speaker.role != Speaker.Role.PARTICIPANT:
        return None
    if talk.hides(turn.start, turn.end):
        return None
    return talk.people.get(turn.speaker_id)


def _codes(included: Included) -> tuple[dict[int, str], list[int], dict[int, int]]:
    """Return the names with their path, the keys in tree order, and the target of each
    merged code.
    """
    codes = {each.pk: each for each in Code.objects.filter(study=included.study)}
    names = {
        pk: f"{path}: {codes[pk].name}" if path else codes[pk].name
        for pk, path in code_paths(codes.values(), ": ").items()
    }
    return names, list(names), {pk: _stands_for(code, codes) for pk, code in codes.items()}


def _stands_for(code: Code, codes: dict[int, Code]) -> int:
    seen = {code.pk}
    while code.merged_into_id in codes and code.merged_into_id not in seen:
        code = codes[code.merged_into_id]
        seen.add(code.pk)
    return code.pk
