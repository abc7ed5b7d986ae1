"""Explanation of the selection for the trainee and the coach, in English and French."""

from __future__ import annotations

from analysis.results import Quality
from feedback_rules.explain.phrases import (
    AUTHORS,
    CONFIDENCE,
    CONTEXT,
    COUNTED,
    FAR,
    FOCUS,
    GRADES,
    HELD,
    KINDS,
    LOWERS,
    NAMED,
    NOTHING,
    NOVELTY,
    OWN_USUAL,
    RAISED,
    REACHES,
    REASONS,
    SILENT,
    STANDS,
    TAILS,
    TOO_UNCERTAIN,
    WEIGHS_MORE,
)
from feedback_rules.model import (
    DraftItem,
    Factors,
    Finding,
    HeldBack,
    HeldBackReason,
    Outcome,
    ReadingLanguage,
)
from feedback_rules.select.certainty import level_of, level_said
from feedback_rules.select.score import (
    DEFAULT_WEIGHT,
    GOAL_MATCH,
    JUST_PAST,
    NOVELTY_IMPROVING,
    NOVELTY_NEW,
)

_HIGH, _MIDDLE = 0.75, JUST_PAST
_FULL_COVERAGE = 0.85
"""Share of speech from which missing speech is not mentioned. Rule of thumb."""
_SET_APART = 0.05
"""Smallest difference of a context weight from the default that is mentioned."""


def why_in_short(item: DraftItem, language: ReadingLanguage) -> tuple[str, ...]:
    """Return two short sentences: why this item, and when it would not have appeared."""
    stands = ""
    if item.stands and item.line:
        stands = STANDS[language].format(value=item.stands, edge=item.line)
    if item.held_focus:
        return FOCUS[language].format(stands=stands), item.counterfactual
    is_strength = item.tone == "strength"
    words, by_level = (NAMED, REACHES) if is_strength else (RAISED, FAR)
    far = by_level[language][_level(item.factors.severity)]
    tail = _main_reason(item, language)
    return words[language].format(far=far, stands=stands, tail=tail), item.counterfactual


def _main_reason(item: DraftItem, language: ReadingLanguage) -> str:
    """Return the main reason other than its size, or an empty string."""
    if item.factors.goal == GOAL_MATCH:
        return TAILS[language]["goal"]
    if item.tone == "improvement" and item.factors.actionability >= _HIGH:
        return TAILS[language]["at_once"]
    return ""


def why_more(item: DraftItem, language: ReadingLanguage) -> tuple[str, ...]:
    """Return sentences on everything else that mattered, for interested readers."""
    counted = COUNTED[language].format(
        rule=item.rule,
        version=item.rule_version,
        author=AUTHORS[language].get(item.author, item.author),
        source=item.comparison_source,
    )
    lowers = what_lowers(item, language)
    waited = item.grade == "C" and item.decided_by == "coach"
    grade = GRADES[language]["coach" if waited else item.grade]
    # A card says less than its confidence where misses were not measured.
    said = level_said(item.certainty, item.language)
    level = level_of(item.factors.confidence) if said is None else said
    return (*factor_words(item.factors, level, language), *lowers, grade, counted)


def why_chosen(item: DraftItem, language: ReadingLanguage) -> tuple[str, ...]:
    """Return the short explanation and the details."""
    return (*why_in_short(item, language), *why_more(item, language))


def factor_words(factors: Factors, level: int, language: ReadingLanguage) -> tuple[str, ...]:
    """Return the card's level of certainty, and a sentence for each factor that is not at its
    default.

    A factor at its default would suggest a reason that was none.
    """
    lines = [CONFIDENCE[language][level]]
    if abs(factors.context - DEFAULT_WEIGHT) >= _SET_APART:
        lines.append(CONTEXT[language][factors.context > DEFAULT_WEIGHT])
    if factors.novelty < NOVELTY_NEW:
        lines.append(NOVELTY[language][factors.novelty == NOVELTY_IMPROVING])
    return tuple(lines)


def what_lowers(item: DraftItem, language: ReadingLanguage) -> tuple[str, ...]:
    """Return the reasons for lower certainty, one sentence each."""
    lead = item.inputs.get(item.metric)
    words = LOWERS[language]
    if lead is None:
        return ()
    lines = []
    if lead.quality is not Quality.GOOD:
        lines.append(words["body" if item.modality == "body" else "quality"])
    if lead.coverage < _FULL_COVERAGE:
        kind = "seen" if item.modality in {"face", "body"} else "heard"
        lines.append(words[kind].format(share=round(lead.coverage * 20) * 5))
    if lead.interval is None and lead.unit != "s":
        lines.append(words["interval"])
    return tuple(lines)


def _level(factor: float) -> int:
    return 2 if factor >= _HIGH else 1 if factor >= _MIDDLE else 0


def why_held(held: HeldBack, language: ReadingLanguage, by: str = "") -> str:
    """Return why a rule that fired is not shown. `by` is the label of the preferred item."""
    shared = held.item.modality if held.why is HeldBackReason.SAME_MODALITY else held.item.quality
    kind = KINDS[language][shared]
    is_other_strength = held.why is HeldBackReason.OUTRANKED and held.item.tone == "strength"
    words = WEIGHS_MORE[language] if is_other_strength else HELD[language][held.why]
    return words.format(by=by or held.outranked_by or "", kind=kind)


def why_silent(finding: Finding, language: ReadingLanguage) -> str:
    """Return why a rule did not fire: the first gate that it failed."""
    if finding.outcome is Outcome.MISSING_CONTEXT and finding.detail in OWN_USUAL[language]:
        return OWN_USUAL[language][finding.detail]
    if finding.is_too_uncertain:
        return TOO_UNCERTAIN[language]
    sentence = SILENT[language][finding.outcome].format(seconds=finding.seconds_needed)
    if finding.reason is None:
        return sentence
    return f"{sentence} {REASONS[language][finding.reason]}"


def nothing_found(language: ReadingLanguage) -> str:
    """Return the sentence for a report without any sufficiently certain finding."""
    return NOTHING[language]
