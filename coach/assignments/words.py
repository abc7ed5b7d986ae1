"""Words about an assignment: when it is due, what it asks for, and a person's state."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import Cohort
from coach.assignments.models import Assignment
from coach.assignments.progress import Progress, WorkState
from coach.assignments.selectors import zone_of
from coach.lib.words.dates import date_words, here, read_in, written
from coach.lib.words.numbers import typeset
from coach.rehearsals.models import Goal


def due_words(moment: datetime, cohort: Cohort) -> str:
    """Return a moment in the time zone of the group, and in the reader's if that differs."""
    zone = zone_of(cohort)
    with read_in(zone.key):
        words = _("%(moment)s (%(zone)s)") % {
            "moment": date_words(moment),
            "zone": zone_words_of(cohort),
        }
    local, theirs = here(moment), moment.astimezone(zone)
    if local.utcoffset() == theirs.utcoffset():
        return words
    is_same_day = local.date() == theirs.date()
    return _("%(moment)s; %(here)s where you are") % {
        "moment": words,
        "here": written(moment, "H:i") if is_same_day else date_words(moment),
    }


def zone_words_of(cohort: Cohort) -> str:
    """Return the name of the time zone of a group: Europe/Paris, America/New York."""
    return zone_of(cohort).key.replace("_", " ")


def state_words(progress: Progress) -> str:
    """Return a person's state, with the number of takes while they practise."""
    if progress.state != WorkState.PRACTISING:
        return str(progress.state.label)
    wanted = progress.assignment.takes_wanted
    words = ngettext(
        "Practising: %(takes)d of %(count)d take",
        "Practising: %(takes)d of %(count)d takes",
        wanted,
    )
    return words % {"takes": progress.takes, "count": wanted}


def state_tone(progress: Progress) -> str:
    """Return the tone of the state: done, attention, or none."""
    if progress.is_handed_in:
        return "done"
    is_near = progress.state in {WorkState.MISSED, WorkState.WITHDRAWN}
    return "attention" if is_near else ""


def plan_words(assignment: Assignment) -> str:
    """Return aim, audience, setting and time limit in one line."""
    return " · ".join(_plan(assignment))


def _plan(assignment: Assignment) -> Iterator[str]:
    yield assignment.get_aim_display()
    yield assignment.get_audience_display()
    yield assignment.get_setting_display()
    if assignment.time_limit:
        minutes = typeset(f"{assignment.time_limit / 60:g}")
        yield _("time limit %(minutes)s min") % {"minutes": minutes}


def asked_words(assignment: Assignment) -> tuple[str, ...]:
    """Return what is asked for beside one take, a sentence for each."""
    return tuple(_asked(assignment))


def _asked(assignment: Assignment) -> Iterator[str]:
    wanted = assignment.takes_wanted
    if wanted > 1:
        yield _("Record at least %(count)d takes, and hand in the one you choose.") % {
            "count": wanted
        }
    if assignment.most_together > 1:
        yield _("Up to %(count)s people may hand in one take together.") % {
            "count": assignment.most_together
        }
    if assignment.needs_slides:
        yield _("Show slides.")
    if assignment.peers_wanted:
        yield ngettext(
            "Ask %(count)d person of your group for comments.",
            "Ask %(count)d people of your group for comments.",
            assignment.peers_wanted,
        ) % {"count": assignment.peers_wanted}
    if assignment.needs_answers:
        yield _("Answer questions after a take.")


def goal_words(assignment: Assignment) -> str:
    """Return the qualities that coaches look at, separated by commas; empty if none is named."""
    return ", ".join(str(Goal(each).label) for each in assignment.goals)


def missing_words(progress: Progress) -> tuple[str, ...]:
    """Return what is asked for and not there yet; it keeps nobody from handing in."""
    return tuple(_missing(progress))


def _missing(progress: Progress) -> Iterator[str]:
    assignment = progress.assignment
    left = assignment.takes_wanted - progress.takes
    if left > 0:
        yield ngettext("%(count)d more take", "%(count)d more takes", left) % {"count": left}
    if assignment.needs_slides and not progress.has_slides:
        yield _("slides")
    if assignment.needs_answers and not progress.has_answers:
        yield _("answers to questions")


def time_left_words(progress: Progress) -> str:
    """Return that it is late or closed; empty while it is on time."""
    now = timezone.now()
    if now <= progress.due:
        return ""
    if progress.is_open:
        until = due_words(progress.closes, progress.assignment.cohort)
        return _("The due date has passed. You can hand in late until %(moment)s.") % {
            "moment": until
        }
    return _("This assignment is closed.")
