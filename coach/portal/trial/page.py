"""Content of the page of a trial in progress."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from coach.accounts.models import User
from coach.lib.words.dates import date_words
from coach.rehearsals.selectors import own_rehearsals_for


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPage:
    """A visitor's own trial."""

    until: str
    """When everything is deleted."""
    report_url: str
    """The report, or its analysis in progress; empty before a recording."""


def trial_page(visitor: User) -> TrialPage:
    """Return the page of this visitor's trial."""
    take = own_rehearsals_for(visitor).first()
    ends = visitor.trial_ends_at
    return TrialPage(
        until=date_words(ends) if ends else "",
        report_url=reverse("feedback:report", args=[take.pk]) if take else "",
    )
