"""What differs between two versions of a rule, as its curators read it."""

from __future__ import annotations

from copy import deepcopy

from django.utils.translation import override

from coach.curation.editor.differences import document_differences
from feedback_rules.loader import builtin_rule_set, rule_to_document

RULE = next(rule for rule in builtin_rule_set().rules if rule.id == "FIL001")


def test_numbers_are_shown_as_the_reader_writes_them() -> None:
    before = rule_to_document(RULE)
    after = deepcopy(before)
    after["severity"]["edge"] = 5.5
    after["weights"]["reliability"] = 0.7
    said = {}
    for language in ("en", "fr"):
        with override(language):
            changes = document_differences(before, after)
            said[language] = {(each.before, each.after) for each in changes}
    assert said["en"] == {("5", "5.5"), ("0.75", "0.7")}
    assert said["fr"] == {("5", "5,5"), ("0,75", "0,7")}


def test_the_same_document_has_no_differences() -> None:
    document = rule_to_document(RULE)
    assert document_differences(document, deepcopy(document)) == ()
