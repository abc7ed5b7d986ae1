"""Hourly limit of analyses per person, so that others get their turn."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.lib.words.dates import here

_WINDOW = timedelta(hours=1)


ANEW = 3
"""So many times as often a report may be made anew without an analysis: it takes a moment, but
keeps as much (rule of thumb)."""


def analysis_obstacle(user: User, *, times: int = 1) -> str:
    """Return why this person cannot start an analysis now, as a sentence; empty if they can."""
    most = max(settings.ANALYSES_PER_HOUR, 1) * times
    begun = Run.objects.filter(rehearsal__owner=user, created_at__gt=timezone.now() - _WINDOW)
    # The run that frees a place when it is an hour old, if all places are taken.
    places = begun.order_by("-created_at").values_list("created_at", flat=True)
    oldest = places[most - 1 : most].first()
    if oldest is None:
        return ""
    again = date_format(here(oldest + _WINDOW), "H:i")
    return ngettext(
        "We started %(count)d analysis for you within the last hour. The next one can start at "
        "%(time)s; your recording is saved.",
        "We started %(count)d analyses for you within the last hour. The next one can start at "
        "%(time)s; your recording is saved.",
        most,
    ) % {"count": most, "time": again}
