"""Form fields generated from the models of a rule, so that no value of a model lacks a field."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from pydantic import BaseModel

from analysis.events import DETAILS
from analysis.results import Word
from coach.curation import words
from coach.curation.editor.context import asked_baselines, asked_context
from coach.curation.editor.fields import Choices, Field, Kind, Path, get, name_of, put
from coach.curation.editor.labels import (
    ADDERS,
    ENDS,
    HELPS,
    LABELS,
    ROWS,
    key_of,
    label_of,
    ordered,
)
from coach.curation.editor.layout import Adder, FieldGroup, joined
from coach.curation.editor.shapes import Shape, choices_of, shape_in
from coach.curation.editor.starts import start_of
from coach.lib.words.measure_words import event_words
from coach.lib.words.rule_words import case_words
from feedback_rules.model.case import Case, CaseEvent
from feedback_rules.model.context import Context

LANGUAGES = {"en": "English", "fr": "Français"}
"""The languages of texts, each by its name in itself."""
_KINDS: dict[Any, Kind] = {int: "whole", float: "number"}
_AREAS = frozenset({"Rule.rationale"})
"""The texts of several lines, beside those of cards."""
_LABELS_OF = {
    "EventFilter.labels": "event",
    "EventFilter.overlap_labels": "overlaps",
    "CaseEvent.label": "kind",
}
"""The labels of an event, and the field that names it: some events have a closed list of them."""
_SHOWN_IF: dict[str, Callable[[Any], Any]] = {
    "MetricCondition.value": lambda row: "band" not in row,
    "MetricCondition.band": lambda row: "band" in row,
    "EventFilter.or_within": lambda row: row.get("labels") or "or_within" in row,
    "EventFilter.overlap_labels": lambda row: row.get("overlaps"),
    "EventFilter.overlap_share": lambda row: row.get("overlaps"),
}
_NEEDED = "MetricCondition.value"
"""A value that may be missing in the schema, but never where it is shown."""
_DETAILS: dict[str, tuple[str, ...]] = {
    "EventFilter.detail": tuple(each.id for each in DETAILS if each.values),
    "EventFilter.detail_at_least": tuple(each.id for each in DETAILS if not each.values),
    "CaseEvent.detail": tuple(each.id for each in DETAILS),
}
"""The mappings that have details of events as keys."""


def parts_of(
    model: type[BaseModel],
    document: Any,
    path: Path = (),
    names: Iterable[str] = (),
    *,
    optional: bool = False,
) -> list[FieldGroup]:
    """Return the fields of a model at a path, in the order of the page.

    Args:
        names: The values to return; all of them by default.
        optional: Whether the whole model may be missing.
    """
    row = get(document, path) or {}
    if not isinstance(row, dict):
        raise TypeError
    wanted = tuple(names) or ordered(model)
    shown = _shown(model, wanted, row, document)
    found: list[FieldGroup] = []
    for name in shown:
        found += _Value.in_model(model, name, document, path, optional=optional).parts()
    if issubclass(model, Context) and len(shown) < len(wanted):
        hidden = [name for name in wanted if name not in shown]
        found.append(FieldGroup(adders=(_context_adder(model, document, path, hidden),)))
    return found


def _shown(model: type[BaseModel], names: tuple[str, ...], row: Any, document: Any) -> list[str]:
    """Return the values that have a use here: of a talk, those that it gives or its rule uses."""
    if issubclass(model, Context):
        said = {*row, *asked_context(document)}
        return [name for name in names if name in said]
    needed = ((name, _SHOWN_IF.get(key_of(model, name))) for name in names)
    return [name for name, holds in needed if holds is None or holds(row)]


def _context_adder(model: type[BaseModel], document: Any, path: Path, names: list[str]) -> Adder:
    choices = tuple((name, label_of(key_of(model, name))) for name in names)
    return _key_adder(
        "Context", path, choices, lambda name: start_of(shape_in(model, name), document)
    )


def _key_adder(key: str, path: Path, choices: Choices, start: Callable[[str], Any]) -> Adder:
    """Return the button that adds one of the missing keys of a mapping."""
    return Adder(
        do=f"add|{name_of(path)}",
        label=str(ADDERS.get(key, label_of(key))),
        choices=choices,
        act=lambda changed, chosen: put(changed, (*path, chosen), start(chosen)),
    )


def _row_adder(shape: Shape, path: Path, document: Any) -> Adder:
    """Return the button that adds a row to a list."""
    name = shape.kind.__name__
    new = start_of(shape, document)
    return Adder(
        do="|".join(filter(None, ("add", shape.tag, name_of(path)))),
        label=str(ADDERS.get(name, label_of(name))),
        act=lambda changed, _chosen: put(changed, path, [*(get(changed, path) or ()), new]),
    )


def range_adder(path: Path) -> Adder:
    """Return the button that gives a measurement a range, with its value as both ends."""

    def act(changed: Any, _chosen: str) -> None:
        given = get(changed, path)
        measured = given if isinstance(given, dict) else {"value": given}
        put(changed, path, {**measured, "interval": [measured.get("value")] * 2})

    label = str(ADDERS["CaseMeasurement.interval"])
    return Adder(do=f"range|{name_of(path)}", label=label, act=act)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """One value of a document: its shape, its place, and the key of its label."""

    document: Any
    path: Path
    shape: Shape
    key: str
    label: str
    default: Any = None
    optional: bool = False

    @classmethod
    def in_model(
        cls, model: type[BaseModel], name: str, document: Any, path: Path, *, optional: bool
    ) -> _Value:
        """Return the value of a model's field."""
        info, shape, key = model.model_fields[name], shape_in(model, name), key_of(model, name)
        default = info.get_default(call_default_factory=True) if not info.is_required() else None
        is_open_text = shape.kind is str and not info.is_required()
        return cls(
            document=document,
            path=(*path, name),
            shape=shape,
            key=key,
            label=label_of(key),
            default=default.value if isinstance(default, Enum) else default,
            optional=(optional or shape.optional or is_open_text) and key != _NEEDED,
        )

    @property
    def given(self) -> Any:
        """The value in the document; None if it is missing."""
        return get(self.document, self.path)

    @property
    def title(self) -> str:
        """The title of a group; empty if its fields stand among those around it."""
        return str(LABELS.get(self.key, ""))

    def parts(self) -> list[FieldGroup]:
        """Return the value's fields, with groups for its rows."""
        inner = self.shape.parts
        if self.shape.is_model:
            return self._model()
        if self.shape.origin is dict:
            return [self._mapping(*inner)]
        if self.shape.is_pair:
            return [self._ends(inner)]
        if self.shape.origin is tuple and inner[0].has_fields:
            rows = tuple(self._row(inner[0], index) for index in range(len(self.given or ())))
            kinds = inner[0].parts or inner
            adders = tuple(_row_adder(each, self.path, self.document) for each in kinds)
            return [FieldGroup(title=self.title, groups=rows, adders=adders)]
        return [FieldGroup(fields=(self.field(),))]

    def _model(self) -> list[FieldGroup]:
        parts = parts_of(self.shape.kind, self.document, self.path, optional=self.optional)
        whole = joined(parts)
        is_titled = self.title and (whole.fields or whole.groups)
        return [replace(whole, title=self.title)] if is_titled else parts

    def _row(self, item: Shape, index: str | int, title: str = "") -> FieldGroup:
        path = (*self.path, index)
        given = get(self.document, path)
        row = () if given is None else path
        shape = item.of({} if given is None else given)
        if not shape.is_model:
            field = replace(self, path=path, shape=shape, default=None).field()
            adders = (range_adder(path),) if item.has_fields else ()
            return FieldGroup(title=title, fields=(field,), row=row, adders=adders)
        return joined(
            parts_of(shape.kind, self.document, path, optional=not row),
            title=title or _row_title(shape.kind, given),
            row=row,
            is_case=issubclass(shape.kind, Case),
        )

    def _ends(self, inner: list[Shape]) -> FieldGroup:
        """Return the fields of both ends of a range, or the button that adds one."""
        if self.given is None:
            return FieldGroup(adders=(range_adder(self.path[:-1]),))
        labels = ENDS.get(self.key, (self.label,) * len(inner))
        ends = (
            replace(self, path=(*self.path, place), shape=shape, label=str(label), optional=False)
            for place, (shape, label) in enumerate(zip(inner, labels, strict=True))
        )
        return FieldGroup(fields=tuple(end.field() for end in ends))

    def _mapping(self, key: Shape, value: Shape) -> FieldGroup:
        listed, given = self._listed(key), self._keys()
        words_of = dict(listed)
        if value.has_fields or key.marks:
            rows = tuple(self._row(value, each, words_of.get(each, each)) for each in given)
            return FieldGroup(groups=rows, adders=(self._adder(listed, value),))
        if value.kind is float and self.key not in _DETAILS:
            return FieldGroup(title=self.label, fields=self._fields_at(listed, value))
        fields = self._fields_at(((each, words_of.get(each, each)) for each in given), value)
        missing = tuple(each for each in listed if each[0] not in given)
        return FieldGroup(fields=fields, adders=(self._adder(missing, value),) if missing else ())

    def _listed(self, key: Shape) -> Choices:
        """Return the possible keys of a mapping. Raises LookupError if they are not listed."""
        if self.key in _DETAILS:
            return _details(self.key, get_language())
        if not (listed := choices_of(key)):
            raise LookupError(self.key)
        return listed

    def _keys(self) -> list[str]:
        """Return the keys that have fields: those that are there, and those that belong there."""
        more: list[str] = []
        if self.key == "Context.baseline":
            more = asked_baselines(self.document)
        elif self.path[0] == "message":
            sides = (("message", code, *self.path[2:]) for code in LANGUAGES)
            more = [key for side in sides for key in get(self.document, side, ())]
        return list(dict.fromkeys((*(self.given or ()), *more)))

    def _fields_at(self, keys: Iterable[tuple[str, str]], value: Shape) -> tuple[Field, ...]:
        """Return a field for each key, which is removed when the field is emptied."""
        return tuple(
            replace(
                self,
                path=(*self.path, key),
                shape=value,
                default=None,
                label=self.label % {"what": said} if "%(" in self.label else said,
                optional=True,
            ).field()
            for key, said in keys
        )

    def _adder(self, missing: Choices, value: Shape) -> Adder:
        return _key_adder(self.key, self.path, missing, lambda key: self._start(key, value))

    def _start(self, key: str, value: Shape) -> Any:
        if self.key in _DETAILS:
            return next(iter(dict(words.values_of_detail(key, ""))), 1)
        return start_of(value, self.document)

    def field(self) -> Field:
        """Return the form field of a value without fields of its own."""
        item = self.shape.parts[0] if self.shape.origin is tuple else self.shape
        choices = self._choices(item)
        language = next((part for part in self.path if part in LANGUAGES), "")
        kind = self._kind(item, choices, is_area=bool(language) or self.key in _AREAS)
        label = self.label
        if self.key == "CaseEvent.label" and choices:
            label = _("Its kind")
        is_open = kind in {"choice", "yes_no_open"} and self.optional
        return Field(
            path=self.path,
            label=f"{label} · {LANGUAGES[language]}" if language else label,
            kind=kind,
            choices=(("", self._empty), *choices) if is_open else choices,
            default=self.default,
            optional=self.optional and kind not in {"many", "lines", "tick"},
            help="" if choices and self.key in _LABELS_OF else str(HELPS.get(self.key, "")),
            language=language,
        )

    def _choices(self, item: Shape) -> Choices:
        if event := _LABELS_OF.get(self.key):
            given = self.given or ()
            labels = (given,) if isinstance(given, str) else given
            kind = get(self.document, (*self.path[:-1], event), "")
            return words.kinds_of_moment(str(kind), *map(str, labels))
        if self.key in _DETAILS and isinstance(self.given, str):
            return words.values_of_detail(str(self.path[-1]), self.given)
        if item.kind is bool and self.shape.optional:
            return (("yes", _("yes")), ("no", _("no")))
        return choices_of(item)

    def _kind(self, item: Shape, choices: Choices, *, is_area: bool) -> Kind:
        if self.shape.origin is tuple:
            return "spoken" if item.kind is Word else "many" if choices else "lines"
        if item.kind is bool:
            return "yes_no_open" if self.shape.optional else "tick"
        if choices:
            return "choice"
        if item.kind is Any:
            return "text" if isinstance(self.given, str) else "number"
        return _KINDS.get(item.kind, "area" if is_area else "text")

    @property
    def _empty(self) -> str:
        """The words for a choice that is left open."""
        if self.path[0] == "cases":
            return _("not said")
        return _("any") if self.key in _DETAILS else "—"


@cache
def _details(key: str, _language: str | None) -> Choices:
    return tuple((each, words.detail_of_moment(each)) for each in _DETAILS[key])


def _row_title(model: type[BaseModel], row: Any) -> str:
    if issubclass(model, Case):
        return case_words(str(row.get("name", "")))
    if issubclass(model, CaseEvent):
        return event_words(str(row.get("kind", "")))
    return str(ROWS.get(model.__name__, ""))
