"""A closed list fits the column that keeps its words: PostgreSQL may cut one and say nothing.

It does where Django casts: in arrays, and where many rows are changed at once. Choices of a field
are looked through by themselves; lists that stand elsewhere are named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db.models import CharField

from analysis.metrics import FAMILIES, METRICS
from analysis.results import Quality, Reason
from coach.accounts.profile import EFFECTS
from coach.audit.registry import ACTIONS
from coach.curation.dry_runs.selectors import CHANGES
from coach.feedback.runs.plan import PLAN
from coach.lti.models import MOST_NAME
from coach.practice.exercises.catalogue import exercises
from coach.research.coding.interviews.forms import language_choices_or_unset
from coach.research.coding.interviews.redaction_page import _RULES as REDACTION_RULES
from coach.research.exports.bundle.build import CHECKED, STEPS
from coach.research.exports.bundle.tables import TABLES
from coach.research.studies.forms import WORD_LENGTH
from feedback_rules.loader import builtin_rule_set

STAGES = [stage.name for stage in PLAN]
EXPORT_STEPS = [*(step.name for step in STEPS), CHECKED]
RULES = [rule.id for rule in builtin_rule_set().rules]
LANGUAGES = [code for code, _name in language_choices_or_unset()]
EXAMINED = CHANGES

KEPT: dict[str, Iterable[str]] = {
    "accounts.User.disabled_families": FAMILIES,
    "assignments.Assignment.exercises": list(exercises()),
    "audit.Entry.action": ACTIONS,
    "rehearsals.Rehearsal.disabled_families": FAMILIES,
    "rehearsals.Rehearsal.quiet": [each for effect in EFFECTS.values() for each in effect.quiets],
    "feedback.Stage.name": STAGES,
    "feedback.Stage.needs": STAGES,
    "feedback.Stage.queue": [stage.queue for stage in PLAN],
    "feedback.StageCost.stage": STAGES,
    "feedback.MeasuredValue.metric": [metric.id for metric in METRICS],
    "feedback.MeasuredValue.unit": [metric.unit for metric in METRICS],
    "feedback.MeasuredValue.quality": list(Quality),
    "feedback.MeasuredValue.reason": list(Reason),
    "feedback.Firing.rule": RULES,
    "feedback.Item.rule": RULES,
    **{f"curation.Examined.{name}": RULES for name in EXAMINED},
    "research.BundleImport.language": LANGUAGES,
    "research.Interview.language": LANGUAGES,
    "research.Recording.language": LANGUAGES,
    "research.Redaction.found_by": REDACTION_RULES,
    "research.Export.step": EXPORT_STEPS,
    "research.Export.done_steps": EXPORT_STEPS,
    "research.ImportedRow.table": [table.name for table in TABLES],
}
"""Where a word of a closed list is kept that is no choice of its field."""
FREE = {
    "lti.Platform.deployment_ids": MOST_NAME,  # the longest that LTI allows
    "research.Study.innocent_words": WORD_LENGTH,  # the form refuses longer ones
    "research.Question.choices": 120,  # cleaned field by field before it is kept
}
"""Arrays of words that people write, and how long one may be by what takes them in."""


def _columns() -> Iterator[tuple[str, bool, CharField[Any, Any]]]:
    """Each column of short words in our apps: its name, whether it is an array, what it holds."""
    for model in apps.get_models():
        for field in model._meta.local_fields if model.__module__.startswith("coach.") else ():
            is_array = isinstance(field, ArrayField)
            holds = field.base_field if is_array else field
            if isinstance(holds, CharField):
                yield f"{model._meta.label}.{field.name}", is_array, holds


COLUMNS = {name: (is_array, holds) for name, is_array, holds in _columns()}


def _too_long(holds: CharField[Any, Any], words: Iterable[object]) -> list[str]:
    assert holds.max_length is not None
    return [str(word) for word in words if len(str(word)) > holds.max_length]


def test_choices_fit_their_column() -> None:
    chosen = {name: holds for name, (_is_array, holds) in COLUMNS.items() if holds.choices}
    assert len(chosen) > 50
    found = {
        name: _too_long(holds, [value for value, _label in holds.flatchoices])
        for name, holds in chosen.items()
    }
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize("name", KEPT)
def test_words_of_a_closed_list_fit_their_column(name: str) -> None:
    words = list(KEPT[name])
    assert words
    assert _too_long(COLUMNS[name][1], words) == []


def test_of_each_array_it_is_known_which_words_it_holds() -> None:
    arrays = {name: holds for name, (is_array, holds) in COLUMNS.items() if is_array}
    unknown = {name for name, holds in arrays.items() if not holds.choices} - {*KEPT, *FREE}
    assert unknown == set()
    assert {name: arrays[name].max_length for name in FREE} == FREE
