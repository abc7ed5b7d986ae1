"""Counts before and after in plain numbers, which need no statistics."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.results import Report
from coach.lib.words.measure_words import label_of
from coach.practice.redo.detectability import events_within

BURSTS = "fillers.bursts_per_minute"
_ALL_OF_IT = (0.0, float("inf"))


def name_of(metric: str) -> str:
    """Return the name of the compared measure."""
    return _("Ums and filler words") if metric == BURSTS else label_of(metric)


def counted_words(metric: str, before: Report, now: Report, *, is_few: bool) -> str:
    """Return the counts of both sides in words; empty for a measure that counts nothing.

    `is_few`: they were compared, and the change is within measurement error.
    """
    if metric not in _NAMED:
        return ""
    first = events_within(before, metric, _ALL_OF_IT)
    second = events_within(now, metric, _ALL_OF_IT)
    words = {"before": _NAMED[metric](first), "now": second}
    if not is_few or first == second:
        return _("%(before)s before, %(now)d now.") % words
    return _("%(before)s before, %(now)d now; too few to say that this changed.") % words


def count_words(metric: str, count: int) -> str:
    """Return a count with the name of what was counted: `7 ums`."""
    return _NAMED[metric](count)


_NAMED: dict[str, Callable[[int], str]] = {
    "fillers.filled_pauses_per_minute": lambda count: (
        ngettext("%(count)d um", "%(count)d ums", count) % {"count": count}
    ),
    "fillers.filler_words_per_minute": lambda count: (
        ngettext("%(count)d filler word", "%(count)d filler words", count) % {"count": count}
    ),
    BURSTS: lambda count: (
        ngettext("%(count)d um or filler word", "%(count)d ums and filler words", count)
        % {"count": count}
    ),
    "pauses.silent_per_minute": lambda count: (
        ngettext("%(count)d pause", "%(count)d pauses", count) % {"count": count}
    ),
    "wording.hedges_per_100_words": lambda count: (
        ngettext("%(count)d softening word", "%(count)d softening words", count) % {"count": count}
    ),
    "wording.verbal_habits_per_minute": lambda count: (
        ngettext("%(count)d use of the phrase", "%(count)d uses of the phrase", count)
        % {"count": count}
    ),
    "wording.restarts_per_100_words": lambda count: (
        ngettext("%(count)d restart", "%(count)d restarts", count) % {"count": count}
    ),
    "loudness.sentence_end_drop_share": lambda count: (
        ngettext("%(count)d quiet sentence end", "%(count)d quiet sentence ends", count)
        % {"count": count}
    ),
}
