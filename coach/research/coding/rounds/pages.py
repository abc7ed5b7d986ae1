"""Content of the pages of rounds. For an open round: progress only, no codings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.research.coding.annotation.free import free_units
from coach.research.coding.models import (
    Assignment,
    CodebookVersion,
    Coder,
    Interview,
    Round,
)
from coach.research.coding.rounds.selectors import (
    assignments_for,
    codable_interviews,
    coded_before,
    may_run_rounds,
    rounds_for,
)
from coach.research.coding.rounds.takes import consented_rehearsals_with_media, usable_takes
from coach.research.coding.selectors import may_code
from coach.research.studies.models import Study


def rounds_page(study: Study, user: User) -> dict[str, Any]:
    """Return all rounds with their progress, and the user's own texts first."""
    rounds = rounds_for(user, study).prefetch_related("coders__user", "assignments")
    return {
        "study": study,
        "runs": may_run_rounds(user, study),
        "rounds": [_progress(each) for each in rounds],
        "free": free_units(study, user) if may_code(user, study) else [],
        "mine": _named(study, assignments_for(user), Round.State.OPEN),
        "has_version": CodebookVersion.objects.filter(study=study).exists(),
        "has_text": codable_interviews(study).exists()
        or consented_rehearsals_with_media(study).exists(),
    }


def _named(study: Study, shares: QuerySet[Assignment], state: str) -> list[dict[str, Any]]:
    names = take_names(study)
    found = shares.filter(round__study=study, round__state=state)
    return [{"share": share, "name": name} for share in found if (name := unit_name(share, names))]


def _progress(coding_round: Round) -> dict[str, Any]:
    shares = list(coding_round.assignments.all())
    return {
        "round": coding_round,
        "coders": list(coding_round.coders.all()),
        "shares": len(shares),
        "finished": sum(share.finished_at is not None for share in shares),
    }


def round_page(coding_round: Round, user: User) -> dict[str, Any]:
    """Return texts by coders, with who has finished which."""
    coders = list(coding_round.coders.select_related("user").order_by("number"))
    shares = list(coding_round.assignments.select_related("interview", "rehearsal"))
    mine = {share.pk for share in assignments_for(user).filter(round=coding_round)}
    return {
        "study": coding_round.study,
        "round": coding_round,
        "runs": may_run_rounds(user, coding_round.study),
        "coders": coders,
        "rows": _rows(shares, coders, mine, take_names(coding_round.study)),
        "unfinished": sum(share.finished_at is None for share in shares),
        "from_elsewhere": [each for each in coders if each.user is None],
    }


def _rows(
    shares: list[Assignment], coders: list[Coder], mine: set[int], names: dict[UUID, str]
) -> list[dict[str, Any]]:
    by_unit: dict[tuple[object, ...], dict[int, Assignment]] = defaultdict(dict)
    for share in shares:
        by_unit[share.interview_id, share.rehearsal_id][share.coder_id] = share
    rows = []
    for found in by_unit.values():
        name = unit_name(next(iter(found.values())), names)
        own = next((each for each in found.values() if each.pk in mine), None)
        rows.append(
            {
                "name": name or _("A take that may no longer be used"),
                "cells": [found.get(coder.pk) for coder in coders],
                "mine": own if name else None,
            }
        )
    return rows


def shares_shown(
    study: Study, coders: Sequence[User], dealt: Mapping[Interview | Rehearsal, Sequence[User]]
) -> dict[str, Any]:
    """Return the planned distribution of texts and takes by coders."""
    names = take_names(study)
    rows = [
        {
            "name": unit.label if isinstance(unit, Interview) else names.get(unit.pk, ""),
            "cells": [user in users for user in coders],
        }
        for unit, users in dealt.items()
    ]
    rows.sort(key=lambda row: str(row["name"]))
    counts = [sum(user in users for users in dealt.values()) for user in coders]
    return {"coders": coders, "rows": rows, "counts": counts}


def give_page(coding_round: Round) -> dict[str, Any]:
    """Return the information for assigning more work in an open round."""
    study = coding_round.study
    texts = codable_interviews(study).values_list("pk", flat=True)
    before = coded_before(study, texts)
    return {
        "study": study,
        "round": coding_round,
        "coded_before": [
            {"name": name, "rounds": ", ".join(str(number) for number in numbers)}
            for name, numbers in before.items()
        ],
    }


def take_names(study: Study) -> dict[UUID, str]:
    """Return the names of takes by key, only of those that may be used now."""
    return {take.rehearsal.pk: take.label for take in usable_takes(study)}


def unit_name(share: Assignment, names: Mapping[UUID, str]) -> str:
    """Return the study's name of a text or take; empty for a take that may not be used."""
    if share.interview is not None:
        return share.interview.label
    return names.get(share.rehearsal_id, "") if share.rehearsal_id else ""
