"""What the pages after a round show: its differences, and how far its coders agree."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from coach.accounts.models import User
from coach.research.coding.agreement import ALL_CODERS, agreement_rows
from coach.research.coding.codebook.tree import in_order
from coach.research.coding.judging import codes_judged, judges_of
from coach.research.coding.models import Coder, Interview, Round, Text
from coach.research.coding.rounds.selectors import may_run_rounds
from coach.research.coding.settling.differences import Difference, differences_in, text_in


def may_settle(user: User, coding_round: Round) -> bool:
    """Whoever coded in it, and whoever runs rounds."""
    coded = coding_round.coders.filter(user=user, kind=Coder.Kind.HUMAN).exists()
    return coded or may_run_rounds(user, coding_round.study)


def interviews_in(coding_round: Round) -> QuerySet[Interview]:
    """The interviews of a round whose person takes part still."""
    gone = Q(participant__withdrawn_at__isnull=False)
    return coding_round.interviews.exclude(gone).order_by("number")


def differences_page(coding_round: Round, user: User) -> dict[str, Any]:
    """Each text with how many differences it has, and how many are settled."""
    interviews = list(interviews_in(coding_round))
    judges = judges_of(coding_round, [each.pk for each in interviews])
    rows = []
    for interview in interviews:
        text = text_in(coding_round, interview)
        found = differences_in(coding_round, text) if text else []
        rows.append(
            {
                "interview": interview,
                "judges": len(judges[interview.pk]),
                "differences": len(found),
                "settled": sum(each.settled is not None for each in found),
            }
        )
    return {
        "study": coding_round.study,
        "round": coding_round,
        "rows": rows,
        "differences": sum(row["differences"] for row in rows),
        "settled": sum(row["settled"] for row in rows),
        "settles": may_settle(user, coding_round),
    }


def text_page(coding_round: Round, text: Text, user: User) -> dict[str, Any]:
    """The differences of one text, turn by turn."""
    found = differences_in(coding_round, text)
    turns: dict[int, dict[str, Any]] = {}
    for each in found:
        turn = turns.setdefault(each.read.turn.number, {"read": each.read, "differences": []})
        turn["differences"].append(each)
    return {
        "study": coding_round.study,
        "round": coding_round,
        "interview": text.interview,
        "turns": list(turns.values()),
        "count": len(found),
        "open": sum(each.settled is None for each in found),
        "settles": may_settle(user, coding_round),
    }


def next_open(found: list[Difference], after: str) -> str:
    """The first open difference behind this one, else the first open one at all."""
    keys = [each.key for each in found]
    at = keys.index(after) if after in keys else -1
    waiting = [each.key for each in found[at + 1 :] + found[: at + 1] if each.settled is None]
    return waiting[0] if waiting else ""


def agreement_table(coding_round: Round) -> list[dict[str, Any]]:
    """The rows of agreement with the names of codes, in the order of the codebook."""
    interviews = list(interviews_in(coding_round))
    texts = Text.objects.filter(
        pk__in=[text.pk for each in interviews if (text := text_in(coding_round, each))]
    ).select_related("interview")
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in agreement_rows(coding_round, list(texts.prefetch_related("turns__speaker"))):
        rows.setdefault(row["code_guid"], []).append(row)
    return [
        {"code": code, **row}
        for code, _depth in in_order(codes_judged(coding_round))
        for row in rows.get(str(code.guid), [])
    ]


def agreement_page(coding_round: Round) -> dict[str, Any]:
    """Agreement by code and pair."""
    rows = agreement_table(coding_round)
    return {
        "study": coding_round.study,
        "round": coding_round,
        "rows": rows,
        "interviews": interviews_in(coding_round).count(),
        "has_all": any(row["coder_b"] == ALL_CODERS for row in rows),
    }
