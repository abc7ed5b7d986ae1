"""What the cards of a draft carry: words, clips, quotes, and the same bytes every time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedback_rules.explain import why_in_short, why_more
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, Draft, Outcome, word_count
from feedback_rules.select import compare, draft
from feedback_rules.select.certainty import SURE, level_of
from tests.feedback_rules.drafts import (
    CAMERA,
    FILLERS,
    UMS,
    drafted,
    item_of,
    rich,
)
from tests.feedback_rules.reports import a_report, events, shipped, spoken


def test_a_card_carries_everything_that_it_needs() -> None:
    item = item_of(draft(rich(), builtin_rule_set(), CAMERA), "FIL001")
    assert item.rule_version == shipped("FIL001")
    assert (item.quality, item.modality) == ("fluency", "speech")
    assert item.claim.startswith("You often said “um” or “uh”")
    assert "about 8 a minute (range 6–10)" in item.figure
    assert item.comparison_source.startswith("Laske & DiGennaro Reed 2024; ")
    assert "down to 5 a minute" in item.counterfactual
    assert item.exercise is not None
    assert item.exercise.minutes <= 5
    assert item.certainty.startswith("Fairly sure: ")
    assert (item.value, item.unit, item.interval) == (8, "per minute", (6.0, 10.3))
    assert item.inputs["fillers.filled_pauses_per_minute"].n == 24
    assert item.evidence_events == ("filled_pause",)
    assert item.references
    assert item.author
    assert 25 <= word_count(item.text) <= 60
    parts = (item.claim, item.figure, item.comparison, item.why, item.suggestion, item.certainty)
    assert item.text == " ".join(parts)


def test_the_score_is_the_product_of_its_factors() -> None:
    factors = item_of(draft(rich(), builtin_rule_set(), CAMERA), "FIL001").factors
    product = 1.0
    for factor in (
        factors.severity,
        factors.confidence,
        factors.goal,
        factors.context,
        factors.actionability,
        factors.novelty,
    ):
        assert 0 <= factor <= 1
        product *= factor
    assert factors.score == pytest.approx(product, abs=1e-6)


def test_the_reason_fits_the_aim() -> None:
    pitch = drafted(Context(aim="pitch"), measurements=FILLERS, events=UMS)
    teach = drafted(Context(aim="teach"), measurements=FILLERS, events=UMS)
    assert "offer" in pitch.items[0].why
    assert "Learners" in teach.items[0].why


def test_after_three_takes_the_own_usual_is_what_a_figure_is_compared_with() -> None:
    baseline = {"fillers.filled_pauses_per_minute": {"value": 10, "takes": 3}}
    context = Context.model_validate({"baseline": baseline})
    item = drafted(context, measurements=FILLERS, events=UMS).items[0]
    assert item.comparison == "Usual for you: about 10 a minute."
    # Over how many takes, and what the line of the rule rests on, stand behind the card.
    assert item.comparison_source.startswith("your usual over 3 takes; Laske")
    assert "the line is 5" in why_in_short(item, "en")[0]


def test_a_french_talk_gets_french_cards() -> None:
    item = drafted(language="fr", measurements=FILLERS, events=UMS).items[0]
    assert item.language == "fr"
    assert "«\u00a0euh\u00a0»" in item.claim
    assert "environ 8 par minute (entre 6 et 10)" in item.figure
    assert item.certainty.startswith("Plutôt fiable, mais nos erreurs ")


CARRIED = {
    "loudness.sentence_end_drop_share": {"value": 0.05, "n": 20},
    "loudness.trend_db": {"value": -0.5, "n": 900},
    "signal.snr_db": 25,
}
SENTENCES = events("sentence", 20, 80, 140, lasting=4, detail={"words": 13})


@pytest.mark.parametrize(
    ("language", "certainty"),
    [
        ("en", "Less sure: a longer, clearer take would help."),
        ("fr", "Moins fiable\u00a0: une prise plus longue ou plus nette aiderait."),
    ],
)
def test_little_sound_is_the_reason_given_where_it_is_the_reason(
    language: Any, certainty: str
) -> None:
    fair = {name: value for name, value in CARRIED.items() if name != "signal.snr_db"}
    scant = CARRIED | {
        name: {**value, "quality": "fair", "coverage": 0.6} for name, value in fair.items()
    }
    report = a_report(measurements=scant, events=SENTENCES)
    item = item_of(draft(report, builtin_rule_set(), None, language=language), "LOU010")
    assert item.certainty == certainty
    assert 25 <= word_count(item.text) <= 60


def test_the_rules_own_reason_stands_where_the_take_was_long_and_clear() -> None:
    item = item_of(drafted(measurements=CARRIED, events=SENTENCES), "LOU010")
    assert item.certainty == "Fairly sure: we found no sign of automatic level control."


@pytest.mark.parametrize(
    ("models", "spoken", "reading", "said"),
    [
        ({"tiny.en.pt": "0"}, "en", "en", "in English tests we missed about two in ten."),
        ({"whisper-base": "0"}, "en", "en", "our misses here are not measured yet."),
        ({"small.en.pt": "0"}, "en", "en", "our misses here are not measured yet."),
        (
            {"whisper-base": "0"},
            "fr",
            "en",
            "in a few French recordings we missed about six in ten.",
        ),
        (
            {"whisper-base": "0"},
            "fr",
            "fr",
            "dans quelques enregistrements en français, environ six sur dix nous échappaient.",
        ),
        (
            {"tiny.en.pt": "0"},
            "en",
            "fr",
            "dans nos tests en anglais, environ deux sur dix nous échappaient.",
        ),
    ],
)
def test_what_goes_unheard_is_said_for_the_engine_and_language_in_use(
    models: dict[str, str], spoken: str, reading: Any, said: str
) -> None:
    report = a_report(language=spoken, measurements=FILLERS, events=UMS)
    report = report.model_copy(update={"models": models})
    rule = {"en": "FIL001", "fr": "FIL004"}[spoken]
    item = item_of(draft(report, builtin_rule_set(), None, language=reading), rule)
    assert item.certainty.endswith(said)


def test_what_nobody_tested_makes_no_card_surer_than_it_is() -> None:
    """A card whose measurement is less sure than others was called fairly sure there."""
    bursts = {"fillers.bursts_per_minute": {"value": 0.8, "n": 3, "coverage": 0.5}}
    given = [*UMS, *events("filler_burst", 20, 80, 140, lasting=6)]
    report = a_report(measurements=FILLERS | bursts, events=given)
    report = report.model_copy(update={"models": {"whisper-base": "0"}})
    held = draft(report, builtin_rule_set(), None).held_back
    item = next(each.item for each in held if each.rule == "FIL003")
    assert item.certainty == "Less sure: our misses here are not measured yet."


@pytest.mark.parametrize(
    ("language", "certainty", "explained"),
    [
        ("en", "Fairly sure, but our misses", "The measurement is fairly sure."),
        ("fr", "Plutôt fiable, mais", "La mesure est plutôt fiable."),
    ],
)
def test_an_explanation_is_as_sure_as_its_card(
    language: Any, certainty: str, explained: str
) -> None:
    report = a_report(measurements=FILLERS, events=UMS)
    report = report.model_copy(update={"models": {"small.en.pt": "0"}})
    item = item_of(draft(report, builtin_rule_set(), None, language=language), "FIL001")
    surer = item.factors.model_copy(update={"confidence": 0.8})
    item = item.model_copy(update={"factors": surer})
    assert level_of(item.factors.confidence) == SURE
    assert item.certainty.startswith(certainty)
    assert explained in why_more(item, language)


def test_the_reader_may_ask_for_another_language() -> None:
    report = a_report(language="fr", measurements=FILLERS, events=UMS)
    assert draft(report, builtin_rule_set(), None, language="en").items[0].language == "en"


def test_the_same_input_gives_the_same_bytes_in_sorted_keys() -> None:
    once = draft(rich(), builtin_rule_set(), CAMERA).as_json()
    again = draft(rich(), builtin_rule_set(), CAMERA).as_json()
    assert once == again
    document = json.loads(once)
    assert list(document) == ["findings", "held_back", "items", "rule_set"]
    assert json.dumps(document, sort_keys=True, ensure_ascii=False, indent=2) == once


def test_the_order_of_rules_and_events_does_not_matter() -> None:
    report, rule_set = rich(), builtin_rule_set()
    turned = report.model_copy(update={"events": report.events[::-1]})
    backwards = rule_set.model_copy(update={"rules": rule_set.rules[::-1]})
    assert draft(turned, backwards, CAMERA).as_json() == draft(report, rule_set, CAMERA).as_json()


def test_a_stored_draft_can_be_read_again() -> None:
    made = draft(rich(), builtin_rule_set(), CAMERA)
    assert Draft.model_validate_json(made.as_json()) == made


def test_another_rule_set_is_compared_by_what_people_would_see() -> None:
    rules = builtin_rule_set()
    without = rules.model_copy(update={"rules": tuple(r for r in rules.rules if r.id != "FIL001")})
    before = drafted(measurements=FILLERS, events=UMS)
    after = drafted(rule_set=without, measurements=FILLERS, events=UMS)
    change = compare(before, after)
    assert (change.gained, change.lost, change.is_none) == ((), ("FIL001",), False)
    assert compare(before, before).is_none
    assert compare(before, before).is_nothing_at_all


def test_items_that_stay_may_move_read_differently_or_wait_for_a_coach() -> None:
    made = draft(rich(), builtin_rule_set(), CAMERA)
    strength, first, second = made.items
    turned = made.model_copy(update={"items": (strength, second, first)})
    moved = compare(made, turned)
    assert (moved.reordered, set(moved.moved)) == (True, {first.rule, second.rule})
    other = first.model_copy(update={"text": "Other words."})
    reworded = compare(made, made.model_copy(update={"items": (strength, other, second)}))
    assert (reworded.reworded, reworded.is_none) == ((first.rule,), True)
    assert not reworded.is_nothing_at_all
    held = made.held_back[0].model_copy(update={"needs_coach": True})
    waiting = compare(made, made.model_copy(update={"held_back": (held,)}))
    assert waiting.newly_waiting == (held.rule,)
    assert waiting.is_none
    assert not waiting.is_nothing_at_all


# --- evidence


def test_clips_reach_three_seconds_around_and_stay_inside_the_media() -> None:
    at_the_ends = events("filled_pause", 1, 100, 179.5, lasting=0.4, label="um")
    clips = drafted(measurements=FILLERS, events=at_the_ends).items[0].clips
    assert [(c.start, c.end) for c in clips] == [(0, 4.4), (97, 103.4), (176.5, 180)]


def test_clips_that_touch_become_one() -> None:
    near = events("filled_pause", 60, 64, 100, lasting=0.4, label="um")
    clips = drafted(measurements=FILLERS, events=near).items[0].clips
    assert [(c.start, c.end) for c in clips] == [(57, 67.4), (97, 103.4)]


def test_a_long_stretch_is_played_in_part() -> None:
    made = drafted(
        measurements={"pitch.monotone_share": 0.4, "pitch.range_semitones": 8},
        events=events("monotone_stretch", 60, lasting=80),
    )
    assert [(c.start, c.end) for c in made.items[0].clips] == [(57, 77)]


HABIT = {"wording.verbal_habits_per_minute": 4.0, "fillers.filler_words_per_minute": 3.0}
USES = [2.0, 30.0, 60.0, 90.0, 120.0]


def _habit(text: str, *, probability: float = 0.9) -> Draft:
    words = [w for s in USES for w in spoken(text, start=s, probability=probability)]
    more = [
        {"text": "plain", "start": t, "end": t + 0.2, "probability": 0.95} for t in range(4, 29)
    ]
    return drafted(
        measurements=HABIT,
        words=sorted([*words, *more], key=lambda w: w["start"]),
        events=events("verbal_habit", *USES, lasting=0.7, label="you know"),
    )


def test_a_quote_stands_in_the_transcript_word_for_word() -> None:
    item = _habit("You know,").held_back[0].item
    assert "“You know”" in item.claim
    assert [q.text for q in item.quotes] == ["You know"] * 3


def test_an_item_whose_quote_is_not_in_the_transcript_is_dropped_and_recorded() -> None:
    made = _habit("you knew")
    assert made.items == made.held_back == ()
    found = next(f for f in made.findings if f.rule == "WRD003")
    assert found.outcome is Outcome.QUOTE_MISMATCH


def test_words_that_the_recogniser_doubts_are_not_quoted() -> None:
    made = _habit("you know", probability=0.49)
    assert next(f for f in made.findings if f.rule == "WRD003").outcome is Outcome.QUOTE_MISMATCH


def test_an_event_outside_the_recording_is_no_evidence() -> None:
    late = events("filled_pause", 60, 400, lasting=0.4, label="um")
    clips = drafted(measurements=FILLERS, events=late).items[0].clips
    assert [(c.start, c.end) for c in clips] == [(57, 63.4)]
