"""Transcription: windows, readings, alignment, and guards against invented text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from analysis import models
from analysis.backends.speech import ctranslate, isolated_sounds
from analysis.backends.speech.deletion_recovery import find_deletions, with_plausible_ends
from analysis.backends.speech.filler_detector import Aligner, FillerDetector
from analysis.backends.speech.isolated_sounds import DetectionWindow
from analysis.backends.speech.loops import (
    HIGHEST_COMPRESSION,
    HIGHEST_NO_SPEECH,
    has_loop,
    is_stuck,
    was_spoken,
    without_loops,
)
from analysis.backends.speech.reading import Reading, Recogniser
from analysis.backends.speech.windows import batches, halves, report_batch_progress, windows
from analysis.ports import (
    EVERYTHING,
    SAMPLE_RATE_HZ,
    Doubt,
    FillerSound,
    FloatArray,
    Progress,
    Segment,
    Span,
    Transcript,
)
from analysis.results import Language, Word
from analysis.talk import spans
from analysis.talk.unmeasurable import is_mismatch
from analysis.talk.untranscribed_speech import UNWRITTEN_SECONDS

_ENCODED, _ENCODED_AND_READ, _BUT_ALIGNED = 0.5, 0.65, 0.85
"""Progress within a batch: encoding took 25 of 51 s, reading 9, second reading 9 (one run of two
minutes in English). A batch lasts minutes on a busy machine.
"""
_LOWEST_LOG_PROBABILITY = -1.0
_NO_SPEECH, _LOWEST_BESIDE_SILENCE = 0.5, -0.7
"""Limits for doubtful windows. The log probability is Whisper's own limit; 0.5 as advised after
Koenecke et al. (2024). Of 62 windows of labelled speech none reached 0.45, so a window above it
needs a higher log probability (rule of thumb).
"""
_HESITANT = -0.2
"""Mean log probability per token below which a window is searched with a beam (rule of thumb): on
labelled speech a quarter of the time, for two thirds of the gain of a beam everywhere.
"""
_MISSED_LINE_SECONDS = 1.5
"""Speech to recover within part of a window: of repeated lines one is sometimes skipped, and they
may be short (rule of thumb).
"""
_DEFAULT = Language(code="en", source="default")
_ENOUGH_TO_STOP_SECONDS = 6.0
"""Twice the speech from which a mismatch counts, since breaths are subtracted later."""


@dataclass(frozen=True, slots=True)
class _WindowResult:
    """Readings of one window: two, in some languages three."""

    segment: Segment
    missed: tuple[Segment, ...]
    """Recovered readings of skipped speech that were rejected."""
    primed: tuple[Word, ...]
    """All words of the reading primed with fillers, if it wrote any."""
    slots: tuple[Word, ...]
    witness: tuple[Word, ...]
    """All words of the third reading, if it wrote fillers."""
    sounds: tuple[FillerSound, ...]


class SpeechReader:
    """`Transcriber` over any recogniser.

    `english` loads the recogniser for English if the language has to be detected; `ear` loads the
    detector of English fillers if no head knows the encoder of the reading model.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        *,
        cores: int = 1,
        english: Callable[[], Recogniser] | None = None,
        ear: Callable[[], Recogniser | None] | None = None,
    ) -> None:
        self._recogniser = recogniser
        self._cores = cores
        self._english = english
        self._ear = ear
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
        """Transcribe the speech regions; other `parts` of the recording are ignored."""
        cut = windows(speech, duration=len(audio) / SAMPLE_RATE_HZ)
        reader, reads = self, list[_WindowResult]()
        with ThreadPoolExecutor(max_workers=1) as beside:
            # Another model's work, which is not waited for if the language is given.
            listening = beside.submit(_chances_of_languages, audio, cut, speech, self._cores)
            chosen = _given(language)
            if chosen is None:
                chosen = _detected_language(listening.result()) or _DEFAULT
                reader = self._reader_of(chosen)
            ear = reader.ear_for(chosen.code)

            def is_in_vain() -> bool:
                return listening.done() and _is_other(chosen, listening.result(), speech)

            for batch in batches(cut):
                if is_in_vain():
                    break
                reads += reader.read(
                    audio,
                    batch,
                    speech,
                    ear,
                    is_in_vain,
                    progress=partial(report_batch_progress, progress, cut, batch),
                )
        chances = listening.result()
        if _is_other(chosen, chances, speech):
            reads = []
        sounds = [sound for read in reads for sound in read.sounds]
        sounds += _isolated_fillers(ear, audio, cut, parts) if reads else ()
        return _transcript(
            reads, sounds, language=chosen, chances=chances, model=reader.model, ear=ear
        )

    def _reader_of(self, heard: Language) -> SpeechReader:
        """Return the reader for a detected language; the English model is better and faster for
        English.
        """
        if heard.code != "en" or self._english is None:
            return self
        return SpeechReader(self._english(), cores=self._cores, ear=self._ear)

    def ear_for(self, language: str) -> FillerDetector:
        """Return the filler detector: the reading model, unless another one detects more."""
        own = FillerDetector(self._recogniser, language)
        if own.head is not None or language != "en" or self._ear is None:
            return own
        beside = self._ear()
        return own if beside is None else FillerDetector(beside, language)

    def read(
        self,
        audio: FloatArray,
        cut: Sequence[Span],
        speech: tuple[Span, ...],
        ear: FillerDetector,
        is_in_vain: Callable[[], bool],
        *,
        is_retry: bool = False,
        progress: Progress = lambda _share: None,
    ) -> list[_WindowResult]:
        """Read windows plainly and primed; halve those whose reading got stuck."""
        samples = [_samples(audio, window) for window in cut]
        encoded = self._recogniser.encode(samples)
        progress(_ENCODED)
        if is_in_vain():
            return []
        plainly = list(self._recogniser.read(encoded, language=ear.language))
        for index, reading in enumerate(plainly):
            if is_in_vain():
                return []
            plainly[index] = self._surer(encoded, index, reading, ear.language)
        progress(_ENCODED_AND_READ)
        heard = encoded if ear.recogniser is self._recogniser else ear.encode(samples)
        primed, closely = ear.primed(heard), ear.closely(heard)
        reads: list[_WindowResult] = []
        for index, (window, reading) in enumerate(zip(cut, plainly, strict=True)):
            progress(_BUT_ALIGNED + (1 - _BUT_ALIGNED) * index / len(cut))
            again = _split_window(window, speech, audio, reading, is_retry=is_retry)
            if again:
                reads += self.read(audio, again, speech, ear, is_in_vain, is_retry=True)
                continue
            align = Aligner(self._recogniser, encoded, index, window, ear.language)
            align_heard = Aligner(ear.recogniser, heard, index, window, ear.language)
            hinted = ear.hinted(align_heard, reading, primed[index]) if primed else ((), ())
            inside = spans.clipped(speech, window)
            segment = _segment(window, reading, align(reading), inside, ear.language)
            least = _MISSED_LINE_SECONDS if is_retry else UNWRITTEN_SECONDS
            segment, missed = self._completed(audio, segment, inside, ear.language, least)
            witness = ear.witness(align_heard, closely[index]) if closely else ()
            sounds: tuple[FillerSound, ...] = ()
            if is_retry or not isolated_sounds.is_short(window):
                sounds = ear.sounds(heard, index, DetectionWindow(window, (window,)))
            reads.append(_WindowResult(segment, missed, *hinted, witness, sounds))
        progress(1.0)
        return reads

    def _completed(
        self,
        audio: FloatArray,
        segment: Segment,
        speech: tuple[Span, ...],
        language: str,
        least: float,
    ) -> tuple[Segment, tuple[Segment, ...]]:
        """Return the segment with recovered words of skipped speech, and the rejected readings.

        Fillers there are detected with the rest of the window; only words are added.
        """
        words = with_plausible_ends(segment.words, speech)
        missed = () if segment.doubt else find_deletions(words, speech, least=least)
        if not missed:
            return segment, ()
        encoded = self._recogniser.encode([_samples(audio, window) for window in missed])
        again = []
        for index, reading in enumerate(self._recogniser.read(encoded, language=language)):
            surer = self._surer(encoded, index, reading, language)
            align = Aligner(self._recogniser, encoded, index, missed[index], language)
            inside = spans.clipped(speech, missed[index])
            again.append(_segment(missed[index], surer, align(surer), inside, language))
        found = [*words, *(word for more in again if not more.doubt for word in more.words)]
        found.sort(key=lambda word: word.start)
        text = " ".join(word.text for word in found)
        start, end = found[0].start, found[-1].end
        whole = replace(segment, start=start, end=end, text=text, words=tuple(found))
        return whole, tuple(more for more in again if more.doubt)

    def _surer(self, encoded: Any, index: int, reading: Reading, language: str) -> Reading:
        """Search a hesitant greedy reading again, and return the more probable one."""
        if not reading.text or reading.average_log_probability >= _HESITANT:
            return reading
        searched = self._recogniser.search(encoded, index, language=language)
        better = searched.average_log_probability > reading.average_log_probability
        return searched if better and not is_stuck(searched) else reading


def _transcript(
    reads: Sequence[_WindowResult],
    sounds: Iterable[FillerSound],
    *,
    language: Language,
    chances: Mapping[str, float],
    model: str,
    ear: FillerDetector,
) -> Transcript:
    """Build the transcript, without segments that cannot have been said."""
    kept = [read for read in reads if not read.segment.doubt]
    return Transcript(
        language=language,
        segments=tuple(read.segment for read in kept if read.segment.words),
        dropped=tuple(
            segment for read in reads for segment in (read.segment, *read.missed) if segment.doubt
        ),
        model=model,
        ear="" if ear.recogniser.name == model else ear.recogniser.name,
        spoken_language=_detected_language(chances),
        chance_of_language=chances.get(language.code, 0.0) if chances else None,
        primed=tuple(read.primed for read in kept if read.primed),
        witnesses=tuple(read.witness for read in kept if read.witness),
        filler_slots=tuple(slot for read in kept for slot in read.slots),
        filler_sounds=None
        if ear.head is None
        else tuple(sorted(sounds, key=lambda sound: sound.start)),
    )


def _isolated_fillers(
    ear: FillerDetector, audio: FloatArray, cut: Sequence[Span], parts: Sequence[Span]
) -> Iterator[FillerSound]:
    """Yield filled pauses in isolated sounds: short windows, and gaps between windows, where
    nothing is read.
    """
    if ear.head is None:
        return
    for batch in batches(isolated_sounds.isolated_windows(cut, audio, parts)):
        encoded = ear.encode([_samples(audio, place.window) for place in batch])
        for index, place in enumerate(batch):
            yield from ear.sounds(encoded, index, place)


def _samples(audio: FloatArray, window: Span) -> FloatArray:
    start, end = (int(second * SAMPLE_RATE_HZ) for second in window)
    return audio[start:end]


def _chances_of_languages(
    audio: FloatArray, cut: Sequence[Span], speech: tuple[Span, ...], cores: int
) -> Mapping[str, float]:
    """Return the language probabilities in the fullest of the first
    windows; empty without windows.
    """
    if not cut:
        return {}
    fullest = max(cut[:4], key=lambda window: _speech_inside(window, speech))
    reader = ctranslate.load(models.path_of("whisper-base"), cores)
    return reader.chances_of_languages(_samples(audio, fullest))


def _detected_language(chances: Mapping[str, float]) -> Language | None:
    if not chances:
        return None
    code = max(chances, key=lambda code: chances[code])
    return Language(code=code, source="detected", probability=min(chances[code], 1.0))


def _is_other(chosen: Language, chances: Mapping[str, float], speech: Sequence[Span]) -> bool:
    """Return whether another language than the chosen one is spoken, so that no word would be
    accepted.
    """
    heard = _detected_language(chances)
    if heard is None or spans.total(speech) < _ENOUGH_TO_STOP_SECONDS:
        return False
    return is_mismatch(chosen, heard, chances.get(chosen.code, 0.0))


def _speech_inside(window: Span, speech: Sequence[Span]) -> float:
    return sum(max(0.0, min(end, window[1]) - max(start, window[0])) for start, end in speech)


def _given(language: str) -> Language | None:
    return None if language == "auto" else Language(code=language, source="given")


def _split_window(
    window: Span, speech: Sequence[Span], audio: FloatArray, reading: Reading, *, is_retry: bool
) -> tuple[Span, ...]:
    """Return two windows in place of one with an unreliable reading; empty if it is accepted.

    A window with a loop is halved until the loop ends: a stuck recogniser soon recovers, and a
    repeated line soon is alone. If no speech is detected, one retry is enough, since every part
    would loop.
    """
    if has_loop(reading) and (not is_retry or reading.no_speech_probability <= HIGHEST_NO_SPEECH):
        return halves(window, speech, audio)
    is_doubtful = reading.average_log_probability < _LOWEST_LOG_PROBABILITY
    return halves(window, speech) if is_doubtful and not is_retry else ()


def _segment(
    window: Span,
    reading: Reading,
    aligned: tuple[Word, ...],
    speech: Sequence[Span],
    language: str,
) -> Segment:
    """Return a segment with the words of a reading, or with the reason for doubt."""
    words = without_loops(aligned, language)
    segment = Segment(
        start=words[0].start if words else window[0],
        end=words[-1].end if words else window[1],
        text=reading.text,
        no_speech_probability=reading.no_speech_probability,
        average_log_probability=reading.average_log_probability,
        compression_ratio=reading.compression_ratio,
        words=words,
    )
    doubt = _rejection_reason(segment, speech, language)
    return replace(segment, start=window[0], end=window[1], doubt=doubt) if doubt else segment


def _rejection_reason(segment: Segment, speech: Sequence[Span], language: str) -> Doubt:
    """Return the reason for rejecting a window, or an empty string."""
    is_silence = segment.no_speech_probability > _NO_SPEECH
    lowest = _LOWEST_BESIDE_SILENCE if is_silence else _LOWEST_LOG_PROBABILITY
    if segment.average_log_probability < lowest:
        return "unsure"
    if segment.compression_ratio <= HIGHEST_COMPRESSION:
        return ""
    return "" if was_spoken(segment, voice=spans.total(speech), language=language) else "repeats"
