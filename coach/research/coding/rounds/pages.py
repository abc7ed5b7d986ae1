"""What the pages of rounds show. Of an open round: who has finished what, and no coding."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from coach.accounts.models import User
from coach.research.coding.models import Assignment, CodebookVersion, Coder, Round
from coach.research.coding.rounds.selectors import (
    assignments_for,
    codable_interviews,
    may_run_rounds,
    rounds_for,
)
from coach.research.studies.models import Study


def rounds_page(study: Study, user: User) -> dict[str, Any]:
    """All rounds with how far they are, and one's own texts first."""
    rounds = rounds_for(user, study).prefetch_related("coders__user", "assignments")
    return {
        "study": study,
        "runs": may_run_rounds(user, study),
        "rounds": [_progress(each) for each in rounds],
        "mine": assignments_for(user).filter(round__study=study, round__state=Round.State.OPEN),
        "has_version": CodebookVersion.objects.filter(study=study).exists(),
        "has_text": codable_interviews(study).exists(),
    }


def _progress(coding_round: Round) -> dict[str, Any]:
    shares = list(coding_round.assignments.all())
    return {
        "round": coding_round,
        "coders": list(coding_round.coders.all()),
        "shares": len(shares),
        "finished": sum(share.finished_at is not None for share in shares),
    }


def round_page(coding_round: Round, user: User) -> dict[str, Any]:
    """Texts against coders: who has finished which."""
    coders = list(coding_round.coders.select_related("user").order_by("number"))
    shares = list(coding_round.assignments.select_related("interview", "rehearsal"))
    mine = {share.pk for share in assignments_for(user).filter(round=coding_round)}
    return {
        "study": coding_round.study,
        "round": coding_round,
        "runs": may_run_rounds(user, coding_round.study),
        "coders": coders,
        "rows": _rows(shares, coders, mine),
        "unfinished": sum(share.finished_at is None for share in shares),
    }


def _rows(shares: list[Assignment], coders: list[Coder], mine: set[int]) -> list[dict[str, Any]]:
    by_unit: dict[str, dict[int, Assignment]] = defaultdict(dict)
    for share in shares:
        by_unit[unit_name(share)][share.coder_id] = share
    return [
        {
            "name": name,
            "cells": [found.get(coder.pk) for coder in coders],
            "mine": next((each for each in found.values() if each.pk in mine), None),
        }
        for name, found in by_unit.items()
    ]


def unit_name(share: Assignment) -> str:
    """What a text or a take is called in a study."""
    return share.interview.label if share.interview else str(share.rehearsal_id)
