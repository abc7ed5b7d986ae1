"""Filled pauses (um, uh, euh), detected by sound and primed readings, each with a probability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.ports import FillerSound, Sound, Span
from analysis.results import Event, Word
from analysis.talk import spans
from analysis.talk.filler_doubts import is_lengthened_word, is_mention
from analysis.talk.filler_evidence import CandidateContext, FillerCandidate, candidates, probability
from analysis.talk.filler_readings import FillerGap, filler_gaps, merged_gaps
from analysis.talk.filler_stretches import (
    LONGEST_SECONDS,
    SHORTEST_SECONDS,
    carries_voice,
    frames,
    onset,
    slope_of,
    stable_stretches,
)
from analysis.talk.languages import LanguageData, plain
from analysis.talk.words import slowness, usual_seconds

_HEARD_WITHIN_SECONDS = 0.5
_FAINTEST = 0.001
_DOUBTED = 0.4
_LEAST_UNCOVERED, _LEAST_HEARD = 0.2, 0.02
"""Limits for detection by sound alone: the words must leave a gap, or a pause must precede, since a
drawn-out word sounds the same.
"""
_LEAST_PROBABILITY = 0.5
"""Lowest probability that is shown and counted, without a filler head or of a third reading."""
LEAST_PROBABILITY_WITH_HEAD = 0.85
"""The same for a reader with a filler head. Chosen on seven corpora of people, with precision
counted twice; five of seven times the same with one corpus left out (docs/lab/fillers.md).
"""
_COMPARABLE = 0.5
"""Share of the longest stable stretch of a gap from which the first one is used."""
_UNSUPPORTED, _OPENING = 0.6, 0.5
"""Factors for a written filler without a matching stretch of voice, and for one at the very
beginning, where a primed reading tends to write one (rules of thumb).
"""
_WITNESSED, _BESIDE_SECONDS = 0.5, 0.25
"""Probability of a filler that only the third reading wrote: of four such, from people, two were
true (docs/lab/fillers.md). Within the second distance it is the same as one already found, as in
the evaluation.
"""
_NAMED_BIAS, _NAMED_WEIGHTS = -0.55, (0.65, -1.9, 1.4)
"""Coefficients for log odds, flux and uncovered share: ridge logistic regression on 45 fillers that
primed readings wrote (36 true) in shared and constructed recordings.
"""
_BIAS, _WEIGHTS = -7.5, (3.2, 3.0, 1.9, 1.7, -5.4, -1.3)
"""Coefficients for stretches that no reading named, by ridge logistic regression; the stable
spectrum weighs most.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Stable stretch that may be a filled pause, with the evidence for and against it."""

    start: float
    end: float
    heard: float
    """Probability of a filler near here in a primed reading; 0 if it has none."""
    text: str
    uncovered: float
    """Share of it outside the usual length of the neighbouring words."""
    is_after_pause: bool
    flux: float
    slope: float
    """Pitch slope in semitones per second."""

    @property
    def seconds(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class DetectorInput:
    """Input of the detector."""

    words: Sequence[Word]
    """Aligned words, without fillers."""
    readings: Sequence[Sequence[Word]]
    """Primed readings that wrote fillers, one per window, with all their words."""
    slots: Sequence[Word]
    """Slots where a filler is plausible, of zero length."""
    speech: Sequence[Span]
    """Speech including breaths: a soft, creaky um looks like a breath until a reading names it."""
    sound: Sound
    data: LanguageData
    sounds: Sequence[FillerSound] | None = None
    """Detections of the filler head; None if the reader has no head."""
    reader: str = ""
    plainly: Sequence[Word] = ()
    """Plain reading with its fillers, if it wrote any."""
    witnesses: Sequence[Sequence[Word]] = ()
    """Third readings that wrote fillers, with all their words."""


def find_filled_pauses(evidence: DetectorInput) -> tuple[Event, ...]:
    """Return filled pauses in time order, each likely enough to be shown."""
    if evidence.sounds is not None:
        scored = [
            _event(
                (one.start, one.end),
                probability(one, evidence.reader),
                one.text,
                "second_reading" if one.is_written else "sound",
            )
            for one in scored_candidates(evidence)
        ]
        events = [one for one in scored if _is_likely(one, LEAST_PROBABILITY_WITH_HEAD)]
        events += witnessed(evidence, [(one.start, one.end) for one in events])
    else:
        cores = _word_cores(evidence.words, evidence.data.code)
        found = [
            room
            for reading in (*evidence.readings, evidence.plainly)
            for room in filler_gaps(reading, evidence.words, evidence.data)
        ]
        stretches = stable_stretches(evidence.speech, evidence.sound)
        events = [
            event
            for room in found
            for event in _fillers_in_gap(room, stretches, cores, evidence)
            if not _is_spoken_of((event.start, event.end), evidence)
        ] + _unwritten_fillers(stretches, found, cores, evidence)
    return _without_overlaps([event for event in events if _is_likely(event)])


def witnessed(evidence: DetectorInput, found: Sequence[Span]) -> list[Event]:
    """Return fillers that only a third reading wrote, at its own times, away from those found.

    These times are late, so anything found between the same words is the same filler. The first
    word of a reading is ignored: after a prompt full of fillers, it expects one there.
    """
    events = []
    for reading in evidence.witnesses:
        for room in filler_gaps(reading, evidence.words, evidence.data):
            word = room.fillers[0]
            place = (word.start, min(word.end, word.start + LONGEST_SECONDS))
            around = (min(room.start, word.start), max(room.end, word.end))
            if (
                not room.is_opening
                and not _is_spoken_of(place, evidence)
                and any(_is_beside(place, piece) for piece in evidence.speech)
                and not any(_is_beside(around, span) for span in found)
            ):
                events.append(_event(place, _WITNESSED, plain(word.text), "third_reading"))
    return events


def _is_beside(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) - min(one[1], other[1]) <= _BESIDE_SECONDS


def _is_likely(event: Event, least: float = _LEAST_PROBABILITY) -> bool:
    return (event.probability or 0.0) >= least


def scored_candidates(evidence: DetectorInput) -> tuple[FillerCandidate, ...]:
    """Return the candidates of a reader with a filler head that are no words, before they are
    scored.
    """
    return tuple(
        one
        for one in all_candidates(evidence)
        if not is_lengthened_word(one, evidence.words)
        and not (one.is_written and _is_spoken_of((one.start, one.end), evidence))
    )


def _is_spoken_of(place: Span, evidence: DetectorInput) -> bool:
    readings = (*evidence.readings, *evidence.witnesses)
    return is_mention(place, evidence.words, evidence.plainly, readings, evidence.data)


def all_candidates(evidence: DetectorInput) -> tuple[FillerCandidate, ...]:
    """Return every candidate of such a reader, words among them."""
    found = [
        room
        for reading in evidence.readings
        for room in filler_gaps(reading, evidence.words, evidence.data)
    ]
    found = merged_gaps(found, filler_gaps(evidence.plainly, evidence.words, evidence.data))
    cores = _word_cores(evidence.words, evidence.data.code)
    around = CandidateContext(evidence.speech, evidence.sound, cores, evidence.data, evidence.words)
    return candidates(evidence.sounds or (), found, around)


def _fillers_in_gap(
    room: FillerGap, stretches: Sequence[Span], cores: Sequence[Span], evidence: DetectorInput
) -> list[Event]:
    """Return the fillers of one gap, in order, each on its own stretch as far as possible."""
    events = []
    answering = _matching_stretches(room, stretches, evidence.sound)
    for index, filler in enumerate(room.fillers):
        worth = filler.probability * (_OPENING if room.is_opening else 1.0)
        if index < len(answering):
            stretch = answering[index]
            candidate = describe(stretch, None, cores, evidence)
            start = room.start if stretch[0] < room.start else candidate.start
            end, probability = stretch[1], probability_of_named(worth, candidate)
        elif answering:
            break
        else:
            start, probability = room.start, worth * _UNSUPPORTED
            end = min(max(room.end, start + SHORTEST_SECONDS), start + 0.3)
        events.append(_event((start, end), probability, plain(filler.text), "second_reading"))
    return events


def _matching_stretches(room: FillerGap, stretches: Sequence[Span], sound: Sound) -> list[Span]:
    """Return the stretches in the gap, in time order, without those much shorter than the longest.

    Voiced stretches take precedence over possible breath, and speech over sound too soft for it.
    """
    within = [stretch for stretch in stretches if _shared(room, stretch) >= SHORTEST_SECONDS - 1e-9]
    if not within:
        whole = (room.start, min(room.end, len(sound.flux) * sound.step))
        within = list(stable_stretches([whole], sound))
    least = _COMPARABLE * max((_shared(room, stretch) for stretch in within), default=0.0)
    long = [stretch for stretch in within if _shared(room, stretch) >= least]
    chosen = [stretch for stretch in long if carries_voice(stretch, sound)] or long
    return [(start, min(end, max(start, room.start) + LONGEST_SECONDS)) for start, end in chosen]


def _shared(room: FillerGap, stretch: Span) -> float:
    return min(stretch[1], room.end) - max(stretch[0], room.start)


def probability_of_named(written: float, candidate: Candidate) -> float:
    """Return the probability of a written filler from its written probability and its stretch."""
    sure = min(max(written, _FAINTEST), 1 - _FAINTEST)
    features = (math.log(sure / (1 - sure)), _change(candidate), candidate.uncovered)
    return _logistic(_NAMED_BIAS, _NAMED_WEIGHTS, features)


def _unwritten_fillers(
    stretches: Sequence[Span],
    found: Sequence[FillerGap],
    cores: Sequence[Span],
    evidence: DetectorInput,
) -> list[Event]:
    """Return fillers that no reading wrote, from their sound and the slots."""
    free = [
        slot
        for slot in evidence.slots
        if not any(room.start <= slot.start <= room.end + 0.1 for room in found)
    ]
    usable = [
        stretch
        for stretch in stretches
        if stretch[1] - stretch[0] <= LONGEST_SECONDS and carries_voice(stretch, evidence.sound)
    ]
    claims = _assigned_slots(usable, free)
    events = []
    for index, stretch in enumerate(usable):
        candidate = describe(stretch, claims.get(index), cores, evidence)
        is_alone = candidate.heard < _LEAST_HEARD and not candidate.is_after_pause
        if candidate.uncovered >= _LEAST_UNCOVERED and not is_alone:
            place = (candidate.start, candidate.end)
            text = candidate.text or evidence.data.common_filled_pauses[0]
            events.append(_event(place, probability_of(candidate), text, "sound"))
    return events


def probability_of(candidate: Candidate) -> float:
    """Return the probability of a stretch that no reading named."""
    return _logistic(_BIAS, _WEIGHTS, features(candidate))


def features(candidate: Candidate) -> tuple[float, ...]:
    """Return the features of that probability, each about -1 to 1."""
    chance = math.log10(max(candidate.heard, _FAINTEST) / _FAINTEST) / -math.log10(_FAINTEST)
    return (
        chance,
        min(candidate.seconds, 0.6) / 0.6,
        candidate.uncovered,
        float(candidate.is_after_pause),
        _change(candidate),
        min(abs(candidate.slope) / 12.0, 1.0),
    )


def _change(candidate: Candidate) -> float:
    return max(min((candidate.flux - 0.8) / 0.4, 1.0), -1.0)


def _logistic(bias: float, weights: Sequence[float], values: Sequence[float]) -> float:
    score = bias + sum(weight * value for weight, value in zip(weights, values, strict=True))
    return 1 / (1 + math.exp(-max(min(score, 30.0), -30.0)))


def _assigned_slots(stretches: Sequence[Span], slots: Sequence[Word]) -> dict[int, Word]:
    """Assign each slot to its most likely stretch, near and long; the most probable slots first."""
    claims: dict[int, Word] = {}
    for word in sorted(slots, key=lambda word: (-word.probability, word.start)):
        best = max(
            (index for index in range(len(stretches)) if index not in claims),
            key=lambda index: _fit(stretches[index], word),
            default=None,
        )
        if best is not None and _fit(stretches[best], word) > 0:
            claims[best] = word
    return claims


def _fit(stretch: Span, word: Word) -> float:
    distance = max(stretch[0] - word.end, word.start - stretch[1], 0.0)
    if distance > _HEARD_WITHIN_SECONDS:
        return 0.0
    return (stretch[1] - stretch[0]) * (1 - distance / _HEARD_WITHIN_SECONDS)


def _word_cores(words: Sequence[Word], language: str) -> tuple[Span, ...]:
    """Return the last part of each word with its usual length; the part before may be a filler.

    The usual length is adapted to the speaker: a slow speaker does not have a filler in every word.
    A word that the recogniser doubts may be a misheard long one and keeps its whole span.
    """
    pace = slowness(words, language)
    cores = []
    for word in words:
        usual = pace * usual_seconds(word.text, language)
        earliest = word.start if word.probability < _DOUBTED else word.end - usual
        cores.append((max(word.start, earliest), word.end))
    return tuple(cores)


def describe(
    stretch: Span, heard: Word | None, cores: Sequence[Span], evidence: DetectorInput
) -> Candidate:
    """Return a stretch with its evidence."""
    sound = evidence.sound
    return Candidate(
        start=round(onset(stretch[0], evidence.speech), 3),
        end=round(stretch[1], 3),
        heard=heard.probability if heard else 0.0,
        text=plain(heard.text) if heard else "",
        uncovered=1 - min(spans.overlap(stretch, cores) / (stretch[1] - stretch[0]), 1.0),
        is_after_pause=any(abs(stretch[0] - piece[0]) < 0.15 for piece in evidence.speech),
        flux=float(sound.flux[frames(stretch, sound)].mean()),
        slope=slope_of(stretch, sound),
    )


def _event(place: Span, probability: float, text: str, source: str) -> Event:
    return Event(
        kind="filled_pause",
        start=round(place[0], 3),
        end=round(place[1], 3),
        probability=round(probability, 3),
        label=text,
        detail={"source": source},
    )


def _without_overlaps(events: Sequence[Event]) -> tuple[Event, ...]:
    """Remove the less probable of overlapping events."""
    kept: list[Event] = []
    for event in sorted(events, key=lambda event: -(event.probability or 0.0)):
        if all(event.end <= other.start or event.start >= other.end for other in kept):
            kept.append(event)
    return tuple(sorted(kept, key=lambda event: event.start))
