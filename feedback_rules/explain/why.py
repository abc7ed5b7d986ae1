"""The selection in words, for the person whose talk it is and for a coach; English and French."""

from __future__ import annotations

from analysis.results import Quality
from feedback_rules.explain.phrases import (
    COUNTED,
    FACTORS,
    FOCUS,
    GOALS,
    GRADES,
    HELD,
    KINDS,
    LOWERS,
    NOTHING,
    REACHED,
    REASONS,
    SILENT,
)
from feedback_rules.model import (
    Factors,
    Finding,
    HeldBack,
    Item,
    ReadingLanguage,
    Tone,
    WhyHeld,
)
from feedback_rules.select.score import GOAL_MATCH

_HIGH, _MIDDLE = 0.75, 0.4
_FULL_COVERAGE = 0.85
"""From this share of speech on, what is missing is not worth a sentence. Rule of thumb."""


def why_chosen(item: Item, language: ReadingLanguage) -> tuple[str, ...]:
    """Sentences for 'why am I seeing this': the choice, its factors, its counterfactual."""
    lines = []
    if item.held_focus:
        lines.append(FOCUS[language])
    lines.extend(factor_words(item.factors, item.tone, language))
    lines.extend(what_lowers(item, language))
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


def factor_words(factors: Factors, tone: Tone, language: ReadingLanguage) -> tuple[str, ...]:
    """One sentence for each factor that says how much it weighed."""
    words = FACTORS[language]
    far = REACHED[language] if tone == "strength" else words["severity"]
    lines = [far[_level(factors.severity)]]
    lines.append(words["confidence"][_level(factors.confidence)])
    if factors.goal == GOAL_MATCH:
        lines.append(GOALS[language])
    lines.append(words["context"][_level(factors.context)])
    lines.append(words["actionability"][_level(factors.actionability)])
    lines.append(words["novelty"][_level(factors.novelty)])
    return tuple(lines)


def what_lowers(item: Item, language: ReadingLanguage) -> tuple[str, ...]:
    """What keeps the item from being surer, one sentence each."""
    lead = item.inputs.get(item.metric)
    words = LOWERS[language]
    if lead is None:
        return ()
    lines = []
    if lead.quality is not Quality.GOOD:
        lines.append(words["body" if item.modality == "body" else "quality"])
    if lead.coverage < _FULL_COVERAGE:
        share = round(lead.coverage * 10)
        lines.append(words["coverage"].format(share=share))
    if lead.interval is None:
        lines.append(words["interval"])
    if item.grade == "C":
        lines.append(words["grade"])
    return tuple(lines)


def _level(factor: float) -> int:
    return 2 if factor >= _HIGH else 1 if factor >= _MIDDLE else 0


def why_held(held: HeldBack, language: ReadingLanguage, by: str = "") -> str:
    """Why a rule that fired is not shown. `by`: the label of the item that went before."""
    shared = held.item.modality if held.why is WhyHeld.SAME_MODALITY else held.item.quality
    kind = KINDS[language][shared]
    return HELD[language][held.why].format(by=by or held.outranked_by or "", kind=kind)


def why_silent(finding: Finding, language: ReadingLanguage) -> str:
    """Why a rule said nothing: its first gate that did not open."""
    sentence = SILENT[language][finding.outcome]
    if finding.reason is None:
        return sentence
    return f"{sentence} {REASONS[language][finding.reason]}"


def nothing_found(language: ReadingLanguage) -> str:
    """The friendly sentence where no rule had something to say with enough certainty."""
    return NOTHING[language]
