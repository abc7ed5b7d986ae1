"""When a rule speaks, in the sentences that curators read."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from analysis.events import EVENTS
from coach.accounts.models import User
from coach.curation import words
from coach.curation.pages.sentences import moments_words, when_it_speaks
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import EventFilter, MetricCondition, Rule
from feedback_rules.model.moments import DERIVED
from tests.coach.conftest import SignIn
from tests.feedback_rules.reports import rule


def said(of: Rule) -> str:
    return "\n".join(line for part in when_it_speaks(of) for line in (part.lead, *part.lines))


@pytest.mark.parametrize(
    ("rule_id", "sentence"),
    [
        ("FIL001", "“Um and uh” is above 5 per minute (the lower end of its range)."),
        ("FIL001", "Its weight grows as “Um and uh” rises from 5 per minute to 12 per minute."),
        (
            "FIL011",
            "“Um and uh” is below 75% of the speaker’s baseline (the upper end of its range).",
        ),
        ("TIM001", "“Length of the talk” is above 110% of the time limit."),
        ("GES010", "“Hands moving” is between 20% and 75%."),
        (
            "GAZ001",
            "Looks away (down, or any in the opening or the closing) of 3 s or more: at least",
        ),
        ("GAZ001", "And one second sign, otherwise there is no card:"),
        ("GAZ001", "the camera is not: Below my eyes"),
        (
            "GAZ006",
            "Stretches of level pitch that share at least 50% of their time with “Looks away",
        ),
        ("GAZ006", "If it gives a card, it replaces GAZ001, GAZ002, GAZ003, GAZ004, GAZ005, "),
        ("PAC002", "Silent pauses (medium, long) in the last fifth: at most 3 a minute."),
        ("PAC002", "And one second sign, otherwise the card waits for a coach:"),
        ("SIG001", "1 measure could not be made, because: The recording is not clear enough"),
        ("LOU001", "“Signal over noise” is at least 15 dB"),
        ("LOU003", "Several people speak."),
        ("PAC004", "the talk is in: English"),
        ("POS003", "Only a coach shows it."),
    ],
)
def test_a_rule_says_when_it_speaks(rule_id: str, sentence: str) -> None:
    assert sentence in said(rule(rule_id))


@pytest.mark.parametrize(("limit", "said"), [(1.97, "1,97 demi-ton "), (2, "2 demi-tons ")])
def test_a_limit_counts_as_it_is_written(limit: float, said: str) -> None:
    of = rule("PIT003")
    condition = MetricCondition(metric="pitch.sd_semitones", op="below", value=limit, use="high")
    with translation.override("fr"):
        when = of.when.model_copy(update={"all": (condition,)})
        assert said in when_it_speaks(of.model_copy(update={"when": when}))[0].lines[0]


def test_every_closed_label_and_detail_that_a_rule_names_is_said_in_words() -> None:
    named = [
        (each, code)
        for rule_ in builtin_rule_set().rules
        for each in (*rule_.evidence.events, *rule_.when.conditions)
        if isinstance(each, EventFilter)
        for code in (*each.labels, *each.overlap_labels, *each.detail.values())
    ]
    assert named
    assert {code for _filter, code in named} <= set(words._LABELS)
    with translation.override("fr"):
        said_in_french = "\n".join(moments_words(each) for each, _code in named)
    assert "(vers le bas" in said_in_french
    assert "mid_clause" not in said_in_french


def test_every_rule_of_the_library_has_its_sentences() -> None:
    for each in builtin_rule_set().rules:
        words_of_it = said(each)
        assert "It gives a card if" in words_of_it
        assert words_of_it.startswith("This rule is retired") == (each.status == "retired")
        assert "_" not in words_of_it
        assert "None" not in words_of_it


def test_every_kind_of_event_has_a_name_in_both_languages() -> None:
    kinds = (*EVENTS, *DERIVED)
    assert dict(words.moments()) == {each.id: each.label for each in kinds}
    with translation.override("fr"):
        in_french = dict(words.moments())
    assert {each.id for each in kinds if in_french[each.id] == each.label} == {"question"}


def test_what_keeps_a_rule_silent_because_it_means_something_else_is_said() -> None:
    read = rule("PAU001")
    meant = MetricCondition(metric="pauses.boundary_pause_share", op="at_least", value=0.5)
    when = read.when.model_copy(update={"unless": (meant,)})
    parts = when_it_speaks(read.model_copy(update={"when": when}))
    [unless] = [part for part in parts if part.lead == "Unless one of these is true:"]
    assert unless.lines == ("“Pauses after sentences” is at least 50%.",)


@pytest.mark.parametrize(
    ("name", "band", "words"),
    [
        ("QUE001", {}, "below 0.3 per minute, but never reaches the full weight."),
        ("PAU002", {"width": 0.3}, "below 20%, but never reaches the full weight."),
        ("LOU001", {"edge": 0.9, "width": 0.3}, "above 90%, but never reaches the full weight."),
        ("PAU002", {}, "to 0%."),
        ("LOU002", {}, "to -10 dB."),
    ],
)
def test_no_sentence_names_a_value_that_nothing_can_have(
    name: str, band: dict[str, float], words: str
) -> None:
    read = rule(name)
    moved = read.model_copy(update={"severity": read.severity.model_copy(update=band)})
    assert words in when_it_speaks(moved)[-1].lead.replace("\u2212", "-").replace("\u00a0", " ")


def test_what_may_not_lie_in_a_moment_is_said() -> None:
    wanted = rule("LOU010").evidence.events[0]
    assert moments_words(wanted).endswith("without “Quiet sentence ends”")
    wanted = rule("WRD010").evidence.events[0]
    assert "(how many: 3 or more)" in moments_words(wanted)


@pytest.mark.usefixtures("release")
def test_the_sentences_stand_on_the_rules_page(curator: User, sign_in: SignIn) -> None:
    page = sign_in(curator).get(reverse("curation:rule", args=["FIL001"])).content.decode()
    assert "“Um and uh” is above 5 per minute (the lower end of its range)." in page


def test_a_rule_names_those_that_it_is_never_shown_with() -> None:
    praise = next(each for each in builtin_rule_set().rules if each.id == "PAU010")
    said = " ".join(part.lead for part in when_it_speaks(praise))
    assert praise.never_with
    named = ", ".join(praise.never_with)
    assert f"Never shown together with {named}, because they contradict." in said
