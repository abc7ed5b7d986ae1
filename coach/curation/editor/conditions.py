"""Form rows for conditions and for the events that serve as evidence."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from analysis.events import DETAILS
from coach.curation import words
from coach.curation.editor.fields import Field, Path, get
from coach.curation.editor.layout import Adder, FieldGroup

CONDITION_LISTS = ("all", "any", "co_signals", "unless")
"""The names of a rule's lists of conditions."""


def condition_group(document: Any, path: Path) -> FieldGroup:
    """Return the fields of one condition, of any of the three kinds."""
    row = get(document, path, {})
    if "metric" in row:
        return FieldGroup(title=_("A measured number"), fields=_metric_fields(row, path), row=path)
    if "event" in row:
        fields = (*event_fields(row, path), *_count_fields(row, path))
        return FieldGroup(
            title=_("Moments that were found"),
            fields=fields,
            row=path,
            adders=detail_adders(row, path),
        )
    return FieldGroup(title=_("Something could not be measured"), fields=_skipped(path), row=path)


def _metric_fields(row: Any, path: Path) -> tuple[Field, ...]:
    wants_band = row.get("op") in {"between", "outside"}
    limits: tuple[Field, ...]
    if wants_band:
        limits = (
            Field(path=(*path, "band", 0), label=_("From"), kind="number"),
            Field(path=(*path, "band", 1), label=_("To"), kind="number"),
        )
    else:
        limits = (Field(path=(*path, "value"), label=_("Threshold"), kind="number"),)
    return (
        Field(path=(*path, "metric"), label=_("What"), kind="choice", choices=words.metrics()),
        Field(
            path=(*path, "use"),
            label=_("Which number"),
            kind="choice",
            choices=words.choices(words.USE),
            default="value",
            help=_("A range shows how sure we are; its lower end is the careful choice."),
        ),
        Field(
            path=(*path, "op"),
            label=_("Compared"),
            kind="choice",
            choices=words.choices(words.OPERATOR),
        ),
        *limits,
        Field(
            path=(*path, "relative_to"),
            label=_("Taken"),
            kind="choice",
            choices=words.choices(words.RELATIVE_TO),
            default="nothing",
        ),
    )


def event_fields(row: Any, path: Path) -> tuple[Field, ...]:
    """Return the fields that select moments."""
    fields = [
        Field(path=(*path, "event"), label=_("What"), kind="choice", choices=words.moments()),
        Field(
            path=(*path, "min_seconds"),
            label=_("At least (seconds)"),
            kind="number",
            default=0,
        ),
        labels_field((*path, "labels"), _("Only of this kind"), row, "event", "labels"),
        _window_field((*path, "within"), _("Only in")),
    ]
    if row.get("labels") or "or_within" in row:
        fields.append(_window_field((*path, "or_within"), _("Or of any kind in")))
    fields += _overlap_fields(path, row)
    fields.append(
        Field(
            path=(*path, "free_of"),
            label=_("Without any of these in it"),
            kind="choice",
            choices=(("", "—"), *words.events()),
            optional=True,
        )
    )
    return (*fields, *_detail_fields(row, path))


def labels_field(path: Path, label: str, row: Any, kind: str, given: str) -> Field:
    """Return checkboxes for an event with a closed list of kinds, or lines for free labels."""
    known = words.kinds_of_moment(str(row.get(kind, "")), *map(str, row.get(given, ())))
    if known:
        return Field(path=path, label=label, kind="many", choices=known, default=())
    help_text = _("One per line; leave empty for any.")
    return Field(path=path, label=label, kind="lines", default=(), help=help_text)


def _window_field(path: Path, label: str) -> Field:
    choices = words.choices(words.WINDOW)
    return Field(path=path, label=label, kind="many", choices=choices, default=())


def _detail_fields(row: Any, path: Path) -> tuple[Field, ...]:
    """Return the fields for the conditions on a moment's details, if the rule has any."""
    where = (
        Field(
            path=(*path, "detail", key),
            label=_("Only where “%(what)s” is") % {"what": words.detail_of_moment(key)},
            kind="choice",
            choices=(("", _("any")), *words.values_of_detail(key, str(value))),
            optional=True,
        )
        for key, value in row.get("detail", {}).items()
    )
    least = (
        Field(
            path=(*path, "detail_at_least", key),
            label=_("“%(what)s” is at least") % {"what": words.detail_of_moment(key)},
            kind="number",
        )
        for key in row.get("detail_at_least", ())
    )
    return (*where, *least)


def detail_adders(row: Any, path: Path) -> tuple[Adder, ...]:
    """Return the buttons that add a condition on a moment's details."""
    where = "|".join(map(str, path))
    asked = {*row.get("detail", ()), *row.get("detail_at_least", ())}
    open_ones = tuple(
        (each.id, words.detail_of_moment(each.id)) for each in DETAILS if each.id not in asked
    )
    kinds = (
        ("detail", _("Ask for a kind"), words.DETAILS_IN_WORDS),
        ("detail_at_least", _("Ask for at least a number"), words.DETAILS_IN_NUMBERS),
    )
    return tuple(
        Adder(
            do=f"detail|{kind}|{where}",
            label=label,
            choices=tuple(each for each in open_ones if each[0] in keys),
        )
        for kind, label, keys in kinds
    )


def _overlap_fields(path: Path, row: Any) -> list[Field]:
    events = (("", "—"), *words.events())
    which = Field(
        path=(*path, "overlaps"), label=_("While"), kind="choice", choices=events, optional=True
    )
    if not row.get("overlaps"):
        return [which]
    return [
        which,
        labels_field(
            (*path, "overlap_labels"), _("Of this kind"), row, "overlaps", "overlap_labels"
        ),
        Field(
            path=(*path, "overlap_share"),
            label=_("For at least this share of it"),
            kind="number",
            default=0.5,
        ),
    ]


def _count_fields(row: Any, path: Path) -> tuple[Field, ...]:
    share = Field(
        path=(*path, "share_of"),
        label=_("As a share of all"),
        kind="choice",
        choices=(("", "—"), *words.moments()),
        optional=True,
    )
    return (
        *((share,) if "share_of" in row else ()),
        Field(path=(*path, "at_least"), label=_("At least (times)"), kind="number", optional=True),
        Field(path=(*path, "at_most"), label=_("At most (times)"), kind="number", optional=True),
        Field(
            path=(*path, "per_minute"), label=_("Counted per minute"), kind="tick", default=False
        ),
    )


def _skipped(path: Path) -> tuple[Field, ...]:
    return (
        Field(path=(*path, "skipped"), label=_("Why"), kind="choice", choices=words.reasons()),
        Field(
            path=(*path, "at_least"), label=_("For at least (measures)"), kind="whole", default=1
        ),
    )
