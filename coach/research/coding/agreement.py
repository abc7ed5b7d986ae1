"""Inter-coder agreement, code by code.

In texts the unit is a turn of a participant, in takes a second: a unit has a code if any part of it
has. Seconds are compared one by one, including those without any coding (time-based agreement:
Bakeman, Quera and Gnisci 2009). Turns of one interview and seconds of one take are not independent,
so intervals are resampled over interviews and takes. A coder's unfinished work is missing. Codings
by models are left out of human agreement.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple
from uuid import UUID

from coach.lib.agreement import (
    CodedUnit,
    Level,
    cohen_kappa,
    krippendorff_alpha,
    two_by_two,
)
from coach.rehearsals.models import Rehearsal
from coach.research.coding.judges import (
    applied,
    codes_applied,
    judgements,
    judges_of,
    judges_of_takes,
)
from coach.research.coding.models import Coder, Round, Speaker, Text, Turn
from coach.research.coding.places import SpanIndex
from coach.research.studies.models import Participant

ALL_CODERS = "*"
TURN, SECOND = "turn", "second"
_MS = 1000
_Units = Callable[[UUID], list[CodedUnit]]
"""The judged units of a code (by its GUID)."""


class _Place(NamedTuple):
    """A coded turn: its text, start and end, and its judges."""

    text: int
    number: int
    start: int
    end: int
    interview: str
    judges: frozenset[str]


def agreement_rows(coding_round: Round, texts: Sequence[Text]) -> Iterator[dict[str, Any]]:
    """Yield counts and coefficients for each code and pair of coders, and for all coders as `*`.

    An undefined coefficient is None and has a reason.
    """
    shares = coding_round.assignments
    if shares.exists() and not shares.filter(interview__isnull=False).exists():
        return  # of takes alone
    places = list(_places(coding_round, texts))
    marked = _marked(coding_round, texts, places)
    all_judged = Counter((place.interview, place.judges) for place in places)

    def units(code: UUID) -> list[CodedUnit]:
        # Most codes are on few turns; all others are counted together.
        without = all_judged.copy()
        alike: Counter[tuple[str, tuple[tuple[str, bool], ...]]] = Counter()
        for place, using in marked[code].items():
            without[place.interview, place.judges] -= 1
            alike[place.interview, _said(place.judges, using)] += 1
        for (interview, judges), count in (+without).items():
            alike[interview, _said(judges, ())] += count
        return [
            CodedUnit(values=dict(said), cluster=interview, count=count)
            for (interview, said), count in sorted(alike.items())
        ]

    yield from _rows(coding_round, TURN, units)


def take_agreement_rows(
    coding_round: Round, takes: Sequence[Rehearsal]
) -> Iterator[dict[str, Any]]:
    """Yield the same rows for the takes assigned in the round, second by second."""
    if not takes:
        return
    given = set(coding_round.assignments.values_list("rehearsal", flat=True))
    takes = [take for take in takes if take.pk in given]
    if not takes:
        return
    judges = judges_of_takes(coding_round, [take.pk for take in takes])
    marked: dict[tuple[UUID, UUID, str], set[int]] = defaultdict(set)
    codings = judgements(coding_round).filter(rehearsal__in=takes)
    for each in codings.select_related("coder", "code"):
        seconds = range((each.start_ms or 0) // _MS, math.ceil((each.end_ms or 0) / _MS))
        for code in applied(each):
            marked[each.rehearsal_id, code, each.coder.label].update(seconds)  # type: ignore[index]

    def units(code: UUID) -> list[CodedUnit]:
        return [
            unit
            for take in takes
            for unit in _seconds(take, [coder.label for coder in judges[take.pk]], code, marked)
        ]

    yield from _rows(coding_round, SECOND, units)


def _seconds(
    take: Rehearsal,
    judges: Sequence[str],
    code: UUID,
    marked: dict[tuple[UUID, UUID, str], set[int]],
) -> Iterator[CodedUnit]:
    """Yield the seconds of a take, identical ones as one row, like the turns of an interview."""
    spans = [marked[take.pk, code, who] for who in judges]
    alike: Counter[tuple[bool, ...]] = Counter(
        tuple(second in span for span in spans) for second in range(math.ceil(take.duration or 0))
    )
    for values, count in sorted(alike.items()):
        said = dict(zip(judges, values, strict=True))
        yield CodedUnit(values=said, cluster=str(take.pk), count=count)


def _rows(coding_round: Round, unit: str, units_of: _Units) -> Iterator[dict[str, Any]]:
    people = [
        each.label for each in coding_round.coders.filter(kind=Coder.Kind.HUMAN).order_by("number")
    ]
    if not people:
        return
    for code in sorted(codes_applied(coding_round), key=lambda code: str(code.guid)):
        units = units_of(code.guid)
        named = {"code_guid": str(code.guid), "round": coding_round.number, "unit": unit}
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
    named = {
        text.pk: (text.interview.label, judges.get(text.interview_id, frozenset()))
        for text in texts
    }
    turns = Turn.objects.filter(text__in=list(named), speaker__role=Speaker.Role.PARTICIPANT)
    columns = ("speaker__participant", "text", "number", "start", "end")
    rows = turns.order_by("text", "number").values_list(*columns)
    for person, text, number, start, end in rows:
        # Words of a withdrawn participant cannot be coded, so they are no units.
        if person not in left:
            yield _Place(text, number, start, end, *named[text])


def _marked(
    coding_round: Round, texts: Sequence[Text], places: Sequence[_Place]
) -> dict[UUID, dict[_Place, set[str]]]:
    """Return the coders of each code and turn, before any adjudication."""
    by_text: dict[int, list[_Place]] = defaultdict(list)
    for place in places:
        by_text[place.text].append(place)
    places_in = {text: SpanIndex(some) for text, some in by_text.items()}
    found: dict[UUID, dict[_Place, set[str]]] = defaultdict(lambda: defaultdict(set))
    codings = judgements(coding_round).filter(text__in=[text.pk for text in texts])
    for coding in codings.prefetch_related("coder", "code"):
        if coding.text_id not in places_in:
            continue
        for place in places_in[coding.text_id].touched(coding.start or 0, coding.end or 0):
            for code in applied(coding):
                found[code][place].add(coding.coder.label)
    return found


def _said(judges: Iterable[str], using: Container[str]) -> tuple[tuple[str, bool], ...]:
    """Return, for each judge of a turn, whether they applied the code."""
    return tuple((who, who in using) for who in sorted(judges))


def _pair(units: Sequence[CodedUnit], first: str, second: str) -> dict[str, Any]:
    mine = [
        CodedUnit(
            values={who: unit.values[who] for who in (first, second)},
            cluster=unit.cluster,
            count=unit.count,
        )
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


_OF_PAIRS = (
    *("n_both", "n_a_only", "n_b_only", "n_neither"),
    *("percent_agreement", "positive_agreement", "cohen_kappa"),
)
"""Columns that only exist for pairs of coders."""


def _all(units: Sequence[CodedUnit]) -> dict[str, Any]:
    judged = [unit for unit in units if unit.values]
    return {"coder_b": ALL_CODERS, **dict.fromkeys(_OF_PAIRS), **_alpha(judged)}


def _alpha(units: Sequence[CodedUnit]) -> dict[str, Any]:
    alpha = krippendorff_alpha(units, Level.NOMINAL)
    return {
        # Units judged by one coder only say nothing about agreement, and alpha leaves them out.
        "n_units": sum(unit.count for unit in units if len(unit.values) > 1),
        "krippendorff_alpha": alpha.value,
        "ci_low": alpha.low,
        "ci_high": alpha.high,
        "undefined_reason": alpha.undefined.value if alpha.undefined else "",
    }
