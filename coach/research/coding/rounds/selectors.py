"""Queries about rounds, one's own assignments, and texts that may be assigned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from coach.accounts.models import User
from coach.research.coding.codebook.versions import document_of
from coach.research.coding.models import Assignment, Code, Coder, Interview, Round, Text
from coach.research.coding.selectors import interviews_left, may_code, may_edit_codebook
from coach.research.studies.models import Member, Study
from coach.research.studies.selectors import studies_for

NUMBER_KEYS = "123456789"


def rounds_for(user: User, study: Study) -> QuerySet[Round]:
    """Return the rounds of a study, for its members, without its free coding."""
    rounds = Round.objects.filter(study=study, study__in=studies_for(user))
    return rounds.exclude(state=Round.State.FREE).select_related("codebook")


def may_run_rounds(user: User, study: Study) -> bool:
    """Return whether the user may open and close rounds: those who edit the codebook may."""
    return may_edit_codebook(user, study)


def assignments_for(user: User) -> QuerySet[Assignment]:
    """Return the user's own assignments in studies where they may code, without withdrawn
    people.
    """
    may = Member.objects.filter(user=user, study=OuterRef("round__study")).exclude(
        role=Member.Role.ALLOCATOR
    )
    return Assignment.objects.filter(
        Exists(may),
        _still_takes_part(),
        round__study__in=studies_for(user),
        coder__user=user,
        coder__kind=Coder.Kind.HUMAN,
    ).select_related("round__study", "round__codebook", "coder", "interview", "rehearsal")


def _still_takes_part() -> Q:
    return Q(interview__isnull=True) | ~Q(interview__in=interviews_left())


def codable_interviews(study: Study) -> QuerySet[Interview]:
    """Return the locked interviews whose participant has not withdrawn."""
    locked = Text.objects.filter(interview=OuterRef("pk"), kind=Text.Kind.LOCKED, is_current=True)
    return Interview.objects.filter(
        Exists(locked),
        study=study,
        state=Interview.State.LOCKED,
    ).exclude(pk__in=interviews_left())


def possible_coders(study: Study) -> list[User]:
    """Return the members who may be assigned texts."""
    members = study.members.select_related("user").filter(user__is_active=True)
    return [member.user for member in members if may_code(member.user, study)]


def coded_before(study: Study, interviews: Iterable[int]) -> dict[str, list[int]]:
    """Return which of these texts (by key) are in closed rounds, whose codings all can read."""
    closed = Round.objects.filter(study=study, state=Round.State.CLOSED)
    found: dict[str, list[int]] = {}
    rows = closed.filter(interviews__in=list(interviews)).order_by("interviews__number", "number")
    for number, interview in rows.values_list("number", "interviews__number"):
        found.setdefault(f"INT-{interview:02d}", []).append(number)
    return found


def text_of(assignment: Assignment) -> Text:
    """Return the locked text to code. Raises Text.DoesNotExist if there is none any more."""
    return Text.objects.get(
        interview=assignment.interview_id, kind=Text.Kind.LOCKED, is_current=True
    )


def codes_of(coding_round: Round) -> list[dict[str, Any]]:
    """Return the codes of a round in codebook order, with number keys.

    Names and texts are those of its version; codes merged since are left out. Free coding and an
    imported version without texts use the current codes.
    """
    codes = Code.objects.filter(study=coding_round.study_id)
    rows = {str(code.guid): code for code in codes}
    document = coding_round.document or document_of(coding_round.study)
    found = [
        {**said, "code": rows[said["guid"]], "above": _name_of(said.get("parent", ""), document)}
        for said in document
        if said["guid"] in rows
        and rows[said["guid"]].state != Code.State.MERGED
        and said.get("is_codable", True)
        and said.get("state", Code.State.ACTIVE) == Code.State.ACTIVE
    ]
    return _numbered(found)


def described(codes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the codes from `codes_of` that have a description."""
    return [each for each in codes if each.get("description")]


def _name_of(guid: str, document: list[dict[str, Any]]) -> str:
    return next((each["name"] for each in document if each["guid"] == guid), "")


def _numbered(codes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Assign number keys: chosen keys first, the rest in order."""
    taken = {code.get("shortcut", "") for code in codes}
    free = iter([key for key in NUMBER_KEYS if key not in taken])
    return [{**code, "key": code.get("shortcut", "") or next(free, "")} for code in codes]
