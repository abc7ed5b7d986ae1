"""The cases of a rule as rows: tiny reports, and what the rule must make of each."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.curation import words
from coach.curation.editor.context import context_fields
from coach.curation.editor.fields import Field, Kind, Path, get, number_text
from coach.curation.editor.layout import Adder, FieldGroup
from coach.lib.words.measure_words import event_words, metric_words
from coach.lib.words.rule_words import case_words

_OPEN = (("", gettext_lazy("not asked")), ("yes", gettext_lazy("yes")), ("no", gettext_lazy("no")))


def case_group(document: Any, index: int) -> FieldGroup:
    """One case with its measurements and its moments."""
    path: Path = ("cases", index)
    case = get(document, path, {})
    report = case.get("report", {})
    about = context_fields(document, path)
    groups = [FieldGroup(title=_("What is said about the talk"), fields=about)] if about else []
    groups += [
        _measurement_group((*path, "report", "measurements", metric), metric, given)
        for metric, given in report.get("measurements", {}).items()
    ]
    groups += [
        _skipped_group((*path, "report", "skipped", metric), metric)
        for metric in report.get("skipped", {})
    ]
    groups += [
        _event_group((*path, "report", "events", place), event)
        for place, event in enumerate(report.get("events", ()))
    ]
    choices = words.metrics()
    return FieldGroup(
        title=case_words(str(case.get("name", ""))),
        fields=_case_fields(path),
        row=path,
        note=_others(case, shown={field.path[3] for field in about}),
        groups=tuple(groups),
        adders=(
            Adder(do=f"measure|cases|{index}", label=_("Add a number"), choices=choices),
            Adder(do=f"moment|cases|{index}", label=_("Add a moment"), choices=words.events()),
            Adder(
                do=f"skip|cases|{index}", label=_("Add one not measured"), choices=words.metrics()
            ),
        ),
        is_case=True,
    )


def _case_fields(path: Path) -> tuple[Field, ...]:
    return (
        Field(path=(*path, "name"), label=_("What happens in it")),
        Field(
            path=(*path, "kind"),
            label=_("What it shows"),
            kind="choice",
            choices=words.choices(words.CASE_KIND),
        ),
        Field(path=(*path, "fires"), label=_("The rule speaks"), kind="tick", default=False),
        Field(
            path=(*path, "needs_coach"),
            label=_("It waits for a coach"),
            kind="yes_no_open",
            choices=tuple((code, str(said)) for code, said in _OPEN),
            optional=True,
        ),
        Field(
            path=(*path, "suggests"),
            label=_("Name of the suggestion that it chooses"),
            optional=True,
            help=_("“usual” is that of the message; empty: not asked."),
        ),
        Field(
            path=(*path, "report", "duration"),
            label=_("Length in seconds"),
            kind="number",
            default=180,
        ),
        Field(
            path=(*path, "report", "language"),
            label=_("Language, two letters"),
            default="en",
            optional=True,
        ),
        Field(
            path=(*path, "report", "audio_only"),
            label=_("Sound alone, no picture"),
            kind="tick",
            default=False,
        ),
        Field(
            path=(*path, "report", "words"),
            label=_("Words of the transcript"),
            kind="spoken",
            default=(),
            optional=True,
            help=_("One a line: from second, to second, how sure (0 to 1), the word."),
        ),
    )


def _skipped_group(path: Path, metric: str) -> FieldGroup:
    why = Field(path=path, label=_("Not measured, because"), kind="choice", choices=words.reasons())
    return FieldGroup(title=metric_words(metric), fields=(why,), row=path)


def _measurement_group(path: Path, metric: str, given: Any) -> FieldGroup:
    if not isinstance(given, dict):
        fields: tuple[Field, ...] = (Field(path=path, label=_("Value"), kind="number"),)
        return FieldGroup(title=metric_words(metric), fields=fields, row=path)
    found = [Field(path=(*path, "value"), label=_("Value"), kind="number")]
    if "interval" in given:
        found += [
            Field(path=(*path, "interval", 0), label=_("Lower end"), kind="number"),
            Field(path=(*path, "interval", 1), label=_("Upper end"), kind="number"),
        ]
    found += [
        Field(path=(*path, "n"), label=_("Counted"), kind="whole", default=20),
        Field(
            path=(*path, "quality"),
            label=_("How well"),
            kind="choice",
            default="good",
            choices=words.choices(words.MEASURED),
        ),
    ]
    return FieldGroup(title=metric_words(metric), fields=tuple(found), row=path)


def _event_group(path: Path, event: Any) -> FieldGroup:
    fields = [
        Field(path=(*path, "start"), label=_("From second"), kind="number"),
        Field(path=(*path, "end"), label=_("To second"), kind="number"),
        Field(path=(*path, "label"), label=_("Kind or words"), optional=True),
    ]
    if "probability" in event:
        fields.append(
            Field(path=(*path, "probability"), label=_("How likely, 0 to 1"), kind="number")
        )
    for key, value in event.get("detail", {}).items():
        kind: Kind = "text" if isinstance(value, str) else "number"
        label = words.detail_of_moment(key)
        fields.append(Field(path=(*path, "detail", key), label=label, kind=kind))
    return FieldGroup(title=event_words(str(event.get("kind", ""))), fields=tuple(fields), row=path)


def _others(case: Any, shown: Collection[str | int]) -> str:
    """What a case says of its talk beside what its fields show, in words."""
    context = case.get("context", {})
    parts = [f"{key}: {_plain(value)}" for key, value in context.items() if key not in shown]
    return " · ".join(parts)


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{metric_words(key)} {_plain(of)}" for key, of in value.items())
    return number_text(value) if isinstance(value, float) else str(value)
