"""Form fields for a case's context: values that the rule uses or that are set already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from coach.curation import words
from coach.curation.editor.conditions import CONDITION_LISTS
from coach.curation.editor.fields import Field, Path, get
from coach.lib.words.measure_words import metric_words


def context_fields(document: Any, case: Path) -> tuple[Field, ...]:
    """Return the context fields of a case at the path `case`."""
    said = get(document, (*case, "context"), {})
    path: Path = (*case, "context")
    fields = [
        Field(
            path=(*path, key),
            label=label,
            kind="choice",
            choices=(("", _("not said")), *choices),
            optional=True,
        )
        for key, label, choices, asks in _lists()
        if key in said or get(document, ("applies", asks))
    ]
    if "slides" in said or get(document, ("applies", "slides")) == "without":
        fields.append(
            Field(
                path=(*path, "slides"),
                label=_("Slides are shown"),
                kind="yes_no_open",
                choices=(("", _("not said")), ("yes", _("yes")), ("no", _("no"))),
                optional=True,
            )
        )
    if "notes" in said or get(document, ("applies", "notes")) == "not_scrolling":
        fields.append(
            Field(
                path=(*path, "notes"),
                label=_("Notes on the screen"),
                kind="choice",
                choices=(("", _("not said")), *words.choices(words.NOTES_SHOWN)),
                optional=True,
            )
        )
    if "speaks_as" in said or get(document, ("applies", "speakers")) == "first_language":
        fields.append(
            Field(
                path=(*path, "speaks_as"),
                label=_("Speaks"),
                kind="choice",
                choices=(("", _("not said")), *words.choices(words.SPEAKS_AS)),
                optional=True,
            )
        )
    compared = set(_compared(document))
    if "time_limit" in said or any(to == "time_limit" for to, _metric in compared):
        limit = (*path, "time_limit")
        fields.append(
            Field(path=limit, label=_("Time limit in seconds"), kind="number", optional=True)
        )
    usual = {metric for to, metric in compared if to == "baseline"}
    for metric in sorted({*usual, *said.get("baseline", {})}):
        fields += _usual((*path, "baseline", metric), metric)
    return tuple(fields)


def _lists() -> tuple[tuple[str, str, words.Choices, str], ...]:
    return (
        ("aim", _("Aim"), words.aims(), "aims"),
        ("audience", _("Audience"), words.audiences(), "audiences"),
        ("setting", _("Setting"), words.settings(), "settings"),
        ("camera_position", _("Camera"), words.cameras(), "except_camera_positions"),
    )


def _compared(document: Any) -> Iterator[tuple[str, str]]:
    """Yield the reference and the metric of each relative comparison."""
    when = get(document, ("when",), {})
    rows = [row for name in CONDITION_LISTS for row in when.get(name, ())]
    for row in (*rows, get(document, ("severity",), {})):
        if "metric" in row:
            yield str(row.get("relative_to", "nothing")), str(row["metric"])


def _usual(path: Path, metric: str) -> list[Field]:
    known = metric_words(metric)
    return [
        Field(
            path=(*path, "value"),
            label=_("The speaker’s baseline: %(metric)s") % {"metric": known},
            kind="number",
            optional=True,
        ),
        Field(
            path=(*path, "takes"),
            label=_("Number of takes it is based on"),
            kind="whole",
            optional=True,
        ),
    ]
