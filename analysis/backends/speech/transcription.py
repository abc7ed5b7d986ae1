"""Turns speech into words with times: windows, readings, guards against invented text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from analysis import models
from analysis.backends.speech import apart, ctranslate, filler_head
from analysis.backends.speech.apart import Place
from analysis.backends.speech.reading import Reading, Recogniser
from analysis.backends.speech.windows import batches, halves, tell_within, windows
from analysis.ports import (
    EVERYTHING,
    SAMPLE_RATE_HZ,
    FillerSound,
    FloatArray,
    Progress,
    Segment,
    Span,
    Transcript,
)
from analysis.results import Language, Word
from analysis.talk import spans
from analysis.talk.cautions import is_mismatch
from analysis.talk.languages import language_data, plain

_ENCODED, _ENCODED_AND_READ, _BUT_ALIGNED = 0.5, 0.65, 0.85
"""How much of a batch is done then: encoding took 25 of 51 s, reading 9, reading once more 9 (one
run of two minutes in English). A batch lasts minutes on a busy machine."""
_HIGHEST_COMPRESSION = 2.4
_LOWEST_LOG_PROBABILITY = -1.0
_NO_SPEECH, _LOWEST_BESIDE_SILENCE = 0.5, -0.7
"""Compression and log probability are Whisper's own limits; 0.5 as advised after Koenecke et al.
(2024). Of 62 windows of labelled speech none reached 0.45, so what does must be surer (rule of
thumb)."""
_HESITANT = -0.2
"""Mean log probability of a token under which a window is searched with a beam (rule of thumb): on
labelled speech a quarter of the time, for two thirds of what a beam everywhere would gain."""
_DEFAULT = Language(code="en", source="default")
_ENOUGH_TO_STOP_SECONDS = 6.0
"""Twice the speech with which a mismatch counts: breaths are taken off it later."""
_LONGEST_LOOP, _LONGEST_LOOPED_WORDS = 3, 15
"""The same words more often than this in a row are the recogniser's, not the speaker's."""
_LONGEST_LOOP_INSIDE, _MOST_PARTS_A_SECOND = 5, 10
"""So often, as in 0-0-0-0-0, somebody may spell out the same digit or letter, or say no; but nobody
says more than ten syllables a second. Rules of thumb."""
_BETWEEN_PARTS = re.compile(r"[-–—]+")


@dataclass(frozen=True, slots=True)
class _Read:
    """One window, read twice, in some languages three times."""

    segment: Segment
    primed: tuple[Word, ...]
    """All words of the reading that was primed with fillers, where it wrote any."""
    slots: tuple[Word, ...]
    witness: tuple[Word, ...]
    """All words of the third reading, where it wrote fillers."""
    sounds: tuple[FillerSound, ...]


class SpeechReader:
    """A `Transcriber` over any recogniser.

    `english` loads the one that reads English where the language has to be found out first.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        *,
        cores: int = 1,
        english: Callable[[], Recogniser] | None = None,
    ) -> None:
        self._recogniser = recogniser
        self._cores = cores
        self._english = english
        self.model = recogniser.name

    def transcribe(
        self,
        audio: FloatArray,
        *,
        speech: tuple[Span, ...],
        language: str,
        progress: Progress,
        parts: Sequence[Span] = EVERYTHING,
    ) -> Transcript:
        """Recognise what was said in the speech regions, and listen in no other part."""
        cut = windows(speech, duration=len(audio) / SAMPLE_RATE_HZ)
        reader, reads = self, list[_Read]()
        with ThreadPoolExecutor(max_workers=1) as beside:
            # Another model's work, which nothing waits for where the language is given.
            listening = beside.submit(_chances_of_languages, audio, cut, speech, self._cores)
            chosen = _given(language)
            if chosen is None:
                chosen = _heard(listening.result()) or _DEFAULT
                reader = self._reader_of(chosen)

            def is_in_vain() -> bool:
                return listening.done() and _is_other(chosen, listening.result(), speech)

            for batch in batches(cut):
                if is_in_vain():
                    break
                reads += reader.read(
                    audio,
                    batch,
                    speech,
                    chosen.code,
                    is_in_vain,
                    progress=partial(tell_within, progress, cut, batch),
                )
        chances = listening.result()
        if _is_other(chosen, chances, speech):
            reads = []
        sounds = [sound for read in reads for sound in read.sounds]
        sounds += reader.overhear(audio, cut, parts, chosen.code) if reads else ()
        kept = [read for read in reads if _is_believable(read.segment)]
        return Transcript(
            language=chosen,
            segments=tuple(read.segment for read in kept if read.segment.words),
            dropped=tuple(read.segment for read in reads if not _is_believable(read.segment)),
            model=reader.model,
            spoken_language=_heard(chances),
            chance_of_language=chances.get(chosen.code, 0.0) if chances else None,
            primed=tuple(read.primed for read in kept if read.primed),
            witnesses=tuple(read.witness for read in kept if read.witness),
            filler_slots=tuple(slot for read in kept for slot in read.slots),
            filler_sounds=None
            if filler_head.load_head(reader.model, chosen.code) is None
            else tuple(sorted(sounds, key=lambda sound: sound.start)),
        )

    def _reader_of(self, heard: Language) -> SpeechReader:
        """English is read as where it was named: better and faster than by a model of all."""
        if heard.code != "en" or self._english is None:
            return self
        return SpeechReader(self._english(), cores=self._cores)

    def read(
        self,
        audio: FloatArray,
        cut: Sequence[Span],
        speech: tuple[Span, ...],
        language: str,
        is_in_vain: Callable[[], bool],
        *,
        is_retry: bool = False,
        progress: Progress = lambda _share: None,
    ) -> list[_Read]:
        """Some windows, each read plainly and primed; halved where a reading got stuck."""
        encoded = self._recogniser.encode([_samples(audio, window) for window in cut])
        progress(_ENCODED)
        if is_in_vain():
            return []
        plainly = list(self._recogniser.read(encoded, language=language))
        for index, reading in enumerate(plainly):
            if is_in_vain():
                return []
            plainly[index] = self._surer(encoded, index, reading, language)
        progress(_ENCODED_AND_READ)
        prompt = language_data(language).filler_prompt
        primed = self._primed(encoded, language, prompt) if prompt else ()
        closely = self._closely(encoded, language)
        reads: list[_Read] = []
        for index, (window, reading) in enumerate(zip(cut, plainly, strict=True)):
            progress(_BUT_ALIGNED + (1 - _BUT_ALIGNED) * index / len(cut))
            again = halves(window, speech) if _is_suspect(reading) and not is_retry else ()
            if again:
                reads += self.read(audio, again, speech, language, is_in_vain, is_retry=True)
                continue
            align = _Aligner(self._recogniser, encoded, index, window, language)
            hinted = self._hinted(align, reading, primed[index], prompt) if prompt else ((), ())
            segment = _segment(window, reading, _without_loops(align(reading)))
            witness = _witness(align, closely[index]) if closely else ()
            sounds: tuple[FillerSound, ...] = ()
            if is_retry or not apart.is_short(window):
                sounds = self._sounds(encoded, index, Place(window, (window,)), language)
            reads.append(_Read(segment, *hinted, witness, sounds))
        progress(1.0)
        return reads

    def overhear(
        self, audio: FloatArray, cut: Sequence[Span], parts: Sequence[Span], language: str
    ) -> Iterator[FillerSound]:
        """What sounds like a filled pause apart from the rest: short windows, and what is between
        windows, where nothing is read."""
        if filler_head.load_head(self.model, language) is None:
            return
        for batch in batches(apart.heard_apart(cut, audio, parts)):
            encoded = self._recogniser.encode([_samples(audio, place.window) for place in batch])
            for index, place in enumerate(batch):
                yield from self._sounds(encoded, index, place, language)

    def _primed(self, encoded: Any, language: str, prompt: str) -> tuple[Reading, ...]:
        """After a text full of fillers; without a head also how near each one was."""
        has_head = filler_head.load_head(self.model, language) is not None
        sounds = () if has_head else language_data(language).common_filled_pauses
        return self._recogniser.read(encoded, language=language, prompt=prompt, sounds=sounds)

    def _closely(self, encoded: Any, language: str) -> tuple[Reading, ...]:
        """The third reading, in languages that have a text for it, where a head listens too."""
        prompt = language_data(language).witness_prompt
        if not prompt or filler_head.load_head(self.model, language) is None:
            return ()
        return self._recogniser.read_closely(encoded, language=language, prompt=prompt)

    def _hinted(
        self, align: _Aligner, reading: Reading, primed: Reading, prompt: str
    ) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """The primed reading's words, if it wrote fillers; without a head, where one could be."""
        names_filler = _names_filler(primed, align.language)
        words = _without_loops(align(primed, prompt=prompt)) if names_filler else ()
        has_head = filler_head.load_head(self.model, align.language) is not None
        return words, () if has_head else align.filler_slots(reading, primed, prompt)

    def _sounds(
        self, encoded: Any, index: int, place: Place, language: str
    ) -> tuple[FillerSound, ...]:
        """What sounds like a filled pause there; nothing without a head."""
        head = filler_head.load_head(self.model, language)
        if head is None:
            return ()
        start, end = place.window
        frames = self._recogniser.frames(encoded, index)
        return apart.heard_in(
            head, frames[: int((end - start) / filler_head.SECONDS_PER_FRAME)], place
        )

    def _surer(self, encoded: Any, index: int, reading: Reading, language: str) -> Reading:
        """A greedy reading that hesitates is searched again; the more probable one counts."""
        if not reading.text or reading.average_log_probability >= _HESITANT:
            return reading
        searched = self._recogniser.search(encoded, index, language=language)
        better = searched.average_log_probability > reading.average_log_probability
        return searched if better and not _is_stuck(searched) else reading


@dataclass(frozen=True, slots=True)
class _Aligner:
    recogniser: Recogniser
    encoded: Any
    index: int
    window: Span
    language: str

    def __call__(self, reading: Reading, *, prompt: str = "") -> tuple[Word, ...]:
        start, end = self.window
        words = self.recogniser.align(
            self.encoded,
            self.index,
            reading,
            language=self.language,
            seconds=end - start,
            prompt=prompt,
        )
        return _later(words, start)

    def filler_slots(self, reading: Reading, primed: Reading, prompt: str) -> tuple[Word, ...]:
        """Places where a filler could have stood, on the clock of the recording."""
        sounds = language_data(self.language).common_filled_pauses
        start, end = self.window
        slots = self.recogniser.filler_slots(
            self.encoded,
            self.index,
            reading,
            language=self.language,
            primed=primed,
            prompt=prompt,
            sounds=sounds,
            seconds=end - start,
        )
        return _later(slots, start)


def _later(words: Sequence[Word], seconds: float) -> tuple[Word, ...]:
    return tuple(
        word.model_copy(
            update={"start": round(word.start + seconds, 3), "end": round(word.end + seconds, 3)}
        )
        for word in words
    )


def _samples(audio: FloatArray, window: Span) -> FloatArray:
    start, end = (int(second * SAMPLE_RATE_HZ) for second in window)
    return audio[start:end]


def _chances_of_languages(
    audio: FloatArray, cut: Sequence[Span], speech: tuple[Span, ...], cores: int
) -> Mapping[str, float]:
    """What the multilingual model hears in the fullest of the first windows."""
    if not cut:
        return {}
    fullest = max(cut[:4], key=lambda window: _speech_inside(window, speech))
    reader = ctranslate.load(models.path_of("whisper-base"), cores)
    return reader.chances_of_languages(_samples(audio, fullest))


def _heard(chances: Mapping[str, float]) -> Language | None:
    if not chances:
        return None
    code = max(chances, key=lambda code: chances[code])
    return Language(code=code, source="detected", probability=min(chances[code], 1.0))


def _is_other(chosen: Language, chances: Mapping[str, float], speech: Sequence[Span]) -> bool:
    """Whether another language than the given one is spoken, so that no word will be believed."""
    heard = _heard(chances)
    if heard is None or spans.total(speech) < _ENOUGH_TO_STOP_SECONDS:
        return False
    return is_mismatch(chosen, heard, chances.get(chosen.code, 0.0))


def _speech_inside(window: Span, speech: Sequence[Span]) -> float:
    return sum(max(0.0, min(end, window[1]) - max(start, window[0])) for start, end in speech)


def _given(language: str) -> Language | None:
    return None if language == "auto" else Language(code=language, source="given")


def _is_stuck(reading: Reading) -> bool:
    return reading.compression_ratio > _HIGHEST_COMPRESSION


def _is_suspect(reading: Reading) -> bool:
    return _is_stuck(reading) or reading.average_log_probability < _LOWEST_LOG_PROBABILITY


def _is_believable(segment: Segment) -> bool:
    """A window that the recogniser itself doubts to the end never becomes words."""
    is_silence = segment.no_speech_probability > _NO_SPEECH
    lowest = _LOWEST_BESIDE_SILENCE if is_silence else _LOWEST_LOG_PROBABILITY
    return (
        segment.compression_ratio <= _HIGHEST_COMPRESSION
        and segment.average_log_probability >= lowest
    )


def _segment(window: Span, reading: Reading, words: tuple[Word, ...]) -> Segment:
    return Segment(
        start=words[0].start if words else window[0],
        end=words[-1].end if words else window[1],
        text=reading.text,
        no_speech_probability=reading.no_speech_probability,
        average_log_probability=reading.average_log_probability,
        compression_ratio=reading.compression_ratio,
        words=words,
    )


def _without_loops(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Cuts off what a stuck recogniser repeats: the same words, or a sentence, over and over."""
    words = tuple(word for word in words if not _is_a_loop(word))
    texts = [plain(word.text) for word in words]
    for width in range(2, _LONGEST_LOOPED_WORDS + 1):
        for first in range(len(texts) - width * (_LONGEST_LOOP + 1) + 1):
            unit = texts[first : first + width]
            repeats = 1
            while texts[first + repeats * width : first + (repeats + 1) * width] == unit:
                repeats += 1
            if repeats > _LONGEST_LOOP and len(set(unit)) > 1:
                return words[: first + width]
    return words


def _is_a_loop(word: Word) -> bool:
    """Whether it repeats itself faster than anybody could: 1-1-1-1-1-1-1."""
    parts = [part for part in _BETWEEN_PARTS.split(plain(word.text)) if part]
    longest = max((len(list(same)) for _part, same in itertools.groupby(parts)), default=0)
    seconds = word.end - word.start
    return longest > _LONGEST_LOOP_INSIDE and len(parts) > _MOST_PARTS_A_SECOND * seconds


def _witness(align: _Aligner, reading: Reading) -> tuple[Word, ...]:
    """The third reading's words, if it wrote fillers."""
    if not _names_filler(reading, align.language):
        return ()
    return _without_loops(align(reading, prompt=language_data(align.language).witness_prompt))


def _names_filler(reading: Reading, language: str) -> bool:
    """A primed reading that got stuck ("euh, euh, euh, ...") says nothing."""
    if _is_stuck(reading):
        return False
    sounds = language_data(language).filled_pauses
    return any(plain(token) in sounds for token in reading.text.split())
