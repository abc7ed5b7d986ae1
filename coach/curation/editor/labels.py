"""Labels of the rule editor, by model and field; the order of the labels is that of the page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

Labels = Mapping[str, str | Promise]

LABELS: Labels = {
    "Rule.status": _("Status"),
    "Rule.quality": _("Quality"),
    "Rule.tone": _("Tone"),
    "Rule.family": _("Family"),
    "Rule.modality": _("Where it is noticed"),
    "Rule.decided_by": _("Who decides"),
    "Rule.grade": _("Evidence"),
    "Rule.value_format": _("The value reads as"),
    "Rule.title": _("Title"),
    "Rule.source": _("Source, with its year, or “Rule of thumb”"),
    "Rule.rationale": _("Rationale"),
    "Rule.references": _("References, one per line"),
    "Rule.false_positives": _("Known errors, one per line"),
    "Rule.cites_study": _("The figures in its comparison are a study’s"),
    "Rule.author": _("Written by"),
    "Rule.severity": _("Distance from the range"),
    "Rule.applies": _("For which talks"),
    "Rule.never_with": _("Never shown together with these, because they contradict"),
    "Rule.replaces": _("Replaces these rules"),
    "Rule.replaces_at": _("Replaces these if both play the same moment"),
    "Rule.offered": _("Its exercise may be offered if no card stood out"),
    "When.all": _("All of these must be true"),
    "When.any": _("And one of these, if there are any"),
    "When.co_signals": _("Second signs: one of these, otherwise the card waits for a coach"),
    "When.unless": _("No card if one of these is true"),
    "When.without_co_signal": _("Without a second sign"),
    "MetricCondition.metric": _("What"),
    "MetricCondition.use": _("Which number"),
    "MetricCondition.op": _("Compared"),
    "MetricCondition.value": _("Threshold"),
    "MetricCondition.band": _("Range"),
    "MetricCondition.relative_to": _("Taken"),
    "EventFilter.event": _("What"),
    "EventFilter.min_seconds": _("At least (seconds)"),
    "EventFilter.labels": _("Only of this kind"),
    "EventFilter.within": _("Only in"),
    "EventFilter.or_within": _("Or of any kind in"),
    "EventFilter.overlaps": _("While"),
    "EventFilter.overlap_labels": _("Of this kind"),
    "EventFilter.overlap_share": _("For at least this share of it"),
    "EventFilter.free_of": _("Without any of these in it"),
    "EventFilter.detail": _("Only where “%(what)s” is"),
    "EventFilter.detail_at_least": _("“%(what)s” is at least"),
    "EventCondition.share_of": _("As a share of all"),
    "EventCondition.at_least": _("At least (times)"),
    "EventCondition.at_most": _("At most (times)"),
    "EventCondition.per_minute": _("Counted per minute"),
    "SkippedCondition.skipped": _("Why"),
    "SkippedCondition.at_least": _("For at least (measures)"),
    "Severity.metric": _("Main number"),
    "Severity.edge": _("The limit of its range"),
    "Severity.width": _("Distance at which it has full weight"),
    "Severity.direction": _("Direction"),
    "Severity.relative_to": _("Taken"),
    "Gates.min_quality": _("Measured at least"),
    "Gates.min_coverage": _("Over at least this share of speech"),
    "Gates.min_n": _("Counted at least"),
    "Gates.min_seconds": _("Length of the talk at least (seconds)"),
    "Gates.min_word_probability": _("Confidence of words at least, 0 to 1"),
    "Gates.min_confidence": _("Confidence at least, 0 to 1"),
    "Gates.silent_if": _("No card if this was found"),
    "Gates.needs": _("Required numbers"),
    "Applies.aims": _("Aims"),
    "Applies.audiences": _("Audiences"),
    "Applies.settings": _("Settings"),
    "Applies.media": _("Needs"),
    "Applies.except_camera_positions": _("Not if the camera is"),
    "Applies.languages": _("Languages"),
    "Applies.slides": _("Slides"),
    "Applies.notes": _("Notes on the screen"),
    "Applies.speakers": _("Speakers"),
    "Evidence.events": _("These moments"),
    "Evidence.order": _("Which ones"),
    "Evidence.fallback": _("If there are none"),
    "Evidence.scope": _("The claim is about"),
    "Evidence.quote": _("Quotes"),
    "Weights.actionability": _("How easily it can be practised"),
    "Weights.reliability": _("How reliable its detector is"),
    "Weights.aims": _("By aim"),
    "Weights.audiences": _("By audience"),
    "Weights.settings": _("By setting"),
    "Message.claim": _("What was observed"),
    "Message.claim_near": _("The same for a focus just past its threshold"),
    "Message.figure": _("The figure"),
    "Message.comparison": _("Compared with what"),
    "Message.why": _("Why it matters"),
    "Message.suggestion": _("What to try"),
    "Message.certainty": _("Confidence, after “Fairly sure:”"),
    "Message.counterfactual": _("What would have been different"),
    "Message.label": _("Its name in lists"),
    "Message.unit": _("The unit in words"),
    "Message.source": _("The source in this language"),
    "Message.why_for": _("Why it matters: %(what)s"),
    "RuleExercise.title": _("Exercise"),
    "RuleExercise.text": _("Instructions"),
    "RuleExercise.minutes": _("Minutes"),
    "Behaviour.kind": _("Behaviour"),
    "Behaviour.where": _("Where"),
    "Suggestion.name": _("Its name in cases"),
    "Suggestion.en": _("What to try"),
    "Suggestion.fr": _("What to try"),
    "Case.name": _("What happens in it"),
    "Case.kind": _("What it shows"),
    "Case.fires": _("The rule gives a card"),
    "Case.needs_coach": _("The card waits for a coach"),
    "Case.suggests": _("Name of the suggestion that it chooses"),
    "Case.context": _("Details of the talk"),
    "CaseReport.duration": _("Length in seconds"),
    "CaseReport.language": _("Language, two letters"),
    "CaseReport.audio_only": _("Sound only, no picture"),
    "CaseReport.words": _("Words of the transcript"),
    "CaseReport.measurements": _("Value"),
    "CaseReport.skipped": _("Not measured, because"),
    "CaseMeasurement.value": _("Value"),
    "CaseMeasurement.interval": _("Range"),
    "CaseMeasurement.n": _("Counted"),
    "CaseMeasurement.quality": _("Quality of the measure"),
    "CaseMeasurement.coverage": _("Share of speech that it covers, 0 to 1"),
    "CaseEvent.kind": _("What"),
    "CaseEvent.start": _("From second"),
    "CaseEvent.end": _("To second"),
    "CaseEvent.label": _("Its words"),
    "CaseEvent.probability": _("How likely, 0 to 1"),
    "CaseEvent.detail": "%(what)s",
    "Context.aim": _("Aim"),
    "Context.audience": _("Audience"),
    "Context.setting": _("Setting"),
    "Context.camera_position": _("Camera"),
    "Context.slides": _("Slides are shown"),
    "Context.notes": _("Notes on the screen"),
    "Context.speaks_as": _("Speaks"),
    "Context.time_limit": _("Time limit in seconds"),
    "Context.goal": _("Goal of the speaker"),
    "Context.language": _("Language of the reader"),
    "Context.disabled_families": _("Not analysed"),
    "Context.quiet": _("Not mentioned on cards"),
    "Context.baseline": _("The speaker’s baseline"),
    "Context.previous_items": _("Cards of the previous take"),
    "Context.previous_offers": _("Exercises offered earlier"),
    "Baseline.value": _("The speaker’s baseline"),
    "Baseline.takes": _("Number of takes it is based on"),
    "PreviousItem.rule": _("Rule"),
    "PreviousItem.value": _("Value"),
    "PreviousItem.takes_shown": _("Shown in this many takes in a row"),
    "PreviousItem.tone": _("Tone"),
    "PreviousOffer.rule": _("Rule"),
    "PreviousOffer.takes": _("Number of takes that offered it"),
    "PreviousOffer.ago": _("Takes since its last offer"),
}

HELPS: Labels = {
    "Rule.never_with": _("One id per line, for example PAU002."),
    "Rule.replaces": _("One id per line, for example PAU002."),
    "Rule.replaces_at": _("One id per line, for example PAU002."),
    "Rule.cites_study": _("They stay when the threshold moves."),
    "MetricCondition.use": _("A range shows how sure we are; its lower end is the careful choice."),
    "EventFilter.labels": _("One per line; leave empty for any."),
    "EventFilter.overlap_labels": _("One per line; leave empty for any."),
    "Severity.edge": _("Beyond this value it counts as out of range; usually the threshold above."),
    "Applies.languages": _(
        "Two letters each, one per line. If nothing is ticked or written, the rule "
        "applies everywhere."
    ),
    "Evidence.scope": _("Only a claim about moments may contain times."),
    "Case.suggests": _(
        "“usual” is the suggestion of the main text. Leave empty if it is not checked."
    ),
    "CaseReport.words": _(
        "One per line: start in seconds, end in seconds, confidence (0 to 1), word."
    ),
}

ENDS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "MetricCondition.band": (_("From"), _("To")),
    "CaseMeasurement.interval": (_("Lower end"), _("Upper end")),
}
"""Labels of the two ends of a range."""

ROWS: Labels = {
    "MetricCondition": _("A measured number"),
    "EventCondition": _("Moments that were found"),
    "SkippedCondition": _("Something could not be measured"),
    "EventFilter": _("Moments to play"),
    "Suggestion": _("A suggestion if all of these are true"),
}
"""Titles of rows, by model."""

ADDERS: Labels = {
    "MetricCondition": _("Add a number"),
    "EventCondition": _("Add moments"),
    "SkippedCondition": _("Add a missing measure"),
    "EventFilter": _("Add moments"),
    "Suggestion": _("Add a suggestion"),
    "Case": _("Add a case"),
    "CaseEvent": _("Add a moment"),
    "Context": _("Add a detail of the talk"),
    "CaseReport.measurements": _("Add a number"),
    "CaseReport.skipped": _("Add one not measured"),
    "CaseMeasurement.interval": _("Add a range"),
    "CaseEvent.detail": _("Say more"),
    "EventFilter.detail": _("Ask for a kind"),
    "EventFilter.detail_at_least": _("Ask for at least a number"),
    "Message.why_for": _("Add a reason for an aim"),
}
"""Buttons that add a row, by model or by field."""


@cache
def key_of(model: type[BaseModel], name: str) -> str:
    """Return the key of a field's label; a field without a label has the key of its model."""
    keys = [f"{each.__name__}.{name}" for each in model.__mro__]
    return next((key for key in keys if key in LABELS), keys[0])


def label_of(key: str) -> str:
    """Return the label of a key, or the field's name in words."""
    return _label(key, get_language())


@cache
def _label(key: str, _language: str | None) -> str:
    return str(LABELS.get(key) or key.rpartition(".")[2].replace("_", " ").capitalize())


@cache
def ordered(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the names of a model's fields in the order of the page, new ones last."""
    places = {key: place for place, key in enumerate(LABELS)}
    names = model.model_fields
    return tuple(sorted(names, key=lambda name: places.get(key_of(model, name), len(places))))
