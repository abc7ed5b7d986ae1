"""Services of a coder on their own assignment: code, remove, write memos."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Assignment, Code, Coder, Coding, Memo, Round, Text


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A span of a text: half-open, in code points."""

    text: Text
    start: int
    end: int

    @property
    def place(self) -> dict[str, Any]:
        """Return the fields of a coding of this span. Raises ValidationError outside the text."""
        if not 0 <= self.start < self.end <= len(self.text.text):
            raise ValidationError(_("Select a passage first."))
        return {"text": self.text, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class TakeSpan:
    """A span of a take: half-open, in milliseconds."""

    take: Rehearsal
    start: int
    end: int

    @property
    def place(self) -> dict[str, Any]:
        """Return the fields of a coding of this span. Raises ValidationError outside the take."""
        if not 0 <= self.start < self.end <= round((self.take.duration or 0) * 1000):
            raise ValidationError(_("Mark the start and the end of the passage."))
        return {"rehearsal": self.take, "start_ms": self.start, "end_ms": self.end}


@transaction.atomic
def mark(
    *, assignment: Assignment, code: Code, stretches: Iterable[TextSpan | TakeSpan]
) -> list[Coding]:
    """Apply a code to spans, skipping those that have it; return the new codings.

    Raises ValidationError if the round is closed, the assignment is finished, or a span is empty.
    """
    _hold(assignment)
    made = []
    for stretch in stretches:
        coding, is_new = Coding.objects.get_or_create(
            round=assignment.round,
            coder=assignment.coder,
            code=code,
            **stretch.place,
            defaults={"study_id": assignment.round.study_id},
        )
        if is_new:
            made.append(coding)
            _record("research.coded", coding)
    return made


@transaction.atomic
def unmark(*, assignment: Assignment, coding: Coding) -> dict[str, Any]:
    """Remove one's own coding; return the data to restore it. Raises ValidationError."""
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
    """Restore a removed coding with its memo; None if its code is gone.

    Raises ValidationError if the text has changed.
    """
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
    """Save the memo of one's own coding. Raises ValidationError."""
    _hold(assignment)
    if coding.memo == memo:
        return
    coding.memo = memo
    coding.save(update_fields=["memo"])
    _record("research.coding_noted", coding)


@transaction.atomic
def write_text_memo(*, assignment: Assignment, body: str) -> None:
    """Save the memo of a whole text or take; an empty one is deleted.

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
    """Return the coder's memo of the whole text or take; None if there is none."""
    return Memo.objects.filter(
        coder=assignment.coder_id,
        interview=assignment.interview_id,
        rehearsal=assignment.rehearsal_id,
        code=None,
    ).first()


def _hold(assignment: Assignment) -> None:
    """Lock the round. Raises ValidationError if it is closed or the assignment is finished
    or a model's.
    """
    held = Round.objects.select_for_update().get(pk=assignment.round_id)
    if held.state == Round.State.CLOSED or assignment.coder.kind != Coder.Kind.HUMAN:
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
