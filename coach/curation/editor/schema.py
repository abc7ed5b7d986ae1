"""Form fields generated from the models of a rule, so that no value of a model lacks a field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from coach.curation.editor.fields import Choices, Field, Kind, Path

_KINDS: dict[Any, Kind] = {bool: "tick", int: "whole", float: "number"}


def model_fields(
    model: type[BaseModel],
    path: Path,
    labels: Mapping[str, str],
    *,
    choices: Mapping[str, Choices],
    helps: Mapping[str, str] | None = None,
    left_out: Collection[str] = (),
) -> tuple[Field, ...]:
    """Return a field for each value of a model, with the kind and default of its annotation.

    Args:
        labels: By name, in the order of the page. A value without a label follows under its name.
        choices: Words for the values of closed lists; a value without words is offered by its code.
        left_out: Values that the page shows in rows of their own.
    """
    names = [*labels, *(name for name in model.model_fields if name not in labels)]
    return tuple(
        _field(model, (*path, name), labels.get(name, name), choices.get(name, ()), helps or {})
        for name in names
        if name not in left_out
    )


def _field(
    model: type[BaseModel], path: Path, label: str, said: Choices, helps: Mapping[str, str]
) -> Field:
    name = str(path[-1])
    info = model.model_fields[name]
    inner, is_list = _bare(info.annotation), False
    if get_origin(inner) is tuple:
        inner, is_list = _bare(get_args(inner)[0]), True
    offered = (*said, *((code, code) for code in _codes(inner) if code not in dict(said)))
    default = None if info.is_required() else info.default
    kind: Kind = _KINDS.get(inner, "text")
    if is_list:
        kind = "many" if offered else "lines"
    elif offered:
        kind = "choice"
    return Field(
        path=path,
        label=label,
        kind=kind,
        choices=offered,
        default=default.value if isinstance(default, Enum) else default,
        optional=NoneType in get_args(info.annotation),
        help=helps.get(name, ""),
    )


def _bare(annotation: Any) -> Any:
    """Return an annotation without its constraints and without None."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in {Union, UnionType}:
        [annotation] = [each for each in get_args(annotation) if each is not NoneType]
    return annotation


def _codes(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return tuple(map(str, get_args(annotation)))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(str(each.value) for each in annotation)
    return ()
