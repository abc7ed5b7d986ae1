"""Nothing of a rule is out of a curator's sight: the editor's fields against the rule's model."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from pydantic import BaseModel, create_model

from analysis.results import Word
from coach.curation.editor.fields import name_of
from coach.curation.editor.labels import ordered
from coach.curation.editor.layout import joined
from coach.curation.editor.reading import document_from
from coach.curation.editor.schema import parts_of
from coach.curation.editor.sections import fields_of
from coach.curation.editor.shapes import Shape, shape_in
from feedback_rules.loader import load_rules, rule_to_document
from feedback_rules.model import Rule
from feedback_rules.model.case import Case, CaseReport
from feedback_rules.model.context import Context, MetricId
from feedback_rules.model.rule import Gates
from feedback_rules.model.values import Aim
from tests.coach.curation.forms import as_sent

Place = tuple[str, ...]
EACH = "*"
"""For any place in a list and any key of a mapping."""

SET_OTHERWISE: dict[Place, str] = {
    ("id",): "it names the rule for good",
    ("version",): "the studio counts it",
    ("cases", EACH, "report", "measurements", EACH): "a number alone, or the fields below it",
    ("cases", EACH, "report", "events", EACH, "detail"): "told moment by moment",
}
FULL_CONTEXT = {
    "aim": "teach",
    "audience": "mixed",
    "setting": "stage",
    "camera_position": "below",
    "language": "fr",
    "time_limit": 60,
    "goal": "clarity",
    "slides": True,
    "notes": "scrolling",
    "speaks_as": "second",
    "disabled_families": ["gaze"],
    "quiet": ["gaze"],
    "baseline": {"fillers.per_minute": {"value": 3, "takes": 2}},
    "previous_items": [{"rule": "PAU002"}],
    "previous_offers": [{"rule": "PAU002", "takes": 1, "ago": 1}],
}
FULL_EVENT = {
    "event": "silent_pause",
    "labels": ["long"],
    "within": ["opening"],
    "or_within": ["closing"],
    "min_seconds": 1,
    "detail": {"place": "mid_clause"},
    "detail_at_least": {"count": 2},
    "overlaps": "look_away",
    "overlap_labels": ["down"],
    "free_of": "filled_pause",
    "share_of": "filled_pause",
    "at_least": 1,
}
CONDITIONS = [
    {"metric": "pauses.boundary_pause_share", "op": "above", "value": 0.5, "use": "low"},
    {"metric": "pauses.boundary_pause_share", "op": "between", "band": [0.1, 0.5]},
    FULL_EVENT,
    {"skipped": "poor_signal", "at_least": 2},
]
FULL_CASE = {
    "name": "All of it",
    "kind": "pass",
    "fires": True,
    "report": {
        "measurements": {"fillers.per_minute": {"value": 3, "interval": [2, 4]}},
        "events": [{"kind": "silent_pause", "start": 1, "end": 2, "detail": {"place": "unknown"}}],
        "words": [{"text": "and", "start": 1, "end": 2, "probability": 0.9}],
        "skipped": {"pitch.range": "too_short"},
    },
}


def full_document() -> dict[str, Any]:
    """A rule that says something everywhere."""
    document = rule_to_document(load_rules()[0])
    return {
        **document,
        "when": dict.fromkeys(("all", "any", "co_signals", "unless"), CONDITIONS),
        "gates": {**document.get("gates", {}), "needs": CONDITIONS[:2]},
        "evidence": {**document["evidence"], "events": [FULL_EVENT]},
        "cases": [{**FULL_CASE, "context": FULL_CONTEXT, "suggests": "inside"}],
        "behaviour": {"kind": "plan_ahead", "where": ["opening"]},
        "suggestions": [
            {
                "name": "inside",
                "when": CONDITIONS,
                "behaviour": {"kind": "plan_ahead", "where": ["opening"]},
                "en": "Plan.",
                "fr": "Prévoir.",
            }
        ],
        "message": {
            code: {**words, "why_for": {"persuade": "Since."}}
            for code, words in document["message"].items()
        },
    }


def places(  # noqa: C901 - one branch for each kind of annotation
    annotation: Any, at: Place = ()
) -> Iterator[Place]:
    """Every place of a document where a value of its own stands."""
    inner = get_args(annotation)
    origin = get_origin(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            kind: Any = CaseReport if (annotation, name) == (Case, "report") else field.annotation
            yield from places(kind, (*at, name))
    elif origin is Annotated:
        yield from places(inner[0], at)
    elif origin in {Union, types.UnionType}:
        for each in inner:
            if each is not type(None):
                yield from places(each, at)
    elif origin is dict and inner[1] is not Any:
        yield from places(inner[1], (*at, EACH))
    elif origin is tuple and any(map(holds_documents, inner)):
        yield from places(inner[0], (*at, EACH))
    else:
        yield at


def holds_documents(annotation: Any) -> bool:
    """Whether a list is shown row by row, and not as lines of one field."""
    return any(len(place) > 0 for place in places(annotation))


def covered(place: Place, shown: set[Place]) -> bool:
    """Whether a field shows this place, a field that it stands in, or its parts one by one."""
    return any(
        len(each) <= len(place) + (each[-1] == EACH)
        and all(a == b or EACH in {a, b} for a, b in zip(each, place, strict=False))
        for each in shown
    )


def sent(document: dict[str, Any]) -> dict[str, list[str]]:
    """The form as a browser sends it where nobody changed anything."""
    return {**as_sent(document), "document": [json.dumps(document)]}


def test_the_editor_shows_every_field_that_a_rule_can_have() -> None:
    shown = {
        tuple(EACH if isinstance(part, int) else part for part in field.path)
        for field in fields_of(full_document())
    }
    missing = {
        place for place in places(Rule) if place not in SET_OTHERWISE and not covered(place, shown)
    }
    assert missing == set()


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_what_is_not_edited_comes_back_as_it_was(rule: Rule) -> None:
    document = rule_to_document(rule)
    assert document_from(sent(document)) == document


def test_what_the_editor_does_not_know_is_carried_along() -> None:
    document = rule_to_document(load_rules()[0])
    newer = {**document, "of_a_later_version": {"kind": "pause", "where": ["talk"]}}
    assert document_from(sent(newer)) == newer


class Room(BaseModel):
    """A model that no rule has today."""

    seats: int
    kind: Literal["hall", "office"] = "hall"


GROWN: dict[str, Any] = {
    "most_speakers": (int, 2),
    "is_live": (bool | None, None),
    "remark": (str, ""),
    "halls": (tuple[Literal["hall", "office"], ...], ()),
    "other_aims": (tuple[Aim, ...], ()),
    "limits": (tuple[float, float] | None, None),
    "room": (Room | None, None),
    "rooms": (tuple[Room, ...], ()),
    "per_metric": (dict[MetricId, float], {}),
}
"""A value of each shape."""
FILLED: dict[str, Any] = {
    "limits": [1, 2],
    "rooms": [{"seats": 3}],
    "per_metric": {"fillers.per_minute": 1},
}


def models_in(model: type[BaseModel], found: dict[type[BaseModel], None]) -> dict[Any, None]:
    """The models that a rule is made of."""
    if model not in found and model is not Word:
        found[model] = None
        for name in model.model_fields:
            for each in parts_in(shape_in(model, name)):
                if each.is_model:
                    models_in(each.kind, found)
    return found


def parts_in(shape: Shape) -> Iterator[Shape]:
    """A shape and the shapes in it."""
    yield shape
    for each in shape.parts:
        yield from parts_in(each)


@pytest.mark.parametrize("model", [*models_in(Rule, {})], ids=lambda model: model.__name__)
def test_a_new_value_of_any_model_has_a_field_without_a_change_to_the_editor(
    model: type[BaseModel],
) -> None:
    grown = create_model("Grown", __base__=model, **GROWN)
    names = parts_of(grown, FILLED, names=GROWN)
    whole = joined(names)
    fields = {name_of(f.path): f for group in whole.all_groups for f in group.fields}
    assert [name for name in ordered(grown) if name in GROWN] == [*GROWN]
    if not issubclass(model, Context):
        assert fields["is_live"].kind == "yes_no_open"
        assert (fields["most_speakers"].kind, fields["most_speakers"].default) == ("whole", 2)
        assert dict(fields["halls"].choices).keys() == {"hall", "office"}
        assert dict(fields["other_aims"].choices)["teach"] == "Teach"
        assert {"room|seats", "room|kind", "remark"} <= fields.keys()
    # A detail of a talk that no case gives has a button.
    offered = {name for each in whole.adders for name, _words in each.choices}
    shown = {name.partition("|")[0] for name in fields} | offered
    assert shown >= GROWN.keys()
    assert {"limits|1", "rooms|0|seats", "per_metric|fillers.per_minute"} <= fields.keys()


class GrownGates(Gates):
    """Gates with one value more than today's."""

    most_speakers: int = 2


class GrownRule(Rule):
    """A rule with two values more than today's."""

    gates: GrownGates = GrownGates()
    rooms: tuple[Room, ...] = ()


def test_a_new_value_survives_a_save() -> None:
    document = rule_to_document(load_rules()[0])
    document["rooms"] = [{"seats": 3}]
    form = {
        **as_sent(document, GrownRule),
        "document": [json.dumps(document)],
        "gates|most_speakers": ["4"],
        "rooms|0|kind": ["office"],
    }
    saved = GrownRule.model_validate(document_from(form, GrownRule))
    assert saved.gates.most_speakers == 4
    assert saved.rooms == (Room(seats=3, kind="office"),)
