"""What a coder does with a text: mark, take back, note. Each act is theirs alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.audit.services import record_act
from coach.research.coding.models import Assignment, Code, Coder, Coding, Memo, Round, Text


@dataclass(frozen=True, slots=True)
class Stretch:
    """Half-open, in code points of a text."""

    text: Text
    start: int
    end: int


@transaction.atomic
def mark(*, assignment: Assignment, code: Code, stretches: Iterable[Stretch]) -> list[Coding]:
    """Put a code on stretches; where it stands already, nothing happens. Returns what is new.

    Raises ValidationError where the round is closed or the share is finished.
    """
    _hold(assignment)
    made = []
    for stretch in stretches:
        if not 0 <= stretch.start < stretch.end <= len(stretch.text.text):
            raise ValidationError(_("Select a passage first."))
        coding, is_new = Coding.objects.get_or_create(
            round=assignment.round,
            coder=assignment.coder,
            code=code,
            text=stretch.text,
            start=stretch.start,
            end=stretch.end,
            defaults={"study_id": assignment.round.study_id},
        )
        if is_new:
            made.append(coding)
            _record("research.coded", coding)
    return made


@transaction.atomic
def mark_span(*, assignment: Assignment, code: Code, span_ms: tuple[int, int]) -> Coding | None:
    """Put a code on a stretch of a take, half-open, in milliseconds; None where it stands already.

    Raises ValidationError for a stretch that is none, or lies outside of the recording.
    """
    _hold(assignment)
    start, end = span_ms
    take = assignment.rehearsal
    if take is None or not 0 <= start < end <= round((take.duration or 0) * 1000):
        raise ValidationError(_("Mark the start and the end of the passage."))
    coding, is_new = Coding.objects.get_or_create(
        round=assignment.round,
        coder=assignment.coder,
        code=code,
        rehearsal=take,
        start_ms=start,
        end_ms=end,
        defaults={"study_id": assignment.round.study_id},
    )
    if is_new:
        _record("research.coded", coding)
    return coding if is_new else None


@transaction.atomic
def unmark(*, assignment: Assignment, coding: Coding) -> dict[str, Any]:
    """Take one's own coding away; returns what brings it back. Raises ValidationError."""
    _hold(assignment)
    kept = {
        "guid": str(coding.guid),
        "code": coding.code_id,
        "text": coding.text_id,
        "sha256": coding.text.sha256 if coding.text else "",
        "start": coding.start,
        "end": coding.end,
        "rehearsal": str(coding.rehearsal_id) if coding.rehearsal_id else None,
        "start_ms": coding.start_ms,
        "end_ms": coding.end_ms,
        "memo": coding.memo,
    }
    _record("research.uncoded", coding)
    coding.delete()
    return kept


@transaction.atomic
def bring_back(*, assignment: Assignment, kept: dict[str, Any]) -> Coding | None:
    """Put a coding back that was taken away, with its memo; None where its code is gone."""
    _hold(assignment)
    codes = Code.objects.filter(study=assignment.round.study_id)
    code = codes.filter(pk=kept["code"]).exclude(state=Code.State.MERGED).first()
    if code is None:
        return None
    text = Text.objects.select_for_update().filter(pk=kept["text"]).first()
    if kept["text"] and (text is None or text.sha256 != kept.get("sha256", text.sha256)):
        raise ValidationError(_("The text has changed in the meantime, so this cannot be undone."))
    coding, is_new = Coding.objects.get_or_create(
        round=assignment.round,
        coder=assignment.coder,
        code=code,
        text_id=kept["text"],
        start=kept["start"],
        end=kept["end"],
        rehearsal_id=kept["rehearsal"],
        start_ms=kept["start_ms"],
        end_ms=kept["end_ms"],
        defaults={
            "study_id": assignment.round.study_id,
            "guid": kept["guid"],
            "memo": kept["memo"],
        },
    )
    if is_new:
        _record("research.coded", coding)
    return coding


@transaction.atomic
def write_coding_memo(*, assignment: Assignment, coding: Coding, memo: str) -> None:
    """Note something on one's own coding. Raises ValidationError."""
    _hold(assignment)
    if coding.memo == memo:
        return
    coding.memo = memo
    coding.save(update_fields=["memo"])
    _record("research.coding_noted", coding)


@transaction.atomic
def write_text_memo(*, assignment: Assignment, body: str) -> None:
    """Note something on the text or the take as a whole; an empty note is none.

    Raises ValidationError.
    """
    _hold(assignment)
    mine = own_memo(assignment)
    if (mine.body if mine else "") == body:
        return
    memo = mine or Memo(
        study_id=assignment.round.study_id,
        coder=assignment.coder,
        interview=assignment.interview,
        rehearsal=assignment.rehearsal,
    )
    if body:
        memo.body = body
        memo.save()
    elif mine:
        mine.delete()
    record_act(
        action="research.text_noted",
        target=assignment.round,
        actor=assignment.coder.user,
        interview=assignment.interview_id,
        rehearsal=str(assignment.rehearsal_id or ""),
    )


def own_memo(assignment: Assignment) -> Memo | None:
    """What its coder noted on the text or the take as a whole."""
    return Memo.objects.filter(
        coder=assignment.coder_id,
        interview=assignment.interview_id,
        rehearsal=assignment.rehearsal_id,
        code=None,
    ).first()


def _hold(assignment: Assignment) -> None:
    """Raises ValidationError where it is not coded any more; models code nothing here."""
    held = Round.objects.select_for_update().get(pk=assignment.round_id)
    if held.state != Round.State.OPEN or assignment.coder.kind != Coder.Kind.HUMAN:
        raise ValidationError(_("This round is closed."))
    if assignment.finished_at is not None:
        raise ValidationError(
            _("You have marked this as finished. Press “Continue coding” to change it.")
        )


def _record(action: str, coding: Coding) -> None:
    record_act(
        action=action,
        target=coding,
        actor=coding.coder.user,
        round=coding.round.number,
        code=coding.code.name,
        start=coding.start if coding.text_id else coding.start_ms,
        end=coding.end if coding.text_id else coding.end_ms,
    )
