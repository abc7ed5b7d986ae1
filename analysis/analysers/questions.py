"""Questions to the audience, and the pause after each."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ports import Measured
from analysis.results import Event
from analysis.talk.languages import plain
from analysis.talk.punctuation import no_punctuation
from analysis.talk.question_finder import DetectedQuestion, find_questions
from analysis.talk.silences import quiet_gaps
from analysis.talk.talk import Talk

PER_MINUTE = "structure.questions_per_minute"

_LEAST_SECONDS = 30.0
_WAITED_SECONDS = 1.0
"""Shortest pause that gives time to think (rule of thumb); sentence ends have 0.5 to 2 s."""
_NEAR_SECONDS = 0.4
"""Largest distance between the end of the last word and the start of the silence."""
_LABEL_WORDS = 8


class Questions:
    """Analyser of questions: sentences with at least two of three signs, and the silence after
    each.
    """

    name = "questions"
    provides: tuple[str, ...] = (PER_MINUTE,)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = (
            talk.no_text
            or talk.caution("speakers")
            or talk.too_short(needed=_LEAST_SECONDS, what="questions")
            or no_punctuation(talk)
        )
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        events = _events(talk, find_questions(talk))
        rate = talk.rate_of_text(len(events))
        return Measured(measurements={PER_MINUTE: rate}, events=events)


def _events(talk: Talk, found: Sequence[DetectedQuestion]) -> tuple[Event, ...]:
    silences = quiet_gaps(talk.speech, talk.sound)
    events = []
    for one in found:
        words = talk.words[one.first : one.last]
        end = words[-1].end
        wait = next((last - at for at, last in silences if abs(at - end) <= _NEAR_SECONDS), 0.0)
        events.append(
            Event(
                kind="question",
                start=words[0].start,
                end=end,
                label=" ".join(plain(word.text) for word in words[:_LABEL_WORDS]),
                detail={
                    "pause_after": round(wait, 2),
                    "waited": "yes" if wait >= _WAITED_SECONDS else "no",
                    "signs": "+".join(one.signs),
                },
            )
        )
    return tuple(events)
