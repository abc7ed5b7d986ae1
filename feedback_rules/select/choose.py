"""Chooses at most one strength and two improvements; deterministic, every loser with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.results import Report
from feedback_rules.evaluate import evaluate
from feedback_rules.model import (
    Context,
    Draft,
    Finding,
    HeldBack,
    Item,
    ReadingLanguage,
    Rule,
    RuleSet,
    RuleSetRef,
    WhyHeld,
)
from feedback_rules.select.card import Subject, card_of
from feedback_rules.select.evidence import checked
from feedback_rules.select.score import factors_of, is_slight


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is shown."""

    strength: Item | None
    improvements: tuple[Item, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """In the order of showing: the strength first, then what to work on, ranked."""
        strengths = (self.strength,) if self.strength else ()
        ranked = [
            item.model_copy(update={"rank": rank})
            for rank, item in enumerate((*strengths, *self.improvements), 1 - len(strengths))
        ]
        return tuple(ranked)


def draft(
    report: Report,
    rule_set: RuleSet,
    context: Context | None,
    *,
    language: ReadingLanguage | None = None,
) -> Draft:
    """The draft for one report: same report, rules and context, same bytes.

    `language` is that of the cards; by default French for a French talk, else English.
    """
    given = context or Context()
    reading = language or _reading_language(report, given)
    rules = {rule.id: rule for rule in rule_set.rules}
    findings = tuple(
        checked(rules[finding.rule], finding, report) if finding.fired else finding
        for finding in evaluate(report, rule_set.rules, context)
    )
    cards = [
        _card(rules[finding.rule], finding, report, given, reading)
        for finding in findings
        if finding.fired
    ]
    ready = [card for card in cards if not card.needs_coach and not _is_slight(card)]
    choice = _choose(ready, given)
    return Draft(
        rule_set=RuleSetRef(number=rule_set.number, digest=rule_set.digest),
        items=choice.items,
        held_back=_held_back(cards, choice, given),
        findings=findings,
    )


def _reading_language(report: Report, context: Context) -> ReadingLanguage:
    return "fr" if (context.language or report.language.code) == "fr" else "en"


def _card(
    rule: Rule, finding: Finding, report: Report, context: Context, language: ReadingLanguage
) -> Item:
    subject = Subject(
        rule=rule,
        finding=finding,
        factors=factors_of(rule, finding, context),
        report=report,
        context=context,
        language=language,
    )
    return card_of(subject)


def _is_slight(card: Item) -> bool:
    return not card.held_focus and is_slight(card.factors)


def _choose(ready: Sequence[Item], context: Context) -> Choice:
    improvements = _in_order([c for c in ready if c.tone == "improvement"], context)
    strengths = _in_order([c for c in ready if c.tone == "strength"], context)
    first = improvements[0] if improvements else None
    strength = _strength(strengths, first)
    if first is None:
        return Choice(strength=strength, improvements=())
    if strength is None:
        return Choice(strength=None, improvements=(first,))
    second = next((c for c in improvements if _clash(c, (first, strength)) is None), None)
    return Choice(strength=strength, improvements=(first, second) if second else (first,))


def _in_order(cards: Sequence[Item], context: Context) -> list[Item]:
    """The focus of the last take first, then by score; ties by id."""
    places = {item.rule: place for place, item in enumerate(context.previous_items)}
    return sorted(
        cards,
        key=lambda card: (
            (0, places[card.rule]) if card.held_focus else (1, 0),
            -card.factors.score,
            card.rule,
        ),
    )


def _strength(strengths: Sequence[Item], first: Item | None) -> Item | None:
    """The best one, rather one that says something else than the first improvement."""
    if first is None or not strengths:
        return strengths[0] if strengths else None
    return next((c for c in strengths if _clash(c, (first,)) is None), strengths[0])


def _clash(card: Item, chosen: Sequence[Item]) -> tuple[WhyHeld, Item] | None:
    for other in chosen:
        if card.quality == other.quality:
            return WhyHeld.SAME_QUALITY, other
        if card.modality == other.modality:
            return WhyHeld.SAME_MODALITY, other
    return None


def _held_back(cards: Sequence[Item], choice: Choice, context: Context) -> tuple[HeldBack, ...]:
    shown = {item.rule for item in choice.items}
    losers = [card for card in _in_order(cards, context) if card.rule not in shown]
    return tuple(_held(card, choice) for card in losers)


def _held(card: Item, choice: Choice) -> HeldBack:
    why, by = _why_held(card, choice)
    return HeldBack(
        rule=card.rule,
        rule_version=card.rule_version,
        why=why,
        outranked_by=by.rule if by else None,
        needs_coach=card.needs_coach,
        item=card,
    )


def _why_held(card: Item, choice: Choice) -> tuple[WhyHeld, Item | None]:
    if card.needs_coach:
        return WhyHeld.WAITS_FOR_COACH, None
    if _is_slight(card):
        return WhyHeld.SLIGHT, None
    if card.tone == "strength":
        return WhyHeld.OUTRANKED, choice.strength
    strengths = (choice.strength,) if choice.strength else ()
    clash = _clash(card, (*choice.improvements, *strengths))
    if clash is not None:
        return clash
    if choice.strength is None:
        return WhyHeld.NO_STRENGTH, choice.improvements[0]
    return WhyHeld.OUTRANKED, choice.improvements[-1]
