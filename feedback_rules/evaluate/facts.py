"""Facts of a report that several rules use, looked up once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

from analysis.results import Event, Reason, Report
from feedback_rules.model import OWN_TAKES, USUALLY_NONE, Context, PreviousItem

Span = tuple[float, float]

OPENING_SECONDS = 10.0
ENDING_SHARE = 0.2
BASELINE_TAKES = 3
"""Takes after which a person is compared with their own history (rule of thumb)."""
FOCUS_TAKES = 3
"""Takes for which an improvement stays the focus, unless it is in band earlier."""
_SPEECH = "signal.speech_seconds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Report and context with everything derived that more than one rule uses."""

    report: Report
    context: Context
    by_kind: Mapping[str, tuple[Event, ...]]
    skip_reasons: Mapping[Reason, int]
    language: str
    talk: Span
    talk_seconds: float
    windows: Mapping[str, Span]
    word_probability: float | None
    focus: Mapping[str, PreviousItem]
    derived: dict[str, tuple[Event, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Derived moments by kind, filled when a rule first asks for them."""

    @classmethod
    def of(cls, report: Report, context: Context | None) -> Facts:
        """Derive the facts from a report and its context."""
        context = context or Context()
        talk = _talk_span(report)
        measured = report.measurements.get("signal.talk_seconds")
        return cls(
            report=report,
            context=context,
            by_kind=_by_kind(report),
            skip_reasons=dict(sorted(Counter(s.reason for s in report.skipped.values()).items())),
            language=context.language or report.language.code,
            talk=talk,
            talk_seconds=measured.value if measured else talk[1] - talk[0],
            windows=_windows(report, talk),
            word_probability=median(w.probability for w in report.words) if report.words else None,
            focus={
                item.rule: item
                for item in context.previous_items
                if item.tone == "improvement" and item.takes_shown < FOCUS_TAKES
            },
        )

    @property
    def hears_nobody(self) -> bool:
        """Return whether there is no language to check: no sound, or nobody speaks."""
        skipped = self.report.skipped.get(_SPEECH)
        silent = skipped is not None and skipped.reason is Reason.NO_SPEECH
        return silent or self.report.media.audio is None

    def reference(self, relative_to: str, metric: str) -> float | None:
        """Return the number that a value is divided by; None if unknown."""
        if relative_to == "nothing":
            return 1.0
        if relative_to == "time_limit":
            return self.context.time_limit
        usual = self._usual(metric)
        return usual if usual is not None and usual > 0 else None

    def lack_of(self, relative_to: str, metric: str) -> str:
        """Return why the reference is unknown, as the detail of a finding."""
        is_zero = relative_to == OWN_TAKES and self._usual(metric) is not None
        return USUALLY_NONE if is_zero else relative_to

    def _usual(self, metric: str) -> float | None:
        baseline = self.context.baseline.get(metric)
        return baseline.value if baseline and baseline.takes >= BASELINE_TAKES else None


def _by_kind(report: Report) -> dict[str, tuple[Event, ...]]:
    found: dict[str, list[Event]] = defaultdict(list)
    for event in report.events:
        found[event.kind].append(event)
    return {
        kind: tuple(sorted(events, key=lambda e: (e.start, e.end, e.label)))
        for kind, events in found.items()
    }


def _talk_span(report: Report) -> Span:
    """Return the span of the talk, from speech, otherwise from words, otherwise the whole
    recording.
    """
    if report.speech:
        return report.speech[0][0], report.speech[-1][1]
    if report.words:
        return report.words[0].start, report.words[-1].end
    return 0.0, report.media.duration


def _windows(report: Report, talk: Span) -> dict[str, Span]:
    start, end = talk
    opening = report.events_of("opening")
    closing = report.events_of("closing")
    return {
        "opening": (opening[0].start, opening[0].end)
        if opening
        else (start, min(end, start + OPENING_SECONDS)),
        "closing": (closing[-1].start, closing[-1].end)
        if closing
        else (max(start, end - OPENING_SECONDS), end),
        "ending": (end - ENDING_SHARE * (end - start), end),
    }
