from __future__ import annotations

import pytest

from analysis.talk.syllables import count_syllables, syllables_of
from tests.analysis.spoken import words

ENGLISH = {
    "area": 3, "talking": 2, "there's": 1, "it's": 1, "that'll": 2, "james's": 2, "rhythm": 2,
    "well-known": 2, "strengths": 1, "created": 3, "the": 1, "we'd": 1, "it'd": 2, "every": 2,
    "presentation": 4, "um": 1, "Rosalind,": 3, "2025": 5, "y'know": 2, "I'm": 1,
}  # fmt: skip
FRENCH = {
    "area": 3, "école": 2, "nation": 2, "ouvrier": 3, "parler": 2, "parlent": 1, "moment": 2,
    "gouvernement": 4, "oui": 1, "lui": 1, "nuit": 1, "pied": 1, "rien": 1, "crier": 2,
    "bonjour": 2, "aujourd'hui": 3, "beaucoup": 2, "quelque": 1, "quatre": 1, "question": 2,
    "le": 1, "les": 1, "une": 1, "créée": 2, "maison": 2, "oiseau": 2, "voyage": 2, "pays": 2,
    "Noël": 2, "maïs": 2, "étaient": 2, "vraiment": 2, "entreprise": 3, "idée": 2, "vie": 1,
    "rue": 1, "août": 1, "eau": 1, "théâtre": 2, "réunion": 3, "présentation": 4, "euh": 1,
    "yeux": 1, "famille": 2, "travail": 2, "soleil": 2, "feuille": 1, "c'est": 1, "qu'il": 1,
    "j'ai": 1, "l'école": 2, "expérience": 3, "science": 1, "patient": 2, "arrivent": 2,
    "différent": 3, "souvent": 2, "argent": 2, "dent": 1, "étudiant": 3, "important": 3,
    "public": 2, "mangeons": 2, "guerre": 1, "peut-être": 2, "donnent": 1, "client": 2,
    "jouer": 2, "nuage": 2, "maintenant": 2, "également": 3, "samedi": 2, "développement": 3,
    "parlement": 3, "atelier": 3, "intéressant": 4, "petit": 2, "chemise": 2, "redevenir": 3,
    "l'": 0, "qu’": 0, "jusqu'": 1, "qu'un": 1, "quelqu'un": 2, "ouais": 1,
}  # fmt: skip


@pytest.mark.parametrize(("word", "syllables"), ENGLISH.items())
def test_english_words_have_their_spoken_syllables(word: str, syllables: int) -> None:
    assert syllables_of(word, "en") == syllables


@pytest.mark.parametrize(("word", "syllables"), FRENCH.items())
def test_french_words_have_their_spoken_syllables(word: str, syllables: int) -> None:
    assert syllables_of(word, "fr") == syllables


def test_a_dash_has_none() -> None:
    assert syllables_of("-", "en") == 0
    assert syllables_of("…", "fr") == 0


def test_words_are_summed() -> None:
    assert count_syllables(words("we were talking"), "en") == 4
