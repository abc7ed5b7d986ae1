"""Content of the page for coding a take: recording, timeline, transcript, codings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from coach.accounts.models import User
from coach.lib.words.clock import clock
from coach.rehearsals.models import Rehearsal
from coach.research.coding.annotation.pages import coder_page, shown_codings, state_of
from coach.research.coding.models import Assignment, Coding
from coach.research.coding.rounds.pages import take_names
from coach.research.coding.takes.words import SAID, lines_of

_LANE, _BAR, _WIDTH = 10, 8, 1000
"""Height of a code's lane on the timeline and of a bar in it, and the width of the timeline."""


def take_page(
    assignment: Assignment, user: User, session: SessionBase, replaces: str = ""
) -> dict[str, Any]:
    """Return the content of the page; `replaces` is the key of the coding to recode."""
    take, study = _take(assignment), assignment.round.study
    codings = shown_codings(assignment, user, session)
    page = coder_page(assignment, user, session, codings, replaces)
    has_recording = take.media_removed_at is None
    return {
        **page,
        **_places(take, codings),
        "may_mark": page["may_mark"] and has_recording,
        "has_recording": has_recording,
        "name": take_names(study).get(take.pk, ""),
        "take": take,
        "lines": lines_of(study, take),
        "said": SAID,
    }


def take_touched(assignment: Assignment, user: User, session: SessionBase) -> dict[str, Any]:
    """Return the codings and the state, to update on the page."""
    codings = shown_codings(assignment, user, session)
    own = sum(each.coder_id == assignment.coder_id for each in codings)
    return {
        **state_of(assignment, session, own),
        **_places(_take(assignment), codings),
        "study": assignment.round.study,
        "round": assignment.round,
        "has_recording": True,
    }


def _take(assignment: Assignment) -> Rehearsal:
    if assignment.rehearsal is None:
        raise ValueError("an assignment of a text")
    return assignment.rehearsal


def _places(take: Rehearsal, codings: Sequence[Coding]) -> dict[str, Any]:
    """Return the codings in order of time, and the timeline with a lane for each code."""
    total = max(round((take.duration or 0) * 1000), 1)
    lanes = {
        code: lane for lane, code in enumerate(dict.fromkeys(each.code_id for each in codings))
    }
    rows = []
    for each in sorted(codings, key=lambda coding: (coding.start_ms or 0, coding.end_ms or 0)):
        start, end = each.start_ms or 0, each.end_ms or 0
        rows.append(
            {
                "coding": each,
                "start": start / 1000,
                "words": f"{clock(start / 1000)}–{clock(end / 1000)}",
                "is_last": each.pk == max(one.pk for one in codings),
                "x": round(_WIDTH * start / total, 2),
                "y": _LANE * lanes[each.code_id] + 1,
                "width": round(max(_WIDTH * (end - start) / total, 1), 2),
            }
        )
    height = _LANE * max(len(lanes), 1)
    return {"rows": rows, "bar": _BAR, "height": height, "seconds": total / 1000}
