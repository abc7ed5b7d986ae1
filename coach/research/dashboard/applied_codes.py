"""Codes applied by people to participants' turns, in closed rounds and not rejected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from coach.research.coding.codebook.tree import code_paths
from coach.research.coding.models import Code, Coder, Coding, Round, Speaker, Turn
from coach.research.coding.places import SpanIndex
from coach.research.exports.bundle.scope import Conversation, Included, Person


class SpokenTurn(NamedTuple):
    """A turn of a text with its speaker (by key)."""

    number: int
    start: int
    end: int
    speaker: int
    role: str


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
    turns: dict[int, SpanIndex[SpokenTurn]] = field(default_factory=dict)
    """All turns of each text, also those of interviewers."""
    codings: dict[int, list[Coding]] = field(default_factory=dict)
    """People's valid codings by text key, in order."""


def marks_in(included: Included) -> CodeMarks:
    """Return the codes on turns, without open rounds, models and rejected codings."""
    names, order, code_of = _codes(included)
    places: set[MarkedTurn] = set()
    found: dict[int, set[MarkedTurn]] = {}
    turns: dict[int, SpanIndex[SpokenTurn]] = {}
    codings = _codings_by_text(included)
    spoken = _spoken_turns(included)
    for talk in included.talks:
        of_turn = _asked(talk, spoken[talk.text.pk])
        places |= set(of_turn.values())
        index = turns[talk.text.pk] = SpanIndex(spoken[talk.text.pk])
        for coding in codings.get(talk.text.pk, []):
            code = code_of[coding.code_id]
            touched = index.touched(coding.start or 0, coding.end or 0)
            found.setdefault(code, set()).update(
                of_turn[turn.number] for turn in touched if turn.number in of_turn
            )
    return CodeMarks(
        places=frozenset(places),
        codes={code: found[code] for code in order if found.get(code)},
        names=names,
        order=order,
        turns=turns,
        codings=codings,
    )


def _spoken_turns(included: Included) -> dict[int, list[SpokenTurn]]:
    """Return the turns of all texts: long interviews have tens of thousands together."""
    found: dict[int, list[SpokenTurn]] = {talk.text.pk: [] for talk in included.talks}
    rows = Turn.objects.filter(text__in=list(found)).order_by("text", "number")
    columns = ("text", "number", "start", "end", "speaker", "speaker__role")
    for text, *turn in rows.values_list(*columns):
        found[text].append(SpokenTurn(*turn))
    return found


def _codings_by_text(included: Included) -> dict[int, list[Coding]]:
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


def _asked(talk: Conversation, turns: list[SpokenTurn]) -> dict[int, MarkedTurn]:
    """Return the turns of participants who consented to the use of their words, by number."""
    label = talk.interview.label
    return {
        turn.number: MarkedTurn(label, turn.number, person.name)
        for turn in turns
        if (person := speaker_of(talk, turn)) is not None
    }


def speaker_of(talk: Conversation, turn: SpokenTurn) -> Person | None:
    """Return the speaker if they are a consenting participant; otherwise None."""
    if turn.role != Speaker.Role.PARTICIPANT:
        return None
    if talk.hidden and talk.hides(turn.start, turn.end):
        return None
    return talk.people.get(turn.speaker)


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
