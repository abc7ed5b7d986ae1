"""Registry of what upper apps add to a report and to the trainee's home.

An app has a module `page_extensions` that calls `extend_pages`. Django imports these modules when
it is ready, in the order of INSTALLED_APPS. This app may import none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from analysis.results import Report
from coach.accounts.models import User
from coach.feedback.items import StandingItem
from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal

PagePlace = Literal["notices", "top", "before_cards", "card", "after_cards", "links"]
"""Where it stands. On a report: above everything, around the cards, at the foot of a card, or among
the links of its header. At home: notices and `top` under the header, `links` with the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """A piece of a page, drawn by its own template with `part` as context.

    `card` is the item's id where the place is a card.
    """

    place: PagePlace
    template: str
    context: Mapping[str, object] = field(default_factory=dict)
    card: str = ""
    leads: bool = False
    """At home: it says what to do now, and stands first where nothing newer waits to be read."""


def page_link(label: str, url: str) -> PagePart:
    """Return a link for the header of a report."""
    context = {"label": label, "url": url}
    return PagePart(place="links", template="feedback/_report_link.html", context=context)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportReading:
    """A report as somebody reads it now: what an extension may know of it."""

    rehearsal: Rehearsal
    reader: User
    report: Report
    feedback: Feedback | None
    """None while a coach reads it first."""
    items: tuple[StandingItem, ...]

    @property
    def is_owner(self) -> bool:
        """Whether it is the reader's own take."""
        return self.reader.pk == self.rehearsal.owner_id

    @property
    def is_released(self) -> bool:
        """Whether a coach has released what is read."""
        return self.feedback is not None and self.feedback.is_released


ReportParts = Callable[[ReportReading], Iterable[PagePart]]
HomeParts = Callable[[User], Iterable[PagePart]]
BeforeReport = Callable[[Rehearsal, User], str]
"""Returns the address of a page for the owner to see first, or an empty string."""

ON_REPORT: list[ReportParts] = []
AT_HOME: list[HomeParts] = []
BEFORE_REPORT: list[BeforeReport] = []
REPORT_ROWS: list[str] = []
"""Relations of a take that extensions read: they come with the take, in one query."""


def extend_pages(
    *,
    on_report: Sequence[ReportParts] = (),
    at_home: Sequence[HomeParts] = (),
    before_report: Sequence[BeforeReport] = (),
    report_rows: Sequence[str] = (),
) -> None:
    """Register what an app adds; each function is called once a page."""
    ON_REPORT.extend(on_report)
    AT_HOME.extend(at_home)
    BEFORE_REPORT.extend(before_report)
    REPORT_ROWS.extend(report_rows)


def parts_of_report(reading: ReportReading) -> tuple[PagePart, ...]:
    """Return what extensions add to this report for this reader."""
    return tuple(part for parts in ON_REPORT for part in parts(reading))


def parts_of_home(user: User) -> tuple[PagePart, ...]:
    """Return what extensions add to this trainee's home."""
    return tuple(part for parts in AT_HOME for part in parts(user))


def page_before_report(rehearsal: Rehearsal, reader: User) -> str:
    """Return the address that the owner sees before the report; empty for everybody else."""
    if reader.pk != rehearsal.owner_id:
        return ""
    return next(filter(None, (each(rehearsal, reader) for each in BEFORE_REPORT)), "")
