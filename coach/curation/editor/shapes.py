"""The types of the values in a rule, and the words of their closed lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from django.utils.translation import get_language
from pydantic import AfterValidator, BaseModel, Discriminator, Tag

from analysis.results import Quality, Reason, Word
from coach.curation import words
from coach.curation.editor.fields import Choices
from feedback_rules.model import rule, values
from feedback_rules.model.case import Case, EventKind, MomentKind
from feedback_rules.model.context import MetricId


@dataclass(frozen=True, eq=False)
class Shape:
    """The type of a value, without its constraints (`marks`) and without None (`optional`)."""

    kind: Any
    marks: tuple[Any, ...] = ()
    optional: bool = False

    @cached_property
    def origin(self) -> Any:
        """The generic type, such as tuple or dict; None for a plain type."""
        return get_origin(self.kind)

    @property
    def is_model(self) -> bool:
        """Whether the value has fields of its own. A word of a transcript is a line of text."""
        kind = self.kind
        return isinstance(kind, type) and issubclass(kind, BaseModel) and kind is not Word

    @property
    def has_fields(self) -> bool:
        """Whether the value is a model, or one of several."""
        return self.is_model or self.origin in {Union, UnionType}

    @property
    def is_pair(self) -> bool:
        """Whether the value is a list of a fixed length, such as the two ends of a range."""
        return self.origin is tuple and Ellipsis not in get_args(self.kind)

    @cached_property
    def parts(self) -> list[Shape]:
        """The types of its items, of its keys and values, or of its alternatives."""
        return [shape_of(each) for each in get_args(self.kind) if each is not Ellipsis]

    def of(self, value: Any) -> Shape:
        """Return the alternative that a value is written in; itself if there is only one."""
        choosers = [mark for mark in self.marks if isinstance(mark, Discriminator)]
        if not choosers:
            return self
        tag = choosers[0].discriminator
        chosen = tag(value) if callable(tag) else value[tag]
        return next((each for each in self.parts if each.tag == chosen), self.parts[-1])

    @property
    def tag(self) -> str:
        """The name of an alternative; empty if the type is none."""
        return next((mark.tag for mark in self.marks if isinstance(mark, Tag)), "")


def shape_of(annotation: Any, *marks: Any) -> Shape:
    """Return the shape of an annotation."""
    optional = False
    while True:
        inner = get_args(annotation)
        if get_origin(annotation) is Annotated:
            annotation, marks = inner[0], (*marks, *inner[1:])
        elif get_origin(annotation) in {Union, UnionType} and NoneType in inner:
            annotation, optional = (
                reduce(or_, (each for each in inner if each is not NoneType)),
                True,
            )
        else:
            break
    checked_as = (mark.checked_as for mark in marks if hasattr(mark, "checked_as"))
    return Shape(next(checked_as, annotation), marks, optional)


@cache
def shape_in(model: type[BaseModel], name: str) -> Shape:
    """Return the shape of a model's field."""
    info = model.model_fields[name]
    return shape_of(info.annotation, *info.metadata)


def choices_of(shape: Shape) -> Choices:
    """Return the closed list of a type with its words; a new code is offered as it is."""
    checks = (mark for mark in shape.marks if isinstance(mark, AfterValidator) and mark in _LISTS)
    return _choices(next(checks, shape.kind), get_language())


@cache
def _choices(kind: Any, _language: str | None) -> Choices:
    known = _LISTS[kind]() if kind in _LISTS else ()
    return (*known, *((code, code) for code in _codes(kind) if code not in dict(known)))


def _codes(kind: Any) -> tuple[str, ...]:
    if get_origin(kind) is Literal:
        return tuple(map(str, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(str(each.value) for each in kind)
    return ()


def _of(model: type[BaseModel], name: str) -> Any:
    """Return the closed list of a model's field, or that of its items."""
    shape = shape_in(model, name)
    return shape.parts[0].kind if shape.origin is tuple else shape.kind


def _named(said: words.Words) -> Callable[[], Choices]:
    return lambda: words.choices(said)


_NAMED: dict[Any, words.Words] = {
    Quality: words.MEASURED,
    values.Status: words.STATUS,
    values.Tone: words.TONE,
    values.DecidedBy: words.DECIDED_BY,
    values.Grade: words.GRADE,
    values.Modality: words.MODALITY,
    values.SpeaksAs: words.SPEAKS_AS,
    values.Notes: words.NOTES_SHOWN,
    values.BehaviourKind: words.BEHAVIOUR,
    values.TalkPosition: words.PLACE,
    rule.Window: words.WINDOW,
    rule.Bound: words.USE,
    rule.RelativeTo: words.RELATIVE_TO,
    _of(Case, "kind"): words.CASE_KIND,
    _of(rule.MetricCondition, "op"): words.OPERATOR,
    _of(rule.When, "without_co_signal"): words.WITHOUT_CO_SIGNAL,
    _of(rule.Severity, "direction"): words.DIRECTION,
    _of(rule.Applies, "media"): words.MEDIA,
    _of(rule.Applies, "slides"): words.SLIDES,
    _of(rule.Applies, "notes"): words.NOTES,
    _of(rule.Applies, "speakers"): words.SPEAKERS,
    _of(rule.Evidence, "order"): words.ORDER,
    _of(rule.Evidence, "fallback"): words.FALLBACK,
    _of(rule.Evidence, "quote"): words.QUOTE,
    _of(rule.Evidence, "scope"): words.SCOPE,
    _of(rule.Rule, "value_format"): words.VALUE_FORMAT,
}
_CHECKED = {
    MetricId: words.metrics,
    EventKind: words.events,
    MomentKind: words.moments,
    rule.Family: words.families,
}
_LISTS: dict[Any, Callable[[], Choices]] = {
    **{kind: _named(said) for kind, said in _NAMED.items()},
    **{get_args(kind)[1]: offered for kind, offered in _CHECKED.items()},
    Reason: words.reasons,
    values.Goal: words.qualities,
    values.Aim: words.aims,
    values.Audience: words.audiences,
    values.Setting: words.settings,
    values.CameraPosition: words.cameras,
}
"""The words of closed lists, by type; a checked text is known by its check."""
