"""Content of the coding page: the text with one's own codings, the codes, the memos.

The page of a take shares its state, codes and memos (`takes.pages`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import QuerySet

from coach.accounts.models import User
from coach.research.coding.annotation.reading import CodedTurn, coded_turns, read_turns
from coach.research.coding.annotation.services import own_memo
from coach.research.coding.annotation.undo import can_undo
from coach.research.coding.models import Assignment, Coding, Round
from coach.research.coding.rounds.selectors import assignments_for, codes_of, described, text_of
from coach.research.coding.selectors import codings_for

SHOWS_OTHERS = "coding.others"
"""Session key: whether free coding shows others' codings."""
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "ps", "yi"}


def own_codings(assignment: Assignment, user: User) -> list[Coding]:
    """Return the coder's own codings of this text or take in this round, before any
    adjudication.
    """
    own = _codings(assignment, user).filter(coder=assignment.coder_id)
    return list(own.exclude(status=Coding.Status.ADJUDICATED))


def shown_codings(assignment: Assignment, user: User, session: SessionBase) -> list[Coding]:
    """Return the coder's own codings, and in free coding those of others by choice."""
    own = own_codings(assignment, user)
    if not assignment.round.is_free or not session.get(SHOWS_OTHERS):
        return own
    return own + list(_codings(assignment, user).exclude(coder=assignment.coder_id))


def _codings(assignment: Assignment, user: User) -> QuerySet[Coding]:
    here = codings_for(user).filter(round=assignment.round_id)
    if assignment.rehearsal_id:
        here = here.filter(rehearsal=assignment.rehearsal_id)
    else:
        here = here.filter(text=text_of(assignment))
    return here.select_related("code", "coder", "round", "text")


def coding_page(
    assignment: Assignment, user: User, session: SessionBase, replaces: str = ""
) -> dict[str, Any]:
    """Return the content of the page; `replaces` is the key of the coding to recode."""
    text = text_of(assignment)
    codings = shown_codings(assignment, user, session)
    return {
        **coder_page(assignment, user, session, codings, replaces),
        "interview": assignment.interview,
        "text_sha256": text.sha256,
        "turns": coded_turns(read_turns(text), codings),
        "direction": direction_of(assignment),
        "neighbours": _neighbours(assignment, user),
    }


def coder_page(
    assignment: Assignment,
    user: User,
    session: SessionBase,
    codings: Sequence[Coding],
    replaces: str,
) -> dict[str, Any]:
    """Return what the pages for texts and for takes have in common."""
    own = [each for each in codings if each.coder_id == assignment.coder_id]
    memo, codes = own_memo(assignment), codes_of(assignment.round)
    return {
        **state_of(assignment, session, len(own)),
        "replaces": next((each for each in own if str(each.pk) == replaces), None),
        "shows_others": bool(session.get(SHOWS_OTHERS)),
        "study": assignment.round.study,
        "round": assignment.round,
        "codes": codes,
        "described": described(codes),
        "memo": memo.body if memo else "",
    }


def state_of(assignment: Assignment, session: SessionBase, count: int) -> dict[str, Any]:
    """Return whether coding and undo are possible, and the number of codings."""
    is_open = assignment.round.state != Round.State.CLOSED
    return {
        "share": assignment,
        "count": count,
        "is_free": assignment.round.is_free,
        "is_open": is_open,
        "may_mark": is_open and assignment.finished_at is None,
        "can_undo": can_undo(session, assignment),
    }


def direction_of(assignment: Assignment) -> str:
    """Return `rtl` for right-to-left languages, otherwise `auto`: each turn by its first letter."""
    language = assignment.interview.language if assignment.interview else ""
    return "rtl" if language.partition("-")[0] in _RIGHT_TO_LEFT else "auto"


def touched(
    assignment: Assignment, user: User, session: SessionBase, places: Iterable[tuple[int, int]]
) -> dict[str, Any]:
    """Return the turns that overlap changed spans, and the state, to update on the page."""
    text = text_of(assignment)
    codings = shown_codings(assignment, user, session)
    own = [each for each in codings if each.coder_id == assignment.coder_id]
    around = list(places)
    turns = [
        read
        for read in read_turns(text)
        if any(start < read.turn.end and end > read.turn.start for start, end in around)
    ]
    found: list[CodedTurn] = coded_turns(turns, codings)
    return {
        **state_of(assignment, session, len(own)),
        "study": assignment.round.study,
        "round": assignment.round,
        "turns": found,
        "direction": direction_of(assignment),
    }


def _neighbours(assignment: Assignment, user: User) -> dict[str, Assignment | None]:
    """Return one's own previous and next text in the round."""
    row = list(
        assignments_for(user)
        .filter(round=assignment.round_id, interview__isnull=False)
        .order_by("interview__number")
    )
    at = next((place for place, each in enumerate(row) if each.pk == assignment.pk), 0)
    return {
        "before": row[at - 1] if at > 0 else None,
        "after": row[at + 1] if at + 1 < len(row) else None,
    }
