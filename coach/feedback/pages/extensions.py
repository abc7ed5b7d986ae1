"""What upper apps add to the pages of feedback, and when they ask to be seen before a report.

They are named in settings (`REPORT_PARTS`, `HOME_PARTS`, `HOLDS_REPORT`), since this app may not
import them. Each is asked once a page; what it answers is drawn by a template of its own, with
`part` as its context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from django.conf import settings
from django.utils.module_loading import import_string

from analysis.results import Report
from coach.accounts.models import User
from coach.feedback.items import StandingItem
from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal

Place = Literal["top", "before_cards", "card", "after_cards", "links"]
"""Where it stands on a report: over everything, around the cards, or at the foot of one of them.
At home: `top` under the head, `links` beside what leads elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of a page; `card` is the item's id where the place is a card."""

    place: Place
    template: str
    context: Mapping[str, object] = field(default_factory=dict)
    card: str = ""
    leads: bool = False
    """At home: it says what to do now, and stands first where nothing newer waits to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A report as somebody reads it now: what a part may know of it."""

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


ReportParts = Callable[[Reading], Iterable[Part]]
HomeParts = Callable[[User], Iterable[Part]]
Hold = Callable[[Rehearsal, User], str]
"""The address of what its owner is to see first; empty where nothing stands before the report."""


def parts_of_report(reading: Reading) -> tuple[Part, ...]:
    """What others add to this report for this reader."""
    asked: list[ReportParts] = [import_string(each) for each in settings.REPORT_PARTS]
    return tuple(part for parts in asked for part in parts(reading))


def parts_of_home(user: User) -> tuple[Part, ...]:
    """What others add to this trainee's home."""
    asked: list[HomeParts] = [import_string(each) for each in settings.HOME_PARTS]
    return tuple(part for parts in asked for part in parts(user))


def page_before_report(rehearsal: Rehearsal, reader: User) -> str:
    """Where its owner is led before they read the report; nobody else is held up."""
    if reader.pk != rehearsal.owner_id:
        return ""
    asked: list[Hold] = [import_string(each) for each in settings.HOLDS_REPORT]
    return next(filter(None, (hold(rehearsal, reader) for hold in asked)), "")
