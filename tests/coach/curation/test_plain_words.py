"""No code and no name of a field of the file reaches a curator: messages, labels, lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.utils import translation

from coach.curation.editor.fields import get
from coach.curation.editor.sections import fields_of, sections
from coach.lib.words.sentences import template_words
from feedback_rules.loader import load_rules, rule_to_document
from feedback_rules.model import Rule
from feedback_rules.model.sentences import DOCUMENT, PROOF, WORDING

ONLY_ON_THE_COMMAND_LINE = {
    "case_silent",
    "case_speaks",
    "case_needs_coach",
    "case_needs_none",
    "case_suggests",
    "not_canonical",
}
"""The studio tells cases in its own words (`why_case_fails`) and writes the file itself."""
CODE = re.compile(r"[a-z]+\.[a-z]+|[a-z]+_[a-z]+|\w+ = \w+|\[\w+, \w+\]|<\w+>|\^\[")
"""gates.needs, at_least, scope = talk, [low, high], a regular expression."""
VALUES = {
    "share": 0.5,
    "full": 1.2,
    "most": 0.1,
    "words": "too",
    "least": 3,
    "language": "en",
    "problem": "}",
    "name": "{time}",
    "known": "speech",
    "op": "between",
    "gt": 0,
    "ge": 0,
    "lt": 1,
    "le": 1,
    "pattern": "^[a-z]{2}$",
    "sentence": "About 5.",
    "case": "a pause",
    "number": "55%",
    "placeholder": "{edge}",
    "wanted": "usual",
    "chosen": "usual",
}


def shown_messages() -> Iterator[str]:
    for code, template in {**WORDING, **PROOF, **DOCUMENT}.items():
        if code not in ONLY_ON_THE_COMMAND_LINE:
            yield template_words(template, VALUES)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_message_of_the_studio_names_a_code(language: str) -> None:
    with translation.override(language):
        found = [words for words in shown_messages() if CODE.search(words)]
    assert found == []


def words_of(rule: Rule) -> Iterator[str]:
    for section in sections(rule_to_document(rule)):
        yield from (section.title, section.lead)
        for group in (each for top in section.groups for each in top.all_groups):
            yield group.title
            for adder in group.adders:
                yield from (adder.label, *(str(words) for _code, words in adder.choices))
            for field in group.fields:
                yield from (
                    field.label,
                    field.help,
                    *(str(words) for _code, words in field.choices),
                )


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_no_label_and_no_list_of_the_editor_names_a_code(rule: Rule) -> None:
    # The placeholders of a card's text are written in braces, as a curator types them.
    said = {words: re.sub(r"\{\w+\}", "", words) for words in words_of(rule)}
    assert {words for words, bare in said.items() if CODE.search(bare)} == set()


def test_what_only_codes_can_fill_is_a_list() -> None:
    """A curator typed “sentence_end” before."""
    codes = {"sentence_end", "mid_clause", "medium", "long", "down", "order", "open_word", "yes"}
    for rule in load_rules():
        document = rule_to_document(rule)
        for field in fields_of(document):
            value = get(document, field.path)
            is_code = isinstance(value, str) and value in codes
            is_codes = isinstance(value, list) and codes & {str(each) for each in value}
            if is_code or is_codes:
                assert field.kind in {"choice", "many"}, (rule.id, field.path)
