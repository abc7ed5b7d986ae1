"""Tables of takes, their measurements and their events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis.events import EVENTS
from analysis.metric import UNITS, Metric
from analysis.metrics import METRICS
from analysis.results import Quality, Reason
from coach.accounts.models import Policy
from coach.feedback.models import MeasuredValue
from coach.feedback.reports import ends_of
from coach.rehearsals.models import Viewing
from coach.research.exports.bundle.reports import (
    measured_in,
    milliseconds,
    report_in,
    seconds_of,
    speech_reader,
)
from coach.research.exports.bundle.scope import Included, IncludedTake
from coach.research.exports.bundle.spec import (
    Row,
    Table,
    number,
    refers,
    text,
    whole,
    yes_no,
)
from coach.research.studies.models import Scope
from coach.research.studies.selectors import read_with_other_weights

_PICTURE = frozenset({"gaze", "head", "posture", "gesture"})
_WORDS = frozenset({"wording", "structure", "fillers"})
_LABELLED_WITHOUT_WORDS = frozenset(each.id for each in EVENTS if each.labels)
"""Kinds whose labels come from a closed list, so they repeat no words of the talk."""


def _quality(take: IncludedTake) -> str:
    """Return `unusable` if nothing was measured, `degraded` if a value is poor (rule of thumb)."""
    values = list(measured_in(take).values_list("reason", "quality"))
    if all(reason for reason, _quality in values):
        return "unusable"
    is_poor = any(
        reason == Reason.POOR_SIGNAL or quality == Quality.POOR for reason, quality in values
    )
    return "degraded" if is_poor else "ok"


def _pinned(included: Included, take: IncludedTake, models: Mapping[str, str]) -> Row:
    """Return the policy and rules of a take, and whether they are those pinned by the study."""
    study, cohort = included.study, take.rehearsal.cohort
    ran = study.started_at is not None and take.run.created_at >= study.started_at
    is_over = study.closed_at is not None and take.run.created_at > study.closed_at
    policy = study.policy if ran and not is_over else cohort.policy if cohort else ""
    feedback = take.rehearsal.feedback.filter(run=take.run).order_by("version").first()
    number_of = feedback.rule_set.number if feedback else None
    differs = [
        name
        for name, is_other in (
            ("before_the_study", not ran),
            ("after_the_study", is_over),
            ("rules", study.rule_set is None or number_of != study.rule_set.number),
            ("policy", policy != study.policy),
            ("models", read_with_other_weights(study, models)),
        )
        if is_other
    ]
    return {
        "policy": policy,
        "rule_set": number_of,
        "is_as_pinned": not differs,
        "differs_in": " ".join(differs),
    }


def _rehearsals(included: Included) -> Iterator[Row]:
    for take in included.takes:
        each, report = take.rehearsal, report_in(take)
        audio, video = report.media.audio, report.media.video
        assembled = report.stages.get("assemble")
        yield {
            "rehearsal_id": take.name,
            "participant_id": take.person.name,
            "sequence_no": take.number,
            "day_offset": take.person.day(each.created_at),
            "scenario_code": f"{each.aim}.{each.audience}.{each.setting}",
            "aim": each.aim,
            "audience": each.audience,
            "setting": each.setting,
            "goal": each.goal,
            "time_limit_s": each.time_limit,
            "duration_ms": milliseconds(report.media.duration),
            "language": report.language.code,
            "speaks_as": each.speaks_as,
            "captured_audio": audio is not None,
            "captured_video": video is not None,
            "audio_sample_rate_hz": audio.sample_rate_hz if audio else None,
            "video_fps": video.fps if video else None,
            "asr_engine": speech_reader(report),
            "models": "; ".join(f"{part}={name}" for part, name in sorted(report.models.items())),
            "pipeline_version": assembled.version if assembled else f"{report.schema_version}",
            **_pinned(included, take, report.models),
            "condition": take.person.condition,
            "quality": _quality(take),
            "is_constructed": each.is_constructed,
        }


def modality(metric: Metric) -> str:
    """Return the kind of signal that a measure is computed from."""
    if metric.family in _PICTURE:
        return "video"
    return "text" if metric.family in _WORDS else "audio"


def _metrics(_included: Included) -> Iterator[Row]:
    for each in sorted(METRICS, key=lambda metric: metric.id):
        yield {
            "metric_id": each.id,
            "label": each.label,
            "definition": each.definition,
            "unit": UNITS[each.unit].ucum,
            "unit_in_words": each.unit,
            "modality": modality(each),
            "reference": each.reference,
            "limitations": each.limitations or "None known beside those of its signal.",
        }


def _measurements(included: Included) -> Iterator[Row]:
    for take in included.takes:
        measured = {each.metric: each for each in measured_in(take)}
        end = milliseconds(seconds_of(take))
        for metric in sorted(METRICS, key=lambda metric: metric.id):
            yield {
                "measurement_id": measurement_id(take, metric.id),
                "rehearsal_id": take.name,
                "metric_id": metric.id,
                "start_ms": 0,
                "end_ms": end,
                **_value(measured.get(metric.id)),
            }


def measurement_id(take: IncludedTake, metric: str) -> str:
    """Return take and measure."""
    return f"{take.name}:{metric}"


def _value(measured: MeasuredValue | None) -> Row:
    if measured is None:
        return {"missing_reason": Reason.NOT_MEASURED_BY_THIS_VERSION.value}
    low, high, is_open = ends_of(measured)
    return {
        "value": measured.value,
        "n_observations": measured.n,
        "coverage": measured.coverage,
        "quality": measured.quality,
        "interval_low": low,
        "interval_high": high,
        "interval_open_above": is_open,
        "missing_reason": measured.reason,
    }


def _events(included: Included) -> Iterator[Row]:
    families = {each.id: each.family for each in EVENTS}
    for take in included.takes:
        says_words = take.person.agrees(Scope.TRANSCRIPT)
        for place, each in enumerate(report_in(take).events, start=1):
            yield {
                "event_id": f"{take.name}:{place:05d}",
                "rehearsal_id": take.name,
                "kind": each.kind,
                "family": families.get(each.kind, ""),
                "start_ms": milliseconds(each.start),
                "end_ms": milliseconds(each.end),
                "probability": each.probability,
                "label": (each.label if says_words or each.kind in _LABELLED_WITHOUT_WORDS else ""),
            }


def _event_kinds(_included: Included) -> Iterator[Row]:
    for each in sorted(EVENTS, key=lambda kind: kind.id):
        yield {
            "kind": each.id,
            "family": each.family,
            "label": each.label,
            "definition": each.definition,
        }


def _viewings(included: Included) -> Iterator[Row]:
    takes = {take.rehearsal.pk: take for take in included.takes}
    seen = Viewing.objects.filter(rehearsal__in=list(takes), at__lte=included.cut_off)
    rows = []
    for each in seen.order_by("at", "pk"):
        take = takes[each.rehearsal_id]
        viewer = included.by_user.get(each.viewer_id or 0)
        rows.append(
            {
                "rehearsal_id": take.name,
                "viewer_id": viewer.name if viewer else "",
                "what": each.what,
                "day_offset": take.person.day(each.at),
            }
        )
    rows.sort(key=lambda row: str(row["rehearsal_id"]))
    for place, row in enumerate(rows, start=1):
        yield {"viewing_id": f"V-{place:05d}", **row}


TAKE_TABLES = (
    Table(
        name="rehearsals",
        title="Takes, one row each",
        key=("rehearsal_id",),
        rows=_rehearsals,
        is_kept_as_it_came=True,
        refers=(refers("participant_id", "participants"),),
        columns=(
            text("rehearsal_id", "Identifier, the same in every export of this study"),
            text("participant_id", "The participant"),
            whole("sequence_no", "1 is the person's first take in this export", least=1),
            whole("day_offset", "Days since first consent", "d", least=None),
            text("scenario_code", "Aim, audience and setting, as given"),
            text("aim", "Aim of the talk"),
            text("audience", "Audience of the talk"),
            text("setting", "Setting of the talk"),
            text("goal", "What the participant wanted to work on", required=False),
            number("time_limit_s", "Time limit of the talk", "s", least=0),
            whole("duration_ms", "Length of the take", "ms"),
            text("language", "BCP 47, as given or detected"),
            text(
                "speaks_as",
                "Whether the person speaks in a first or second language",
                required=False,
            ),
            yes_no("captured_audio", "Whether there is sound"),
            yes_no("captured_video", "Whether there is a picture"),
            whole("audio_sample_rate_hz", "Sample rate of the recording", "Hz", required=False),
            number("video_fps", "Measured frame rate", "/s", least=0),
            text("asr_engine", "Speech recognition model; its hash is in models", required=False),
            text("models", "Models used, as name=version; name=version", required=False),
            text("pipeline_version", "Version of the analysis code"),
            text("policy", "When feedback was shown", *Policy.values, required=False),
            whole("rule_set", "Rule set of the first draft", required=False),
            yes_no(
                "is_as_pinned",
                "Whether rules, policy and models are those pinned at the start of the study",
            ),
            text(
                "differs_in",
                "If not, what differs, separated by spaces: before_the_study, "
                "after_the_study, rules, policy, models",
                required=False,
            ),
            text("condition", "Letter of the person's condition", required=False),
            text(
                "quality",
                "Overall usability of the take (rule of thumb)",
                "ok",
                "degraded",
                "unusable",
            ),
            yes_no("is_constructed", "Synthetic take made for a demonstration"),
        ),
    ),
    Table(
        name="metrics",
        title="Measures: definition, unit and source",
        key=("metric_id",),
        rows=_metrics,
        is_kept_as_it_came=True,
        columns=(
            text("metric_id", "Family and name"),
            text("label", "Name shown to people", about=True),
            text("definition", "How it is computed, in words"),
            text("unit", "UCUM code"),
            text("unit_in_words", "Unit in words"),
            text("modality", "Data it is computed from", "audio", "text", "video", "interaction"),
            text("reference", "Source of the definition", required=False),
            text("limitations", "Known failure conditions"),
        ),
    ),
    Table(
        name="measurements",
        title="Measurements, one row per take and measure: a value, or the reason why it "
        "is missing",
        key=("measurement_id",),
        rows=_measurements,
        is_kept_as_it_came=True,
        refers=(refers("rehearsal_id", "rehearsals"), refers("metric_id", "metrics")),
        columns=(
            text("measurement_id", "Take and measure"),
            text("rehearsal_id", "The take"),
            text("metric_id", "The measure"),
            whole("start_ms", "Start, from the start of the take", "ms"),
            whole("end_ms", "Exclusive", "ms"),
            number("value", "Value in the unit given in metrics.csv; empty if missing", ""),
            whole(
                "n_observations", "Number of frames, words or events it is based on", required=False
            ),
            number("coverage", "Share of speech time it is based on", least=0, most=1),
            text(
                "quality",
                "Quality according to the analyser",
                *(q.value for q in Quality),
                required=False,
            ),
            number(
                "interval_low",
                "Lower end of the central 80% interval, if an error model exists; in the same unit",
                "",
            ),
            number(
                "interval_high",
                "Upper end of the interval; also empty if interval_open_above is true",
                "",
            ),
            yes_no(
                "interval_open_above",
                "true: the interval has only a lower end, because the number of undetected "
                "events is unknown (mostly fillers in French)",
                required=False,
            ),
            text(
                "missing_reason",
                "Reason for a missing value; filled only if value is empty",
                *(reason.value for reason in Reason),
                required=False,
            ),
        ),
    ),
    Table(
        name="events",
        title="Events in takes",
        key=("event_id",),
        rows=_events,
        is_kept_as_it_came=True,
        refers=(refers("rehearsal_id", "rehearsals"),),
        columns=(
            text("event_id", "Take and number"),
            text("rehearsal_id", "The take"),
            text("kind", "Kind of event, defined in event_kinds.csv"),
            text("family", "Family of measures it belongs to", required=False),
            whole("start_ms", "Start, from the start of the take", "ms"),
            whole("end_ms", "Exclusive", "ms"),
            number("probability", "Confidence of the detector", least=0, most=1),
            text(
                "label",
                "The words heard, only with consent to words; for a silent_pause its length "
                "in words and for a look_away its direction, always",
                required=False,
                free=True,
            ),
        ),
    ),
    Table(
        name="event_kinds",
        title="Kinds of events",
        key=("kind",),
        rows=_event_kinds,
        is_kept_as_it_came=True,
        may_be_missing=True,
        columns=(
            text("kind", "Kind of event, as in events.csv"),
            text(
                "family",
                "Family of measures it belongs to; empty if it only marks a place",
                required=False,
            ),
            text("label", "Name shown to people, in the plural"),
            text("definition", "Definition; the detail it mentions is not in the bundle"),
        ),
    ),
    Table(
        name="viewings",
        title="Access to takes",
        key=("viewing_id",),
        rows=_viewings,
        is_kept_as_it_came=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("viewer_id", "participants", "participant_id"),
        ),
        columns=(
            text("viewing_id", "Number within this export"),
            text("rehearsal_id", "The take"),
            text("viewer_id", "The viewer, if they take part in the study", required=False),
            text(
                "what",
                "Purpose: recording; report; desk: review; second: second opinion; "
                "calibration: practice in judging; compared: comparison of two coaches; "
                "rule_preview: trying a rule; guest: through a link from the owner",
            ),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
)
