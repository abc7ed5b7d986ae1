"""Work of each stage: the only place where heavy libraries are loaded, when a stage runs."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from analysis import conversions, models, weights
from analysis.errors import ModelUnavailable
from analysis.pipeline import artefacts
from analysis.ports import (
    DEFAULT_SIZE,
    Limits,
    Options,
    Prepared,
    Progress,
    Sight,
    Span,
    SpeechSize,
    Transcript,
)
from analysis.results import Note, Reason, Report, Skipped, StageRecord
from analysis.stage_roles import BY_NAME
from analysis.talk import spans

_log = logging.getLogger(__name__)

# Reading the file takes about a third of `prepare`, finding speech the rest.
_READING_SHARE = 0.3


def nothing() -> None:
    """Ignore the start; for callers that do not wait for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Input of a stage."""

    media_path: Path
    workdir: Path
    options: Options
    limits: Limits
    record: StageRecord
    """Record of the run; its seconds are set at the end."""
    progress: Progress
    cores: int = 1
    """Cores granted by the plan (`analysis.plan`); a stage that cannot use them ignores them."""
    opened: Callable[[], None] | None = None
    """Callback for `prepare` to call when the recording is open, if given."""


Work = Callable[[Job], dict[str, str]]
"""Function that does a stage's work, stores its artefact, and returns the models used with their
SHA-256.
"""


# Stages run in parallel. Numerical libraries start a thread per core, and waiting threads spin, so
# that stages take each other's time: recognising 180 s took 19 s of CPU time with one thread and 89
# s with two on two busy cores. A machine that runs only one stage may set more.
_THREADS = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}


def limit_threads() -> None:
    """Limit libraries that are not loaded yet to one core; variables already set are kept."""
    for name, value in _THREADS.items():
        os.environ.setdefault(name, value)


def media_sha256(path: Path) -> str:
    """Return the SHA-256 by which stages identify a recording."""
    from analysis.backends.media.probe import sha256_of

    return sha256_of(path)


def warm_up(stage: str) -> None:
    """Load the libraries of a stage before it can start."""
    limit_threads()
    if library := BY_NAME[stage].library:
        # The stage itself reports a library that cannot be loaded.
        with suppress(ImportError):
            import_module(library)


def fetch_models(*, size: SpeechSize | None = None) -> Iterator[Path]:
    """Download missing models, then convert weights; yield each path when it is ready.

    A conversion that fails is logged and skipped: openai-whisper then reads English.
    """
    yield from models.fetch_all()
    sizes: tuple[SpeechSize, ...] = (DEFAULT_SIZE,)
    if size is not None and size not in sizes:
        yield models.fetch(f"{size}.pt")
        sizes = (*sizes, size)
    for each in sizes:
        try:
            yield conversions.convert_once(each, _convert)
        except (ModelUnavailable, OSError) as error:
            _log.warning("%s could not be made: %s", conversions.name_of(each), error)


def _convert(source: Path, folder: Path) -> None:
    from analysis.backends.speech.conversion import convert

    convert(source, folder)


def picture_lines(paths: Sequence[str]) -> Iterator[str]:
    """Yield one JSON line per picture, in order."""
    from analysis.backends.sight.frame import frame_lines

    return frame_lines(paths)


def check_capture(path: Path) -> dict[str, Any]:
    """Return the findings of the capture check for a short sample."""
    from analysis.backends.capture_check import check

    return check(path)


def serve_live_checks(source: IO[bytes], target: IO[bytes]) -> None:
    """Answer requests with pictures or sound until the input ends."""
    from analysis.backends.live_check import serve

    serve(source, target)


def prepare(job: Job) -> dict[str, str]:
    """Probe the file, write its sound and a poster, and find the speech."""
    from analysis.backends.media.playback import encodes_picture
    from analysis.backends.media.poster import write_poster
    from analysis.backends.media.probe import read_media

    job.workdir.mkdir(parents=True, exist_ok=True)
    audio_path, poster_path = job.workdir / "audio.f32", job.workdir / "poster.jpg"
    media = read_media(
        job.media_path,
        audio_path=audio_path,
        limits=job.limits,
        progress=lambda share: job.progress(share * _READING_SHARE),
    )
    known = Prepared(
        media=media,
        audio_path=audio_path if media.audio else None,
        speech=(),
        notes=media.notes,
    )
    if job.opened is not None:
        # Enough for stages that need no speech; the final result replaces it. Only with exclusive
        # access: a worker that has lost its stage would overwrite what another has finished.
        artefacts.store_prepared(job.workdir, known)
        job.opened()
    speech: tuple[Span, ...] = ()
    if media.audio is not None:
        raised = _amplify_if_soft(audio_path)
        speech = _detect_speech(audio_path, job.progress)
        if speech and raised:
            media = media.model_copy(update={"notes": (*media.notes, raised)})
    has_poster = media.video is not None and write_poster(
        job.media_path, duration=media.duration, out=poster_path
    )
    prepared = replace(
        known,
        media=media,
        notes=media.notes,
        speech=spans.clipped(speech, (0.0, media.duration)),
        poster_path=poster_path if has_poster else None,
        encodes_copy=encodes_picture(job.media_path, media=media),
    )
    artefacts.store_prepared(job.workdir, prepared)
    return {}


def _detect_speech(audio_path: Path, progress: Progress) -> tuple[Span, ...]:
    """Return the spans of speech; memory of processed sound is released on the way."""
    from analysis.backends.media.audio import read_audio, release_memory
    from analysis.backends.speech.voice_activity import find_speech

    audio = read_audio(audio_path)

    def searching(share: float) -> None:
        release_memory(audio)
        progress(_READING_SHARE + share * (1 - _READING_SHARE))

    return find_speech(audio, progress=searching)


def _amplify_if_soft(audio_path: Path) -> Note | None:
    """Amplify soft sound before any analysis; return a note if it was very soft."""
    from analysis.backends.media.audio import amplify_audio, read_audio, release_memory
    from analysis.backends.speech.voice_activity import VERY_QUIET_LEVEL, raising_gain

    audio = read_audio(audio_path)
    gain, level = raising_gain(audio)
    release_memory(audio)
    if gain <= 1:
        return None
    amplify_audio(audio_path, gain)
    if level >= VERY_QUIET_LEVEL:
        return None
    return Note.of("sound_very_quiet", raised=round(20 * math.log10(gain)))


def transcribe(job: Job) -> dict[str, str]:
    """Transcribe the speech of the requested part."""
    from analysis.backends.media.audio import read_audio, release_memory
    from analysis.backends.speech.engines import load_transcriber

    prepared = artefacts.load_prepared(job.workdir)
    options = job.options
    transcriber = load_transcriber(
        engine=options.engine, language=options.language, size=options.size, cores=job.cores
    )
    audio = read_audio(_audio_path(prepared))

    def reading(share: float) -> None:
        release_memory(audio)
        job.progress(share)

    transcript = transcriber.transcribe(
        audio,
        speech=_speech(prepared, options),
        language=options.language,
        progress=reading,
        parts=options.parts,
    )
    artefacts.store_transcript(job.workdir, transcript)
    return _hashes(_speech_models(transcript))


def listen(job: Job) -> dict[str, str]:
    """Measure pitch, level and timbre over the whole recording."""
    from analysis.backends.media.audio import read_audio, release_memory
    from analysis.backends.sound.listening import listen as listen_to

    prepared = artefacts.load_prepared(job.workdir)
    audio = read_audio(_audio_path(prepared))

    def listening(share: float) -> None:
        release_memory(audio)
        job.progress(share)

    sound = listen_to(audio, speech=_speech(prepared, job.options), progress=listening)
    artefacts.store_sound(job.workdir, sound)
    return {}


def watch(job: Job) -> dict[str, str]:
    """Track face and body through the sampled frames. Raises ModelUnavailable."""
    try:
        from analysis.backends.sight.watching import watch as watch_recording
    except (ImportError, NameError) as error:
        # OpenCV, which MediaPipe imports, loads system libraries. After a first failure MediaPipe
        # is half loaded, and a second import in the same process ends in a NameError.
        raise ModelUnavailable("landmarkers_not_started") from error

    prepared = artefacts.load_prepared(job.workdir)
    sight = watch_recording(
        job.media_path,
        media=prepared.media,
        options=job.options,
        progress=job.progress,
        cores=job.cores,
    )
    artefacts.store_sight(job.workdir, sight)
    return _hashes(_sight_models(sight))


def assemble(job: Job) -> dict[str, str]:
    """Measure everything from the other stages' artefacts, and write the report."""
    report = measure(job.workdir, options=job.options, record=job.record)
    artefacts.store_report(job.workdir, report)
    return {}


def measure(workdir: Path, *, options: Options, record: StageRecord) -> Report:
    """Return the report on the artefacts that are in `workdir`."""
    from analysis.pipeline.assembly import assemble_report

    return assemble_report(workdir, options=options, record=record)


def run_playback(
    *, media_path: Path, workdir: Path, progress: Progress = lambda _share: None
) -> Path:
    """Make the copy that everybody but the owner gets, and return its path.

    It is not part of the report and may run at any time after `prepare`. Safe to repeat.
    """
    from analysis.backends.media.playback import make_playback

    prepared = artefacts.load_prepared(workdir)
    if prepared.playback_path is not None and prepared.playback_path.is_file():
        return prepared.playback_path
    copy = make_playback(media_path, media=prepared.media, folder=workdir, progress=progress)
    artefacts.store_prepared(workdir, replace(prepared, playback_path=copy))
    return copy


def copy_again(*, media_path: Path, workdir: Path, limits: Limits) -> Path:
    """Make the playback copy of a recording that was analysed before copies existed.

    Raises the errors of reading a recording, and NothingDecodable if no copy can be made.
    """
    from analysis.backends.media.playback import make_playback
    from analysis.backends.media.probe import read_media

    workdir.mkdir(parents=True, exist_ok=True)
    sound = workdir / "audio.f32"
    media = read_media(media_path, audio_path=sound, limits=limits, progress=lambda _share: None)
    return make_playback(media_path, media=media, folder=workdir, progress=lambda _share: None)


def no_picture(prepared: Prepared) -> Skipped | None:
    """Return why there is nothing to watch, otherwise None."""
    if prepared.media.video is not None:
        return None
    return _absence_reason(prepared, Reason.NO_VIDEO, "picture")


def no_speech(prepared: Prepared, options: Options) -> Skipped | None:
    """Return why there is no speech to analyse, otherwise None."""
    if prepared.audio_path is None:
        return _absence_reason(prepared, Reason.NO_AUDIO, "sound")
    if not _speech(prepared, options):
        return _nobody_speaks(prepared, options)
    return None


def _nobody_speaks(prepared: Prepared, options: Options) -> Skipped:
    begin, length = options.measured_from, prepared.media.duration
    if begin >= length:
        return Skipped.because(
            Reason.NO_SPEECH, "part_begins_after_end", begin=begin, length=length
        )
    code = "no_speech_in_part" if prepared.speech else "no_speech_found"
    return Skipped.because(Reason.NO_SPEECH, code)


def _absence_reason(prepared: Prepared, reason: Reason, name: str) -> Skipped:
    """Return the reason noted for the missing sound or picture, or a general one."""
    noted = {note.code for note in prepared.media.notes}
    told = (f"{name}_encrypted", f"{name}_undecodable")
    return Skipped.because(
        reason, next((code for code in told if code in noted), f"{name}_missing")
    )


def _speech(prepared: Prepared, options: Options) -> tuple[Span, ...]:
    return tuple(piece for part in options.parts for piece in spans.clipped(prepared.speech, part))


def _audio_path(prepared: Prepared) -> Path:
    if prepared.audio_path is None:
        raise ValueError("a stage that hears was run without sound")
    return prepared.audio_path


def _speech_models(transcript: Transcript) -> tuple[str, ...]:
    """Return the recogniser, the filler detector and the language detector."""
    found = [
        f"{name}.pt" if name.endswith(".en") else name
        for name in (transcript.model, transcript.listener)
    ]
    if transcript.spoken_language:
        found.append(weights.WHISPER_BASE)
    return tuple(dict.fromkeys(found))


def _sight_models(sight: Sight) -> tuple[str, ...]:
    names = {"face": weights.FACE_LANDMARKER, "pose": weights.POSE_LANDMARKER}
    return tuple(names[part] for part in sight.watched)


def _hashes(names: tuple[str, ...]) -> dict[str, str]:
    return {
        name: (conversions if conversions.is_converted(name) else models).sha256_of(name)
        for name in names
    }
