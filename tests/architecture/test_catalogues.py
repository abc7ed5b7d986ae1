"""Every sentence of the interface is there in every language, complete and in step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from coach.accounts.purposes import WORDINGS
from coach.lib.catalogues import LANGUAGES, catalogue_of
from coach.lib.catalogues.checking import problems_of
from coach.lib.catalogues.cli import main
from coach.lib.catalogues.extracting import extract_all
from coach.lib.catalogues.files import is_stale, read, update, write
from coach.lib.catalogues.typography import NARROW, NBSP, bare_marks, tidy
from coach.lib.checks import catalogues_are_compiled
from tests.architecture.percent import NOT_ENGLISH

RULES = "feedback_rules"
"""Rules are documents of those who wrote them, and the gallery is printed from them."""


@pytest.fixture(scope="module")
def wanted() -> Catalog:
    """What code and templates say now."""
    return extract_all()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_missing_fuzzy_empty_left_over_or_badly_set(
    language: str, wanted: Catalog
) -> None:
    assert problems_of(read(catalogue_of(language), language), wanted) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_holds_what_the_command_would_write(
    language: str, wanted: Catalog, tmp_path: Path
) -> None:
    """Entries, order and comments; where a line is broken changes nothing for anybody."""
    again = tmp_path / "again.po"
    write(update(language, wanted), again)
    assert _entries(read(again, language)) == _entries(read(catalogue_of(language), language))


def test_what_is_read_is_as_new_as_what_is_written() -> None:
    assert not any(is_stale(language) for language in LANGUAGES)
    assert catalogues_are_compiled() == []


def test_no_french_word_that_is_cut_before_a_vowel_stands_before_a_name() -> None:
    """De Bea, but d'Élise; who it will be is known to nobody who translates."""
    cut = re.compile(
        r"\b(?:de|que|se|ne|je|jusque|lorsque|puisque) "
        r"%\((?:name|names|who|owner|trainee|coach|colleague|author|person|pseudonym|label)\)s",
        re.IGNORECASE,
    )
    standing = read(catalogue_of("fr"), "fr")
    sentences = [each for message in standing for each in _strings(message)]
    assert [each for each in sentences if cut.search(each)] == []


def test_french_takes_whom_it_speaks_to_neither_for_a_man_nor_for_a_woman() -> None:
    """“Vous serez prévenu” is a man: “un avis vous parviendra” is anybody."""
    agrees = re.compile(
        r"\b(?:vous (?:êtes|serez|étiez|avez été|vous êtes|être)|soyez) "
        r"(?:bien |tous |encore |peut-être )?"
        r"(?:\w+ée?s?|revenue?s?|assise?s?|vue?s?|prévenue?s?|interrompue?s?|sûre?s?|prête?s?|"
        r"petite?s?|seule?s?)\b(?! (?:une|la|le|un|de|d’|à|les|des|l’) )"
        r"|\bvous a (?:invité|prévenu)|\b(?:rester|encore) connecté|\bcadrez-vous seul",
        re.IGNORECASE,
    )
    standing = read(catalogue_of("fr"), "fr")
    sentences = [each for message in standing for each in _strings(message)]
    assert [each for each in sentences if agrees.search(each)] == []


def test_french_calls_people_what_is_said_of_everybody() -> None:
    """“L’élève” and “l’équipe de recherche”, never “le participant” and “un chercheur”."""
    is_a_man = re.compile(
        r"\b(?:participants?|chercheurs?|administrateurs?|intervieweurs?)\b"
        r"|(?:\b(?:un|le|les|des|aux|vos) |d’)(?:invité|expert)s?\b",
        re.IGNORECASE,
    )
    # What people agreed to keeps its words.
    agreed = {str(each.text) for wordings in WORDINGS.values() for each in wordings}
    standing = read(catalogue_of("fr"), "fr")
    sentences = [
        each for message in standing if message.id not in agreed for each in _strings(message)
    ]
    assert [each for each in sentences if is_a_man.search(each)] == []


def test_french_has_one_word_for_one_thing() -> None:
    """An export, a courriel, an accord, a groupe: never what else they could be called."""
    others = re.compile(
        r"\b(?:exportations?|e-?mails?|consentements?|rafales?|seconds? signes?|deuxièmes? avis|"
        r"cohortes?|curateurs?|livres? de codes|ouvriers?|seaux?)\b",
        re.IGNORECASE,
    )
    standing = read(catalogue_of("fr"), "fr")
    sentences = [each for message in standing if message.id for each in _strings(message)]
    words = [re.sub(r"%\(\w+\)|{\w+", "", each) for each in sentences]
    assert [each for each in words if others.search(each)] == []


def test_what_is_discarded_or_thrown_away_is_deleted_in_french() -> None:
    """“Écarter” is what is done with a take that stays: left out of a study, for one."""
    gone = re.compile(r"\b(?:discard|thrown? (?:it )?away)", re.IGNORECASE)
    said = [each for each in read(catalogue_of("fr"), "fr") if gone.search(str(each.id))]
    assert len(said) > 5
    french = [each for message in said for each in _strings(message)]
    assert [each for each in french if "supprim" not in each.lower()] == []


def test_what_a_sentence_calls_a_button_is_what_the_button_reads() -> None:
    standing = read(catalogue_of("fr"), "fr")
    reads = {each.id: each.string for each in standing if isinstance(each.id, str)}
    named = [
        (reads[name], french)
        for message in standing
        for name in re.findall(r"“([A-Z][^“”%{]+)”", str(message.id))
        if name in reads
        for french in _strings(message)
    ]
    assert len(named) > 2
    assert [each for each in named if each[0] not in each[1]] == []


def test_french_quotes_between_guillemets_and_otherwise_only_within_them() -> None:
    english = re.compile(r"(?<!\w)['‘“](?=[\w{%])[^«»]*[\w}][”’'](?!\w)")
    standing = read(catalogue_of("fr"), "fr")
    outer = [each for each in standing if each.context != "quotation marks within others"]
    assert [each for message in outer for each in _strings(message) if english.search(each)] == []


def _entries(catalogue: Catalog) -> list[tuple[object, ...]]:
    return [
        (each.context, each.id, each.string, each.auto_comments, each.locations, each.flags)
        for each in catalogue
    ]


def _strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def test_sentences_are_found_in_code_and_in_templates(wanted: Catalog) -> None:
    assert len(wanted) > 1000
    places = {path.split("/")[0] for each in wanted for path, _line in each.locations}
    assert {"coach", "templates"} <= places
    assert wanted.get(("take, with all its results", "takes, with all their results"))
    assert wanted.get("Next", context="page")


def test_the_sign_for_per_cent_is_written_the_english_way(wanted: Catalog) -> None:
    found = [
        text
        for message in wanted
        if {place for place, _line in message.locations} != {RULES}
        for text in ((message.id,) if isinstance(message.id, str) else message.id)
        if NOT_ENGLISH.search(text)
    ]
    assert found == []


def _pair(english: object, french: object, **more: object) -> list[str]:
    wanted, standing = Catalog(), Catalog(locale="fr")
    wanted.add(english)  # type: ignore[arg-type]
    standing.add(english, string=french, **more)  # type: ignore[arg-type]
    return problems_of(standing, wanted)


def test_what_is_whole_has_no_problem() -> None:
    assert _pair("Look: %(n)s", f"Regardez{NBSP}: %(n)s") == []
    assert _pair(("%(n)s take", "%(n)s takes"), ("%(n)s prise", "%(n)s prises")) == []


@pytest.mark.parametrize(
    ("english", "french", "more"),
    [
        ("Take", "", {}),
        ("Take", "Prise", {"flags": ["fuzzy"]}),
        (("%(n)s take", "%(n)s takes"), ("%(n)s prise", ""), {}),
        ("%(n)s takes", "%(m)s prises", {}),
        ("%(n)s takes", "des prises", {}),
        ('<a href="%(url)s">Open</a>', '<a href="%(url)s">Ouvrir', {}),
        ("Which {n}?", "Lequel ?", {}),
        ("Which?", "Lequel ?", {}),
        ("Which?", "Lequel?", {}),
        ("Look: 1", "Regardez : 1", {}),
        ("A tenth: 10 %%", f"Un dixième{NBSP}: 10 %%", {}),
        ("The “word”", "Le «mot»", {}),
        ("The person", "L'auteur", {}),
        ("Hello\n", "Bonjour", {}),
    ],
)
def test_what_is_wrong_is_said(english: object, french: object, more: dict[str, object]) -> None:
    assert _pair(english, french, **more)


def test_what_is_missing_or_left_over_is_said() -> None:
    wanted, standing = Catalog(), Catalog(locale="fr")
    wanted.add("New here")
    standing.add("Gone", string="Parti")
    assert problems_of(standing, wanted) == ["missing: 'New here'", "no longer used: 'Gone'"]


@pytest.mark.parametrize(
    ("typed", "set_right"),
    [
        ("Est-ce tout ?", f"Est-ce tout{NARROW}?"),
        ("Oui ; non !", f"Oui{NARROW}; non{NARROW}!"),
        ("Voici : 35 %% et 40 %.", f"Voici{NBSP}: 35{NBSP}%% et 40{NBSP}%."),
        ("dans « le mot »", f"dans «{NBSP}le mot{NBSP}»"),
        ("dans «le mot »", f"dans «{NBSP}le mot{NBSP}»"),
        ("l'heure d'après", "l’heure d’après"),
        ("de %(n)s à %(m)s", "de %(n)s à %(m)s"),
        ("à 1:05, voir https://example.org/?a=b", "à 1:05, voir https://example.org/?a=b"),
    ],
)
def test_french_is_set_with_its_spaces(typed: str, set_right: str) -> None:
    assert tidy(typed) == set_right
    assert tidy(set_right) == set_right
    assert bare_marks(set_right) == []


def test_the_command_says_whether_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert "Every sentence is translated." in capsys.readouterr().err
