"""The values that new rows begin with."""

from __future__ import annotations

from typing import Any

from coach.curation.editor.fields import get
from coach.curation.editor.shapes import Shape, choices_of, shape_in

_MOMENTS = {"event": "filled_pause", "at_least": 1}
_STARTS: dict[str, dict[str, Any]] = {
    "EventCondition": _MOMENTS,
    "SkippedCondition": {"skipped": "poor_signal"},
    "EventFilter": {"event": "filled_pause"},
    "CaseEvent": {"kind": "filled_pause", "start": 60, "end": 61},
    "Suggestion": {"name": "another", "when": [_MOMENTS]},
}
"""The values of new rows that a type alone does not give."""


def start_of(shape: Shape, document: Any) -> Any:
    """Return a first value of a type: for a model, with all that it requires."""
    kind = shape.kind
    if shape.is_model:
        return _start_of_model(kind, document)
    if shape.has_fields:
        return start_of(shape.parts[-1], document)
    if shape.origin is tuple:
        return [start_of(each, document) for each in shape.parts] if shape.is_pair else []
    if shape.origin is dict:
        return {}
    if choices := choices_of(shape):
        return choices[0][0]
    return {bool: True, int: 1, float: 1}.get(kind, "…")


def _start_of_model(model: Any, document: Any) -> dict[str, Any]:
    names = [name for name, info in model.model_fields.items() if info.is_required()]
    made = {name: start_of(shape_in(model, name), document) for name in names}
    if model.__name__ == "MetricCondition":
        made |= {"metric": get(document, ("severity", "metric")), "op": "above", "value": 0}
    return {**made, **_STARTS.get(model.__name__, {})}
