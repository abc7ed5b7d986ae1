"""Values of the page that shows what a list of people would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coach.portal.people.checking import CheckedLine
from coach.portal.people.forms import InviteForm


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPage:
    """The lines of a list, those with a problem first, and the form to send it."""

    left_out: Sequence[CheckedLine]
    accepted: Sequence[CheckedLine]
    invites: int
    joins: int
    values: dict[str, str]
    """The hidden fields of the form that sends this list."""


def checked_page(form: InviteForm, lines: Sequence[CheckedLine]) -> CheckedPage:
    """Return the values of the page."""
    defaults = form.defaults()
    return CheckedPage(
        left_out=[each for each in lines if each.problems],
        accepted=[each for each in lines if not each.problems],
        invites=sum(each.invites for each in lines),
        joins=sum(each.joins for each in lines),
        values={
            "text": form.cleaned_data["text"],
            "cohort": str(defaults.cohort.pk) if defaults.cohort else "",
            "role": defaults.role,
            "language": defaults.language,
        },
    )
