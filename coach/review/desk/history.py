"""The trainee's earlier takes that this coach may see, with their focus and progress."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import User
from coach.feedback.corrected_reports import report_for_reading, report_read_by
from coach.feedback.items import StandingItem, items_for_reading
from coach.feedback.models import Feedback
from coach.feedback.pages.measures import measurement_words
from coach.feedback.selectors import feedback_for_owner, latest_report_run, released_by_now
from coach.lib.words.dates import date_words
from coach.rehearsals.comparability import recorded_otherwise
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for

_NOT_ALIKE = gettext_lazy(
    "The two takes cannot be compared. The language, the setting, the camera "
    "position or the browser’s sound processing was different."
)
MOST_TAKES = 5
"""The latest ones: what is older says little about today (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTake:
    """An earlier take, and what it had to work on."""

    url: str
    title: str
    date: str
    focus: str
    """The first improvement that the trainee read; empty if nothing was released."""
    became: str
    """The same measure then and now, in words; empty if one is missing."""
    kept: str
    """The strength that the trainee read."""
    word: str


def earlier_takes(rehearsal: Rehearsal, *, coach: User) -> tuple[EarlierTake, ...]:
    """Return the latest earlier takes that were sent to this coach."""
    before = (
        shared_rehearsals_for(coach)
        .filter(owner=rehearsal.owner, created_at__lt=rehearsal.created_at)
        .order_by("-created_at")[:MOST_TAKES]
    )
    return tuple(_earlier(each, rehearsal, coach) for each in before)


def _earlier(take: Rehearsal, now: Rehearsal, coach: User) -> EarlierTake:
    is_answered = released_by_now().filter(rehearsal=take).exists()
    feedback = feedback_for_owner(take) if is_answered else None
    items = items_for_reading(feedback) if feedback else []
    focus = next((each for each in items if each.item.tone != "strength"), None)
    kept = next((each for each in items if each.item.tone == "strength"), None)
    return EarlierTake(
        url=reverse("review:desk", args=[take.pk]),
        title=take.title,
        date=date_words(take.created_at),
        focus=focus.card.claim if focus else "",
        became=_became(focus, feedback, now, coach) if focus and feedback else "",
        kept=kept.card.claim if kept else "",
        word=feedback.word if feedback else "",
    )


def _became(focus: StandingItem, feedback: Feedback, now: Rehearsal, coach: User) -> str:
    """From the report that the feedback was made of, and from the newest one of this take, both as
    coaches have put them right."""
    run = latest_report_run(now)
    metric = focus.card.metric
    if run is None or not metric:
        return ""
    reports = report_for_reading(feedback.run, feedback), report_read_by(coach, now, run)
    then, today = (each.measurements.get(metric) for each in reports)
    if then is None or today is None:
        return ""
    said = _("Then %(then)s; in this take %(now)s.") % {
        "then": measurement_words(then),
        "now": measurement_words(today),
    }
    take, languages = feedback.rehearsal, {each.language.code for each in reports}
    is_alike = len(languages) == 1 and take.setting == now.setting
    if is_alike and not recorded_otherwise(metric, take, now):
        return said
    return f"{said} {_NOT_ALIKE}"
