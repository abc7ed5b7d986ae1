"""Form for choosing the part to redo."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import ClockField
from coach.practice.redo.counts import name_of
from coach.practice.redo.focus import USUAL_SECONDS
from coach.practice.redo.lengths import report_on, stretches_for
from coach.rehearsals.models import Rehearsal


class SpanForm(forms.Form):
    """Start, end, and the one measure to compare."""

    start = ClockField(label=_("From"), max_length=12)
    end = ClockField(label=_("To"), max_length=12)
    metric = forms.ChoiceField(label=_("What to compare"))

    def __init__(self, *args: Any, take: Rehearsal, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.report = report_on(take)
        self.needs = stretches_for(take, self.report)
        choices = [(each, _choice(each, seconds)) for each, seconds in self.needs.items()]
        self.fields["metric"].choices = choices  # type: ignore[attr-defined]


def _choice(metric: str, seconds: float) -> str:
    """Return a measure with the length it needs, if that exceeds the usual one."""
    if seconds <= USUAL_SECONDS:
        return name_of(metric)
    words = {"measure": name_of(metric), "seconds": int(seconds)}
    return gettext("%(measure)s, from %(seconds)d s") % words
