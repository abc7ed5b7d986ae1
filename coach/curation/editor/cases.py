"""Form rows for a rule's cases: small reports with the expected result of each."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.events import DETAILS
from coach.curation import words
from coach.curation.editor.conditions import CONDITION_LISTS
from coach.curation.editor.context import context_fields
from coach.curation.editor.fields import Field, Kind, Path, get
from coach.curation.editor.layout import Adder, FieldGroup
from coach.lib.words.measure_words import event_words, metric_words
from coach.lib.words.rule_words import case_words

_OPEN = (("", gettext_lazy("not asked")), ("yes", gettext_lazy("yes")), ("no", gettext_lazy("no")))

_OTHERWISE_SAID = {
    "language": gettext_lazy("the language of its reader"),
    "goal": gettext_lazy("the goal of its speaker"),
    "disabled_families": gettext_lazy("what is switched off"),
    "quiet": gettext_lazy("what no card may mention"),
    "previous_items": gettext_lazy("the cards of the previous take"),
    "previous_offers": gettext_lazy("the exercises offered earlier"),
}
"""Labels of the context values that have no form field."""


def case_group(document: Any, index: int) -> FieldGroup:
    """Return the fields of one case, with its measurements and moments."""
    path: Path = ("cases", index)
    case = get(document, path, {})
    report = case.get("report", {})
    about = context_fields(document, path)
    groups = [FieldGroup(title=_("Details of the talk"), fields=about)] if about else []
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
        Field(path=(*path, "fires"), label=_("The rule gives a card"), kind="tick", default=False),
        Field(
            path=(*path, "needs_coach"),
            label=_("The card waits for a coach"),
            kind="yes_no_open",
            choices=tuple((code, str(said)) for code, said in _OPEN),
            optional=True,
        ),
        Field(
            path=(*path, "suggests"),
            label=_("Name of the suggestion that it chooses"),
            optional=True,
            help=_("“usual” is the suggestion of the main text. Leave empty if it is not checked."),
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
            label=_("Sound only, no picture"),
            kind="tick",
            default=False,
        ),
        Field(
            path=(*path, "report", "words"),
            label=_("Words of the transcript"),
            kind="spoken",
            default=(),
            optional=True,
            help=_("One per line: start in seconds, end in seconds, confidence (0 to 1), word."),
        ),
    )


def _skipped_group(path: Path, metric: str) -> FieldGroup:
    why = Field(path=path, label=_("Not measured, because"), kind="choice", choices=words.reasons())
    return FieldGroup(title=metric_words(metric), fields=(why,), row=path)


def _measurement_group(path: Path, metric: str, given: Any) -> FieldGroup:
    if not isinstance(given, dict):
        fields: tuple[Field, ...] = (Field(path=path, label=_("Value"), kind="number"),)
        return FieldGroup(
            title=metric_words(metric), fields=fields, row=path, adders=_range_adder(path)
        )
    found = [Field(path=(*path, "value"), label=_("Value"), kind="number")]
    if given.get("interval"):
        found += [
            Field(path=(*path, "interval", 0), label=_("Lower end"), kind="number"),
            Field(path=(*path, "interval", 1), label=_("Upper end"), kind="number"),
        ]
    found += [
        Field(path=(*path, "n"), label=_("Counted"), kind="whole", default=20),
        Field(
            path=(*path, "quality"),
            label=_("Quality of the measure"),
            kind="choice",
            default="good",
            choices=words.choices(words.MEASURED),
        ),
        Field(
            path=(*path, "coverage"),
            label=_("Share of speech that it covers, 0 to 1"),
            kind="number",
            default=0.9,
        ),
    ]
    adders = () if given.get("interval") else _range_adder(path)
    return FieldGroup(title=metric_words(metric), fields=tuple(found), row=path, adders=adders)


def missing_range(document: Any, index: int) -> tuple[str, str]:
    """Return the button that adds a missing range, and its metric; empty if none is missing."""
    when = get(document, ("when",), {})
    rows = [row for name in CONDITION_LISTS for row in when.get(name, ())]
    rows += get(document, ("gates", "needs"), ())
    path: Path = ("cases", index, "report", "measurements")
    measured = get(document, path, {})
    for row in rows:
        metric = row.get("metric", "")
        given = measured.get(metric)
        has_range = isinstance(given, dict) and given.get("interval")
        if row.get("use") in {"low", "high"} and given is not None and not has_range:
            return _range_adder((*path, metric))[0].do, metric_words(metric)
    return "", ""


def _range_adder(path: Path) -> tuple[Adder, ...]:
    return (Adder(do="|".join(("range", *map(str, path))), label=_("Add a range")),)


def _event_group(path: Path, event: Any) -> FieldGroup:
    fields = [
        Field(path=(*path, "start"), label=_("From second"), kind="number"),
        Field(path=(*path, "end"), label=_("To second"), kind="number"),
        _label_field((*path, "label"), event),
    ]
    likely = _("How likely, 0 to 1")
    fields.append(Field(path=(*path, "probability"), label=likely, kind="number", optional=True))
    fields += [
        _detail_field((*path, "detail", key), key, value)
        for key, value in event.get("detail", {}).items()
    ]
    known = (each.id for each in DETAILS if each.id not in event.get("detail", {}))
    details = tuple((key, words.detail_of_moment(key)) for key in known)
    adder = Adder(
        do="|".join(("detail", "detail", *map(str, path))), label=_("Say more"), choices=details
    )
    return FieldGroup(
        title=event_words(str(event.get("kind", ""))),
        fields=tuple(fields),
        row=path,
        adders=(adder,),
    )


def _label_field(path: Path, event: Any) -> Field:
    known = words.kinds_of_moment(str(event.get("kind", "")), str(event.get("label", "")))
    if not known:
        return Field(path=path, label=_("Its words"), optional=True)
    return Field(
        path=path,
        label=_("Its kind"),
        kind="choice",
        choices=(("", _("not said")), *known),
        optional=True,
    )


def _detail_field(path: Path, key: str, value: Any) -> Field:
    label = words.detail_of_moment(key)
    if key in words.DETAILS_IN_WORDS and isinstance(value, str):
        choices = words.values_of_detail(key, value)
        return Field(path=path, label=label, kind="choice", choices=choices)
    kind: Kind = "text" if isinstance(value, str) else "number"
    return Field(path=path, label=label, kind=kind)


def _others(case: Any, shown: Collection[str | int]) -> str:
    """Return a sentence that lists the context values without a form field, or an empty string."""
    said = [key for key in case.get("context", {}) if key not in shown]
    if not said:
        return ""
    named = dict.fromkeys(str(_OTHERWISE_SAID.get(key, _("something else"))) for key in said)
    return _("This talk also has: %(what)s. These values stay as they are.") % {
        "what": ", ".join(named)
    }
