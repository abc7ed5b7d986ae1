"""Adjudication of differences: whether a code applies, on which span, by whom and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.adjudication.differences import CodingDifference
from coach.research.coding.judges import judgements
from coach.research.coding.models import Adjudication, Code, Coder, Coding, Round, Text
from coach.research.coding.rounds.services import coder_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """An adjudication: the spans on which the code applies; none if it does not."""

    spans: tuple[tuple[int, int], ...] = ()
    note: str = ""


@transaction.atomic
def settle(
    *, coding_round: Round, difference: CodingDifference, decision: Resolution, actor: User
) -> Adjudication:
    """Save an adjudication; an earlier one on this difference is replaced, and stays in the log.

    If the code applies, a shared coding is created on each span and coders' own are unchanged. If
    not, their codings within the place are marked as rejected. Raises ValidationError for an open
    round.
    """
    _hold(coding_round)
    before = _give_way(coding_round, difference)
    kind = Adjudication.Decision.KEEP if decision.spans else Adjudication.Decision.DROP
    if not decision.spans:
        _own(difference).update(status=Coding.Status.REJECTED)
    made = [
        Adjudication.objects.create(
            round=coding_round,
            **_source(difference),
            code=difference.code,
            start=start,
            end=end,
            decision=kind,
            coding=_shared(coding_round, difference, (start, end), actor)
            if decision.spans
            else None,
            note=decision.note,
            by=actor,
        )
        for start, end in decision.spans or (_reach(difference),)
    ]
    record_act(
        action="research.settled",
        target=made[0],
        actor=actor,
        round=coding_round.number,
        code=difference.code.name,
        decision=kind,
        before=before,
    )
    return made[0]


def _shared(
    coding_round: Round, difference: CodingDifference, span: tuple[int, int], actor: User
) -> Coding:
    place = _source(difference)
    fields = ("start", "end") if "text" in place else ("start_ms", "end_ms")
    return Coding.objects.create(
        study_id=coding_round.study_id,
        round=coding_round,
        coder=coder_of(coding_round.study, actor, coding_round.codebook),
        code=difference.code,
        status=Coding.Status.ADJUDICATED,
        **place,
        **dict(zip(fields, span, strict=True)),
    )


@transaction.atomic
def settle_as(
    *,
    coding_round: Round,
    differences: Sequence[CodingDifference],
    coder: Coder,
    note: str,
    actor: User,
) -> None:
    """Settle each difference as one coder coded it. Raises ValidationError for an open round."""
    for each in differences:
        decision = Resolution(spans=each.spans_of(coder.pk), note=note)
        settle(coding_round=coding_round, difference=each, decision=decision, actor=actor)


@transaction.atomic
def replace_code(
    *,
    coding_round: Round,
    difference: CodingDifference,
    code: Code,
    found: Sequence[CodingDifference],
    note: str,
    actor: User,
) -> CodingDifference:
    """Reject the code of a difference and apply another code in its place; return the difference
    of that code, or the one that this adds.

    `found` are the differences of the text or take. Raises ValidationError if the code is already
    resolved there, or if every coder applied it.
    """
    other = _difference_of(coding_round, difference, code, found)
    spans = (_reach(difference),)
    settle(
        coding_round=coding_round,
        difference=difference,
        decision=Resolution(note=note),
        actor=actor,
    )
    settle(
        coding_round=coding_round,
        difference=other,
        decision=Resolution(spans=spans, note=note),
        actor=actor,
    )
    return other


def _difference_of(
    coding_round: Round,
    difference: CodingDifference,
    code: Code,
    found: Sequence[CodingDifference],
) -> CodingDifference:
    if code == difference.code:
        raise ValidationError(_("Choose a code other than this one."))
    start, end = _reach(difference)
    there = [each for each in found if each.code == code and each.start < end and each.end > start]
    if any(each.settled for each in there):
        raise ValidationError(_("“%(code)s” is already resolved here.") % {"code": code})
    if there:
        return there[0]
    if _is_agreed(difference, code, coding_round):
        raise ValidationError(
            _("Every coder applied “%(code)s” here. Choose “Not here”.") % {"code": code}
        )
    return replace(difference, code=code, marked=(), settled=None)


def _is_agreed(difference: CodingDifference, code: Code, coding_round: Round) -> bool:
    place = _source(difference)
    span = ("start", "end") if "text" in place else ("start_ms", "end_ms")
    around = {f"{span[0]}__lt": difference.end, f"{span[1]}__gt": difference.start}
    theirs = judgements(coding_round).filter(coder__in=difference.judges, code=code)
    return theirs.filter(**place, **around).exists()


@transaction.atomic
def unsettle(*, coding_round: Round, difference: CodingDifference, actor: User) -> None:
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


def _give_way(coding_round: Round, difference: CodingDifference) -> dict[str, object]:
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


def _source(difference: CodingDifference) -> dict[str, Any]:
    name = "text" if isinstance(difference.source, Text) else "rehearsal"
    return {name: difference.source}


def _own(difference: CodingDifference) -> QuerySet[Coding]:
    """Return coders' codings entirely within the place: a longer one may be valid elsewhere."""
    mine = Coding.objects.filter(pk__in=[each.coding.pk for each in difference.marked])
    if difference.read is None:
        return mine.filter(start_ms__gte=difference.start, end_ms__lte=difference.end)
    turn = difference.read.turn
    return mine.filter(start__gte=turn.start, end__lte=turn.end)


def _reach(difference: CodingDifference) -> tuple[int, int]:
    return (
        min(each.start for each in difference.marked),
        max(each.end for each in difference.marked),
    )
