"""Registry of additions by other apps to reports and to the trainee's home page.

An app's module `page_extensions` calls `extend_pages`. Django imports these modules when
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

PagePlace = Literal[
    "notices", "top", "before_cards", "card", "note", "after_cards", "links", "waiting"
]
"""The position of a page part. On a report: at the top, around the cards, at the foot of a card
or note, or among the links of its header. At home: notices and `top` under the header.
`waiting` is the page of an analysis in progress.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """A part of a page, rendered by its own template with `part` as context.

    `card` is the id of the item or note if the place is one.
    """

    place: PagePlace
    template: str
    context: Mapping[str, object] = field(default_factory=dict)
    card: str = ""
    leads: bool = False
    """Whether it states the next step at home, and comes first unless a newer report is unread."""
    about: str = ""
    """The rule that it is about, which the report does not mention again."""


def page_link(label: str, url: str) -> PagePart:
    """Return a link for the header of a report."""
    context = {"label": label, "url": url}
    return PagePart(place="links", template="feedback/_report_link.html", context=context)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportReading:
    """A report as its reader sees it now: the input of an extension."""

    rehearsal: Rehearsal
    reader: User
    report: Report
    feedback: Feedback | None
    """The feedback, or None while a coach reads it first."""
    items: tuple[StandingItem, ...]
    reached: frozenset[str] = frozenset()
    """The rules of the last take that have nothing to raise in this one."""

    @property
    def is_owner(self) -> bool:
        """Whether the reader owns the take."""
        return self.reader.pk == self.rehearsal.owner_id

    @property
    def is_released(self) -> bool:
        """Whether a coach has released the feedback."""
        return self.feedback is not None and self.feedback.is_released


ReportParts = Callable[[ReportReading], Iterable[PagePart]]
HomeParts = Callable[[User], Iterable[PagePart]]
BeforeReport = Callable[[Rehearsal, User], str]
"""A function that returns the URL of a page to show the owner first, or an empty string."""

WhileWaiting = Callable[[Rehearsal], Iterable[PagePart]]

ON_REPORT: list[ReportParts] = []
AT_HOME: list[HomeParts] = []
BEFORE_REPORT: list[BeforeReport] = []
WHILE_WAITING: list[WhileWaiting] = []
REPORT_ROWS: list[str] = []
"""Relations of a take that extensions read, loaded with the take in one query."""


def extend_pages(
    *,
    on_report: Sequence[ReportParts] = (),
    at_home: Sequence[HomeParts] = (),
    before_report: Sequence[BeforeReport] = (),
    while_waiting: Sequence[WhileWaiting] = (),
    report_rows: Sequence[str] = (),
) -> None:
    """Register an app's extensions; each function is called once per page."""
    ON_REPORT.extend(on_report)
    AT_HOME.extend(at_home)
    BEFORE_REPORT.extend(before_report)
    WHILE_WAITING.extend(while_waiting)
    REPORT_ROWS.extend(report_rows)


def parts_of_report(reading: ReportReading) -> tuple[PagePart, ...]:
    """Return the extensions' parts of this report for its reader; a trial has the report alone."""
    if reading.reader.is_trial:
        return ()
    return tuple(part for parts in ON_REPORT for part in parts(reading))


def parts_of_home(user: User) -> tuple[PagePart, ...]:
    """Return the extensions' parts of this trainee's home page."""
    return tuple(part for parts in AT_HOME for part in parts(user))


def parts_while_waiting(rehearsal: Rehearsal) -> tuple[PagePart, ...]:
    """Return the extensions' parts of the page on which the owner waits for a report; none in a
    trial.
    """
    if rehearsal.owner.is_trial:
        return ()
    return tuple(part for parts in WHILE_WAITING for part in parts(rehearsal))


def page_before_report(rehearsal: Rehearsal, reader: User) -> str:
    """Return the URL that the owner sees before the report; empty for other readers and in a
    trial.
    """
    if reader.pk != rehearsal.owner_id or reader.is_trial:
        return ""
    return next(filter(None, (each(rehearsal, reader) for each in BEFORE_REPORT)), "")
