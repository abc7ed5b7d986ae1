"""The question bank and the topics: complete in both languages, short, and without twins."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from analysis.talk.languages import language_data, plain
from coach.questions.bank import bank, topics
from coach.questions.models import QuestionKind
from coach.rehearsals.models import Aim

LANGUAGES = ("en", "fr")
MOST_WORDS = 25


def content_words(text: str, language: str) -> Counter[str]:
    data = language_data(language)
    words = [plain(word) for word in text.replace("’", "’ ").split()]
    return Counter(
        w for w in words if w not in data.common_words | data.clause_words and len(w) > 2
    )


def test_there_are_sixty_questions_and_thirty_topics_with_ids_of_their_own() -> None:
    assert len({each.id for each in bank()}) == len(bank()) == 60
    assert len({each.id for each in topics()}) == len(topics()) == 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_is_one_that_listeners_can_remember(language: str) -> None:
    for each in bank():
        text = each.text(language)
        assert text.endswith("?") or "?" in text or each.id == "hostile_source", each.id
        assert 3 <= len(text.replace("\N{NO-BREAK SPACE}", "").split()) <= MOST_WORDS, each.id
        assert each.en != each.fr


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_differ_by_one_content_word(language: str) -> None:
    for one, other in combinations([*bank(), *topics()], 2):
        mine, theirs = (content_words(each.text(language), language) for each in (one, other))
        assert (mine - theirs).total() + (theirs - mine).total() > 2, (one.id, other.id)


@pytest.mark.parametrize("aim", Aim.values)
@pytest.mark.parametrize("kind", QuestionKind.values)
def test_each_aim_has_two_questions_of_each_kind(aim: str, kind: str) -> None:
    assert sum(each.kind == kind and aim in each.aims for each in bank()) >= 2


@pytest.mark.parametrize("aim", Aim.values)
@pytest.mark.parametrize("kind", QuestionKind.values)
def test_no_audience_is_without_a_question(aim: str, kind: str) -> None:
    for audience in ("experts", "colleagues", "students", "public", "decision_makers", "mixed"):
        fitting = [e for e in bank() if e.kind == kind and e.fits(aim=aim, audience=audience)]
        assert fitting, audience
