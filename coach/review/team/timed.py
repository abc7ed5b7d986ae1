"""Parsing of working times that forms of the review page report."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from uuid import UUID

from django.http import HttpResponse

from coach.lib.web.http import SignedInRequest, uuid_of
from coach.review.selectors import takes_to_judge_for
from coach.review.team.item_times import TimeReport, count_item_times

FIELD = "item_times"
"""The form field of `static/js/item-time.js`: a JSON list of reports, each with its id (`id`) and
seconds by item (`items`), and the seconds at the whole page (`desk`) of a take that is timed."""
MOST_CHARACTERS = 16_000
"""The maximum length of the field, above that of a draft's items in a report and repeated ones."""
_NAME = re.compile(r"[0-9a-z-]{8,40}")

View = TypeVar("View", bound=Callable[..., HttpResponse])


def counts_item_times(view: View) -> View:
    """Decorate a view to count item times before it runs, because a release ends the claim."""

    @wraps(view)
    def counted(request: SignedInRequest, rehearsal_id: UUID, **kwargs: Any) -> HttpResponse:
        reports = read_reports(request.POST.get(FIELD, ""))
        if reports and takes_to_judge_for(request.user).filter(pk=rehearsal_id).exists():
            count_item_times(rehearsal_id=rehearsal_id, coach=request.user, reports=reports)
        return view(request, rehearsal_id, **kwargs)

    return cast("View", counted)


def read_reports(text: str) -> list[TimeReport]:
    """Return the parsed reports; invalid ones are ignored, so that no action fails."""
    if not text or len(text) > MOST_CHARACTERS:
        return []
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(told, list):
        return []
    read = [_report(each) for each in told if isinstance(each, dict)]
    return [each for each in read if each is not None and (each.seconds or each.desk)]


def _report(told: dict[str, Any]) -> TimeReport | None:
    name, items = told.get("id"), told.get("items")
    if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(items, dict):
        return None
    read = {uuid_of(item): _seconds(value) for item, value in items.items()}
    seconds = {item: each for item, each in read.items() if item is not None and each > 0}
    return TimeReport(name=name, seconds=seconds, desk=max(_seconds(told.get("desk", 0)), 0.0))


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        seconds = float(value)
    except OverflowError:
        return 0.0
    return seconds if math.isfinite(seconds) else 0.0
