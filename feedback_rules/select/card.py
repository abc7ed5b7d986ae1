"""Evidence card for one finding, complete with its texts."""

from __future__ import annotations

from analysis.metrics import BY_ID
from analysis.results import Measurement, Report
from feedback_rules.model import (
    CardExercise,
    DraftItem,
    Rule,
)
from feedback_rules.select.card_words import CardWords, Subject
from feedback_rules.select.score import previous_of


def card_of(subject: Subject) -> DraftItem:
    """Return the card, without a rank."""
    rule, finding, report = subject.rule, subject.finding, subject.report
    lead = report.measurements[rule.severity.metric]
    words = CardWords.of(subject)
    previous = previous_of(rule, subject.context)
    claim, figure, comparison = words.claim(), words.figure(), words.comparison()
    suggestion, certainty = words.suggestion(), words.certainty()
    why = words.why()
    return DraftItem(
        rule=rule.id,
        rule_version=rule.version,
        title=rule.title,
        label=words.message.label,
        quality=rule.quality,
        tone=rule.tone,
        family=rule.family,
        modality=rule.modality,
        grade=rule.grade,
        decided_by=rule.decided_by,
        needs_coach=finding.needs_coach,
        language=subject.language,
        claim=claim,
        figure=figure,
        comparison=comparison,
        comparison_source=words.source(),
        why=why,
        suggestion=suggestion,
        exercise=_exercise(words),
        certainty=certainty,
        text=" ".join((claim, figure, comparison, why, suggestion, certainty)),
        counterfactual=words.fill(words.message.counterfactual),
        clips=words.clips,
        scope="talk" if rule.evidence.is_about_talk else "moments",
        is_progress=rule.severity.relative_to == "baseline",
        quotes=() if subject.hides_quotes else (*words.quotes, *words.quoted_at_half()),
        evidence_events=tuple(sorted({moment.kind for moment in finding.moments})),
        metric=rule.severity.metric,
        value=lead.value,
        unit=BY_ID[rule.severity.metric].unit,
        interval=lead.interval,
        stands=words.stands(),
        line=words.line(),
        inputs=_inputs(rule, report),
        factors=subject.factors,
        references=rule.references,
        author=rule.author,
        merged=finding.merged,
        held_focus=finding.held_focus,
        previous_value=previous.value if previous else None,
    )


def change_in_words(subject: Subject) -> str:
    """Return the change since last time; empty if the two values cannot be compared."""
    return CardWords.of(subject).change()


def _inputs(rule: Rule, report: Report) -> dict[str, Measurement]:
    return {m: report.measurements[m] for m in rule.metrics if m in report.measurements}


def _exercise(words: CardWords) -> CardExercise:
    given = words.message.exercise
    return CardExercise(title=given.title, text=words.fill(given.text), minutes=given.minutes)
