"""Scores of one recording: words, fillers, word boundaries, pauses, pace."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import jiwer
from whisper.normalizers import EnglishTextNormalizer

from analysis.results import Word
from analysis.talk.syllables import syllables_of
from bench.counts import Count
from bench.listening.pitch import PitchAgreement
from bench.listening.truth import FILLED_PAUSES, TimedWord, Truth

COLLAR_SECONDS = 0.25
PAUSE_SECONDS = 0.25
NEARLY_A_PAUSE_SECONDS = 0.15
"""Collar; word boundaries have a median error of 40 ms, at either end of a gap."""
_BRIDGED_WORDS, _LEAST_INVENTED = 2, 3
_SAME_FILLER = {
    "uhm": "um",
    "umm": "um",
    "erm": "um",
    "hmm": "um",
    "hm": "um",
    "mm": "um",
    "er": "uh",
    "uhh": "uh",
    "ah": "uh",
    "eh": "uh",
    "mmm": "um",
}
_SPELT = {"um": "fillersoundum", "uh": "fillersounduh"}
_NORMALISE = EnglishTextNormalizer()


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """Output of a system for one recording."""

    words: tuple[Word, ...]
    fillers: tuple[tuple[float, float], ...]
    pauses: tuple[tuple[float, float], ...]
    seconds: float = 0.0
    words_per_minute: float | None = None
    articulation_rate: float | None = None


@dataclass(slots=True)
class Score:
    """Counts and errors of one recording, for summation."""

    name: str
    media_seconds: float = 0.0
    seconds: float = 0.0
    word_errors: int = 0
    words: int = 0
    plain_errors: int = 0
    plain_words: int = 0
    fillers: Count = field(default_factory=Count)
    filler_rate_error: float | None = None
    boundary_errors: list[float] = field(default_factory=list)
    pauses: Count = field(default_factory=Count)
    pauses_near: int = 0
    """False pauses on a true gap slightly shorter than a pause."""
    wpm_error: float | None = None
    articulation_error: float | None = None
    invented_words: int = 0
    pitch: PitchAgreement | None = None
    """Agreement of our pitch with Praat's."""


def score(truth: Truth, heard: SystemOutput, *, media_seconds: float) -> Score:
    """Score everything that the recording's labels allow."""
    found = Score(name=truth.name, media_seconds=media_seconds, seconds=heard.seconds)
    if truth.text is not None:
        _words(found, truth.text, heard)
        if not truth.covers_everybody:
            found.invented_words = 0
    _fillers(found, truth, heard)
    if truth.knows_all_words:
        _boundaries(found, truth.words, heard.words)
        _pauses(found, truth, heard)
        _pace(found, truth, heard)
        _articulation(found, truth, heard)
    return found


def normalised(text: str, *, with_fillers: bool) -> list[str]:
    """Apply Whisper's own normaliser, but keep um and uh, which it deletes."""
    words = []
    for word in re.sub(r"[^\w'\-% ]", " ", text.lower().replace("’", "'")).split():
        same = _SAME_FILLER.get(word, word)
        if same in _SPELT:
            if with_fillers:
                words.append(_SPELT[same])
        else:
            words.append(word)
    normal: list[str] = _NORMALISE(" ".join(words)).split()
    return normal


def _words(found: Score, text: str, heard: SystemOutput) -> None:
    spoken = " ".join(word.text for word in heard.words)
    for with_fillers in (True, False):
        reference = normalised(text, with_fillers=with_fillers)
        result = jiwer.process_words(
            " ".join(reference), " ".join(normalised(spoken, with_fillers=with_fillers)) or "-"
        )
        errors = result.substitutions + result.deletions + result.insertions
        if with_fillers:
            found.word_errors, found.words = errors, len(reference)
        else:
            found.plain_errors, found.plain_words = errors, len(reference)
            found.invented_words = _invented(result)


def _invented(result: jiwer.WordOutput) -> int:
    """Return the number of words in invented passages.

    A passage is a difference that may include up to two equal words; it is invented if it has three
    words more than the truth, and twice as many. Misheard words do not count.
    """
    invented = reference = hypothesis = 0
    for chunk in result.alignments[0]:
        size = chunk.hyp_end_idx - chunk.hyp_start_idx
        if chunk.type == "equal" and size > _BRIDGED_WORDS:
            invented += _if_invented(reference, hypothesis)
            reference = hypothesis = 0
        elif chunk.type != "equal" or hypothesis:
            reference += chunk.ref_end_idx - chunk.ref_start_idx
            hypothesis += size
    return invented + _if_invented(reference, hypothesis)


def _if_invented(reference: int, hypothesis: int) -> int:
    extra = hypothesis - reference
    return extra if extra >= _LEAST_INVENTED and hypothesis >= 2 * reference else 0


def _fillers(found: Score, truth: Truth, heard: SystemOutput) -> None:
    if truth.fillers:
        there = len(truth.fillers)
        hits = _matches([word.start for word in truth.fillers], [at for at, _ in heard.fillers])
    elif truth.filler_count is not None:
        there = truth.filler_count
        hits = min(there, len(heard.fillers))
    else:
        return
    found.fillers = Count(hits, len(heard.fillers) - hits, there - hits)
    found.filler_rate_error = (len(heard.fillers) - there) / (found.media_seconds / 60)


def _matches(reference: Sequence[float], found: Sequence[float]) -> int:
    """Return the number of one-to-one matches of onsets within the collar."""
    free = sorted(found)
    hits = 0
    for onset in sorted(reference):
        near = [at for at in free if abs(at - onset) <= COLLAR_SECONDS]
        if near:
            free.remove(min(near, key=lambda at: abs(at - onset)))
            hits += 1
    return hits


def _boundaries(found: Score, truth: Sequence[TimedWord], words: Sequence[Word]) -> None:
    """Add start and end errors of the words common to both, without fillers."""
    if not truth:
        return
    reference = [word for word in truth if word.text not in FILLED_PAUSES]
    heard = [word for word in words if _bare(word.text) not in FILLED_PAUSES]
    result = jiwer.process_words(
        " ".join(_bare(word.text) or "-" for word in reference),
        " ".join(_bare(word.text) or "-" for word in heard) or "-",
    )
    for chunk in result.alignments[0]:
        if chunk.type != "equal":
            continue
        size = chunk.ref_end_idx - chunk.ref_start_idx
        for offset in range(size):
            true, ours = (
                reference[chunk.ref_start_idx + offset],
                heard[chunk.hyp_start_idx + offset],
            )
            found.boundary_errors += [abs(true.start - ours.start), abs(true.end - ours.end)]


def _bare(text: str) -> str:
    return re.sub(r"[^\w']", "", text.lower().replace("’", "'"))


def _pauses(found: Score, truth: Truth, heard: SystemOutput) -> None:
    if truth.words:
        reference = _gaps(truth, PAUSE_SECONDS)
        first, last = truth.words[0].start, truth.words[-1].end
        ours = [
            (start, end) for start, end in heard.pauses if end > first + 0.1 and start < last - 0.1
        ]
    elif truth.silences:
        # Only inserted silences are known here; natural pauses elsewhere are not false alarms.
        reference = list(truth.silences)
        ours = [pause for pause in heard.pauses if any(_overlap(pause, one) for one in reference)]
    else:
        return
    free, hits = list(ours), 0
    for pause in reference:
        near = [one for one in free if _agreement(one, pause) >= 0.5]
        if near:
            free.remove(max(near, key=lambda one: _agreement(one, pause)))
            hits += 1
    found.pauses = Count(hits, len(free), len(reference) - hits)
    nearly = _gaps(truth, NEARLY_A_PAUSE_SECONDS)
    found.pauses_near = sum(any(_agreement(one, gap) >= 0.5 for gap in nearly) for one in free)


def _gaps(truth: Truth, at_least: float) -> list[tuple[float, float]]:
    return [
        (left.end, right.start)
        for left, right in itertools.pairwise(truth.words)
        if right.start - left.end >= at_least
    ]


def _pace(found: Score, truth: Truth, heard: SystemOutput) -> None:
    """Compare words per minute with the true words and the true time from first to last word.

    If only the text is known, our time is used and the error is that of the count.
    """
    if heard.words_per_minute is None:
        return
    if truth.words:
        count = sum(word.text not in FILLED_PAUSES for word in truth.words)
        seconds = truth.words[-1].end - truth.words[0].start
    elif truth.text is not None and heard.words:
        count = sum(word not in FILLED_PAUSES for word in truth.text.lower().split())
        seconds = heard.words[-1].end - heard.words[0].start
    else:
        return
    found.wpm_error = heard.words_per_minute / (60 * count / seconds) - 1


def _articulation(found: Score, truth: Truth, heard: SystemOutput) -> None:
    """Compare syllables per second, without pauses of 250 ms and fillers, with the true words and
    times.

    If only the text is known, the error is that of the syllable count.
    """
    if heard.articulation_rate is None:
        return
    if truth.words:
        spoken = [word for word in truth.words if word.text not in FILLED_PAUSES]
        gaps = [right.start - left.end for left, right in itertools.pairwise(truth.words)]
        seconds = truth.words[-1].end - truth.words[0].start
        seconds -= sum(gap for gap in gaps if gap >= PAUSE_SECONDS)
        seconds -= sum(word.end - word.start for word in truth.fillers)
        true = sum(syllables_of(word.text, "en") for word in spoken) / seconds
        found.articulation_error = heard.articulation_rate / true - 1
    elif truth.text is not None and truth.covers_everybody:
        said = sum(syllables_of(word, "en") for word in _without_fillers(truth.text.split()))
        ours = _without_fillers([word.text for word in heard.words])
        found.articulation_error = sum(syllables_of(word, "en") for word in ours) / said - 1


def _without_fillers(words: Sequence[str]) -> list[str]:
    return [word for word in words if _bare(word) not in FILLED_PAUSES]


def _overlap(left: tuple[float, float], right: tuple[float, float]) -> float:
    return max(0.0, min(left[1], right[1]) - max(left[0], right[0]))


def _agreement(left: tuple[float, float], right: tuple[float, float]) -> float:
    """Return intersection over union."""
    union = max(left[1], right[1]) - min(left[0], right[0])
    return _overlap(left, right) / union if union > 0 else 0.0
