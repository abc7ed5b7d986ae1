"""One measure in two takes, in words, with what makes them hard to compare."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.results import Report
from coach.feedback.pages.measures import measurement_words
from coach.rehearsals.comparability import recorded_otherwise
from coach.rehearsals.models import Rehearsal

_NOT_ALIKE = gettext_lazy(
    "The two takes cannot be compared. The language, the setting, the camera "
    "position or the browser’s sound processing was different."
)


def then_and_now_words(
    metric: str, then: tuple[Rehearsal, Report], now: tuple[Rehearsal, Report]
) -> str:
    """Return the measure in the earlier and in the later take; empty if one of them lacks it."""
    (earlier, before), (later, after) = then, now
    was, is_now = before.measurements.get(metric), after.measurements.get(metric)
    if was is None or is_now is None:
        return ""
    said = _("Then %(then)s; in this take %(now)s.") % {
        "then": measurement_words(was),
        "now": measurement_words(is_now),
    }
    is_alike = before.language.code == after.language.code and earlier.setting == later.setting
    if is_alike and not recorded_otherwise(metric, earlier, later):
        return said
    return f"{said} {_NOT_ALIKE}"
