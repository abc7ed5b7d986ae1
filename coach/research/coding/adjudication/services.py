"""Adjudication of differences: whether a code applies, on which span, by whom and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.adjudication.differences import Difference
from coach.research.coding.models import Adjudication, Coding, Round, Text
from coach.research.coding.rounds.services import coder_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An adjudication: the span on which the code applies, None if it does not."""

    holds: tuple[int, int] | None
    note: str = ""


@transaction.atomic
def settle(
    *, coding_round: Round, difference: Difference, decision: Decision, actor: User
) -> Adjudication:
    """Save an adjudication; an earlier one on this difference is replaced, and stays in the log.

    If the code applies, a shared coding is created and coders' own are unchanged. If not, their
    codings within the place are marked as rejected. Raises ValidationError for an open round.
    """
    _hold(coding_round)
    before = _give_way(coding_round, difference)
    start, end = decision.holds or _reach(difference)
    place = _source(difference)
    span = ("start", "end") if "text" in place else ("start_ms", "end_ms")
    coding = None
    if decision.holds:
        coding = Coding.objects.create(
            study_id=coding_round.study_id,
            round=coding_round,
            coder=coder_of(coding_round.study, actor, coding_round.codebook),
            code=difference.code,
            status=Coding.Status.ADJUDICATED,
            **place,
            **dict(zip(span, (start, end), strict=True)),
        )
    else:
        _own(difference).update(status=Coding.Status.REJECTED)
    kind = Adjudication.Decision.KEEP if decision.holds else Adjudication.Decision.DROP
    made = Adjudication.objects.create(
        round=coding_round,
        **place,
        code=difference.code,
        start=start,
        end=end,
        decision=kind,
        coding=coding,
        note=decision.note,
        by=actor,
    )
    record_act(
        action="research.settled",
        target=made,
        actor=actor,
        round=coding_round.number,
        code=difference.code.name,
        decision=kind,
        before=before,
    )
    return made


@transaction.atomic
def unsettle(*, coding_round: Round, difference: Difference, actor: User) -> None:
    """Withdraw an adjudication and reopen the difference. Raises ValidationError for an
    open round.
    """
    _hold(coding_round)
    before = _give_way(coding_round, difference)
    if before:
        record_act(
            action="research.unsettled",
            target=coding_round,
            actor=actor,
            code=difference.code.name,
            before=before,
        )


def _hold(coding_round: Round) -> None:
    held = Round.objects.select_for_update().get(pk=coding_round.pk)
    if held.state != Round.State.CLOSED:
        raise ValidationError(_("Close the round first."))


def _give_way(coding_round: Round, difference: Difference) -> dict[str, object]:
    """Delete the current adjudication, read again because another person may have just
    saved one.
    """
    there = list(
        Adjudication.objects.filter(
            round=coding_round,
            code=difference.code,
            start__gte=difference.start,
            start__lt=difference.end,
            **_source(difference),
        ).select_related("coding")
    )
    if not there:
        return {}
    settled = there[0]
    before = {
        "decision": settled.decision,
        "start": settled.start,
        "end": settled.end,
        "note": settled.note,
        "by": settled.by_id,
        "at": settled.at.isoformat(),
    }
    for each in there:
        coding = each.coding
        each.delete()
        if coding is not None:
            coding.delete()
    _own(difference).update(status=Coding.Status.INDEPENDENT)
    return before


def _source(difference: Difference) -> dict[str, Any]:
    name = "text" if isinstance(difference.source, Text) else "rehearsal"
    return {name: difference.source}


def _own(difference: Difference) -> QuerySet[Coding]:
    """Return coders' codings entirely within the place: a longer one may be valid elsewhere."""
    mine = Coding.objects.filter(pk__in=[each.coding.pk for each in difference.marked])
    if difference.read is None:
        return mine.filter(start_ms__gte=difference.start, end_ms__lte=difference.end)
    turn = difference.read.turn
    return mine.filter(start__gte=turn.start, end__lte=turn.end)


def _reach(difference: Difference) -> tuple[int, int]:
    return (
        min(each.start for each in difference.marked),
        max(each.end for each in difference.marked),
    )
