"""Processing of an interview recording: the first stages of a take, without measuring."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from analysis import pipeline
from analysis.errors import AnalysisError
from analysis.ports import Limits, Options
from analysis.results import Note
from coach.audit.services import record_act
from coach.feedback.runs.execution import lay_out as bring_inputs
from coach.feedback.runs.execution import make_copy
from coach.lib.files.full_disk import is_full
from coach.lib.words.sentences import note_of, stored
from coach.lib.work import leases
from coach.lib.work.leases import Lease, LeaseLost, TimeLimit, heartbeat
from coach.lib.work.outages import AWAY, retry_while_away
from coach.rehearsals.media_types import content_type
from coach.rehearsals.removals import remove_for_good
from coach.research.coding.interviews.recording_consent import everybody_agrees
from coach.research.coding.models import Recording
from coach.research.coding.recordings.passages import lay_out, propose
from coach.storage import StorageUnavailable, WorkDirectory, places, storage

log = logging.getLogger(__name__)

LIMIT_SECONDS = 6 * 3600.0
"""A step of three hours of talk takes half an hour on one slow core; one that takes longer than
this hangs (rule of thumb)."""
_PROGRESS_SECONDS = 1.0

_Progress = Callable[[float], None]


class _Closed(Exception):
    """A recording with a missing or outdated consent: processing waits."""


class _CannotBeRead(Exception):
    """A recording without transcribable speech, with the reason."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.code)
        self.note = note


def execute_recording(key: uuid.UUID) -> Recording | None:
    """Run the current step if it is free; return the recording if another step waits, or None.

    Safe to call any number of times, from any number of workers.
    """
    lease = retry_while_away(partial(leases.acquire, Recording.objects.all(), key=key))
    if lease is None:
        return None
    recording = retry_while_away(partial(_recording, key))
    with heartbeat(lease, TimeLimit(limit=LIMIT_SECONDS)):
        _carry_out(recording, lease)
    # Whatever the outcome, no file is left of a recording deleted in the meantime.
    retry_while_away(partial(_clear_if_removed, recording))
    waiting = Recording.objects.filter(pk=key, state=Recording.State.QUEUED)
    return retry_while_away(lambda: waiting.exclude(step=recording.step).first())


def _recording(key: uuid.UUID) -> Recording:
    return Recording.objects.select_related("study").get(pk=key)


def _carry_out(recording: Recording, lease: Lease) -> None:
    if recording.attempts > settings.STAGE_MAX_ATTEMPTS:  # its workers died of it
        retry_while_away(partial(_fail, lease, Note.of("failed_three_times")))
        return
    try:
        _step(recording, lease)
    except LeaseLost:
        log.info("recording %s went to another worker, was stopped, or is gone", recording.pk)
    except _Closed:
        log.info("recording %s waits for a consent", recording.pk)
        retry_while_away(partial(_again, lease, attempts=recording.attempts - 1))
    except StorageUnavailable as problem:
        log.warning("recording %s waits until custody answers: %s", recording.pk, problem)
        retry_while_away(partial(_again, lease, attempts=recording.attempts - 1))
    except AnalysisError as problem:
        retry_while_away(partial(_fail, lease, note_of(problem)))
    except _CannotBeRead as problem:
        retry_while_away(partial(_fail, lease, problem.note))
    except Exception as problem:  # a worker outlives whatever one recording does to a library
        log.exception("recording %s (%s) failed", recording.pk, recording.step)
        _failed(recording, lease, problem)


def _failed(recording: Recording, lease: Lease, problem: Exception) -> None:
    if is_full(problem):
        retry_while_away(partial(_fail, lease, Note.of("disk_full")))
    elif recording.attempts >= settings.STAGE_MAX_ATTEMPTS:
        retry_while_away(partial(_fail, lease, Note.of("failed_three_times")))
    else:
        retry_while_away(partial(_again, lease))


def _step(recording: Recording, lease: Lease) -> None:
    if recording.media_key is None:
        raise LeaseLost
    # The sweeper deletes withdrawn recordings; a person who is asked again may still agree.
    if not retry_while_away(partial(everybody_agrees, recording)):
        raise _Closed
    with storage().work_directory(recording.media_key, recording.pk) as bench:
        _STEPS[Recording.Step(recording.step)](recording, lease, bench)


def _options(recording: Recording) -> Options:
    said: dict[str, Any] = {"engine": settings.SPEECH_ENGINE, "size": settings.WHISPER_SIZE}
    return Options(language=recording.language, **said)


def _limits() -> Limits:
    return Limits(
        max_seconds=settings.MAX_INTERVIEW_MINUTES * 60, max_bytes=settings.MAX_UPLOAD_BYTES
    )


def _run(name: str, recording: Recording, lease: Lease, bench: WorkDirectory) -> None:
    options = _options(recording)
    bring_inputs(bench, name, options)
    pipeline.run_stage(
        name,
        media_path=bench.media_path,
        workdir=bench.workdir,
        options=options,
        limits=_limits(),
        progress=_throttled(lease),
    )
    bench.store()


def _throttled(lease: Lease) -> _Progress:
    """Return a callback that stores progress, and ends the step if it was stopped or
    consent withdrawn.
    """
    last = 0.0

    def progress(share: float) -> None:
        nonlocal last
        if time.monotonic() - last < _PROGRESS_SECONDS:
            return
        last = time.monotonic()
        try:
            if not lease.row.update(progress=share):
                raise LeaseLost
        except AWAY:  # the work goes on meanwhile; the next report is a second away
            connection.close()

    return progress


def _prepare(recording: Recording, lease: Lease, bench: WorkDirectory) -> None:
    _run("prepare", recording, lease, bench)
    prepared = pipeline.load_prepared(bench.workdir)
    has_video = prepared.media.video is not None
    _next(
        lease,
        Recording.Step.PLAYBACK,
        duration_ms=round(prepared.media.duration * 1000),
        has_video=has_video,
        playback_type=content_type(prepared.media.container, has_video=has_video),
    )


def _playback(recording: Recording, lease: Lease, bench: WorkDirectory) -> None:
    try:
        copy = make_copy(bench, _options(recording), _limits(), _throttled(lease))
    except AnalysisError:
        if not recording.read_by:
            raise
        _end_again(lease)
        return
    made: dict[str, object] = {}
    if recording.media_key is not None:
        storage().keep(copy, places.copy_to_play(recording.media_key))
        kind = content_type(copy.suffix.lstrip("."), has_video=bool(recording.has_video))
        made = {"has_copy": True, "playback_type": kind}
    if recording.read_by:
        _end_again(lease, **made)
        return
    bench.store()
    _next(lease, Recording.Step.TRANSCRIBE, **made)


def _end_again(lease: Lease, **made: object) -> None:
    """End the work on a recording that was transcribed before every recording had a copy."""
    step = Recording.Step.TRANSCRIBE
    retry_while_away(
        partial(_let_go, lease, Recording.State.DONE, step=step, progress=1.0, attempts=0, **made)
    )


def _transcribe(recording: Recording, lease: Lease, bench: WorkDirectory) -> None:
    _run("transcribe", recording, lease, bench)
    skipped = pipeline.load_skipped(bench.workdir, "transcribe")
    if skipped is not None:
        raise _CannotBeRead(skipped)
    spoken = pipeline.spoken_words(bench.workdir)
    if not spoken.words:
        raise _CannotBeRead(Note.of("no_speech_found"))
    retry_while_away(partial(_conclude, lease, spoken))


_STEPS: dict[Recording.Step, Callable[[Recording, Lease, WorkDirectory], None]] = {
    Recording.Step.PREPARE: _prepare,
    Recording.Step.PLAYBACK: _playback,
    Recording.Step.TRANSCRIBE: _transcribe,
}


def _next(lease: Lease, step: Recording.Step, **found: object) -> None:
    """Queue the next step for any worker. Raises LeaseLost."""
    changes = {"step": step, "progress": 0.0, "attempts": 0, **found}
    if not retry_while_away(partial(_let_go, lease, Recording.State.QUEUED, **changes)):
        raise LeaseLost


@transaction.atomic
def _conclude(lease: Lease, spoken: pipeline.SpokenWords) -> None:
    held: Recording | None = lease.row.select_for_update(of=("self",)).first()
    if held is None:
        raise LeaseLost
    lay_out(held, propose(spoken.words, spoken.unread))
    found = {"language": spoken.language, "read_by": spoken.model, "progress": 1.0, "attempts": 0}
    _let_go(lease, Recording.State.DONE, problem=_doubt(held, spoken), **found)
    if held.media_key is not None:
        remove_for_good(places.run_place(held.media_key, held.pk))
    record_act(action="research.recording_written_down", target=held, read_by=spoken.model)


def _doubt(recording: Recording, spoken: pipeline.SpokenWords) -> dict[str, str]:
    """Return a warning if another language was detected than chosen; empty otherwise."""
    is_other = spoken.heard and spoken.heard != spoken.language
    return {"heard": spoken.heard} if is_other and recording.language != "auto" else {}


def _fail(lease: Lease, note: Note) -> None:
    if _let_go(lease, Recording.State.FAILED, problem=stored(note), attempts=0):
        held = Recording.objects.get(pk=str(lease.key))
        record_act(action="research.recording_failed", target=held, code=note.code)


def _again(lease: Lease, **changes: object) -> None:
    _let_go(lease, Recording.State.QUEUED, **changes)


def _let_go(lease: Lease, state: Recording.State, **changes: object) -> bool:
    now = timezone.now()
    return bool(
        lease.row.update(state=state, lease=None, lease_until=None, queued_at=now, **changes)
    )


def _clear_if_removed(recording: Recording) -> None:
    """Delete the files of a recording that was deleted during the step."""
    is_kept = Recording.objects.filter(pk=recording.pk, removed_at=None).exists()
    if not is_kept and recording.media_key is not None:
        remove_for_good(places.take_place(recording.media_key))


def stale() -> list[Recording]:
    """Return recordings to enqueue again after a dead worker or a lost broker message."""
    return list(Recording.objects.filter(pk__in=leases.stale_keys(Recording.objects.all())))
