"""Finds um, uh, euh by their sound and by what primed readings wrote, each with a probability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.ports import FillerSound, Sound, Span
from analysis.results import Event, Word
from analysis.talk import spans
from analysis.talk.filler_evidence import Surroundings, Weighed, candidates, probability
from analysis.talk.filler_readings import Room, agreed, rooms
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
"""Sound alone decides only where the words leave room, and after a pause: a drawn-out word sounds
the same."""
_LEAST_PROBABILITY = 0.5
"""Less probable ones are neither shown nor counted."""
_COMPARABLE = 0.5
"""Of the stretches in a room the first one counts that is at least this share of the longest."""
_UNSUPPORTED, _OPENING = 0.6, 0.5
"""What a filler that a reading wrote is worth where no stretch of voice answers to it, and at the
very beginning, where a primed reading likes to write one (rules of thumb)."""
_WITNESSED, _BESIDE_SECONDS = 0.5, 0.25
"""What a filler is worth that the third reading alone wrote: of four such, of people, two were true
(docs/lab/fillers.md). Nearer to one that was found it is the same one, as where it is judged."""
_NAMED_BIAS, _NAMED_WEIGHTS = -0.55, (0.65, -1.9, 1.4)
"""For log odds, flux and uncovered share: ridge logistic regression on 45 fillers that primed
readings wrote (36 true) in shared and constructed recordings."""
_BIAS, _WEIGHTS = -7.5, (3.2, 3.0, 1.9, 1.7, -5.4, -1.3)
"""Ridge logistic regression on stretches that no reading named; the still spectrum weighs most."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch that may be a filled pause, and everything that speaks for or against it."""

    start: float
    end: float
    heard: float
    """Probability that a primed reading gives to a filler about here; 0 where it gives none."""
    text: str
    uncovered: float
    """Share of it that lies outside the usual length of the words around."""
    is_after_pause: bool
    flux: float
    slope: float
    """Semitones a second."""

    @property
    def seconds(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class DetectorInput:
    """What the detector works with."""

    words: Sequence[Word]
    """Placed, without fillers."""
    readings: Sequence[Sequence[Word]]
    """Primed readings that wrote fillers, one for each window, with all their words."""
    slots: Sequence[Word]
    """Places where a filler could have stood, without length."""
    speech: Sequence[Span]
    """With the breaths in it: a soft, creaky um looks like one until a reading names it."""
    sound: Sound
    data: LanguageData
    sounds: Sequence[FillerSound] | None = None
    """What the head on the recogniser's encoder heard; None where the reader has no head."""
    reader: str = ""
    plainly: Sequence[Word] = ()
    """The plain reading with its fillers, if it wrote any."""
    witnesses: Sequence[Sequence[Word]] = ()
    """Third readings that wrote fillers, with all their words."""


def find_filled_pauses(evidence: DetectorInput) -> tuple[Event, ...]:
    """Filled pauses in time order, each at least as probable as not."""
    if evidence.sounds is not None:
        events = [
            _event(
                (one.start, one.end),
                probability(one, evidence.reader),
                one.text,
                "second_reading" if one.is_written else "sound",
            )
            for one in weighed_candidates(evidence)
        ]
        likely = [(one.start, one.end) for one in events if _is_likely(one)]
        events += witnessed(evidence, likely)
    else:
        cores = _cores(evidence.words, evidence.data.code)
        found = [
            room
            for reading in (*evidence.readings, evidence.plainly)
            for room in rooms(reading, evidence.words, evidence.data)
        ]
        stretches = stable_stretches(evidence.speech, evidence.sound)
        events = [
            event for room in found for event in _in_room(room, stretches, cores, evidence)
        ] + _unnamed(stretches, found, cores, evidence)
    return _apart([event for event in events if _is_likely(event)])


def witnessed(evidence: DetectorInput, found: Sequence[Span]) -> list[Event]:
    """Fillers that a third reading wrote between words where nothing was found, at its own times.

    Those are late, so what was found anywhere between the same words is the same one. A reading
    may not open with one: given a text full of fillers, it expects one there.
    """
    events = []
    for reading in evidence.witnesses:
        for room in rooms(reading, evidence.words, evidence.data):
            word = room.fillers[0]
            place = (word.start, min(word.end, word.start + LONGEST_SECONDS))
            around = (min(room.start, word.start), max(room.end, word.end))
            if (
                not room.is_opening
                and any(_is_beside(place, piece) for piece in evidence.speech)
                and not any(_is_beside(around, span) for span in found)
            ):
                events.append(_event(place, _WITNESSED, plain(word.text), "third_reading"))
    return events


def _is_beside(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) - min(one[1], other[1]) <= _BESIDE_SECONDS


def _is_likely(event: Event) -> bool:
    return (event.probability or 0.0) >= _LEAST_PROBABILITY


def weighed_candidates(evidence: DetectorInput) -> tuple[Weighed, ...]:
    """Everything that may be one where a head listened, before it is weighed."""
    found = [
        room
        for reading in evidence.readings
        for room in rooms(reading, evidence.words, evidence.data)
    ]
    found = agreed(found, rooms(evidence.plainly, evidence.words, evidence.data))
    cores = _cores(evidence.words, evidence.data.code)
    around = Surroundings(evidence.speech, evidence.sound, cores, evidence.data, evidence.words)
    return candidates(evidence.sounds or (), found, around)


def _in_room(
    room: Room, stretches: Sequence[Span], cores: Sequence[Span], evidence: DetectorInput
) -> list[Event]:
    """The fillers of one room, in order, each on a stretch of its own as far as there are any."""
    events = []
    answering = _answering(room, stretches, evidence.sound)
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


def _answering(room: Room, stretches: Sequence[Span], sound: Sound) -> list[Span]:
    """Stretches in the room, in time order, less those much shorter than the longest.

    Voice goes before what may be breath, and that before what was too soft to be called speech.
    """
    within = [stretch for stretch in stretches if _shared(room, stretch) >= SHORTEST_SECONDS - 1e-9]
    if not within:
        whole = (room.start, min(room.end, len(sound.flux) * sound.step))
        within = list(stable_stretches([whole], sound))
    least = _COMPARABLE * max((_shared(room, stretch) for stretch in within), default=0.0)
    long = [stretch for stretch in within if _shared(room, stretch) >= least]
    chosen = [stretch for stretch in long if carries_voice(stretch, sound)] or long
    return [(start, min(end, max(start, room.start) + LONGEST_SECONDS)) for start, end in chosen]


def _shared(room: Room, stretch: Span) -> float:
    return min(stretch[1], room.end) - max(stretch[0], room.start)


def probability_of_named(written: float, candidate: Candidate) -> float:
    """For a filler that a reading wrote with some probability, and the stretch answering to it."""
    sure = min(max(written, _FAINTEST), 1 - _FAINTEST)
    features = (math.log(sure / (1 - sure)), _change(candidate), candidate.uncovered)
    return _logistic(_NAMED_BIAS, _NAMED_WEIGHTS, features)


def _unnamed(
    stretches: Sequence[Span],
    found: Sequence[Room],
    cores: Sequence[Span],
    evidence: DetectorInput,
) -> list[Event]:
    """Fillers that no reading wrote: by their sound, and where one could have been written."""
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
    claims = _claims(usable, free)
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
    """For a stretch that no reading named."""
    return _logistic(_BIAS, _WEIGHTS, features(candidate))


def features(candidate: Candidate) -> tuple[float, ...]:
    """What that probability rests on, each about -1 to 1."""
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


def _claims(stretches: Sequence[Span], slots: Sequence[Word]) -> dict[int, Word]:
    """Which stretch each slot most likely is: near and long; the surest choose first."""
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


def _cores(words: Sequence[Word], language: str) -> tuple[Span, ...]:
    """The last usual length of each word: what lies before it in its span may be a filler.

    Usual for this speaker: somebody who draws out every word says no filler in each. A word that
    the recogniser doubts may be a long one misheard; it keeps its whole span.
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
    """A stretch with all that speaks for or against it."""
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


def _apart(events: Sequence[Event]) -> tuple[Event, ...]:
    """Of overlapping events the more probable one."""
    kept: list[Event] = []
    for event in sorted(events, key=lambda event: -(event.probability or 0.0)):
        if all(event.end <= other.start or event.start >= other.end for other in kept):
            kept.append(event)
    return tuple(sorted(kept, key=lambda event: event.start))
