"""Choice of at most one strength and two improvements; deterministic, with a reason for every other
card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.results import Report
from feedback_rules.evaluate import Facts
from feedback_rules.evaluate.advice import praise_in
from feedback_rules.evaluate.engine import findings_from
from feedback_rules.model import (
    Context,
    Draft,
    DraftItem,
    Goal,
    HeldBack,
    HeldBackReason,
    ReadingLanguage,
    Rule,
    RuleSet,
    RuleSetRef,
)
from feedback_rules.select.card import card_of
from feedback_rules.select.card_words import Subject
from feedback_rules.select.evidence import verify_evidence
from feedback_rules.select.offer import worth_trying
from feedback_rules.select.reached import reached_focuses
from feedback_rules.select.score import factors_of, is_slight


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSelection:
    """Chosen cards."""

    strength: DraftItem | None
    improvements: tuple[DraftItem, ...]

    @property
    def items(self) -> tuple[DraftItem, ...]:
        """Return the items in display order.

        A strength with a moment to play, or progress, comes first. Praise of the whole talk comes
        after the first thing to work on, so that people do not learn to skip it.
        """
        ranked = [
            item.model_copy(update={"rank": rank}) for rank, item in enumerate(self.improvements, 1)
        ]
        if self.strength is None:
            return tuple(ranked)
        strength = self.strength.model_copy(update={"rank": 0})
        before = 1 if _is_total(strength) and ranked else 0
        return (*ranked[:before], strength, *ranked[before:])


def draft(
    report: Report,
    rule_set: RuleSet,
    context: Context | None,
    *,
    language: ReadingLanguage | None = None,
    hides_quotes: bool = False,
) -> Draft:
    """Return the draft for one report: same report, rules and context, same bytes.

    `language` is that of the cards; by default French for a French talk, otherwise English.
    `hides_quotes` is for readers without access to the transcript.
    """
    given = context or Context()
    reading = language or _reading_language(report, given)
    rules = {rule.id: rule for rule in rule_set.rules}
    facts = Facts.of(report, given)
    findings = tuple(
        verify_evidence(rules[finding.rule], finding, report) if finding.fired else finding
        for finding in findings_from(facts, rule_set.rules)
    )
    praise = praise_in(findings, rules)
    cards = [
        card_of(
            Subject(
                rule=rules[finding.rule],
                finding=finding,
                factors=factors_of(rules[finding.rule], finding, given),
                facts=facts,
                language=reading,
                praise=praise,
                hides_quotes=hides_quotes,
            )
        )
        for finding in findings
        if finding.fired
    ]
    deck = _Deck(cards=tuple(cards), rules=rules, context=given)
    choice = _choose(deck)
    former = tuple(reached_focuses(findings, rules, report, given, reading))
    offer = None if choice.improvements else worth_trying(findings, rules, report, given, reading)
    return Draft(
        rule_set=RuleSetRef(number=rule_set.number, digest=rule_set.digest),
        items=choice.items,
        worth_trying=offer,
        reached=former,
        held_back=_held_back(deck, choice),
        findings=findings,
    )


def _reading_language(report: Report, context: Context) -> ReadingLanguage:
    return "fr" if (context.language or report.language.code) == "fr" else "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deck:
    """All cards, with the data that decides between them."""

    cards: tuple[DraftItem, ...]
    rules: Mapping[str, Rule]
    context: Context

    def ready(self, tone: str) -> list[DraftItem]:
        """Return the cards that can be shown, the last take's focus first, then by score; ties by
        id.
        """
        ready = [card for card in self.cards if card.tone == tone and self.obstacle(card) is None]
        return self.in_order(ready)

    def in_order(self, cards: Sequence[DraftItem]) -> list[DraftItem]:
        places = {item.rule: place for place, item in enumerate(self.context.previous_items)}
        return sorted(
            cards,
            key=lambda card: (
                (0, places[card.rule]) if card.held_focus else (1, 0),
                -card.factors.score,
                card.rule,
            ),
        )

    def obstacle(self, card: DraftItem) -> HeldBackReason | None:
        """Return why a card cannot be shown at all, or None."""
        if card.needs_coach:
            return HeldBackReason.WAITS_FOR_COACH
        if card.modality == "recording":
            return HeldBackReason.ABOUT_RECORDING
        if not card.held_focus and is_slight(card.factors):
            return HeldBackReason.SLIGHT
        others = {other.rule for other in self.cards}
        return (
            HeldBackReason.CONTRADICTS if others & set(self.rules[card.rule].never_with) else None
        )


def _is_total(card: DraftItem) -> bool:
    """Return whether the card is about the talk as a whole and not about progress."""
    return card.scope == "talk" and not card.is_progress


def _choose(deck: _Deck) -> CardSelection:
    """Choose the improvements first, then the strength.

    Without a strength one new improvement is enough; next to the last take's focus, which is not
    new, a second one fits.
    """
    improvements = deck.ready("improvement")
    first = improvements[0] if improvements else None
    strength = _strength(deck.ready("strength"), first, deck.context.goal)
    if first is None:
        return CardSelection(strength=strength, improvements=())
    if strength is None and not first.held_focus:
        return CardSelection(strength=None, improvements=(first,))
    second = next((card for card in improvements[1:] if _clash(card, (first,)) is None), None)
    return CardSelection(strength=strength, improvements=(first, second) if second else (first,))


def _strength(
    strengths: Sequence[DraftItem], first: DraftItem | None, goal: Goal | None
) -> DraftItem | None:
    """Return the best strength: with a moment, progress or the chosen goal before others, then
    unrelated to the advice.
    """
    beside = (first,) if first else ()
    ranked = sorted(
        strengths,
        key=lambda c: (_is_total(c) and c.quality != goal, _clash(c, beside) is not None),
    )
    return ranked[0] if ranked else None


def _clash(card: DraftItem, chosen: Sequence[DraftItem]) -> tuple[HeldBackReason, DraftItem] | None:
    for other in chosen:
        if card.quality == other.quality:
            return HeldBackReason.SAME_QUALITY, other
        if card.modality == other.modality:
            return HeldBackReason.SAME_MODALITY, other
    return None


def _held_back(deck: _Deck, choice: CardSelection) -> tuple[HeldBack, ...]:
    shown = {item.rule for item in choice.items}
    losers = [card for card in deck.in_order(deck.cards) if card.rule not in shown]
    return tuple(_held(card, deck, choice) for card in losers)


def _held(card: DraftItem, deck: _Deck, choice: CardSelection) -> HeldBack:
    why, by = _why_held(card, deck, choice)
    return HeldBack(
        rule=card.rule,
        rule_version=card.rule_version,
        why=why,
        outranked_by=by.rule if by else None,
        needs_coach=card.needs_coach,
        item=card,
    )


def _why_held(
    card: DraftItem, deck: _Deck, choice: CardSelection
) -> tuple[HeldBackReason, DraftItem | None]:
    obstacle = deck.obstacle(card)
    if obstacle is not None:
        return obstacle, None
    if card.tone == "strength":
        return _why_other_strength(card, choice), choice.strength
    clash = _clash(card, choice.improvements)
    if clash is not None:
        return clash
    if choice.strength is None and len(choice.improvements) == 1:
        return HeldBackReason.NO_STRENGTH, choice.improvements[0]
    return HeldBackReason.OUTRANKED, choice.improvements[-1]


def _why_other_strength(card: DraftItem, choice: CardSelection) -> HeldBackReason:
    """Return why another strength was preferred: a moment to play, variety, or its score."""
    winner = choice.strength
    if winner is not None and _is_total(card) and not _is_total(winner):
        return HeldBackReason.ONE_STRENGTH
    if _clash(card, choice.improvements[:1]) is not None:
        return HeldBackReason.VARIETY
    return HeldBackReason.OUTRANKED
