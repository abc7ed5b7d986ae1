"""Judges and codes of a round, the basis of agreement and differences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet

from coach.research.coding.models import Code, Coder, Coding, Round

_Key = TypeVar("_Key", bound=Hashable)


def judges_of(coding_round: Round, interviews: Iterable[int]) -> dict[int, list[Coder]]:
    """Return the people who finished each of these interviews (by key), in the order of their
    numbers.

    An imported round has no assignments: all of its people judged all of its texts.
    """
    shares = coding_round.assignments.filter(interview__isnull=False)
    done = shares.exclude(finished_at=None).values_list("interview", "coder")
    people = _people(coding_round)
    if not coding_round.assignments.exists():
        own = set(coding_round.interviews.values_list("pk", flat=True))
        return {each: people if not own or each in own else [] for each in interviews}
    return _by_unit(people, interviews, done)


def judges_of_takes(coding_round: Round, takes: Iterable[UUID]) -> dict[UUID, list[Coder]]:
    """Return the people who finished each of these takes (by key)."""
    shares = coding_round.assignments.filter(rehearsal__isnull=False)
    done = shares.exclude(finished_at=None).values_list("rehearsal", "coder")
    return _by_unit(_people(coding_round), takes, done)


def _people(coding_round: Round) -> list[Coder]:
    return list(coding_round.coders.filter(kind=Coder.Kind.HUMAN).order_by("number"))


def _by_unit(
    people: list[Coder], units: Iterable[_Key], done: Iterable[tuple[_Key, int]]
) -> dict[_Key, list[Coder]]:
    finished: dict[_Key, set[int]] = defaultdict(set)
    for unit, coder in done:
        finished[unit].add(coder)
    return {unit: [each for each in people if each.pk in finished[unit]] for unit in units}


def codes_to_settle(coding_round: Round) -> QuerySet[Code]:
    """Return the codes that a difference can be about today; a merged code counts as its target."""
    codes = Code.objects.filter(study=coding_round.study_id).exclude(state=Code.State.MERGED)
    offered = _offered(coding_round)
    # Codings merged or sorted since then have codes that the version did not contain.
    used = Q(pk__in=judgements(coding_round).order_by().values("code"))
    return codes.filter((Q(guid__in=offered) if offered else Q(is_codable=True)) | used)


def codes_applied(coding_round: Round) -> list[Code]:
    """Return the codes that coders used, as in their version of the codebook.

    Codes merged or split since then are included as they were: a closed round keeps its agreement.
    """
    codes = Code.objects.filter(study=coding_round.study_id)
    offered = _offered(coding_round)
    there = Q(guid__in=offered) if offered else Q(is_codable=True) & ~Q(state=Code.State.MERGED)
    used: set[UUID] = set()
    rows = judgements(coding_round).order_by().values_list("coded_as", "code__guid").distinct()
    for before, now in rows:
        used.update(before or [now])
    return list(codes.filter(there | Q(guid__in=used)))


def applied(coding: Coding) -> list[UUID]:
    """Return the codes that the coder applied: several if merging codes joined codings."""
    return coding.coded_as or [coding.code.guid]


def _offered(coding_round: Round) -> list[str]:
    return [
        code["guid"]
        for code in coding_round.document
        if "guid" in code
        and code.get("is_codable", True)
        and code.get("state", "active") == Code.State.ACTIVE
    ]


def judgements(coding_round: Round) -> QuerySet[Coding]:
    """Return people's own codings, before any adjudication; never those of models."""
    return Coding.objects.filter(round=coding_round, coder__kind=Coder.Kind.HUMAN).exclude(
        status=Coding.Status.ADJUDICATED
    )
