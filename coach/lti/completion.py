"""Progress passed back to platforms: that a take was submitted or reviewed, never a score.

A task compares what people did with what was passed back, so a dead worker or broker loses nothing.
"""

from __future__ import annotations

import json
import time
from datetime import UTC, timedelta
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from coach.assignments.models import AssignmentWork
from coach.assignments.progress import HANDED_IN, Progress, WorkState, progress_of
from coach.lti.asking import NoAnswer, Tokens, ask_json
from coach.lti.keys import is_on
from coach.lti.messages import SCORES
from coach.lti.models import Completion
from coach.webhooks.services import WAITS

_FOLLOWED: Final = timedelta(days=365)
"""Time after the due date in which progress is passed back (rule of thumb)."""
_ROUND_SECONDS: Final = 20.0
"""Longest time of a round, since emails wait behind it (rule of thumb)."""
_CLAIM: Final = timedelta(minutes=2)
"""Longer than an attempt takes: a worker that dies leaves the row to the next round."""
_MEDIA_TYPE: Final = "application/vnd.ims.lis.v1.score+json"

State, Outcome = Completion.State, Completion.Outcome
_PROGRESS: Final = {
    State.OPEN: ("InProgress", "NotReady"),
    State.SUBMITTED: ("Submitted", "Pending"),
    State.REVIEWED: ("Completed", "FullyGraded"),
}
"""Activity and grading progress of the assignment and grade services."""


def report_progress() -> int:
    """Pass back the progress that changed, for some seconds; return the number of attempts.

    A platform that fails gets nothing more in the same round.
    """
    if not is_on():
        return 0
    _note_changes()
    until, count, tokens = time.monotonic() + _ROUND_SECONDS, 0, Tokens()
    failed: set[UUID] = set()
    while time.monotonic() < until:
        row = _claim(failed)
        if row is None:
            break
        try:
            status = _send(row, tokens)
        except NoAnswer as error:
            failed.add(row.account.platform_id)
            _note(row, error.outcome, error.status)
        else:
            _note(row, Outcome.DELIVERED, status)
        count += 1
    return count


def _note_changes() -> None:
    """Schedule each row whose state changed; what was reviewed stays so."""
    rows = list(
        Completion.objects.exclude(sent=State.REVIEWED)
        .filter(
            assignment__due_at__gt=timezone.now() - _FOLLOWED,
            account__platform__is_active=True,
        )
        .select_related("account__person", "assignment__cohort")
    )
    works = AssignmentWork.objects.filter(
        assignment__in={each.assignment_id for each in rows},
        person__in={each.account.person_id for each in rows},
    ).select_related("take")
    known = {(each.assignment_id, each.person_id): each for each in works}
    pairs = []
    for row in rows:
        work = known.get((row.assignment_id, row.account.person_id))
        if work is not None:
            work.assignment = row.assignment
        pairs.append((row.assignment, row.account.person, work))
    for row, progress in zip(rows, progress_of(pairs), strict=True):
        state = _state(progress)
        if state != row.state:
            Completion.objects.filter(pk=row.pk).update(
                state=state, attempts=0, next_at=timezone.now()
            )


def _state(progress: Progress) -> Completion.State:
    if progress.state == WorkState.REVIEWED:
        return State.REVIEWED
    return State.SUBMITTED if progress.state in HANDED_IN else State.OPEN


@transaction.atomic
def _claim(failed: set[UUID]) -> Completion | None:
    due = Completion.objects.filter(
        next_at__lte=timezone.now(), account__platform__is_active=True
    ).exclude(account__platform__in=failed)
    held = due.select_for_update(of=("self",), skip_locked=True)
    row = held.select_related("account__platform").order_by("next_at").first()
    if row is not None:
        row.attempts += 1
        row.next_at = timezone.now() + _CLAIM
        row.save(update_fields=["attempts", "next_at"])
    return row


def _send(row: Completion, tokens: Tokens) -> int:
    """Send the progress of a row, and return the HTTP status. Raises NoAnswer."""
    activity, grading = _PROGRESS[State(row.state)]
    said = {
        "userId": row.account.subject,
        "timestamp": timezone.now().astimezone(UTC).isoformat(timespec="milliseconds"),
        "activityProgress": activity,
        "gradingProgress": grading,
    }
    token = tokens.of(row.account.platform, scope=SCORES)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": _MEDIA_TYPE}
    body = json.dumps(said).encode()
    return ask_json(_scores_url(row.url), method="POST", headers=headers, body=body).status


def _scores_url(column: str) -> str:
    """Return the address for the scores of a line item, whose query stays (AGS, 3.4)."""
    parts = urlsplit(column)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))


@transaction.atomic
def _note(row: Completion, outcome: Completion.Outcome, status: int | None) -> None:
    """Record an attempt with the time of the next one, unless the state changed meanwhile."""
    is_over = outcome == Outcome.DELIVERED or row.attempts > len(WAITS)
    said: dict[str, Any] = {"outcome": outcome, "status": status}
    if outcome == Outcome.DELIVERED:
        said["sent"] = row.state
    following = None if is_over else timezone.now() + WAITS[row.attempts - 1]
    same = Completion.objects.filter(pk=row.pk, state=row.state)
    if not same.update(**said, next_at=following):
        Completion.objects.filter(pk=row.pk).update(**said)
