"""Content of the pages of a closed round: differences and agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.research.coding.adjudication.differences import (
    CodingDifference,
    differences_by_text,
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
from coach.research.coding.annotation.reading import CodedPiece, coded_turns
from coach.research.coding.codebook.tree import code_paths, in_order
from coach.research.coding.judges import (
    codes_to_settle,
    judges_of,
    judges_of_takes,
)
from coach.research.coding.models import Assignment, Code, Coder, Interview, Round, Text
from coach.research.coding.rounds.pages import take_names
from coach.research.coding.rounds.selectors import may_run_rounds
from coach.research.coding.rounds.takes import consented_rehearsals
from coach.research.coding.selectors import interviews_left, may_code


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
    if not given:  # Most rounds have no takes, so consents need no query.
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
    marked = [each for each in found if each.marked]
    settled = sum(each.settled is not None for each in marked)
    return {"differences": len(marked), "settled": settled}


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


def settling_page(
    coding_round: Round, user: User, found: Sequence[CodingDifference], code: str
) -> dict[str, Any]:
    """Return the differences of a text or a take, of all codes or of the one with this key."""
    shown = shown_of(found, code)
    is_open = [each for each in shown if each.settled is None]
    judges = found[0].judges if found else ()
    names = code_paths(coding_round.study.codes.all())
    return {
        "study": coding_round.study,
        "round": coding_round,
        "places": _places(shown, names),
        "codes": sorted({each.code for each in found}, key=lambda each: each.name.casefold()),
        "offered": [(each.name, names.get(each.pk, "")) for each in codes_offered(coding_round)],
        "code": code,
        "count": len([each for each in found if each.marked]),
        "open": sum(each.settled is None for each in found),
        "settles": may_settle(user, coding_round),
        "coders": [_coder_row(number, each, is_open) for number, each in enumerate(judges, 1)],
        "n_shown": len(is_open),
    }


def shown_of(found: Sequence[CodingDifference], code: str) -> list[CodingDifference]:
    """Return the differences about the code with this key; all of them without a key."""
    return [each for each in found if code in ("", str(each.code.pk))]


def codes_offered(coding_round: Round) -> QuerySet[Code]:
    """Return the codes that can replace another one."""
    return codes_to_settle(coding_round).filter(is_codable=True, state=Code.State.ACTIVE)


def row_of(difference: CodingDifference, names: dict[int, str]) -> dict[str, Any]:
    """Return one difference: the path of its code, what each coder did, and the keys."""
    said: dict[tuple[int, int], list[str]] = {}
    for mark in difference.marked:
        said.setdefault((mark.start, mark.end), []).append(mark.coding.coder.label)
    words = {(each.start, each.end): each.words for each in difference.marked}
    whole = (difference.start, difference.end)
    return {
        "each": difference,
        "path": names.get(difference.code.pk, ""),
        "said": [
            {"labels": labels, "is_whole": span == whole, "words": words[span]}
            for span, labels in said.items()
        ],
        "memos": [each.coding for each in difference.marked if each.coding.memo],
        "choices": [
            {"number": number, "coder": coder, "applies": bool(difference.spans_of(coder.pk))}
            for number, coder in enumerate(difference.judges, 1)
        ],
    }


def _places(shown: Sequence[CodingDifference], names: dict[int, str]) -> list[dict[str, Any]]:
    """Return the turns, or the spans of a take, each with its differences."""
    by_place: dict[tuple[int, int], list[CodingDifference]] = {}
    for each in shown:
        by_place.setdefault((each.start, each.end), []).append(each)
    return [
        {
            "read": here[0].read,
            "pieces": _pieces(here),
            "begins": here[0].begins,
            "words": here[0].words,
            "rows": [row_of(each, names) for each in here],
        }
        for here in by_place.values()
    ]


def _pieces(here: Sequence[CodingDifference]) -> tuple[CodedPiece, ...]:
    read = here[0].read
    if read is None:
        return ()
    (turn,) = coded_turns([read], [mark.coding for each in here for mark in each.marked])
    return turn.pieces


def _coder_row(number: int, coder: Coder, is_open: Sequence[CodingDifference]) -> dict[str, Any]:
    applied = sum(bool(each.spans_of(coder.pk)) for each in is_open)
    return {
        "number": number,
        "coder": coder,
        "applied": applied,
        "without": len(is_open) - applied,
    }


def text_heading(text: Text) -> dict[str, Any]:
    """Return the name and language of a text with differences."""
    return {"name": text.interview.label, "language": text.interview.language}


def take_heading(coding_round: Round, take: Rehearsal, user: User) -> dict[str, Any]:
    """Return the name of a take with differences, and whether the user may play it."""
    return {
        "take": take,
        "name": take_names(coding_round.study).get(take.pk, ""),
        "plays": take.media_removed_at is None and may_code(user, coding_round.study),
    }


def next_open(found: Sequence[CodingDifference], after: str) -> str:
    """Return the key of the next open difference, wrapping around; empty if all are settled."""
    keys = [each.key for each in found]
    at = keys.index(after) if after in keys else -1
    ahead = [*found[at + 1 :], *found[: at + 1]]
    waiting = [each.key for each in ahead if each.settled is None]
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
