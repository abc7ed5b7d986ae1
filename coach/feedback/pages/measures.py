"""Measurements and missing measurements in words, each number with its meaning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.metrics import BY_ID, METRICS
from analysis.results import GazeZero, Measurement, Quality, Reason, Report
from coach.feedback.models import MeasuredValue
from coach.feedback.reports import measurement_in
from coach.lib.words.measure_words import label_of, plain_sentence, unit_words
from coach.lib.words.numbers import decimal, percent
from coach.lib.words.sentences import sentences, whole

REASONS: dict[Reason, str | Promise] = {
    Reason.NO_AUDIO: gettext_lazy("The file has no sound."),
    Reason.NO_VIDEO: gettext_lazy("The file has no picture."),
    Reason.NO_SPEECH: gettext_lazy("We heard no speech in this recording."),
    Reason.TOO_SHORT: gettext_lazy("The recording is short for this measure."),
    Reason.LOW_COVERAGE: gettext_lazy("We could measure this in only part of the talk."),
    Reason.POOR_SIGNAL: gettext_lazy("The recording is not clear enough for this measure."),
    Reason.AUTOMATIC_GAIN: gettext_lazy("The recorder adjusted its level automatically."),
    Reason.NO_FACE: gettext_lazy("We found no face for most of the talk."),
    Reason.FACE_TOO_SMALL: gettext_lazy("Your face is small in the picture."),
    Reason.SEVERAL_FACES: gettext_lazy("Several people are in the picture."),
    Reason.SEVERAL_SPEAKERS: gettext_lazy("Several people speak."),
    Reason.FRAMING: gettext_lazy("The part of you that this measure needs is out of the picture."),
    Reason.LANGUAGE_UNSUPPORTED: gettext_lazy("We cannot measure this in this language yet."),
    Reason.LANGUAGE_MISMATCH: gettext_lazy("This talk seems to be in another language."),
    Reason.OUTSIDE_TESTED_SPEECH: gettext_lazy(
        "We have not tested this on speech like this, so we leave it to your coach."
    ),
    Reason.DISABLED_BY_PROFILE: gettext_lazy("You asked us not to analyse this."),
    Reason.MISSING_CONTEXT: gettext_lazy("We would need to know more about the talk."),
    Reason.MODEL_MISSING: gettext_lazy("Part of the analysis is not installed on this site."),
    Reason.STAGE_FAILED: gettext_lazy("This part of the analysis failed this time."),
    Reason.NOT_MEASURED_BY_THIS_VERSION: gettext_lazy(
        "This take was analysed before we could measure this."
    ),
}

FAMILY_LABELS: dict[str, str | Promise] = {
    "pace": gettext_lazy("Pace"),
    "pauses": gettext_lazy("Pauses"),
    "fillers": gettext_lazy("Ums and filler words"),
    "pitch": gettext_lazy("Pitch variation"),
    "loudness": gettext_lazy("Loudness"),
    "wording": gettext_lazy("Wording"),
    "structure": gettext_lazy("Structure"),
    "gaze": gettext_lazy("Facing the camera"),
    "head": gettext_lazy("Head"),
    "posture": gettext_lazy("Posture"),
    "gesture": gettext_lazy("Hands"),
    "signal": gettext_lazy("Recording quality"),
}

QUALITY_LABELS: dict[Quality, str | Promise] = {
    Quality.GOOD: gettext_lazy("Well measured"),
    Quality.FAIR: gettext_lazy("Fairly sure"),
    Quality.POOR: gettext_lazy("An estimate"),
}


_SMALL = frozenset({"ratio", BY_ID["posture.sway_shoulder_widths"].unit})
"""Units in which a tenth is much: a sway of a tenth of the shoulders is visible."""


_NO_SLIDES = "no_slides_timed"
"""The code of measures of slides in a take without any: nothing is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A cause of missing measures with its remedy, and their labels (a family's if all lack)."""

    detail: str
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotMeasured:
    """A reason for missing measures, with all measures that it concerns."""

    reason: str
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureRow:
    """A measurement in words."""

    label: str
    value: str
    plain: str
    """The value in a plain sentence."""
    meaning: str
    """How it is measured: its definition in the catalogue."""
    quality: str
    before: str = ""
    """The value before a correction, in words; empty if it did not change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureGroup:
    """All measures of one family; `note` says what they are measured from, if that matters."""

    label: str
    rows: tuple[MeasureRow, ...]
    note: str = ""


def number_words(value: float, unit: str) -> str:
    """Return a number without false precision: shares in percent, small values with a decimal."""
    if unit == "share":
        return percent(value)
    if unit in _SMALL:
        return decimal(value, 2)
    if unit == "count" or abs(value) >= 10 or value == 0:
        return decimal(value, 0)
    return decimal(value)


_WITHOUT_UNIT = frozenset({"share", "ratio", "count"})
_IN_MINUTES_FROM = 300.0
"""The number of seconds from which times are shown in minutes."""


def with_unit(value: float, unit: str) -> str:
    """Return the number with its unit: `8 per minute`."""
    if unit == "s" and value >= _IN_MINUTES_FROM:
        return _("%(minutes)s min") % {"minutes": decimal(value / 60, 0)}
    number = number_words(value, unit)
    return number if unit in _WITHOUT_UNIT else f"{number} {unit_words(unit, value)}"


def measurement_words(measurement: Measurement) -> str:
    """Return `about 8 (6-10) per minute`; without a range if there is no error model."""
    unit = measurement.unit
    if measurement.interval is None:
        return _("about %(value)s") % {"value": with_unit(measurement.value, unit)}
    value = number_words(measurement.value, unit)
    shown_unit = "" if unit in _WITHOUT_UNIT else f" {unit_words(unit, measurement.value)}"
    low, high = (number_words(each, unit) for each in measurement.interval)
    if measurement.leaves_everything_open:
        return _("not sure enough to say (between %(low)s and %(high)s)") % {
            "low": low,
            "high": high,
        }
    if measurement.has_no_upper_end:
        return _open_words(low, unit)
    if low == high:
        return _("about %(value)s%(unit)s") % {"value": value, "unit": shown_unit}
    return _("about %(value)s%(unit)s (between %(low)s and %(high)s)") % {
        "value": value,
        "unit": shown_unit,
        "low": low,
        "high": high,
    }


def _open_words(low: str, unit: str) -> str:
    """Return the words for a rate without an upper limit."""
    if low == number_words(0.0, unit):
        return _("not sure enough to say (we may have missed too many)")
    return _("at least about %(low)s %(unit)s (we do not know how many we missed)") % {
        "low": low,
        "unit": unit_words(unit, 2.0),
    }


def row_words(row: MeasuredValue) -> str:
    """Return the words for a stored value."""
    return measurement_words(measurement_in(row))


def measure_groups(report: Report, before: Report | None = None) -> tuple[MeasureGroup, ...]:
    """Return all measurements by family, in the order of the catalogue.

    `before`: the report as measured, if there are corrections.
    """
    groups: dict[str, list[MeasureRow]] = {}
    for metric in METRICS:
        measurement = report.measurements.get(metric.id)
        if measurement is None:
            continue
        row = MeasureRow(
            label=label_of(metric.id),
            value=measurement_words(measurement),
            plain=plain_sentence(metric.id),
            meaning=_(metric.definition),
            quality=str(QUALITY_LABELS[_told_quality(measurement)]),
            before=_before_words(metric.id, measurement, before),
        )
        groups.setdefault(metric.family, []).append(row)
    return tuple(
        MeasureGroup(
            label=str(FAMILY_LABELS[family]),
            rows=tuple(rows),
            note=gaze_zero_words(report.gaze_zero) if family == "gaze" and report.gaze_zero else "",
        )
        for family, rows in groups.items()
    )


def _told_quality(measurement: Measurement) -> Quality:
    """Return the displayed quality: an estimate at best if the interval is open."""
    return Quality.POOR if measurement.is_open else measurement.quality


def _before_words(metric: str, now: Measurement, before: Report | None) -> str:
    """Return the measured value if a correction changed it, else an empty string."""
    was = before.measurements.get(metric) if before else None
    if was is None or was == now:
        return ""
    return _("Corrected by a person. Measured value: %(value)s.") % {
        "value": measurement_words(was)
    }


_ZERO_WORDS: dict[str, str | Promise] = {
    "calibration": gettext_lazy(
        "Measured from where you looked into the lens at the start, which we know to about "
        "%(aside)s degrees to the sides and %(above)s up and down."
    ),
    "talk": gettext_lazy(
        "Measured from where you looked most often, which we know to about %(aside)s degrees to "
        "the sides and %(above)s up and down. Looking into the lens for the first three seconds "
        "makes it more exact."
    ),
    "answer": gettext_lazy(
        "Measured from where you looked most often, since you said that the camera stood "
        "elsewhere; we know that to about %(aside)s degrees to the sides and %(above)s up and down."
    ),
    "usual": gettext_lazy(
        "Measured from where people usually look when they face their camera; for one person that "
        "is known to about %(aside)s degrees to the sides and %(above)s up and down. Looking into "
        "the lens for the first three seconds makes it more exact."
    ),
}


def gaze_zero_words(zero: GazeZero) -> str:
    """Return how the camera's direction was determined, and how precisely."""
    words = str(_ZERO_WORDS[zero.source]) % {
        "aside": number_words(zero.yaw_spread, "degrees"),
        "above": number_words(zero.pitch_spread, "degrees"),
    }
    return " ".join((*sentences((zero.note,) if zero.note else ()), words))


def not_measured(report: Report) -> tuple[NotMeasured, ...]:
    """Return the missing measures by reason, in the order of the catalogue."""
    causes: dict[Reason, dict[str, list[str]]] = {}
    for metric in METRICS:
        skipped = report.skipped.get(metric.id)
        if skipped is not None and skipped.code != _NO_SLIDES:
            details = causes.setdefault(skipped.reason, {})
            details.setdefault(whole(skipped), []).append(metric.id)
    return tuple(
        NotMeasured(
            reason=str(REASONS[reason]),
            gaps=tuple(Gap(detail=detail, metrics=_labels(ids)) for detail, ids in details.items()),
        )
        for reason, details in causes.items()
    )


def _labels(ids: Collection[str]) -> tuple[str, ...]:
    """Return the labels in catalogue order; a family's label if all its measures are missing."""
    labels = {}
    for each in ids:
        family = BY_ID[each].family
        is_whole = all(other.id in ids for other in METRICS if other.family == family)
        labels[family if is_whole else each] = (
            str(FAMILY_LABELS[family]) if is_whole else label_of(each)
        )
    return tuple(labels.values())
