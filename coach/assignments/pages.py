"""Values of the trainee's pages: their assignments, and one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.assignments.models import Assignment, AssignmentPartner, AssignmentWork
from coach.assignments.progress import Progress, WorkState
from coach.assignments.selectors import (
    assignments_for,
    is_member,
    own_progress_for,
    partners_for,
    takes_to_hand_in_for,
)
from coach.assignments.words import (
    asked_words,
    due_words,
    goal_words,
    missing_words,
    plan_words,
    state_tone,
    state_words,
    time_left_words,
)
from coach.feedback.models import Run
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.practice.exercises.catalogue import exercises
from coach.practice.exercises.selectors import exercises_done_for
from coach.rehearsals.models import Rehearsal, Talk
from coach.rehearsals.selectors import own_talks_for

_MOST_AT_HOME = 3
_MOST_TALKS = 20
_MOST_LISTED = 200
"""Rules of thumb: more than three would hide the next step, and 200 are years of terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentRow:
    """One assignment in a list, with the reader's state."""

    title: str
    url: str
    group: str
    due: str
    state: str
    tone: str
    is_open: bool
    is_handed_in: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentsPage:
    """All assignments of a person: those that are open, and the others."""

    open: tuple[AssignmentRow, ...]
    past: tuple[AssignmentRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseRow:
    """An exercise to do before, and whether it was done."""

    title: str
    url: str
    is_done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeToHandIn:
    """One take for the assignment."""

    key: str
    number: int
    is_ready: bool
    """Whether its analysis is over, so that it can be sent."""
    when: str
    url: str
    is_handed_in: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerRow:
    """A person with whom the reader hands in, or one who asks them to."""

    key: int
    name: str
    words: str
    is_question: bool
    """Whether the reader is asked, and has not answered."""
    button: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentPage:
    """One assignment as its trainee reads it."""

    assignment: Assignment
    due: str
    extension: str
    plan: str
    goals: str
    asked: tuple[str, ...]
    missing: tuple[str, ...]
    exercises: tuple[ExerciseRow, ...]
    state: str
    tone: str
    handed_in: str
    """What was handed in and when; empty if nothing was."""
    late: str
    takes: tuple[TakeToHandIn, ...]
    talks: Sequence[Talk]
    """Earlier talks of one's own that can be used, before a take is recorded."""
    again_url: str
    """The recorder for another take; empty before the first."""
    peers_url: str
    """Where links for people who comment are made; empty if none are wanted, or without a take."""
    partners: tuple[PartnerRow, ...]
    can_ask: bool
    """Whether the reader can ask a further person to hand in together."""
    can_work: bool
    can_hand_in: bool
    can_take_back: bool


def assignments_page(user: User) -> AssignmentsPage:
    """Return the person's assignments: the open ones by due date, others newest first."""
    found = own_progress_for(user, assignments_for(user)[:_MOST_LISTED])
    standing = sorted((each for each in found if each.is_open), key=lambda each: each.due)
    return AssignmentsPage(
        open=tuple(map(_row, standing)),
        past=tuple(_row(each) for each in found if not each.is_open),
    )


def home_rows(user: User) -> tuple[AssignmentRow, ...] | None:
    """Return the open assignments for the home page: those not handed in by due date, then the
    others; None for a person without any assignment.
    """
    found = own_progress_for(user, assignments_for(user)[:_MOST_LISTED])
    if not found:
        return None
    standing = [each for each in found if each.is_open]
    standing.sort(key=lambda each: (each.is_handed_in, each.due))
    return tuple(map(_row, standing[:_MOST_AT_HOME]))


def _row(progress: Progress) -> AssignmentRow:
    assignment = progress.assignment
    return AssignmentRow(
        title=assignment.title,
        url=reverse("assignments:assignment", args=[assignment.pk]),
        group=assignment.cohort.name,
        due=due_words(progress.due, assignment.cohort),
        state=state_words(progress),
        tone=state_tone(progress),
        is_open=progress.is_open,
        is_handed_in=progress.is_handed_in,
    )


def assignment_page(user: User, assignment: Assignment) -> AssignmentPage:
    """Return one assignment with the reader's takes for it."""
    [progress] = own_progress_for(user, [assignment])
    work = progress.work
    takes = list(takes_to_hand_in_for(user, work))
    can_work = progress.is_open and is_member(user, assignment)
    is_reviewed = progress.state == WorkState.REVIEWED
    is_led = progress.lead is not None
    partners = _partners(user, progress) if assignment.most_together > 1 else ()
    return AssignmentPage(
        assignment=assignment,
        due=due_words(progress.due, assignment.cohort),
        extension=work.extension_reason if work and work.due_at else "",
        plan=plan_words(assignment),
        goals=goal_words(assignment),
        asked=asked_words(assignment),
        missing=missing_words(progress),
        exercises=_exercises(user, assignment),
        state=state_words(progress),
        tone=state_tone(progress),
        handed_in=_handed_in(progress),
        late="" if progress.is_handed_in else time_left_words(progress),
        takes=_takes(takes, work),
        talks=() if takes or not can_work else _talks(user),
        again_url=f"{reverse('feedback:record')}?again={takes[0].pk}" if takes else "",
        peers_url=_peers_url(assignment, takes, work),
        partners=partners,
        can_ask=can_work and not is_led and len(partners) + 1 < assignment.most_together,
        can_work=can_work,
        can_hand_in=can_work and not progress.is_handed_in and not is_led,
        can_take_back=can_work and progress.is_handed_in and not is_reviewed and not is_led,
    )


def _peers_url(
    assignment: Assignment, takes: Sequence[Rehearsal], work: AssignmentWork | None
) -> str:
    """Return the page for guest links of the take handed in, else of the newest."""
    if not (assignment.peers_wanted and takes):
        return ""
    handed_in = work.take_id if work else None
    return reverse("guests:invite", args=[handed_in or takes[0].pk])


def _partners(user: User, progress: Progress) -> tuple[PartnerRow, ...]:
    """Return the people with whom the reader hands in, and those who ask them."""
    found = partners_for(user).filter(work__assignment=progress.assignment)
    if progress.lead is not None:
        found = found.filter(work=progress.lead)
    return tuple(map(partial(_partner, user), found))


def _partner(user: User, partner: AssignmentPartner) -> PartnerRow:
    is_reader, has_agreed = partner.person_id == user.pk, partner.agreed_at is not None
    name = str(partner.work.person if is_reader else partner.person)
    if is_reader:
        said = _("You hand in together with %(name)s.")
        if not has_agreed:
            said = _("%(name)s asks you to hand in one take together, recorded by them.")
    else:
        said = _("%(name)s: has agreed") if has_agreed else _("%(name)s: is asked")
    return PartnerRow(
        key=partner.pk,
        name=name,
        words=said % {"name": name},
        is_question=is_reader and not has_agreed,
        button=(_("Leave") if has_agreed else _("Decline")) if is_reader else _("Remove"),
    )


def _exercises(user: User, assignment: Assignment) -> tuple[ExerciseRow, ...]:
    known = [exercises()[each] for each in assignment.exercises if each in exercises()]
    if not known:
        return ()
    done = set(exercises_done_for(user).values_list("exercise", flat=True))
    return tuple(
        ExerciseRow(
            title=each.words.title,
            url=reverse("practice:exercise", args=[each.id]),
            is_done=each.id in done,
        )
        for each in known
    )


def _takes(takes: Sequence[Rehearsal], work: AssignmentWork | None) -> tuple[TakeToHandIn, ...]:
    handed_in = work.take_id if work else None
    running = set(
        Run.objects.filter(rehearsal__in=takes, state=Run.State.RUNNING).values_list(
            "rehearsal", flat=True
        )
    )
    return tuple(
        TakeToHandIn(
            key=str(take.pk),
            number=len(takes) - place,
            is_ready=take.pk not in running,
            when=" · ".join([date_words(take.created_at), *_length(take)]),
            url=reverse("feedback:report", args=[take.pk]),
            is_handed_in=take.pk == handed_in,
        )
        for place, take in enumerate(takes)
    )


def _length(take: Rehearsal) -> list[str]:
    return [clock(take.duration)] if take.duration else []


def _talks(user: User) -> Sequence[Talk]:
    """Return the person's latest talks with a take."""
    found = own_talks_for(user).filter(takes__isnull=False).distinct()
    return list(found.order_by("-last_take_at")[:_MOST_TALKS])


def _handed_in(progress: Progress) -> str:
    lead = progress.lead
    if lead is not None and lead.handed_in_at is not None:
        name = str(lead.person)
        if not progress.is_handed_in:
            return _("%(name)s has withdrawn the take that was handed in for you together.") % {
                "name": name
            }
        return _("%(name)s handed in take %(number)d for you together on %(moment)s.") % {
            "name": name,
            "number": lead.take_number or 1,
            "moment": date_words(lead.handed_in_at),
        }
    work = progress.work
    if work is None or work.handed_in_at is None:
        return ""
    said = {"number": work.take_number or 1, "moment": date_words(work.handed_in_at)}
    if progress.is_handed_in:
        return _("You handed in take %(number)d on %(moment)s.") % said
    if work.take_id is None:
        return _("You handed in take %(number)d on %(moment)s. It has been deleted since.") % said
    return (
        _(
            "You handed in take %(number)d on %(moment)s, and have withdrawn it since: your "
            "coaches cannot open it."
        )
        % said
    )


def recorder_url(work: AssignmentWork, *, page: str) -> str:
    """Return the address of the recorder, or of the upload, with the plan filled in."""
    assignment = work.assignment
    plan = {
        "title": work.talk.title if work.talk else assignment.title,
        "talk": str(work.talk_id),
        "aim": assignment.aim,
        "audience": assignment.audience,
        "setting": assignment.setting,
    }
    if assignment.time_limit:
        plan["minutes"] = f"{assignment.time_limit / 60:g}"
    if assignment.needs_slides:
        plan["shows_slides"] = "on"
    return f"{reverse(page)}?{urlencode(plan)}"
