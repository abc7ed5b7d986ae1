"""How far people who coded the same texts agree, code by code: turns with a code, or without it.

The unit is a turn of somebody who was asked; a code stands in it where any part of the turn has it.
Turns of one interview hang together, so intervals are drawn over interviews. What a coder had not
finished is missing. What a model marked counts in no agreement of people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from coach.lib.agreement import (
    Level,
    Unit,
    cohen_kappa,
    krippendorff_alpha,
    two_by_two,
)
from coach.research.coding.judging import codes_judged, judgements, judges_of
from coach.research.coding.models import Coder, Round, Speaker, Text
from coach.research.studies.models import Participant

ALL_CODERS = "*"


class _Place(NamedTuple):
    """A turn that was coded: in which text, from where to where, and who judged it."""

    text: int
    number: int
    start: int
    end: int
    interview: str
    judges: frozenset[str]


def agreement_rows(coding_round: Round, texts: Sequence[Text]) -> Iterator[dict[str, Any]]:
    """Counts and coefficients for each code and pair of coders, and for all of them as `*`.

    Over these texts (with their turns and speakers). Where a coefficient does not exist it is None
    and its reason stands there.
    """
    people = [
        each.label for each in coding_round.coders.filter(kind=Coder.Kind.HUMAN).order_by("number")
    ]
    if not people:
        return
    places = list(_places(coding_round, texts))
    marked = _marked(coding_round, texts, places)
    for code in sorted(codes_judged(coding_round), key=lambda code: str(code.guid)):
        units = [
            Unit(
                values={
                    who: (code.pk, who) in marked[place] for who in people if who in place.judges
                },
                cluster=place.interview,
            )
            for place in places
        ]
        named = {"code_guid": str(code.guid), "round": coding_round.number, "unit": "turn"}
        if len(people) != 2:  # of two the pair is all
            yield {**named, "coder_a": people[0], **_all(units)}
        for first, second in combinations(people, 2):
            yield {**named, "coder_a": first, "coder_b": second, **_pair(units, first, second)}


def _places(coding_round: Round, texts: Sequence[Text]) -> Iterator[_Place]:
    judges = {
        interview: frozenset(coder.label for coder in coders)
        for interview, coders in judges_of(
            coding_round, [text.interview_id for text in texts]
        ).items()
    }
    left = set(
        Participant.objects.filter(
            study=coding_round.study_id, withdrawn_at__isnull=False
        ).values_list("pk", flat=True)
    )
    for text in texts:
        who = judges.get(text.interview_id, frozenset())
        for turn in text.turns.all():
            # Words of who has left can be coded by nobody: they are no unit.
            if (
                turn.speaker.role == Speaker.Role.PARTICIPANT
                and turn.speaker.participant_id not in left
            ):
                yield _Place(text.pk, turn.number, turn.start, turn.end, text.interview.label, who)


def _marked(
    coding_round: Round, texts: Sequence[Text], places: Sequence[_Place]
) -> dict[_Place, set[tuple[int, str]]]:
    """Which codes whose coders put on which turn, before anything was settled."""
    by_text: dict[int, list[_Place]] = defaultdict(list)
    for place in places:
        by_text[place.text].append(place)
    found: dict[_Place, set[tuple[int, str]]] = defaultdict(set)
    codings = judgements(coding_round).filter(text__in=[text.pk for text in texts])
    for coding in codings.select_related("coder"):
        for place in by_text[coding.text_id or 0]:
            if (coding.start or 0) < place.end and (coding.end or 0) > place.start:
                found[place].add((coding.code_id, coding.coder.label))
    return found


def _pair(units: Sequence[Unit], first: str, second: str) -> dict[str, Any]:
    mine = [
        Unit(values={who: unit.values[who] for who in (first, second)}, cluster=unit.cluster)
        for unit in units
        if first in unit.values and second in unit.values
    ]
    counts = two_by_two(mine, first, second, present=True)
    kappa = cohen_kappa(mine, first, second, seed=None)
    return {
        "n_both": counts.both,
        "n_a_only": counts.first_only,
        "n_b_only": counts.second_only,
        "n_neither": counts.neither,
        "percent_agreement": counts.percent,
        "positive_agreement": counts.positive,
        "cohen_kappa": kappa.value,
        **_alpha(mine),
    }


def _all(units: Sequence[Unit]) -> dict[str, Any]:
    return {"coder_b": ALL_CODERS, **_alpha([unit for unit in units if unit.values])}


def _alpha(units: Sequence[Unit]) -> dict[str, Any]:
    alpha = krippendorff_alpha(units, Level.NOMINAL)
    return {
        "n_units": len(units),
        "krippendorff_alpha": alpha.value,
        "ci_low": alpha.low,
        "ci_high": alpha.high,
        "undefined_reason": alpha.undefined.value if alpha.undefined else "",
    }
