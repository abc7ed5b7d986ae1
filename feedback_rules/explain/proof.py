"""What still keeps a rule from being published: cases, placeholders, words, provenance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

from feedback_rules.evaluate import failing_cases
from feedback_rules.loader import rule_from_document, rule_to_document
from feedback_rules.model import (
    READING_LANGUAGES,
    Item,
    Message,
    ReadingLanguage,
    Rule,
    card_problems,
    limits_in,
    with_french_spaces,
    word_count,
    wording_problems,
)
from feedback_rules.model.wording import MOST_EXERCISE_WORDS, MOST_PART_WORDS, MOST_WORDS
from feedback_rules.select import sample_cards
from feedback_rules.select.card import MOST_QUOTED_WORDS, PLACEHOLDERS
from feedback_rules.select.numbers import SPELT_BELOW

_TIME_PLACEHOLDERS = frozenset({"times", "from", "to"})
_RULE_OF_THUMB = "rule of thumb"
_ENGLISH = re.compile(
    r"\b(the|for|of|is|are|and|own|rules? of thumb|with|by|after|from|in)\b", re.IGNORECASE
)
"""Words that give away an English source on a French card; names and years stand in both."""
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
_PLACEHOLDER = re.compile(r"\{\w*\}")
_RANGE_WORDS: dict[ReadingLanguage, int] = {"en": 2, "fr": 4}
_LONGER_RATE_WORDS = 2
"""'between two and three' is longer than 'about 8'."""


def problems_of(rule: Rule) -> tuple[str, ...]:
    """One sentence a problem; an empty tuple means that the rule may be published."""
    problems = [
        *_template_problems(rule),
        *_short_text_problems(rule),
        *_provenance_problems(rule),
        *_spelt_problems(rule),
    ]
    if any("placeholder" in problem for problem in problems):
        return tuple(problems)
    return tuple(dict.fromkeys((*problems, *failing_cases(rule), *_card_problems(rule))))


def has_strange_placeholders(rule: Rule) -> bool:
    """Whether its sentences ask for what no card can fill in, so that no card can be made."""
    return any(True for _problem in _template_problems(rule))


def place_of(problem: str, rule: Rule) -> tuple[int | str, ...]:
    """Where in the rule's document a problem lies, as far as its sentence says."""
    for index, case in enumerate(rule.cases):
        if problem.startswith(f"case {case.name!r}: "):
            return "cases", index
    first, _colon, rest = problem.partition(": ")
    if first.startswith("card in "):
        return "message", first[-2:], rest.partition(":")[0]
    if first.endswith(" case"):
        return ("cases",)
    return tuple(first.split(" ", 1)[0].split("."))


def with_clean_spaces(rule: Rule) -> Rule:
    """The same rule with French spacing put in order."""
    document = rule_to_document(rule)
    message = document["message"]
    return rule_from_document(
        {**document, "message": {**message, "fr": _spaced(message["fr"])}}, name=rule.id
    )


def _spaced(value: Any) -> Any:
    if isinstance(value, str):
        return with_french_spaces(value)
    if isinstance(value, dict):
        return {key: _spaced(part) for key, part in value.items()}
    return value


def _texts(message: Message) -> Iterator[tuple[str, str]]:
    for name in _PARTS:
        yield name, getattr(message, name)
    yield from ((f"why_for.{aim}", text) for aim, text in message.why_for.items())
    yield "exercise.title", message.exercise.title
    yield "exercise.text", message.exercise.text


def _template_problems(rule: Rule) -> Iterator[str]:
    for language, message in (("en", rule.message.en), ("fr", rule.message.fr)):
        for name, text in _texts(message):
            for problem in _placeholder_problems(text, rule):
                yield f"message.{language}.{name}: {problem}"


def _placeholder_problems(text: str, rule: Rule) -> Iterator[str]:
    try:
        fields = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        yield f"a placeholder is not closed: {error}"
        return
    for _, field, specification, conversion in fields:
        if field not in PLACEHOLDERS or specification or conversion:
            yield f"unknown placeholder {{{field}}}"
        if field in _TIME_PLACEHOLDERS and rule.evidence.is_about_talk:
            yield f"the placeholder {{{field}}} names a moment; evidence.scope: talk has none"
        if field == "quote" and rule.evidence.quote != "required":
            yield "the placeholder {quote} needs evidence.quote: required"


def _short_text_problems(rule: Rule) -> Iterator[str]:
    """What stands beside cards: the rule's title, its label, the name of its exercise."""
    yield from (f"title: {problem}" for problem in wording_problems(rule.title, "en"))
    languages: tuple[tuple[ReadingLanguage, Message], ...] = (
        ("en", rule.message.en),
        ("fr", rule.message.fr),
    )
    for language, message in languages:
        texts = {"label": message.label, "exercise.title": message.exercise.title}
        for name, text in texts.items():
            for problem in wording_problems(text, language):
                yield f"message.{language}.{name}: {problem}"


def _provenance_problems(rule: Rule) -> Iterator[str]:
    thumb = _RULE_OF_THUMB in rule.source.casefold()
    cited = any(character.isdigit() for character in rule.source)
    if not thumb and not cited:
        yield "source: name a source with its year, or say 'Rule of thumb'"
    if rule.grade == "A" and thumb:
        yield "grade A needs a study as its source"
    if _ENGLISH.search(rule.source_in("fr")):
        yield "message.fr.source: name the source in French as well"
    if rule.evidence.fallback == "talk":
        yield "evidence.fallback: a sample of the talk shows nothing; use scope: talk"
    if rule.grade == "C" and not rule.when.co_signals and rule.decided_by == "machine":
        yield "grade C for the machine alone needs when.co_signals"


def _spelt_problems(rule: Rule) -> Iterator[str]:
    """A share that a card's sentences spell out must be a limit of the rule."""
    limits = {rule.severity.edge, *(getattr(c, "value", None) for c in rule.when.conditions)}
    known = {
        round(share, 6)
        for limit in limits
        if isinstance(limit, int | float)
        for share in (limit, 1 - limit, abs(limit - 1))
    }
    for language, message in (("en", rule.message.en), ("fr", rule.message.fr)):
        for name in ("comparison", "counterfactual"):
            for share in sorted(limits_in(getattr(message, name)) - known):
                yield f"message.{language}.{name}: it names {share:.0%}, which is no limit here"


def _card_problems(rule: Rule) -> Iterator[str]:
    for language in READING_LANGUAGES:
        cards = sample_cards(rule, language)
        if not cards and rule.status not in {"draft", "retired"}:
            yield f"no case shows the card in {language}"
        for card in cards:
            yield from (_placed(p, rule, language) for p in _problems_on(card, language))
            longest = word_count(card.text) + _growth(rule, card, language)
            most = MOST_WORDS[language]
            if longest > most:
                yield f"card in {language}: up to {longest} words where {most} are allowed"


def _placed(problem: str, rule: Rule, language: ReadingLanguage) -> str:
    """The problem beside the part whose words make it, where one part alone does."""
    message = rule.message.en if language == "en" else rule.message.fr
    for name, text in _texts(message):
        if problem in wording_problems(_PLACEHOLDER.sub("some", text), language):
            return f"message.{language}.{name}: {problem}"
    return f"card in {language}: {problem}"


def _growth(rule: Rule, card: Item, language: ReadingLanguage) -> int:
    """Words that the same card may gain on another report: a range, a spelt-out rate."""
    message = rule.message.en if language == "en" else rule.message.fr
    template = message.claim + message.figure
    words = 0
    if "{range}" in template and card.interval is None:
        words += _RANGE_WORDS[language]
    if "{quote}" in template and card.quotes:
        words += max(0, MOST_QUOTED_WORDS - len(card.quotes[0].text.split()))
    if rule.value_format == "rate" and card.value >= SPELT_BELOW:
        words += _LONGER_RATE_WORDS
    return words


def _problems_on(card: Item, language: ReadingLanguage) -> Iterator[str]:
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
            yield f"{name}: more than {MOST_PART_WORDS} words"
    for name in ("comparison", "counterfactual"):
        yield from (f"{name}: {problem}" for problem in wording_problems(parts[name], language))
    if card.exercise is not None:
        yield from (
            f"exercise: {problem}" for problem in wording_problems(card.exercise.text, language)
        )
        if word_count(card.exercise.text) > MOST_EXERCISE_WORDS:
            yield f"exercise: more than {MOST_EXERCISE_WORDS} words"
