"""Locking of a redacted text: fixed by its hash; the original is deleted after a while."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.interviews.redaction.deciding import base_text, refresh_proposals
from coach.research.coding.interviews.redaction.patterns import RULES_VERSION
from coach.research.coding.interviews.redaction.span_replacement import OffsetMap, Replacement
from coach.research.coding.interviews.transcript_text import digest
from coach.research.coding.models import (
    Adjudication,
    Coding,
    Interview,
    Passage,
    Redaction,
    Text,
    Turn,
)

ORIGINAL_DAYS = 30
"""Days for which the original is kept to check the locked text against it (rule of thumb)."""


@transaction.atomic
def lock_interview(*, interview: Interview, actor: User) -> Text:
    """Replace names by tokens and lock the text, which is then used for coding.

    A text that is already locked is replaced by a new version, and its codings move with their
    words. Raises ValidationError if a redaction is undecided.
    """
    held = Interview.objects.select_for_update(of=("self",)).get(pk=interview.pk)
    base = base_text(held)
    if base is None:
        raise ValidationError(_("There is no text to lock."))
    # Decisions lock the text too: none is made between here and the lock.
    base = Text.objects.select_for_update(of=("self",)).get(pk=base.pk)
    found = refresh_proposals(text=base)
    rows = list(Redaction.objects.filter(text=base))
    if found or any(row.state == Redaction.State.PROPOSED for row in rows):
        raise ValidationError(_("Decide on every proposed redaction first."))
    taken = [row for row in rows if row.state == Redaction.State.APPROVED]
    if base.kind == Text.Kind.LOCKED and held.state == Interview.State.LOCKED and not taken:
        return base  # pressed twice: no new version
    moved = OffsetMap(base.text, [Replacement(row.start, row.end, row.token) for row in taken])
    if base.kind == Text.Kind.RAW:
        text = _first_version(base, moved, len(taken), actor)
        held.original_until = timezone.now() + timedelta(days=ORIGINAL_DAYS)
    else:
        text = _next_version(base, moved, len(taken), actor)
        if held.speakers.exclude(called="").exists() and held.original_until is None:
            # A project from another tool has no original, but its speaker names are kept until
            # then.
            held.original_until = timezone.now() + timedelta(days=ORIGINAL_DAYS)
    held.state = Interview.State.LOCKED
    held.save(update_fields=["state", "original_until"])
    record_act(
        action="research.interview_locked",
        target=held,
        actor=actor,
        version=text.version,
        sha256=text.sha256,
        redactions=len(taken),
    )
    return text


def _first_version(base: Text, moved: OffsetMap, count: int, actor: User) -> Text:
    text = Text.objects.create(
        interview=base.interview,
        kind=Text.Kind.LOCKED,
        text=moved.text,
        sha256=digest(moved.text),
        n_code_points=len(moved.text),
        redaction_version=RULES_VERSION,
        n_redactions=count,
        by=actor,
    )
    turns = list(Turn.objects.filter(text=base).order_by("number"))
    for turn in turns:
        turn.pk, turn.text = None, text
        turn.start, turn.end = moved.start(turn.start), moved.end(turn.end)
    Turn.objects.bulk_create(turns)
    return text


def _next_version(base: Text, moved: OffsetMap, count: int, actor: User) -> Text:
    """Overwrite the row: the former version contained a name, so it is not kept."""
    base.text, base.sha256 = moved.text, digest(moved.text)
    base.n_code_points, base.version = len(moved.text), base.version + 1
    base.n_redactions += count
    base.redaction_version, base.by, base.at = RULES_VERSION, actor, timezone.now()
    base.save()
    rows: list[Turn | Adjudication] = [*Turn.objects.filter(text=base)]
    rows += Adjudication.objects.filter(text=base)
    for row in rows:
        row.start, row.end = moved.start(row.start), moved.end(row.end)
        row.save(update_fields=["start", "end"])
    _move_codings(base, moved)
    Redaction.objects.filter(text=base).delete()
    return base


def _move_codings(text: Text, moved: OffsetMap) -> None:
    """Move the codings with their words; of two that end up on the same token the first stays."""
    seen: set[tuple[int | bool, ...]] = set()
    stay: list[Coding] = []
    drop: list[Coding] = []
    for each in Coding.objects.filter(text=text).order_by("pk"):
        each.start, each.end = moved.start(each.start or 0), moved.end(each.end or 0)
        settled = each.status == Coding.Status.ADJUDICATED  # stands beside its author's own
        key = (settled, each.round_id, each.coder_id, each.code_id, each.start, each.end)
        (drop if key in seen else stay).append(each)
        seen.add(key)
    Coding.objects.filter(pk__in=[each.pk for each in drop]).delete()
    Coding.objects.bulk_update(stay, ["start", "end"])


@transaction.atomic
def delete_original(*, interview: Interview, actor: User | None = None) -> bool:
    """Delete the original text and speaker names of a locked interview; return whether
    there were any.
    """
    held = Interview.objects.select_for_update(of=("self",)).get(pk=interview.pk)
    raw = held.texts.filter(kind=Text.Kind.RAW)
    called = held.speakers.exclude(called="")
    if held.state != Interview.State.LOCKED or not (raw.exists() or called.exists()):
        return False
    raw.delete()
    # The transcribed passages contain the names too.
    Passage.objects.filter(recording__interview=held).delete()
    held.speakers.update(called="")
    held.original_until = None
    held.save(update_fields=["original_until"])
    record_act(action="research.original_deleted", target=held, actor=actor)
    return True


def delete_old_originals() -> int:
    """Delete originals whose retention period is over; return their number."""
    over = Interview.objects.filter(original_until__lt=timezone.now())
    return sum(delete_original(interview=each) for each in over)
