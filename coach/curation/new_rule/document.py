"""The document of a new rule, written from the answers to the six questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from analysis.metrics import BY_ID
from coach.curation.new_rule.measures import FORMATS, OwnTake, model_for, relatives_of
from coach.lib.words.measure_words import label_of, unit_words
from feedback_rules.explain import TO_BE_WRITTEN, problems_of, with_clean_spaces
from feedback_rules.model import READING_LANGUAGES, Case, ReadingLanguage, Rule

_SHARE_WIDTH = 0.2
_RELATIVE_WIDTH = 0.5
"""Widths of the band from barely to fully beyond the threshold: 20 points of a share, half of any
other threshold (rules of thumb)."""
_LEAST_WIDTH = 1.0
_CASE_COUNT = 20
_OTHER_TOLERANCE = 0.5
"""How far the second measure of a case lies beyond its threshold, of the threshold's size."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """The answers to the six questions."""

    subject: dict[str, Any]
    rest: dict[str, Any]
    takes: tuple[OwnTake, ...] = ()
    """The curator's own takes that become cases."""

    @property
    def metric(self) -> str:
        """The id of the measure."""
        return str(self.subject["metric"])

    @property
    def is_strength(self) -> bool:
        """Whether the card praises."""
        return bool(self.subject["tone"] == "strength")

    @property
    def is_above(self) -> bool:
        """Whether the card appears above the threshold."""
        return bool(self.rest["side"] == "above")

    @property
    def threshold(self) -> float:
        """The threshold in the unit of the measure."""
        return float(self.rest["threshold"])

    @cached_property
    def model(self) -> Rule | None:
        """A rule about the same measure, for the words and the requirements of the measure."""
        return model_for(self.metric)

    @cached_property
    def relative(self) -> Rule | None:
        """That rule, or one about a measure of the same family."""
        return self.model or next(iter(relatives_of(self.metric)), None)

    @cached_property
    def passing_case(self) -> Case | None:
        """A case in which that rule fires."""
        return (
            next((each for each in self.relative.cases if each.fires), None)
            if self.relative
            else None
        )

    def said(self, part: str, language: ReadingLanguage) -> str:
        """Return a text of the fifth question, or the mark that it is missing."""
        return self.rest.get(f"{part}_{language}") or TO_BE_WRITTEN


def rule_from(answers: Answers) -> Rule:
    """Return the rule. Its status is a draft while it has problems, else experimental."""
    rule = with_clean_spaces(Rule.model_validate(_document(answers)))
    tried = rule.model_copy(update={"status": "experimental"})
    return rule if problems_of(tried) else tried


def is_unfinished(rule: Rule) -> bool:
    """Return whether a text of the rule is still to be written."""
    return any(each.code == "text_missing" for each in problems_of(rule))


def _document(answers: Answers) -> dict[str, Any]:
    metric, relative = BY_ID[answers.metric], answers.relative
    source = answers.rest["source"]
    return {
        "id": answers.rest["id"],
        "version": 1,
        "title": answers.subject["title"],
        "status": "draft",
        "quality": answers.subject["quality"],
        "tone": answers.subject["tone"],
        "family": metric.family,
        "modality": relative.modality if relative else "speech",
        "decided_by": "machine_then_coach",
        "grade": "B" if source else "C",
        "when": {"all": list(_conditions(answers))},
        "severity": {"metric": metric.id, "edge": answers.threshold, **_band(answers)},
        "evidence": _evidence(answers),
        "gates": _gates(answers),
        "applies": relative.applies.model_dump(mode="json") if relative else {},
        "never_with": answers.rest["never_with"],
        "behaviour": {"kind": answers.rest["behaviour"], "where": ["talk"]},
        "value_format": _format(answers),
        "message": {each: _message(answers, each) for each in READING_LANGUAGES},
        "source": source or "Rule of thumb",
        "rationale": source or _("An observation of the curators here; not yet studied."),
        "references": [source or _("Rule of thumb of the curators here.")],
        "false_positives": [answers.rest["errs"]],
        "author": _("The curators here"),
        "cases": list(_cases(answers)),
    }


def _conditions(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the conditions; of a range, all of it has to be beyond the threshold."""
    yield {
        "metric": answers.metric,
        "op": _operator(answers),
        "value": answers.threshold,
        "use": "low_if_known" if answers.is_above else "high_if_known",
    }
    if other := answers.rest["other_metric"]:
        value = answers.rest["other_threshold"]
        yield {"metric": other, "op": answers.rest["other_side"], "value": value}


def _operator(answers: Answers) -> str:
    if answers.is_strength:
        return "at_least" if answers.is_above else "at_most"
    return "above" if answers.is_above else "below"


def _band(answers: Answers) -> dict[str, Any]:
    edge = answers.threshold
    if BY_ID[answers.metric].unit == "share":
        room = 1 - edge if answers.is_above else edge
        width = min(_SHARE_WIDTH, room) or _SHARE_WIDTH
    else:
        width = abs(edge) * _RELATIVE_WIDTH or _LEAST_WIDTH
    return {"width": round(width, 6), "direction": "above" if answers.is_above else "below"}


def _evidence(answers: Answers) -> dict[str, Any]:
    """Return the moments of a rule about the same measure: played where there are some."""
    if answers.model is None:
        return {"scope": "talk"}
    given = answers.model.evidence.model_dump(mode="json")
    return {"events": given["events"], "order": given["order"], "scope": "talk"}


def _gates(answers: Answers) -> dict[str, Any]:
    gates = answers.relative.gates.model_dump(mode="json") if answers.relative else {}
    if answers.model is None:
        gates.pop("min_n", None)
    return {**gates, "min_seconds": answers.rest["min_seconds"]}


def _format(answers: Answers) -> str:
    return answers.model.value_format if answers.model else FORMATS[BY_ID[answers.metric].unit]


def _message(answers: Answers, language: ReadingLanguage) -> dict[str, Any]:
    with override(language):
        unit = _unit(answers, language)
        threshold = "{edge}" if _is_share(answers) else f"{{edge}} {unit}"
        values = {"value": f"{{value}} {unit}", "threshold": threshold}
        return {
            "label": label_of(answers.metric),
            "claim": answers.said("claim", language),
            "figure": _("In this talk, that was %(value)s{range}.") % values,
            "unit": unit,
            "why": answers.said("why", language),
            "suggestion": answers.said("suggestion", language),
            "certainty": _certainty(answers, language),
            "comparison": _comparison(answers) % values,
            "counterfactual": _counterfactual(answers) % values,
            "exercise": {
                "title": answers.said("exercise_title", language),
                "text": answers.said("exercise_text", language),
            },
            "source": _source(answers, language),
        }


def _unit(answers: Answers, language: ReadingLanguage) -> str:
    if answers.model is not None:
        message = answers.model.message
        return (message.en if language == "en" else message.fr).unit
    if _is_share(answers):
        return _("of the time that was measured")
    return unit_words(BY_ID[answers.metric].unit)


def _certainty(answers: Answers, language: ReadingLanguage) -> str:
    if answers.relative is None:
        return _("it is measured from the recording.")
    message = answers.relative.message
    return (message.en if language == "en" else message.fr).certainty


def _comparison(answers: Answers) -> str:
    """Return the sentence on the threshold. A strength lies on its good side, advice beyond it."""
    if answers.is_above == answers.is_strength:
        return _("Rule of thumb: at least %(threshold)s.")
    return _("Rule of thumb: at most %(threshold)s.")


def _counterfactual(answers: Answers) -> str:
    if answers.is_strength and answers.is_above:
        return _("Below %(threshold)s, this would not have appeared.")
    if answers.is_strength:
        return _("Above %(threshold)s, this would not have appeared.")
    if answers.is_above:
        return _("At %(threshold)s or less, this would not have appeared.")
    return _("At %(threshold)s or more, this would not have appeared.")


def _source(answers: Answers, language: ReadingLanguage) -> str:
    is_translated = language == "fr" and not answers.rest["source"]
    return "Règle empirique" if is_translated else ""


def _is_share(answers: Answers) -> bool:
    return BY_ID[answers.metric].unit == "share"


def _cases(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield a case beyond the threshold, one on its other side, one on it, and the own takes."""
    edge, width = answers.threshold, _band(answers)["width"]
    sign = 1 if answers.is_above else -1
    yield _case(answers, _("beyond the threshold"), "pass", edge + sign * width)
    yield _case(answers, _("on the other side of the threshold"), "fail", _other_side(answers))
    yield _case(answers, _("exactly on the threshold"), "threshold", edge)
    if answers.rest["other_metric"]:
        yield _case(
            answers,
            _("the other measure does not fit"),
            "fail",
            edge + sign * width,
            fits=False,
        )
    for take in answers.takes:
        value = round(take.value, 4)
        kind = "pass" if _is_beyond(answers, value) else "fail"
        name = _("one of the author’s own takes (%(value)s)") % {"value": take.words}
        yield _case(answers, name, kind, value)


def _other_side(answers: Answers) -> float:
    """Return a value on the other side; no measure that is offered can be negative."""
    edge = answers.threshold
    if not answers.is_above:
        most = 1.0 if _is_share(answers) else edge + max(edge, _LEAST_WIDTH)
        width = float(_band(answers)["width"])
        return round(min(edge + width, most), 6)
    return round(edge / 2, 6)


def _is_beyond(answers: Answers, value: float) -> bool:
    edge = answers.threshold
    if value == edge:
        return answers.is_strength
    return (value > edge) == answers.is_above


def _case(
    answers: Answers, name: str, kind: str, value: float, *, fits: bool = True
) -> dict[str, Any]:
    measurements = {**_needed(answers), answers.metric: _measured(answers, value)}
    if other := answers.rest["other_metric"]:
        measurements[other] = _measured(answers, _other_value(answers, fits=fits))
    fires = answers.is_strength if kind == "threshold" else kind == "pass"
    duration = max(180.0, answers.rest["min_seconds"] + 60.0)
    report = {"duration": duration, "measurements": measurements}
    return {
        "name": name,
        "kind": kind,
        "fires": fires,
        "report": report,
        "context": _context(answers),
    }


def _needed(answers: Answers) -> dict[str, Any]:
    """Return measurements that meet the other requirements, from a case of the related rule."""
    rule, passing = answers.relative, answers.passing_case
    if rule is None or passing is None:
        return {}
    given = passing.report.get("measurements", {})
    return {each.metric: given[each.metric] for each in rule.gates.needs if each.metric in given}


def _context(answers: Answers) -> dict[str, Any]:
    """Return a situation in which the rule applies."""
    passing = answers.passing_case
    return passing.context.model_dump(mode="json", exclude_defaults=True) if passing else {}


def _measured(answers: Answers, value: float) -> dict[str, Any]:
    least = answers.model.gates.min_n if answers.model else 0
    return {"value": round(value, 6), "n": max(_CASE_COUNT, least), "coverage": 0.9}


def _other_value(answers: Answers, *, fits: bool) -> float:
    edge = float(answers.rest["other_threshold"])
    is_above = (answers.rest["other_side"] == "above") == fits
    if BY_ID[answers.rest["other_metric"]].unit == "share":
        return round((edge + 1) / 2 if is_above else edge / 2, 6)
    return edge + max(abs(edge), 1) * _OTHER_TOLERANCE if is_above else edge / 2
