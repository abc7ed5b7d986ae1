"""What is wrong with a rule is data; each code has one sentence, which says all its values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError
from pydantic_core.core_schema import ErrorType

from analysis.sentences import Sentence, placeholders
from feedback_rules.model import Rule, RuleProblem, problem
from feedback_rules.model.problems import problem_of
from feedback_rules.model.sentences import DOCUMENT, FILES, PROOF, SENTENCES, WORDING
from tests.feedback_rules.reports import rule

SOURCES = [path for top in ("feedback_rules", "coach") for path in Path(top).rglob("*.py")]
CASES = {"no_pass_case", "no_fail_case", "no_threshold_case"}
OF_PYDANTIC = set(get_args(ErrorType))


def _calls() -> Iterator[tuple[str, str, set[str]]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"problem", "refused"}:
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    names = {str(word.arg) for word in node.keywords}
                    yield f"{path}:{node.lineno}", str(code.value), names


def test_every_problem_that_is_named_has_a_sentence_which_says_all_its_values() -> None:
    found = list(_calls())
    assert len(found) > 40
    for where, code, names in found:
        assert code in SENTENCES, where
        assert names == set(placeholders(Sentence(SENTENCES[code]))), where


def test_every_sentence_is_for_something_that_is_named() -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in SOURCES if path.name != "sentences.py"
    )
    ours = SENTENCES.keys() - CASES - OF_PYDANTIC
    assert {code for code in ours if f'"{code}"' not in text} == set()
    assert len(SENTENCES) == sum(map(len, (WORDING, PROOF, DOCUMENT, FILES)))


@pytest.mark.parametrize("code", sorted(SENTENCES.keys() - {"in_words"}))
def test_a_sentence_begins_and_ends_as_one(code: str) -> None:
    text = SENTENCES[code]
    assert text[-1] in ".”" or code == "model_type"
    assert not text[0].islower()


def test_what_pydantic_finds_is_told_with_our_sentences_and_its_own_where_we_have_none() -> None:
    document = rule("FIL001").model_dump(mode="json")
    document["severity"]["width"] = 0
    document["evidence"]["quote"] = 3
    document["cases"][0]["report"] = {"duration": "long"}
    with pytest.raises(ValidationError) as caught:
        Rule.model_validate(document)
    told = {each["loc"][-1]: problem_of(each, ("x",)) for each in caught.value.errors()}
    assert told["width"].sentence == "This is a number above 0.0."
    assert told["quote"].sentence == "Choose one from the list."
    assert told["duration"].sentence == "Write a number, such as 5 or 0.2."
    strange = problem_of({"type": "x", "loc": (), "msg": "input is odd", "input": 1}, ("a", 0))
    assert str(strange) == "a.0: Input is odd."


def test_a_problem_without_a_place_is_of_the_whole() -> None:
    assert str(problem("emoji")) == "No emoji."
    assert problem("emoji").at("title") == RuleProblem("emoji", (), ("title",))
