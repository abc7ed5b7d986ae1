"""Dashboard page on completeness: people, takes, interviews and codings, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.research.coding.models import Coder, Coding, Interview, Round
from coach.research.dashboard.facts import count_items, takes_in
from coach.research.dashboard.spec import (
    DashboardChart,
    DashboardColumn,
    DashboardPage,
    DashboardRequest,
    Row,
    Series,
    whole,
)
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.tables.coded_takes import coded_takes
from coach.research.studies.models import AnswerSheet, Participant, Questionnaire

_MOMENTS = (Questionnaire.Occasion.BEFORE, Questionnaire.Occasion.AFTER)


def _rows(asked: DashboardRequest) -> Iterator[Row]:
    included = asked.included
    planned = included.study.planned_takes
    takes = Counter(take.person for take in takes_in(included))
    talks = _interviews(included)
    asks, answered = _asked(included), _answered(included)
    for person in included.people:
        speaks = person.participant.group == Participant.Group.TRAINEE
        yield {
            "person": person.name,
            "speaks": speaks,
            "group": str(Participant.Group(person.participant.group).label),
            "takes": takes[person.name],
            "planned_takes": planned if speaks else None,
            "interviews": talks[person.name],
            **{
                f"{moment}_{what}": value
                for moment in _MOMENTS
                for what, value in (
                    ("answered", answered[person.participant.pk, moment]),
                    ("asked", asks[moment]),
                )
            },
        }


def _interviews(included: Included) -> Counter[str]:
    found: Counter[str] = Counter()
    for talk in included.talks:
        found.update({talk.person.name, *(each.name for each in talk.people.values())})
    return found


def _asked(included: Included) -> Counter[str]:
    """Return the number of questionnaires at each occasion, counted once for all languages."""
    there = set(included.study.questionnaires.values_list("key", "moment"))
    return Counter(moment for _key, moment in there)


def _answered(included: Included) -> Counter[tuple[int, str]]:
    sheets = AnswerSheet.objects.filter(participant__study=included.study)
    there = set(sheets.values_list("participant", "questionnaire__moment", "questionnaire__key"))
    return Counter((participant, moment) for participant, moment, _key in there)


def _chart(rows: list[Row]) -> DashboardChart | None:
    counts = Counter(row["takes"] for row in rows if row["takes"])
    if not counts:
        return None
    most = range(1, max(counts) + 1)
    return DashboardChart(
        kind="counts",
        labels=tuple(str(number) for number in most),
        series=(Series(name="", values=tuple(float(counts[number]) for number in most)),),
        axis=_("people, by their number of takes"),
    )


COMPLETENESS = DashboardPage(
    name="completeness",
    title=gettext_lazy("Data by participant"),
    what=gettext_lazy(
        "Takes, interviews and questionnaires of everyone with a current consent. "
        "The plan is on the study page."
    ),
    columns=(
        DashboardColumn(name="person", label=gettext_lazy("Person")),
        DashboardColumn(name="group", label=gettext_lazy("Role")),
        DashboardColumn(name="takes", label=gettext_lazy("Takes"), words=whole),
        DashboardColumn(name="planned_takes", label=gettext_lazy("Planned"), words=whole),
        DashboardColumn(name="interviews", label=gettext_lazy("Interviews"), words=whole),
        DashboardColumn(name="before_answered", label=gettext_lazy("Answered before"), words=whole),
        DashboardColumn(name="before_asked", label=gettext_lazy("Asked before"), words=whole),
        DashboardColumn(name="after_answered", label=gettext_lazy("Answered after"), words=whole),
        DashboardColumn(name="after_asked", label=gettext_lazy("Asked after"), words=whole),
    ),
    rows=_rows,
    chart=_chart,
    names_people=True,
)


def figures_of(included: Included) -> dict[str, int]:
    """Return the amounts of data in the study, as far as consent allows."""
    talks = [talk.interview.kind for talk in included.talks]
    kinds = _codings(included)
    return {
        "people": len(included.people),
        "takes": len(takes_in(included)),
        "items": count_items(included),
        "interviews": talks.count(Interview.Kind.INTERVIEW),
        "groups": talks.count(Interview.Kind.FOCUS_GROUP),
        "codings": kinds[Coder.Kind.HUMAN],
        "by_models": kinds[Coder.Kind.MODEL],
        "open_rounds": included.study.rounds.filter(state=Round.State.OPEN).count(),
    }


def _codings(included: Included) -> Counter[str]:
    """Count usable codings by kind of coder, including those of open rounds."""
    talks = {talk.text.pk: talk for talk in included.talks}
    on_takes = Coding.objects.filter(study=included.study, rehearsal__isnull=False)
    rows = list(on_takes.values_list("rehearsal", "coder__kind"))
    takes = coded_takes(included) if rows else {}
    found = Counter(kind for take, kind in rows if take in takes)
    on_texts = Coding.objects.filter(study=included.study, text__in=list(talks))
    for kind, text, start, end in on_texts.values_list("coder__kind", "text", "start", "end"):
        found[kind] += not talks[text].hides(start, end)
    return found


def missing_of(rows: list[Row]) -> list[dict[str, Any]]:
    """Return for how many people the planned data is complete."""
    found: list[dict[str, Any]] = []
    planned = [row for row in rows if row["planned_takes"]]
    if planned:
        there = sum(row["takes"] >= row["planned_takes"] for row in planned)
        found.append({"label": _("All planned takes"), "there": there, "of": len(planned)})
    speakers = [row for row in rows if row["speaks"]]
    for moment, label in (
        ("before", _("Questionnaires before")),
        ("after", _("Questionnaires after")),
    ):
        if speakers and speakers[0][f"{moment}_asked"]:
            there = sum(row[f"{moment}_answered"] >= row[f"{moment}_asked"] for row in speakers)
            found.append({"label": label, "there": there, "of": len(speakers)})
    if rows:
        talked = sum(row["interviews"] > 0 for row in rows)
        found.append({"label": _("An interview"), "there": talked, "of": len(rows)})
    return found
