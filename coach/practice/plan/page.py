"""Content of the plan page, for its person and for a coach who may change it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.metrics import BY_ID
from coach.accounts.models import User
from coach.feedback.items import items_for_reading
from coach.feedback.pages.measures import row_words
from coach.feedback.selectors import feedback_for_owner
from coach.lib.words.dates import date_words, written
from coach.lib.words.measure_words import label_of, unit_words
from coach.lib.words.numbers import decimal, percent
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes
from coach.practice.coach_tasks.page import CoachTaskRow, task_rows
from coach.practice.exercises.catalogue import CatalogueExercise, exercise_for
from coach.practice.models import FocusArea
from coach.practice.plan.ladders import LADDERS, STEPS, Ladder, ladder_for
from coach.practice.plan.progress_state import CountedTake, FocusProgress
from coach.practice.plan.schedule import AreaNow, NextPractice, PlanNow, next_practice, plan_now
from coach.practice.plan.services import MOST_AREAS
from coach.practice.preferences import spoken_of
from coach.practice.progress.situations import situation_words
from coach.practice.redo.lengths import report_on, stretches_for
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStepRow:
    """One step of a focus, with its threshold in words."""

    number: int
    criterion: str
    is_now: bool
    is_done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRow:
    """One take that counted."""

    when: str
    url: str
    value: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaRow:
    """A focus with its current step."""

    id: str
    label: str
    words: str
    steps: tuple[PlanStepRow, ...]
    counted: tuple[CountedRow, ...]
    set_by: str
    """The coach who set it, with their reason; empty if its person did."""
    exercise_url: str
    exercise: str
    easier: int
    """The easier step; 0 if there is none."""
    harder: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextWords:
    """The next practice: when, what, and links to it."""

    when: str
    what: str
    is_due: bool
    exercise_url: str
    exercise: str
    do_url: str
    do: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPage:
    """The plan: current focuses and the next practice."""

    areas: tuple[AreaRow, ...]
    next: NextWords | None
    choices: tuple[tuple[str, str], ...]
    """Further measures to choose, with their labels; empty if there is no room."""
    is_from_report: bool = False
    """Whether the first one is recommended by the newest report."""
    situation: str = ""
    """The situation whose takes count, if there are others too."""
    sessions: int = 0
    """The number of live sessions with notes."""
    tasks: tuple[CoachTaskRow, ...] = ()
    """The person's own tasks from coaches."""
    person: str = ""
    """The trainee, if a coach reads it."""
    rehearsal_id: str = ""


def own_plan(user: User) -> PlanPage:
    """Return the plan page for its person."""
    plan = plan_now(user)
    return PlanPage(
        areas=tuple(_area(each, shows_takes=True) for each in plan.areas),
        next=next_words(user, plan),
        choices=_choices(user, plan) if len(plan.areas) < MOST_AREAS else (),
        is_from_report=any(True for _each in _from_newest_report(user))
        if not plan.areas
        else False,
        situation=_situation(plan),
        sessions=user.coaching_sessions.count(),
        tasks=task_rows(user, user),
    )


def plan_for_coach(take: Rehearsal) -> PlanPage:
    """Return the plan for a coach who was sent a take, without takes that were kept private."""
    plan = plan_now(take.owner)
    taken = {each.area.metric for each in plan.areas}
    may = spoken_of(take.owner, LADDERS, with_norms=True)
    return PlanPage(
        areas=tuple(_area(each, shows_takes=False) for each in plan.areas),
        next=None,
        choices=tuple((each, label_of(each)) for each in may if each not in taken)
        if len(plan.areas) < MOST_AREAS
        else (),
        person=str(take.owner),
        rehearsal_id=str(take.pk),
    )


def _situation(plan: PlanNow) -> str:
    return situation_words(plan.situation) if plan.situation else ""


def _choices(user: User, plan: PlanNow) -> tuple[tuple[str, str], ...]:
    """Return the measures to choose from; those advised by the newest report read come first."""
    taken = {each.area.metric for each in plan.areas}
    ordered = dict.fromkeys([*_from_newest_report(user), *LADDERS])
    may = spoken_of(user, ordered, with_norms=True)
    return tuple((each, label_of(each)) for each in may if each not in taken)


def _from_newest_report(user: User) -> Iterable[str]:
    read = own_rehearsals_for(user).exclude(opened_at=None).select_related("cohort")
    take = read.order_by("-created_at").first()
    feedback = feedback_for_owner(take) if take else None
    for each in items_for_reading(feedback) if feedback else ():
        ladder = ladder_for(each.card.metric) if each.item.tone != "strength" else None
        if ladder is not None:
            yield ladder.metric


def _area(each: AreaNow, *, shows_takes: bool) -> AreaRow:
    area, now = each.area, each.standing
    ladder = LADDERS[area.metric]
    exercise = _exercise(ladder)
    return AreaRow(
        id=str(area.pk),
        label=label_of(area.metric),
        words=_area_words(ladder, now),
        steps=tuple(
            PlanStepRow(
                number=number,
                criterion=criterion(ladder, number),
                is_now=number == now.step and not now.is_reached,
                is_done=number < now.step or now.is_reached,
            )
            for number in range(1, STEPS + 1)
        ),
        counted=tuple(_counted(one, area.metric) for one in reversed(now.counted))
        if shows_takes
        else (),
        set_by=_set_by(area) if area.set_by_name else "",
        exercise_url=reverse("practice:exercise", args=[exercise.id]) if exercise else "",
        exercise=exercise.words.title if exercise else "",
        easier=now.step - 1,
        harder=now.step + 1 if now.step < STEPS else 0,
    )


def _set_by(area: FocusArea) -> str:
    words = _("Chosen by %(name)s: “%(why)s”") if area.why else _("Chosen by %(name)s")
    return words % {"name": name_words(area.set_by_name), "why": within_quotes(area.why)}


def _exercise(ladder: Ladder) -> CatalogueExercise | None:
    return exercise_for(rule=ladder.rule, quality="")


def _area_words(ladder: Ladder, now: FocusProgress) -> str:
    if now.is_reached:
        return _("You have reached the last step. End this focus, or keep practising it.")
    return _("Step %(step)d of %(steps)d: %(criterion)s.") % {
        "step": now.step,
        "steps": STEPS,
        "criterion": criterion(ladder, now.step),
    }


def criterion(ladder: Ladder, step: int) -> str:
    """Return the threshold of a step in words."""
    line, unit = ladder.steps[step - 1], BY_ID[ladder.metric].unit
    # As it was set: a threshold is not a measurement.
    places = 0 if line.is_integer() else 1
    number = percent(line) if unit == "share" else decimal(line, places)
    value = number if unit in {"share", "ratio", "count"} else f"{number} {unit_words(unit, line)}"
    words = _("at most %(value)s") if ladder.side == "at_most" else _("at least %(value)s")
    return words % {"value": value}


def _counted(each: CountedTake, metric: str) -> CountedRow:
    take = each.take.take
    words = _("step %(step)d met") if each.is_met else _("step %(step)d not yet met")
    return CountedRow(
        when=date_words(take.created_at),
        url=reverse("feedback:report", args=[take.pk]),
        value=row_words(each.take.rows[metric]),
        outcome=words % {"step": each.step},
    )


def next_words(user: User, plan: PlanNow | None = None) -> NextWords | None:
    """Return the next practice in words; None without a plan."""
    due = next_practice(user, plan)
    if due is None:
        return None
    ladder = LADDERS[due.now.area.metric]
    exercise = _exercise(ladder)
    do_url, do = _to_do(due)
    return NextWords(
        when=_when(due),
        what=_("%(focus)s: %(criterion)s.")
        % {
            "focus": label_of(ladder.metric),
            "criterion": criterion(ladder, due.now.standing.step),
        },
        is_due=due.at <= timezone.now(),
        exercise_url=reverse("practice:exercise", args=[exercise.id]) if exercise else "",
        exercise=exercise.words.title if exercise else "",
        do_url=do_url,
        do=do,
    )


def _to_do(due: NextPractice) -> tuple[str, str]:
    """Return what to record: a part at the first step if measurable, then the talk, then
    another talk.
    """
    take, step = due.take, due.now.standing.step
    if take is None or step == STEPS:
        return reverse("feedback:record"), _("Record another talk")
    metric = due.now.area.metric
    is_here = step == 1 and take.has_original
    if is_here and metric in stretches_for(take, report_on(take)):
        url = reverse("practice:choose_span", args=[take.pk])
        return f"{url}?measure={metric}", _("Redo part of it")
    return f"{reverse('feedback:record')}?again={take.pk}", _("Record the talk again")


def _when(due: NextPractice) -> str:
    at, today = timezone.localtime(due.at).date(), timezone.localdate()
    if at <= today:
        return _("Practise today")
    if (at - today).days == 1:
        return _("Practise tomorrow, or now")
    return _("Practise on %(day)s, or now") % {"day": written(at, "j F")}
