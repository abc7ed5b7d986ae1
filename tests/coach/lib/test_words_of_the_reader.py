"""Numbers, names and commands in the language of whoever reads them."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command, load_command_class
from django.template import Context, Template
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext

from analysis.results import Note
from coach.audit.registry import ACTIONS
from coach.feedback.pages.measures import number_words
from coach.lib.terminal import terminal_language
from coach.lib.words.dates import date_words
from coach.lib.words.dates import written as written_day
from coach.lib.words.measure_words import (
    label_of,
    language_words,
    metric_words,
    unit_words,
)
from coach.lib.words.numbers import decimal, percent
from coach.lib.words.placeholder_names import FORMER_COACH, name_words
from coach.lib.words.punctuation import pair_words, within_quotes
from coach.lib.words.rule_words import reference_words, title_words
from coach.lib.words.sentences import sentence
from coach.lib.words.sizes import size_words
from coach.rehearsals.models import SpokenLanguage
from coach.research.coding.interviews.forms import language_choices
from feedback_rules.loader import builtin_rule_set


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("DATE_FORMAT", "24 November 2026"),
        ("DATETIME_FORMAT", "24 November 2026, 09:05"),
        ("TIME_FORMAT", "09:05"),
    ],
)
def test_the_administration_writes_dates_as_all_other_pages_do(pattern: str, said: str) -> None:
    """Django's English is that of the United States: "Nov. 24, 2026, 9:05 a.m."."""
    with translation.override("en"):
        assert date_format(datetime(2026, 11, 24, 9, 5, tzinfo=UTC), pattern) == said


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "1 December 2026, 09:05", "2 December 2026, 09:05"),
        ("fr", "1er décembre 2026, 09:05", "2 décembre 2026, 09:05"),
    ],
)
def test_the_first_day_of_a_month_is_written_as_the_language_writes_it(
    language: str, first: str, second: str
) -> None:
    days = [datetime(2026, 12, day, 9, 5, tzinfo=UTC) for day in (1, 2)]
    with translation.override(language), timezone.override(UTC):
        assert [date_words(each) for each in days] == [first, second]
        filtered = Template('{{ day|date:"j F Y, H:i" }}{{ none|date:"j F" }}')
        assert [filtered.render(Context({"day": each})) for each in days] == [first, second]
        assert written_day(days[0].date(), "j F") == first[:-12]


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["168 kB", "1 kB", "16.0 MB", "6.0 GB"]),
        ("fr", ["168 ko", "1 ko", "16,0 Mo", "6,0 Go"]),
    ],
)
def test_a_size_has_the_unit_that_scripts_write(language: str, written: list[str]) -> None:
    sizes = (168 * 2**10, 3, 16 * 2**20, 6 * 2**30)
    with translation.override(language):
        assert [size_words(each).replace("\u00a0", " ") for each in sizes] == written
        made = Template("{% load sizes %}{{ bytes|size }}").render(Context({"bytes": 2**30}))
        assert made == size_words(2**30)


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["2.5", "−3", "+3", "0.0", "35%", "0.25", "−2.5"]),
        ("fr", ["2,5", "−3", "+3", "0,0", "35\u00a0%", "0,25", "−2,5"]),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(language: str, written: list[str]) -> None:
    with translation.override(language):
        said = [
            decimal(2.46),
            decimal(-3.2, 0),
            decimal(3.2, 0, signed=True),
            decimal(-0.02, signed=True),
            percent(0.346),
            number_words(0.249, "ratio"),
            Template("{% load numbers %}{{ value|decimal }}{{ none|decimal }}").render(
                Context({"value": -2.5, "none": None})
            ),
        ]
    assert said == written


def test_what_analysis_names_in_english_is_said_in_french() -> None:
    with translation.override("fr"):
        assert label_of("pace.words_per_minute") == "Débit de parole"
        assert unit_words("per minute") == "par minute"
        assert metric_words("pace.words_per_minute") == "Débit de parole (mots par minute)"
        assert metric_words("no.such_measure") == "no.such_measure"
        assert title_words("Swaying") == "Balancement"
    assert metric_words("pace.words_per_minute") == "Speaking pace (words per minute)"


def test_french_has_its_singular_up_to_two() -> None:
    with translation.override("fr"):
        said = [unit_words("semitones", number) for number in (0.1, -1.94, 1.96, 3)]
        assert said == ["demi-ton", "demi-ton", "demi-tons", "demi-tons"]
        assert unit_words("semitones") == "demi-tons"
    assert unit_words("semitones", 0.1) == "semitones"


def test_every_reference_of_a_rule_is_read_in_french() -> None:
    references = {each for rule in builtin_rule_set().rules for each in rule.references}
    with translation.override("fr"):
        english = [each for each in references if "ule of thumb" in reference_words(each).words]
        assert english == []
        assert reference_words("Nolan (2003) for the semitone.").language == "fr"
        assert reference_words("A curator's own.").language == "en"


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("Hincks (2005) longer runs", "chez les femmes, avec un exposé jugé plus vivant"),
        ("asymmetric tolerance for gaze", "un regard dirigé plus bas que les yeux."),
        ("Chen (2002) on tolerance", "un regard dirigé plus bas que les yeux."),
        ("criterion of helpful repetition", "la répétition utile, un critère de coachs."),
        ("called dancing", "ce que le Presentation Trainer appelle «\u00a0danser\u00a0»"),
        ("fillers before delay", "les «\u00a0euh\u00a0» qui annoncent un temps d’arrêt."),
    ],
)
def test_a_reference_says_in_french_what_was_found(english: str, french: str) -> None:
    references = {each for rule in builtin_rule_set().rules for each in rule.references}
    (reference,) = (each for each in references if english in each)
    with translation.override("fr"):
        assert french in reference_words(reference).words


def test_words_that_are_put_together_are_set_as_the_language_sets_them() -> None:
    assert pair_words("Bea", "opened it") == "Bea: opened it"
    with translation.override("fr"):
        assert pair_words("Bea", "l’a ouverte") == "Bea\u00a0: l’a ouverte"
        assert within_quotes(label_of("fillers.filled_pauses_per_minute")) == "Les “euh”"
        assert gettext("Forgot your password?") == "Mot de passe oublié\u202f?"


@pytest.mark.parametrize(
    ("title", "english", "french"),
    [
        ("My talk", "My talk", "My talk"),
        ("My “first” talk", "My ‘first’ talk", "My “first” talk"),
        ('The "why" and the "how"', "The ‘why’ and the ‘how’", "The “why” and the “how”"),
        ("Le «\u00a0non\u00a0» dit", "Le ‘non’ dit", "Le “non” dit"),
        ("Le « non » dit", "Le ‘non’ dit", "Le “non” dit"),
        ('A 5" screen', 'A 5" screen', 'A 5" screen'),
        ("It’s «»", "It’s ‘’", "It’s “”"),
    ],
)
def test_a_title_in_quotation_marks_has_inner_ones(title: str, english: str, french: str) -> None:
    assert within_quotes(title) == english
    with translation.override("fr"):
        assert within_quotes(title) == french


def test_a_curators_own_title_and_a_persons_own_name_stay_as_they_are() -> None:
    with translation.override("fr"):
        assert title_words("My own rule") == "My own rule"
        assert title_words("") == ""
        assert name_words("Done") == "Done"
        assert name_words(FORMER_COACH) == "Un ancien coach"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_MESSAGES": "fr_CA"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_a_terminal_says_its_language(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
        if name in environment:
            monkeypatch.setenv(name, environment[name])
    assert terminal_language() == language


def test_a_commands_help_is_in_the_terminals_language() -> None:
    command = load_command_class("coach.accounts", "add_person")
    with translation.override("fr"):
        assert (
            "Ajoute une personne" in command.create_parser("manage.py", "add_person").format_help()
        )


@pytest.mark.django_db
def test_a_command_speaks_its_callers_language() -> None:
    said = StringIO()
    with translation.override("fr"):
        call_command("add_person", "eva@example.org", "--name", "Eva", stdout=said)
    assert "Eva (eva@example.org) choisit ici un mot de passe" in said.getvalue()


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["French", "Norwegian Bokmål", "Udmurt", "Welsh", "fr_XX", ""]),
        ("fr", ["français", "norvégien bokmål", "oudmourte", "gallois", "fr_XX", ""]),
    ],
)
def test_a_language_is_called_what_the_reader_calls_it(language: str, names: list[str]) -> None:
    with translation.override(language):
        assert [language_words(code) for code in ("fr", "nb", "udm", "cy", "fr_XX", "")] == names


def test_languages_to_choose_from_stand_in_the_order_of_their_names_the_site_s_own_first() -> None:
    with translation.override("fr"):
        names = [name for _code, name in language_choices()]
    assert names[:4] == ["anglais", "français", "afrikaans", "albanais"]
    assert names.index("espéranto") < names.index("estonien") < names.index("finnois")
    assert names == [name.lower() for name in names]


def test_an_act_is_what_somebody_did_and_no_button() -> None:
    with translation.override("fr"):
        said = [str(ACTIONS[f"research.{name}"]) for name in ("transcript_read", "code_split")]
        assert said == ["A lu une transcription", "A scindé un code"]
        assert gettext("Import a transcript") == "Importer une transcription"


def test_a_sway_of_a_few_hundredths_is_not_said_to_be_none() -> None:
    assert [number_words(value, "shoulder widths") for value in (0.03, 0.16, 0.0)] == [
        "0.03",
        "0.16",
        "0.00",
    ]


@pytest.mark.parametrize(
    ("share", "said"),
    [(1, "100%"), (0, "0%"), (0.346, "35%"), (217 / 218, "99.5%"), (1 / 9000, "0.01%")],
)
def test_a_share_is_all_or_nothing_only_where_it_is(share: float, said: str) -> None:
    """Two coders who differ on one turn of 218 do not agree on all of them."""
    assert Template("{% load numbers %}{{ n|percent }}").render(Context({"n": share})) == said


def test_a_language_stands_small_inside_a_french_sentence_and_large_in_a_choice() -> None:
    note = Note.of("sounds_like_supported", chosen="fr", heard="en")
    with translation.override("fr"):
        assert sentence(note).startswith("Vous avez indiqué\u00a0: français, mais")
        assert "(anglais)" in sentence(note)
        assert [str(SpokenLanguage(each).label) for each in ("en", "fr")] == ["Anglais", "Français"]
