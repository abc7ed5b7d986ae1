"""Publication checks of a rule: cases, placeholders, words, provenance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

from analysis.metrics import BY_ID
from feedback_rules.evaluate import failing_cases
from feedback_rules.evaluate.advice import USUAL
from feedback_rules.explain.thresholds import written_thresholds
from feedback_rules.loader import rule_from_document, rule_to_document
from feedback_rules.model import (
    READING_LANGUAGES,
    DraftItem,
    Message,
    MetricCondition,
    ReadingLanguage,
    Rule,
    RuleProblem,
    card_problems,
    limits_in,
    problem,
    with_french_spaces,
    word_count,
    wording_problems,
)
from feedback_rules.model.problems import Location
from feedback_rules.model.wording import MOST_EXERCISE_WORDS, MOST_PART_WORDS, MOST_WORDS
from feedback_rules.select import sample_cards
from feedback_rules.select.card_words import MORE, PLACEHOLDERS, SEEN, most_words_of
from feedback_rules.select.numbers import SPELT_BELOW

_TIME_PLACEHOLDERS = frozenset({"times", "from", "to"})
_RULE_OF_THUMB = "rule of thumb"
_ENGLISH = re.compile(
    r"\b(the|for|of|is|are|and|own|rules? of thumb|with|by|after|from|in)\b", re.IGNORECASE
)
"""Words that reveal an English source on a French card; names and years occur in both."""
_PARTS = (
    "label",
    "claim",
    "figure",
    "unit",
    "why",
    "suggestion",
    "certainty",
    "comparison",
    "counterfactual",
)
TO_BE_WRITTEN = "…"
"""The text of a draft that nobody has written yet."""
_PLACEHOLDER = re.compile(r"\{\w*\}")
_RANGE_WORDS: dict[ReadingLanguage, int] = {"en": 2, "fr": 4}
_ROUNDING = 1e-9
_LONGER_RATE_WORDS = 2
"""Extra words of 'between two and three' compared with 'about 8'."""
_LESS_SURE_WORDS = 2


def problems_of(rule: Rule) -> tuple[RuleProblem, ...]:
    """Return all problems; an empty tuple means that the rule may be published."""
    templates = tuple(_template_problems(rule))
    problems = (
        *templates,
        *_short_text_problems(rule),
        *_provenance_problems(rule),
        *_suggestion_problems(rule),
        *_written_thresholds(rule),
        *_spelt_problems(rule),
        *_share_problems(rule),
    )
    if templates:
        return problems
    return tuple(dict.fromkeys((*problems, *failing_cases(rule), *_card_problems(rule))))


def has_strange_placeholders(rule: Rule) -> bool:
    """Return whether its sentences contain unknown placeholders, so that no card can be made."""
    return any(True for _problem in _template_problems(rule))


def with_clean_spaces(rule: Rule) -> Rule:
    """Return the rule with French spacing corrected."""
    document = rule_to_document(rule)
    message = document["message"]
    document = {**document, "message": {**message, "fr": _spaced(message["fr"])}}
    if rule.suggestions:
        given = document["suggestions"]
        document["suggestions"] = [{**each, "fr": _spaced(each["fr"])} for each in given]
    return rule_from_document(document, name=rule.id)


def _spaced(value: Any) -> Any:
    if isinstance(value, str):
        return with_french_spaces(value)
    if isinstance(value, dict):
        return {key: _spaced(part) for key, part in value.items()}
    return value


def _texts(message: Message) -> Iterator[tuple[Location, str]]:
    for name in _PARTS:
        yield (name,), getattr(message, name)
    yield ("claim_near",), message.claim_near
    yield from ((("why_for", aim), text) for aim, text in message.why_for.items())
    yield ("exercise", "title"), message.exercise.title
    yield ("exercise", "text"), message.exercise.text


def _template_problems(rule: Rule) -> Iterator[RuleProblem]:
    for language, message in _messages(rule):
        for place, text in _texts(message):
            for each in _placeholder_problems(text, rule):
                yield each.at("message", language, *place)
    for place, _language, text in _suggestions(rule):
        yield from (each.at(*place) for each in _placeholder_problems(text, rule))


def _suggestions(rule: Rule) -> Iterator[tuple[Location, ReadingLanguage, str]]:
    for index, suggestion in enumerate(rule.suggestions):
        for language in READING_LANGUAGES:
            yield ("suggestions", index, language), language, suggestion.text_in(language)


def _suggestion_problems(rule: Rule) -> Iterator[RuleProblem]:
    """Yield problems if a behaviour is unnamed, or no case chooses a suggestion."""
    if rule.behaviour is None:
        yield problem("behaviour_missing").at("behaviour")
    names = [suggestion.name for suggestion in rule.suggestions]
    chosen = {case.suggests for case in rule.cases}
    for index, name in enumerate(names):
        if name in names[:index] or name == USUAL:
            yield problem("suggestion_twice", name=name).at("suggestions", index, "name")
        if name not in chosen:
            yield problem("suggestion_unproven", name=name).at("suggestions", index)
    for place, language, text in _suggestions(rule):
        yield from (
            each.at(*place) for each in wording_problems(_PLACEHOLDER.sub("", text), language)
        )
        if word_count(text) > MOST_PART_WORDS:
            yield problem("part_long", most=MOST_PART_WORDS).at(*place)


def _written_thresholds(rule: Rule) -> Iterator[RuleProblem]:
    """Yield thresholds written as numbers in a comparison, which become wrong when changed."""
    if rule.cites_study:
        return
    for language, message in _messages(rule):
        for number, placeholder in written_thresholds(rule, message.comparison, language):
            found = problem("threshold_written", number=number, placeholder=placeholder)
            yield found.at("message", language, "comparison")


def _messages(rule: Rule) -> tuple[tuple[ReadingLanguage, Message], ...]:
    return (("en", rule.message.en), ("fr", rule.message.fr))


def _placeholder_problems(text: str, rule: Rule) -> Iterator[RuleProblem]:
    try:
        fields = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        yield problem("placeholder_open", problem=str(error))
        return
    for _, field, specification, conversion in fields:
        name = f"{{{field}}}"
        if field not in PLACEHOLDERS or specification or conversion:
            yield problem("placeholder_unknown", name=name)
        if field in _TIME_PLACEHOLDERS and rule.evidence.is_about_talk:
            yield problem("placeholder_of_moment", name=name)
        if field == "quote" and rule.evidence.quote != "required":
            yield problem("placeholder_quote", name=name)


def _short_text_problems(rule: Rule) -> Iterator[RuleProblem]:
    """Yield missing texts, and wording problems of texts that no case's card shows: title, label,
    name of the exercise, and the claim for a focus almost achieved.
    """
    yield from (each.at("title") for each in wording_problems(rule.title, "en"))
    for language, message in _messages(rule):
        for place, text in _texts(message):
            if text == TO_BE_WRITTEN:
                yield problem("text_missing").at("message", language, *place)
        texts: dict[Location, str] = {
            ("label",): message.label,
            ("claim_near",): _PLACEHOLDER.sub("some", message.claim_near),
            ("exercise", "title"): message.exercise.title,
        }
        for place, text in texts.items():
            for each in wording_problems(text, language):
                yield each.at("message", language, *place)
        if word_count(message.claim_near) > MOST_PART_WORDS:
            long = problem("part_long", most=MOST_PART_WORDS)
            yield long.at("message", language, "claim_near")


def _provenance_problems(rule: Rule) -> Iterator[RuleProblem]:
    thumb = _RULE_OF_THUMB in rule.source.casefold()
    cited = any(character.isdigit() for character in rule.source)
    if not thumb and not cited:
        yield problem("source_unnamed").at("source")
    if rule.grade == "A" and thumb:
        yield problem("grade_without_study").at("grade")
    if _ENGLISH.search(rule.source_in("fr")):
        yield problem("source_in_english").at("message", "fr", "source")
    if rule.evidence.fallback == "talk":
        yield problem("sample_of_talk").at("evidence", "fallback")
    if rule.grade == "C" and not rule.when.co_signals and rule.decided_by == "machine":
        yield problem("grade_c_alone").at("grade")


def _spelt_problems(rule: Rule) -> Iterator[RuleProblem]:
    """Yield written shares in a card's sentences that are not a limit of the rule."""
    limits = {rule.severity.edge, *(getattr(c, "value", None) for c in rule.when.conditions)}
    known = {
        round(share, 6)
        for limit in limits
        if isinstance(limit, int | float)
        for share in (limit, 1 - limit, abs(limit - 1))
    }
    for language, message in _messages(rule):
        for name in ("comparison", "counterfactual"):
            for share in sorted(limits_in(getattr(message, name)) - known):
                yield problem("share_no_limit", share=share).at("message", language, name)


def _share_problems(rule: Rule) -> Iterator[RuleProblem]:
    """Yield limits of shares, and ends of their bands, outside 0 to 1."""
    for name in ("all", "any", "co_signals", "unless"):
        for index, each in enumerate(getattr(rule.when, name)):
            if isinstance(each, MetricCondition) and _is_share(each.metric, each.relative_to):
                yield from (found.at("when", name, index, *found.place) for found in _outside(each))
    band = rule.severity
    if not _is_share(band.metric, band.relative_to):
        return
    above = band.direction == "above"
    most = 1 - band.edge if above else band.edge
    if not 0 <= band.edge <= 1:
        yield problem("share_of_more_than_all", share=band.edge).at("severity", "edge")
    elif band.width > most + _ROUNDING:
        full = band.edge + band.width if above else band.edge - band.width
        yield problem("band_ends_outside", full=full, most=most).at("severity", "width")


def _outside(condition: MetricCondition) -> Iterator[RuleProblem]:
    low, high = condition.band or (None, None)
    ends = ((("value",), condition.value), (("band", 0), low), (("band", 1), high))
    for place, end in ends:
        if end is not None and not 0 <= end <= 1:
            yield problem("share_of_more_than_all", share=end).at(*place)


def _is_share(metric: str, relative_to: str) -> bool:
    return BY_ID[metric].unit == "share" and relative_to == "nothing"


def _card_problems(rule: Rule) -> Iterator[RuleProblem]:
    for language in READING_LANGUAGES:
        cards = sample_cards(rule, language)
        if not cards and rule.status not in {"draft", "retired"}:
            yield problem("no_card", language=language).at("cases")
        for card in cards:
            yield from (
                _at_text_part(each, rule, language) for each in _problems_on(card, language)
            )
            longest = word_count(card.text) + _possible_growth(rule, card, language)
            most = MOST_WORDS[language]
            if longest > most:
                long = problem("card_long", language=language, words=longest, most=most)
                yield long.at("message", language)


def _at_text_part(found: RuleProblem, rule: Rule, language: ReadingLanguage) -> RuleProblem:
    """Place the problem at the text part whose words cause it, if there is only one."""
    message = rule.message.en if language == "en" else rule.message.fr
    bare = found.at()
    for place, text in _texts(message):
        if bare in wording_problems(_PLACEHOLDER.sub("some", text), language):
            return bare.at("message", language, *place)
    return bare.at("message", language, *found.place)


def _possible_growth(rule: Rule, card: DraftItem, language: ReadingLanguage) -> int:
    """Return the words a card may gain on another report: an interval, a written-out rate, the
    claim for a focus almost achieved, or advice to record more clearly.
    """
    message = rule.message.en if language == "en" else rule.message.fr
    template = message.claim + message.figure
    words = max(0, word_count(message.claim_near) - word_count(message.claim))
    tells_of_change = card.previous_value is not None and card.tone == "improvement"
    words += _longer_suggestion(rule, card, language)
    if card.interval is None and ("{range}" in template or tells_of_change):
        words += _RANGE_WORDS[language]
    if "{quote}" in template and card.quotes:
        said = card.quotes[0].text
        words += max(0, most_words_of(said) - len(said.split()))
    if rule.value_format == "rate" and card.value >= SPELT_BELOW:
        words += _LONGER_RATE_WORDS
    if rule.modality not in SEEN:
        less_sure = _LESS_SURE_WORDS + word_count(MORE[language])
        words += max(0, less_sure - word_count(card.certainty))
    return words


def _longer_suggestion(rule: Rule, card: DraftItem, language: ReadingLanguage) -> int:
    longest = max((word_count(each.text_in(language)) for each in rule.suggestions), default=0)
    return max(0, longest - word_count(card.suggestion))


def _problems_on(card: DraftItem, language: ReadingLanguage) -> Iterator[RuleProblem]:
    """Yield the problems of a card, placed at the part that has them."""
    yield from card_problems(card.text, language)
    parts = {
        "claim": card.claim,
        "figure": card.figure,
        "why": card.why,
        "suggestion": card.suggestion,
        "certainty": card.certainty,
        "comparison": card.comparison,
        "counterfactual": card.counterfactual,
    }
    for name, text in parts.items():
        if word_count(text) > MOST_PART_WORDS:
            yield problem("part_long", most=MOST_PART_WORDS).at(name)
    counterfactual = wording_problems(card.counterfactual, language)
    yield from (each.at("counterfactual") for each in counterfactual)
    if card.exercise is not None:
        task = ("exercise", "text")
        yield from (each.at(*task) for each in wording_problems(card.exercise.text, language))
        if word_count(card.exercise.text) > MOST_EXERCISE_WORDS:
            yield problem("part_long", most=MOST_EXERCISE_WORDS).at(*task)
