"""The state of an edit: its document, compared with the version that it began from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from coach.accounts.models import User
from coach.curation.editor.adapting import Stale, adapted, stale_parts, with_new_number
from coach.curation.editor.checking import Check, check
from coach.curation.editor.differences import Difference, document_differences
from coach.curation.editor.fields import name_of
from coach.curation.pages.editor import EditorPage, editor_page
from coach.curation.pages.preview import (
    Preview,
    as_if_it_spoke,
    sample_previews,
    take_previews,
)
from coach.lib.web.http import uuid_of
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import rule_of
from feedback_rules.evaluate import failing_cases
from feedback_rules.loader import rule_to_document
from feedback_rules.model import Rule

Document = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Look:
    """A document with its problems and the parts that a moved threshold made stale."""

    base: RuleVersion
    document: Document
    check: Check
    stale: Stale

    @property
    def page(self) -> EditorPage:
        """The form for the document."""
        return editor_page(self.document, self.check, self.stale)

    @cached_property
    def changes(self) -> tuple[Difference, ...]:
        """The changes so far, in words."""
        return document_differences(rule_to_document(rule_of(self.base)), self.document)


def look_at(base: RuleVersion, document: Document | None = None) -> Look:
    """Return the state of an edit; without a document, its initial state."""
    current = document if document is not None else rule_to_document(rule_of(base))
    made = check(current)
    stale = Stale()
    if made.rule is not None:
        held = _last_that_held(base)
        stale = stale_parts(held, made.rule, frozenset(made.cases))
        stale = _still_stale(held, current, made, stale)
    return Look(base=base, document=current, check=made, stale=stale)


def _last_that_held(base: RuleVersion) -> Rule:
    """Return the newest version up to this one whose cases all pass.

    Parts are stale since that version, because a threshold may be proposed first and its cases
    moved in a later session.
    """
    version: RuleVersion | None = base
    while version is not None:
        if not failing_cases(rule := rule_of(version)):
            return rule
        version = version.base
    return rule_of(base)


def _still_stale(rule: Rule, document: Document, made: Check, stale: Stale) -> Stale:
    """Return the stale parts without cases that pass and were changed in this edit."""
    before = rule_to_document(rule)["cases"]
    cases = tuple(
        index
        for index in stale.cases
        if index in made.cases
        or (index < len(before) and document["cases"][index] == before[index])
    )
    return replace(stale, cases=cases)


def with_cases_adapted(base: RuleVersion, document: Document, only: int | None) -> Document:
    """Return the document with one case, or all stale parts, moved with the threshold."""
    look = look_at(base, document)
    if look.check.rule is None:
        return document
    stale = look.stale
    if only is not None:
        stale = Stale(cases=tuple(index for index in stale.cases if index == only))
    return adapted(document, _last_that_held(base), look.check.rule, stale)


def with_figure_set(base: RuleVersion, document: Document, name: str) -> Document:
    """Return the document with the new number in one card text; `name` is its field."""
    figures = look_at(base, document).stale.figures
    named = (each for each in figures if name_of(each.path) == name and each.replacement)
    found = next(named, None)
    return with_new_number(document, found) if found else document


def previews_of(look: Look, *, run_id: str, curator: User) -> tuple[Preview, ...]:
    """Return the previews of the card: on a chosen take first, then on its own cases."""
    rule = look.check.rule
    if rule is None or any("placeholder" in problem for problem in _all_problems(look.check)):
        return ()
    rule = as_if_it_spoke(rule)
    found = sample_previews(rule)
    chosen = uuid_of(run_id)
    on_take = take_previews(rule, run_id=chosen, curator=curator) if chosen else ()
    return (*on_take, *found)


def _all_problems(made: Check) -> tuple[str, ...]:
    return (*made.general, *(each for problems in made.at.values() for each in problems))
