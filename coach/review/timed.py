"""What acts of the desk bring along: how long its coach worked on each item since the last one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from uuid import UUID

from django.http import HttpResponse

from coach.lib.http import SignedInRequest
from coach.review.item_times import count_item_times
from coach.review.selectors import takes_to_judge_for

FIELD = "item_times"
"""As `static/js/item-time.js` calls it: seconds by item, as JSON."""
MOST_CHARACTERS = 4_000
"""More than the items of a draft take."""

View = TypeVar("View", bound=Callable[..., HttpResponse])


def counts_item_times(view: View) -> View:
    """Before the act itself: a release ends the claim that the time belongs to."""

    @wraps(view)
    def counted(request: SignedInRequest, rehearsal_id: UUID, **kwargs: Any) -> HttpResponse:
        told = read_item_times(request.POST.get(FIELD, ""))
        if told and takes_to_judge_for(request.user).filter(pk=rehearsal_id).exists():
            count_item_times(rehearsal_id=rehearsal_id, coach=request.user, told=told)
        return view(request, rehearsal_id, **kwargs)

    return cast("View", counted)


def read_item_times(text: str) -> dict[UUID, float]:
    """Seconds by item; what is no such thing is left out, since no act may fail by it."""
    if not text or len(text) > MOST_CHARACTERS:
        return {}
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(told, dict):
        return {}
    read = {_key(name): _seconds(value) for name, value in told.items()}
    return {item: seconds for item, seconds in read.items() if item is not None and seconds > 0}


def _key(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        seconds = float(value)
    except OverflowError:
        return 0.0
    return seconds if math.isfinite(seconds) else 0.0
