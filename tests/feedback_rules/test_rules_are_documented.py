"""docs/reference/ names every key, operator and placeholder that a rule may use."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from feedback_rules.model import Context, EventCondition, Evidence, MetricCondition, Rule
from feedback_rules.select.card_words import PLACEHOLDERS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"
TEXT = "".join((DOCS / name).read_text("utf-8") for name in ("rules.md", "writing-rules.md"))


@pytest.mark.parametrize("key", [*Rule.model_fields, *Context.model_fields])
def test_every_key_is_explained(key: str) -> None:
    assert f"`{key}`" in TEXT or f'"{key}"' in TEXT


@pytest.mark.parametrize("placeholder", sorted(PLACEHOLDERS))
def test_every_placeholder_is_explained(placeholder: str) -> None:
    assert f"`{{{placeholder}}}`" in TEXT


@pytest.mark.parametrize(
    "value",
    [
        *get_args(MetricCondition.model_fields["op"].annotation),
        *get_args(Rule.model_fields["value_format"].annotation),
        *get_args(Evidence.model_fields["order"].annotation),
        *get_args(Evidence.model_fields["fallback"].annotation),
    ],
)
def test_every_choice_is_explained(value: str) -> None:
    assert f"`{value}`" in TEXT


@pytest.mark.parametrize("key", EventCondition.model_fields)
def test_every_part_of_an_event_condition_is_explained(key: str) -> None:
    named = {"event", "overlap_labels", "per_minute"}
    assert f"`{key}`" in TEXT or key in named


def test_every_error_code_is_explained() -> None:
    for code in ("E300", "E301", "E302", "E310", "E311", "E312", "E313"):
        assert f"| {code} |" in TEXT
