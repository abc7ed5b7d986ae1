"""The selection in words, for the person whose talk it is and for a coach; English and French."""

from __future__ import annotations

from feedback_rules.explain.phrases import (
    COUNTED,
    FACTORS,
    FOCUS,
    GOALS,
    GRADES,
    HELD,
    NOTHING,
    READING,
    REASONS,
    SILENT,
)
from feedback_rules.model import Factors, Finding, HeldBack, Item, ReadingLanguage, WhyHeld

_HIGH, _MIDDLE = 0.75, 0.4


def why_chosen(item: Item, language: ReadingLanguage) -> tuple[str, ...]:
    """Sentences for 'why am I seeing this': the choice, its factors, its counterfactual."""
    lines = []
    if item.held_focus:
        lines.append(FOCUS[language])
    lines.extend(factor_words(item.factors, language))
    lines.append(item.counterfactual)
    lines.append(GRADES[language][item.grade])
    lines.append(
        COUNTED[language].format(
            rule=f"{item.rule}@{item.rule_version}",
            author=item.author,
            source=item.comparison_source,
        )
    )
    return tuple(lines)


def factor_words(factors: Factors, language: ReadingLanguage) -> tuple[str, ...]:
    """One sentence for each factor that says how much it weighed."""
    words = FACTORS[language]
    lines = [words["severity"][_level(factors.severity)]]
    lines.append(words["confidence"][_level(factors.confidence)])
    if factors.goal == 1.0:
        lines.append(GOALS[language])
    lines.append(words["novelty"][_level(factors.novelty)])
    return tuple(lines)


def _level(factor: float) -> int:
    return 2 if factor >= _HIGH else 1 if factor >= _MIDDLE else 0


def why_held(held: HeldBack, language: ReadingLanguage, by: str = "") -> str:
    """Why a rule that fired is not shown. `by`: the label of the item that went before."""
    sentence = HELD[language][held.why]
    if held.why in {WhyHeld.WAITS_FOR_COACH, WhyHeld.SLIGHT, WhyHeld.NO_STRENGTH}:
        return sentence
    return sentence.format(by=by or held.outranked_by or "")


def why_silent(finding: Finding, language: ReadingLanguage) -> str:
    """Why a rule said nothing: its first gate that did not open."""
    sentence = SILENT[language][finding.outcome]
    if finding.reason is None:
        return sentence
    return f"{sentence} {REASONS[language][finding.reason]}"


def how_to_read(language: ReadingLanguage) -> str:
    """What the selection is for, in one sentence."""
    return READING[language]


def nothing_found(language: ReadingLanguage) -> str:
    """The friendly sentence where no rule had something to say with enough certainty."""
    return NOTHING[language]
