"""Content of the page about a person's own progress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.metrics import BY_ID
from coach.accounts.models import User
from coach.feedback.models import MeasuredValue
from coach.feedback.pages.measures import number_words, row_words, with_unit
from coach.lib.words.dates import date_words
from coach.lib.words.measure_words import label_of
from coach.practice.change import Change, Conclusion, Value, change_between
from coach.practice.plan.ladders import LADDERS, STEPS, Ladder
from coach.practice.plan.page import criterion
from coach.practice.preferences import reads_words_first, spoken_of
from coach.practice.progress.chart import GoalBand, ProgressChart, chart_of
from coach.practice.progress.comparable_takes import (
    ComparableTakes,
    ExclusionReason,
    MeasuredTake,
    comparable_takes,
    mean_of,
    value_of,
    why_not_beside,
)
from coach.practice.progress.ease import EaseLine, own_ease
from coach.practice.progress.measures import ALL, BY_GOAL
from coach.practice.progress.situations import situation_words
from coach.practice.words import change_words
from coach.rehearsals.models import Goal, Rehearsal

BEGINNING_TAKES = 3
"""Number of first takes averaged as the starting value, if there are more (rule of thumb)."""

_WHY: dict[ExclusionReason, str | Promise] = {
    ExclusionReason.NOT_ANALYSED: gettext_lazy("not analysed yet"),
    ExclusionReason.NOT_READ: gettext_lazy("report not opened yet"),
    ExclusionReason.WITH_COACH: gettext_lazy("waiting for your coach’s feedback"),
    ExclusionReason.CUT_OFF: gettext_lazy("upload not finished"),
    ExclusionReason.OTHER_SITUATION: gettext_lazy("another language or another setting"),
    ExclusionReason.SEVERAL_PEOPLE: gettext_lazy("several people speak or are in the picture"),
    ExclusionReason.LOW_COVERAGE: gettext_lazy("measured in only part of the talk"),
    ExclusionReason.TOO_UNCERTAIN: gettext_lazy("not measured precisely enough"),
    ExclusionReason.OTHER_CAMERA: gettext_lazy(
        "the camera was in a different place than in the last take compared"
    ),
    ExclusionReason.OTHER_SOUND: gettext_lazy(
        "the browser processed the sound differently than in the last take compared"
    ),
    ExclusionReason.EARLIER: gettext_lazy("too old: only the newest takes are compared"),
    ExclusionReason.NOT_MEASURED: gettext_lazy("could not be measured"),
}


Direction = Literal["toward", "away", "within", "clear", "open"]
"""Direction of a change: toward, away from or within the goal, clear without a goal, or open."""

_DIRECTION: dict[Direction, str | Promise] = {
    "toward": gettext_lazy("Clear change, toward the goal"),
    "away": gettext_lazy("Clear change, away from the goal"),
    "within": gettext_lazy("Clear change, within the goal all along"),
    "clear": gettext_lazy("Clear change"),
    "open": gettext_lazy("No clear change yet"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeLine:
    """One take in the table behind a chart."""

    when: str
    title: str
    url: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course of one measure."""

    id: str
    label: str
    meaning: str
    facts: str
    """The starting value and the last one, in plain numbers."""
    direction: Direction
    direction_words: str
    goal: str
    """The goal of the band in words; empty without one."""
    words: str
    is_clear: bool
    rests_on: str
    began: str
    last: str
    is_newest: bool
    """Whether the last value is of the newest take, not only of the newest measured one."""
    chart: ProgressChart
    chart_words: str
    high: str
    low: str
    takes: tuple[TakeLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalCourse:
    """A goal with its measures; `open` says why some have no course yet."""

    label: str
    is_chosen: bool
    courses: tuple[Course, ...]
    open: str

    @property
    def is_folded(self) -> bool:
        """Return whether the goal is folded: not chosen, and without a clear change."""
        return not self.is_chosen and not any(course.is_clear for course in self.courses)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressPage:
    """The progress page: a person's own history only."""

    situation: str
    count: str
    goals: tuple[GoalCourse, ...]
    left_out: tuple[str, ...]
    others: tuple[tuple[str, str, bool], ...]
    """Other situations: URL, label, and whether it is selected."""
    has_course: bool
    has_takes: bool = True
    unread: int = 0
    """Number of takes that would count after their reports are opened."""
    words_first: bool = False
    """Whether figures are hidden until requested."""
    beside_url: str = ""
    """The page with the two newest takes of one talk; empty if no talk has two."""
    ease: tuple[EaseLine, ...] = ()
    """The person's answers on how easy speaking felt, without interpretation."""

    @property
    def has_folded(self) -> bool:
        """Return whether any goal is folded."""
        return any(goal.courses and goal.is_folded for goal in self.goals)

    @property
    def is_all_folded(self) -> bool:
        """Return whether all goals are folded."""
        return all(goal.is_folded for goal in self.goals if goal.courses)


def own_progress(user: User, wanted: int = 0) -> ProgressPage:
    """Return the progress in one situation: the newest take's, or the one numbered `wanted`."""
    may = set(spoken_of(user, ALL))
    found = comparable_takes(user, sorted(may), wanted)
    chosen = {each.take.goal for each in found.takes if each.take.goal}
    bands = {each: LADDERS[each] for each in spoken_of(user, LADDERS, with_norms=True)}
    goals = tuple(
        _goal(Goal(goal), found, may, bands, is_chosen=goal in chosen) for goal in BY_GOAL
    )
    n = len(found.takes)
    return ProgressPage(
        situation=situation_words(found.situation) if found.situation else "",
        count=ngettext("%(n)d take", "%(n)d takes", n) % {"n": n},
        goals=tuple(sorted(goals, key=lambda each: (not each.is_chosen, each.is_folded))),
        left_out=tuple(_left_out(found)),
        others=tuple(
            (
                f"{reverse('practice:progress')}?of={place}",
                situation_words(each),
                each == found.situation,
            )
            for place, each in enumerate(found.others)
        )
        if len(found.others) > 1
        else (),
        has_course=any(goal.courses for goal in goals),
        has_takes=bool(found.takes or found.left_out),
        unread=found.left_out[ExclusionReason.NOT_READ],
        words_first=reads_words_first(user),
        beside_url=_beside_url(found),
        ease=own_ease(user),
    )


def _beside_url(found: ComparableTakes) -> str:
    """Return the address of the newest take with an earlier one of its talk, and of that one."""
    later: dict[UUID, Rehearsal] = {}
    for each in reversed(found.takes):
        newer = later.setdefault(each.take.talk_id, each.take)
        if newer != each.take:
            return f"{reverse('practice:beside')}?one={each.take.pk}&other={newer.pk}"
    return ""


def _left_out(found: ComparableTakes) -> Iterable[str]:
    for why, count in found.left_out.items():
        yield ngettext("%(n)d take: %(why)s", "%(n)d takes: %(why)s", count) % {
            "n": count,
            "why": _WHY[why],
        }


def _goal(
    goal: Goal,
    found: ComparableTakes,
    may: set[str],
    bands: Mapping[str, Ladder],
    *,
    is_chosen: bool,
) -> GoalCourse:
    asked = [metric for metric in BY_GOAL[goal] if metric in may]
    made = (_course(metric, found, bands.get(metric)) for metric in asked)
    courses = tuple(course for course in made if course is not None)
    missing = [label_of(metric) for metric in asked if metric not in {each.id for each in courses}]
    words = _("Not yet measured in two comparable takes: %(measures)s.") % {
        "measures": ", ".join(missing)
    }
    return GoalCourse(
        label=str(goal.label),
        is_chosen=is_chosen,
        courses=courses,
        open=words if missing else "",
    )


def _course(metric: str, found: ComparableTakes, ladder: Ladder | None) -> Course | None:
    those = found.takes
    obstacles = why_not_beside(metric, those)
    usable = [each for each, why in zip(those, obstacles, strict=True) if why is None]
    values = [value_of(each.rows[metric]) for each in usable]
    if len(values) < 2:
        return None
    unit = BY_ID[metric].unit
    first = values[: min(BEGINNING_TAKES, len(values) - 1)]
    began, last = mean_of(first), values[-1]
    change = change_between(began, last)
    is_first = not obstacles[0] and not found.left_out[ExclusionReason.EARLIER]
    words, rests_on = change_words(change, unit)
    chart = chart_of(
        values,
        began,
        times=[each.take.created_at for each in usable],
        goal=GoalBand(threshold=ladder.steps[-1], side=ladder.side) if ladder else None,
    )
    direction = _direction(change, ladder, began, last)
    return Course(
        id=metric,
        facts=_("%(began)s → %(last)s")
        % {"began": number_words(began.value, unit), "last": with_unit(last.value, unit)},
        direction=direction,
        direction_words=str(_DIRECTION[direction]),
        goal=criterion(ladder, STEPS) if ladder else "",
        label=label_of(metric),
        meaning=_(BY_ID[metric].definition),
        words=words,
        is_clear=change.is_clear,
        rests_on=rests_on,
        began=_began_words(with_unit(began.value, unit), len(first), is_first=is_first),
        last=row_words(usable[-1].rows[metric]),
        is_newest=not obstacles[-1],
        chart=chart,
        chart_words=_("%(measure)s in %(n)d takes, oldest first")
        % {"measure": label_of(metric), "n": len(values)},
        high=number_words(chart.highest, unit),
        low=number_words(chart.lowest, unit),
        takes=tuple(
            _line(each, each.rows.get(metric), why)
            for each, why in reversed(list(zip(those, obstacles, strict=True)))
        ),
    )


def _direction(change: Change, ladder: Ladder | None, began: Value, last: Value) -> Direction:
    if not change.is_clear:
        return "open"
    if ladder is None:
        return "clear"
    if all(ladder.judge(each, STEPS) in {"met", "clearly_met"} for each in (began, last)):
        return "within"
    wanted = Conclusion.LESS if ladder.side == "at_most" else Conclusion.MORE
    return "toward" if change.verdict is wanted else "away"


def _began_words(value: str, takes: int, *, is_first: bool) -> str:
    if not is_first:
        said = ngettext(
            "about %(value)s in the first of these takes",
            "about %(value)s on average in the first %(n)d of these takes",
            takes,
        )
    else:
        said = ngettext(
            "about %(value)s in the first take",
            "about %(value)s on average in the first %(n)d takes",
            takes,
        )
    return said % {"value": value, "n": takes}


def _line(each: MeasuredTake, row: MeasuredValue | None, why: ExclusionReason | None) -> TakeLine:
    return TakeLine(
        when=date_words(each.take.created_at),
        title=each.take.title,
        url=reverse("feedback:report", args=[each.take.pk]),
        value=row_words(row) if row is not None and why is None else "",
        note=_("left out: %(why)s") % {"why": _WHY[why]} if why else "",
    )
