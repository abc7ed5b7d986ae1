"""Rows of the downloads: pseudonyms, numbers and closed values; no names, free text or media."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.metrics import METRICS
from analysis.results import Reason
from coach.accounts.models import User
from coach.feedback.items import standing
from coach.feedback.models import Item, MeasuredValue, Run, Verdict
from coach.feedback.reports import ends_of
from coach.research.exports.selectors import (
    items_for_research,
    month_of,
    pseudonym_of,
    runs_for_research,
)

Row = dict[str, Any]
_TAKES_AT_ONCE = 100
"""So many takes lie in memory with their values: about a hundred rows each."""
_ITEMS_AT_ONCE = 500
"""With their decisions and disputes; a rule of thumb."""


def _take(run_or_item: Run | Item) -> Row:
    rehearsal = (
        run_or_item.rehearsal if isinstance(run_or_item, Run) else run_or_item.feedback.rehearsal
    )
    return {
        "person": str(rehearsal.owner.pseudonym),
        "rehearsal": pseudonym_of(rehearsal.pk),
        "month": month_of(rehearsal.created_at),
        "constructed": rehearsal.is_constructed,
        "aim": rehearsal.aim,
        "audience": rehearsal.audience,
        "setting": rehearsal.setting,
        "language": rehearsal.language,
        "goal": rehearsal.goal,
    }


_TAKE_COLUMNS = (
    "person",
    "rehearsal",
    "month",
    "constructed",
    "aim",
    "audience",
    "setting",
    "language",
    "goal",
)

MEASUREMENT_COLUMNS = (
    *_TAKE_COLUMNS,
    "duration_s",
    "metric",
    "value",
    "unit",
    "n",
    "coverage",
    "quality",
    "interval_low",
    "interval_high",
    "interval_open_above",
    "skipped_reason",
)


def measurement_rows(researcher: User) -> Iterator[Row]:
    """Yield one row for each metric of each take: its value, or the reason why there is none."""
    for run in runs_for_research(researcher).iterator(chunk_size=_TAKES_AT_ONCE):
        take = {**_take(run), "duration_s": round(run.report.duration, 2)}
        measured = {each.metric: each for each in run.report.measured.all()}
        for metric in METRICS:
            yield {**take, "metric": metric.id, **_value(measured.get(metric.id))}


def _value(measured: MeasuredValue | None) -> Row:
    if measured is None:
        return {"skipped_reason": Reason.NOT_MEASURED_BY_THIS_VERSION.value}
    if measured.reason:
        return {"skipped_reason": measured.reason}
    low, high, is_open = ends_of(measured)
    return {
        "value": measured.value,
        "unit": measured.unit,
        "n": measured.n,
        "coverage": measured.coverage,
        "quality": measured.quality,
        "interval_low": low,
        "interval_high": high,
        "interval_open_above": is_open,
    }


ITEM_COLUMNS = (
    *_TAKE_COLUMNS,
    "item",
    "version",
    "origin",
    "rule",
    "rule_version",
    "rule_set",
    "tone",
    "quality",
    "grade",
    "position",
    "chosen",
    "value",
    "unit",
    "score",
    "clip_starts",
    "decision",
    "shown",
    "released",
    "dispute",
)


def item_rows(researcher: User) -> Iterator[Row]:
    """Yield one row for each item, with its outcome."""
    for item in items_for_research(researcher).iterator(chunk_size=_ITEMS_AT_ONCE):
        now = standing(item)
        card = item.card
        disputes = [each for each in item.disputes.all() if each.withdrawn_at is None]
        yield {
            **_take(item),
            "item": pseudonym_of(item.pk),
            "version": item.feedback.version,
            "origin": item.origin,
            "rule": item.rule,
            "rule_version": item.rule_version,
            "rule_set": item.feedback.rule_set.number,
            "tone": item.tone,
            "quality": item.quality,
            "grade": card.grade,
            "position": item.position,
            "chosen": item.is_chosen,
            "value": card.value,
            "unit": card.unit,
            "score": card.factors.score,
            "clip_starts": ";".join(f"{clip.start:.2f}" for clip in card.clips),
            "decision": now.decision,
            "shown": now.is_shown,
            "released": item.feedback.released_at is not None,
            "dispute": disputes[0].reason if disputes else "",
        }


VERDICT_COLUMNS = (
    *_TAKE_COLUMNS,
    "item",
    "rule",
    "rule_version",
    "coach",
    "kind",
    "reason",
    "reworded",
    "undone",
    "seconds_after_draft",
)


def verdict_rows(researcher: User) -> Iterator[Row]:
    """Yield one row for each coach decision, including undone ones."""
    for item in items_for_research(researcher).iterator(chunk_size=_ITEMS_AT_ONCE):
        for verdict in item.verdicts.all():
            yield {**_take(item), **_verdict(item, verdict)}


def _verdict(item: Item, verdict: Verdict) -> Row:
    return {
        "item": pseudonym_of(item.pk),
        "rule": item.rule,
        "rule_version": item.rule_version,
        "coach": str(verdict.coach.pseudonym) if verdict.coach else "",
        "kind": verdict.kind,
        "reason": verdict.reason,
        "reworded": bool(verdict.wording),
        "undone": verdict.undone_at is not None,
        "seconds_after_draft": round((verdict.at - item.feedback.created_at).total_seconds()),
    }
