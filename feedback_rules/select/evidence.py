"""Evidence check: clips that can be played and quotes that are in the transcript."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from analysis.results import Reason, Report, Word
from feedback_rules.evaluate.derived import LEAD_IN_SECONDS
from feedback_rules.model import Clip, Finding, Moment, Outcome, Quote, Rule

LONGEST_CLIP_SECONDS = 20.0
LEAST_WORD_PROBABILITY = 0.5
"""Lowest probability of a quoted word."""
_WORD_TOLERANCE_SECONDS = 0.25
_LONGEST_QUOTE_WORDS = 8
_TRIM = " \t\n.,;:!?…\"'«»“”‘’()[]-–—\u00a0\u202f"
_CLOSING = "\"'»”’)\u00a0\u202f"
_ASKS = "question"
_HALFWAY_WORDS = 5
_LONGEST_SILENCE_AT_HALF = 3.0
"""Longest silence in seconds after which the speaker is still at the earlier words. Rule of thumb.
"""
_UNQUOTABLE = frozenset({Reason.LANGUAGE_MISMATCH})


def clips_of(moments: Sequence[Moment], duration: float) -> tuple[Clip, ...]:
    """Return playable clips around the moments, inside the recording; touching ones are merged."""
    spans: list[list[float]] = []
    for moment in sorted(moments, key=lambda m: (m.start, m.end)):
        start = max(0.0, moment.start - LEAD_IN_SECONDS)
        end = min(duration, moment.end + LEAD_IN_SECONDS, start + LONGEST_CLIP_SECONDS)
        if end <= start:
            continue
        if spans and start <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([start, end, moment.start])
    return tuple(
        Clip(start=_rounded_down(start), end=_rounded_down(end), at=_rounded_down(max(at, 0.0)))
        for start, end, at in spans
    )


def _rounded_down(seconds: float) -> float:
    """Round down to milliseconds, so never beyond the end of the recording."""
    return math.floor(seconds * 1000 + 1e-6) / 1000


def token(text: str) -> str:
    """Return a word for comparison: without case and surrounding punctuation, with one kind of
    apostrophe.
    """
    return text.strip(_TRIM).replace("’", "'").casefold()


def words_within(report: Report, start: float, end: float) -> tuple[Word, ...]:
    """Return the words whose middle is in a span, with a small tolerance."""
    low, high = start - _WORD_TOLERANCE_SECONDS, end + _WORD_TOLERANCE_SECONDS
    return tuple(w for w in report.words if low <= (w.start + w.end) / 2 <= high)


def quote_of(text: str, moment: Moment, report: Report) -> Quote | None:
    """Return the words of the transcript named by a label, or None if they are not there."""
    wanted = [token(part) for part in text.split() if token(part)]
    words = words_within(report, moment.start, moment.end)
    spoken = [token(word.text) for word in words]
    for first in range(len(spoken) - len(wanted) + 1):
        found = words[first : first + len(wanted)]
        if not wanted or spoken[first : first + len(wanted)] != wanted:
            continue
        if all(word.probability >= LEAST_WORD_PROBABILITY for word in found):
            quoted = " ".join(word.text for word in found).strip(_TRIM)
            if moment.kind == _ASKS and found[-1].text.rstrip(_CLOSING).endswith("?"):
                quoted += "?"
            return Quote(text=quoted, start=found[0].start, end=found[-1].end)
    return None


def _quote_at(moment: Moment, report: Report) -> Quote | None:
    """Return a quote of the event's label; without one, of the moment's first words. None if
    unverified.
    """
    if moment.label:
        return quote_of(moment.label, moment, report)
    words = words_within(report, moment.start, moment.end)[:_LONGEST_QUOTE_WORDS]
    return quote_of(" ".join(word.text for word in words), moment, report) if words else None


def quotes_for(rule: Rule, finding: Finding, report: Report) -> tuple[Quote, ...]:
    """Return the verified quotes of a finding, the most frequent first; empty if quoting is not
    allowed.
    """
    if rule.evidence.quote == "none" or not _may_quote(report):
        return ()
    found = [_quote_at(moment, report) for moment in finding.moments]
    quotes = [quote for quote in found if quote is not None]
    often = Counter(token(quote.text) for quote in quotes)
    return tuple(sorted(quotes, key=lambda quote: -often[token(quote.text)]))


def words_at_half(report: Report, limit: float | None) -> Quote | None:
    """Return the words at half of the time limit; None if uncertain.

    It is uncertain if nobody spoke then or the speech is untranscribed.
    """
    if limit is None or not report.words or not _may_quote(report):
        return None
    half = report.words[0].start + limit / 2
    words = [word for word in report.words if word.start >= half][:_HALFWAY_WORDS]
    if len(words) < _HALFWAY_WORDS:
        return None
    if any(word.probability < LEAST_WORD_PROBABILITY for word in words):
        return None
    silences = (
        after.start - before
        for before, after in zip([half, *(word.end for word in words)], words, strict=False)
    )
    if max(silences) > _LONGEST_SILENCE_AT_HALF:
        return None
    text = " ".join(word.text.strip(_TRIM) for word in words)
    return Quote(text=text, start=half, end=words[-1].end)


def _may_quote(report: Report) -> bool:
    return not any(skipped.reason in _UNQUOTABLE for skipped in report.skipped.values())


def verify_evidence(rule: Rule, finding: Finding, report: Report) -> Finding:
    """Return the finding, or an outcome that says why its evidence is invalid."""
    is_playable = bool(clips_of(finding.moments, report.media.duration))
    if not is_playable and not rule.evidence.is_about_talk:
        return _failed(finding, Outcome.OUTSIDE_MEDIA)
    if rule.evidence.quote == "required" and not quotes_for(rule, finding, report):
        return _failed(finding, Outcome.QUOTE_MISMATCH)
    return finding


def _failed(finding: Finding, outcome: Outcome) -> Finding:
    return finding.model_copy(update={"outcome": outcome, "needs_coach": False})
