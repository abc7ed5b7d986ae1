"""Content of the pages of a closed round: differences and agreement."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.research.coding.adjudication.differences import (
    CodingDifference,
    differences_by_text,
    differences_in,
    take_differences_in,
    texts_in,
)
from coach.research.coding.agreement import (
    ALL_CODERS,
    SECOND,
    TURN,
    agreement_rows,
    take_agreement_rows,
)
from coach.research.coding.codebook.tree import in_order
from coach.research.coding.judges import judges_of, judges_of_takes
from coach.research.coding.models import Assignment, Code, Coder, Interview, Round, Text
from coach.research.coding.rounds.pages import take_names
from coach.research.coding.rounds.selectors import may_run_rounds
from coach.research.coding.rounds.takes import consented_rehearsals
from coach.research.coding.selectors import interviews_left


def may_settle(user: User, coding_round: Round) -> bool:
    """Return whether the user may settle differences: a coder of the round, or a lead of rounds."""
    coded = coding_round.coders.filter(user=user, kind=Coder.Kind.HUMAN).exists()
    return coded or may_run_rounds(user, coding_round.study)


def interviews_in(coding_round: Round) -> QuerySet[Interview]:
    """Return the interviews of a round whose participant has not withdrawn."""
    return coding_round.interviews.exclude(pk__in=interviews_left()).order_by("number")


def takes_in(coding_round: Round) -> list[Rehearsal]:
    """Return the takes of a round whose owner currently consents to sound and picture."""
    given = list(
        coding_round.assignments.filter(rehearsal__isnull=False).values_list("rehearsal", flat=True)
    )
    if not given:  # as most rounds: whoever consents is not asked
        return []
    return list(consented_rehearsals(coding_round.study).filter(pk__in=given))


def take_shares_in(coding_round: Round) -> list[Assignment]:
    """Return one assignment for each of these takes; its key identifies the take in URLs."""
    takes = [take.pk for take in takes_in(coding_round)]
    if not takes:
        return []
    shares = coding_round.assignments.filter(rehearsal__in=takes).select_related("rehearsal")
    return list(shares.order_by("rehearsal_id", "pk").distinct("rehearsal_id"))


def differences_page(coding_round: Round, user: User) -> dict[str, Any]:
    """Return each text and take with its numbers of differences and settled ones."""
    rows = [*_interview_rows(coding_round), *_take_rows(coding_round)]
    return {
        "study": coding_round.study,
        "round": coding_round,
        "rows": rows,
        "differences": sum(row["differences"] for row in rows),
        "settled": sum(row["settled"] for row in rows),
        "settles": may_settle(user, coding_round),
    }


def _interview_rows(coding_round: Round) -> list[dict[str, Any]]:
    interviews = list(interviews_in(coding_round))
    judges = judges_of(coding_round, [each.pk for each in interviews])
    texts = texts_in(coding_round, interviews)
    by_text = zip(texts, differences_by_text(coding_round, texts, judges), strict=True)
    counts = {text.interview_id: _counts(found) for text, found in by_text}
    rows = []
    for each in interviews:
        found = counts.get(each.pk, _counts([]))
        is_locked = each.state == Interview.State.LOCKED
        address = ("differences_of", each.number) if found["differences"] and is_locked else None
        rows.append(_row(each.label, len(judges[each.pk]), found, address))
    return rows


def _take_rows(coding_round: Round) -> list[dict[str, Any]]:
    shares = take_shares_in(coding_round)
    if not shares:
        return []
    names = take_names(coding_round.study)
    takes = [each.rehearsal for each in shares if each.rehearsal]
    judges = judges_of_takes(coding_round, [take.pk for take in takes])
    rows = []
    for share, take in zip(shares, takes, strict=True):
        found = take_differences_in(coding_round, take)
        address = ("differences_of_take", share.pk) if found else None
        judged_by = len(judges[take.pk])
        rows.append(_row(names.get(take.pk, ""), judged_by, _counts(found), address))
    return sorted(rows, key=lambda row: str(row["name"]))


def _counts(found: list[CodingDifference]) -> dict[str, int]:
    settled = sum(each.settled is not None for each in found)
    return {"differences": len(found), "settled": settled}


def _row(
    name: str, judges: int, counts: dict[str, int], address: tuple[str, int] | None
) -> dict[str, Any]:
    return {
        "name": name,
        "address": f"research:{address[0]}" if address else "",
        "key": address[1] if address else None,
        "judges": judges,
        **counts,
    }


def text_page(coding_round: Round, text: Text, user: User) -> dict[str, Any]:
    """Return the differences of one text, turn by turn."""
    found = differences_in(coding_round, text)
    turns: dict[int, dict[str, Any]] = {}
    for each in found:
        if each.read is None:
            continue
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


def take_page(coding_round: Round, share: Assignment, user: User) -> dict[str, Any]:
    """Return the differences of one take in time order, with its recording for assigned coders."""
    take = share.rehearsal
    found = take_differences_in(coding_round, take) if take else []
    mine = coding_round.assignments.filter(
        rehearsal=take, coder__user=user, coder__kind=Coder.Kind.HUMAN
    )
    has_recording = take is not None and take.media_removed_at is None
    return {
        "study": coding_round.study,
        "round": coding_round,
        "share": share,
        "take": take,
        "name": take_names(coding_round.study).get(take.pk, "") if take else "",
        "own": mine.first() if has_recording else None,
        "differences": found,
        "open": sum(each.settled is None for each in found),
        "settles": may_settle(user, coding_round),
    }


def next_open(found: list[CodingDifference], after: str) -> str:
    """Return the key of the next open difference, wrapping around; empty if all are settled."""
    keys = [each.key for each in found]
    at = keys.index(after) if after in keys else -1
    waiting = [each.key for each in found[at + 1 :] + found[: at + 1] if each.settled is None]
    return waiting[0] if waiting else ""


def agreement_table(coding_round: Round) -> list[dict[str, Any]]:
    """Return the agreement rows with the names of codes, in codebook order.

    Texts come first, by turns; then takes, by seconds.
    """
    interviews = list(interviews_in(coding_round))
    texts = Text.objects.filter(
        pk__in=[text.pk for text in texts_in(coding_round, interviews)]
    ).select_related("interview")
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in (
        *agreement_rows(coding_round, list(texts)),
        *take_agreement_rows(coding_round, takes_in(coding_round)),
    ):
        rows.setdefault((row["unit"], row["code_guid"]), []).append(row)
    # All codes, including headings, which group the codes below them.
    tree = in_order(Code.objects.filter(study=coding_round.study_id))
    return [
        {"code": code, **row}
        for unit in (TURN, SECOND)
        for code, _depth in tree
        for row in rows.get((unit, str(code.guid)), [])
    ]


def agreement_page(coding_round: Round) -> dict[str, Any]:
    """Return the agreement by code and pair of coders."""
    rows = agreement_table(coding_round)
    return {
        "study": coding_round.study,
        "round": coding_round,
        "rows": rows,
        "has_turns": any(row["unit"] == TURN for row in rows),
        "has_seconds": any(row["unit"] == SECOND for row in rows),
        "interviews": interviews_in(coding_round).count(),
        "has_all": any(row["coder_b"] == ALL_CODERS for row in rows),
    }
