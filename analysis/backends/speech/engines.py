"""Engine selection by language; engines are loaded only when needed."""

from __future__ import annotations

import logging
from functools import lru_cache, partial

from analysis import conversions, models
from analysis.backends.speech import ctranslate
from analysis.backends.speech.reading import Recogniser
from analysis.backends.speech.transcription import SpeechReader
from analysis.errors import ModelUnavailable
from analysis.ports import DEFAULT_SIZE, Engine, SpeechSize, Transcriber

_log = logging.getLogger(__name__)


def load_transcriber(
    *, engine: Engine, language: str, size: SpeechSize = DEFAULT_SIZE, cores: int = 1
) -> Transcriber:
    """Return a transcriber for a language: `.en` sizes for English, base for all others.

    With "auto", the engine depends on the detected language. `cores` is the number of threads of
    CTranslate2; openai-whisper takes one. If the 8-bit weights of an English size are missing,
    openai-whisper reads that size.
    """
    english = partial(_recogniser, engine, "en", size, cores) if language == "auto" else None
    return SpeechReader(
        _recogniser(engine, language, size, cores),
        cores=cores,
        english=english,
        ear=partial(_filler_recogniser, cores),
    )


def _filler_recogniser(cores: int) -> Recogniser | None:
    """Return the recogniser whose encoder the English filler head knows; None if its weights are
    missing.
    """
    try:
        return _recogniser("ctranslate2", "en", DEFAULT_SIZE, cores)
    except ModelUnavailable as error:
        _log.warning("%s %s Until then fewer ums are heard.", error.sentence, error.hint)
        return None


def _recogniser(engine: Engine, language: str, size: SpeechSize, cores: int) -> Recogniser:
    if language != "en" or engine == "faster-whisper":
        return ctranslate.load(models.path_of("whisper-base"), cores)
    if engine == "ctranslate2":
        try:
            return ctranslate.load(conversions.path_of(size), cores)
        except ModelUnavailable as error:
            _log.warning(
                "%s %s Until then openai-whisper reads English, slower.", error.sentence, error.hint
            )
    return _load_openai(size)


@lru_cache(maxsize=2)
def _load_openai(size: SpeechSize) -> Recogniser:
    # PyTorch takes two CPU seconds to start, which most sites never need.
    from analysis.backends.speech.openai import OpenAIWhisper

    return OpenAIWhisper(models.path_of(f"{size}.pt"), size)
