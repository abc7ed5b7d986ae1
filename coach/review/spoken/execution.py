"""Processing of a spoken reply: a copy that plays everywhere, then captions."""

from __future__ import annotations

import logging
import uuid
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

from analysis import pipeline
from analysis.errors import AnalysisError
from analysis.ports import Limits, Options
from analysis.results import Note
from coach.feedback.runs.execution import lay_out, make_copy
from coach.lib.files.full_disk import is_full
from coach.lib.words.sentences import note_of, stored
from coach.lib.work import leases
from coach.lib.work.leases import Lease, LeaseLost, TimeLimit, heartbeat
from coach.lib.work.outages import retry_while_away
from coach.rehearsals.media_types import content_type
from coach.rehearsals.removals import remove_for_good
from coach.review.spoken.models import SpokenReply
from coach.storage import StorageUnavailable, WorkDirectory, places, storage

log = logging.getLogger(__name__)

LIMIT_SECONDS = 15 * 60.0
"""One minute of sound takes some seconds; processing that takes longer than this hangs (rule of
thumb)."""
MOST_SECONDS = 60
"""The length of a reply: enough for one point, and short enough to be heard (rule of thumb)."""
_LATE_STOP_SECONDS = 3.0
"""A recorder stops up to this much later than its limit (rule of thumb)."""


def execute_reply(key: uuid.UUID) -> None:
    """Process a reply if it waits. Safe to call any number of times, from any worker."""
    lease = retry_while_away(partial(leases.acquire, SpokenReply.objects.all(), key=key))
    if lease is None:
        return
    reply = retry_while_away(partial(SpokenReply.objects.get, pk=key))
    with heartbeat(lease, TimeLimit(limit=LIMIT_SECONDS)):
        _carry_out(reply, lease)
    # Whatever the outcome, no file is left of a reply deleted in the meantime.
    retry_while_away(partial(_clear_if_deleted, reply))


def _carry_out(reply: SpokenReply, lease: Lease) -> None:
    if reply.attempts > settings.STAGE_MAX_ATTEMPTS:  # its workers died of it
        _end(lease, SpokenReply.State.FAILED, problem=stored(Note.of("failed_three_times")))
        return
    try:
        _process(reply, lease)
    except LeaseLost:
        log.info("spoken reply %s went to another worker, or is gone", reply.pk)
    except StorageUnavailable as problem:
        log.warning("spoken reply %s waits until storage answers: %s", reply.pk, problem)
        _end(lease, SpokenReply.State.QUEUED, attempts=reply.attempts - 1)
    except AnalysisError as problem:
        _end(lease, SpokenReply.State.FAILED, problem=stored(note_of(problem)))
    except Exception as problem:  # a worker outlives whatever one recording does to a library
        log.exception("spoken reply %s failed", reply.pk)
        _failed(reply, lease, problem)


def _failed(reply: SpokenReply, lease: Lease, problem: Exception) -> None:
    if is_full(problem):
        _end(lease, SpokenReply.State.FAILED, problem=stored(Note.of("disk_full")))
    elif reply.attempts >= settings.STAGE_MAX_ATTEMPTS:
        _end(lease, SpokenReply.State.FAILED, problem=stored(Note.of("failed_three_times")))
    else:
        _end(lease, SpokenReply.State.QUEUED)


def _process(reply: SpokenReply, lease: Lease) -> None:
    if reply.media_key is None:
        raise LeaseLost
    with storage().work_directory(reply.media_key, reply.pk) as bench:
        _run("prepare", bench)
        if not reply.has_copy:
            _make_playable(reply.media_key, lease, bench)
        _run("transcribe", bench)
        _conclude(reply.media_key, reply.pk, lease, bench)


def _options() -> Options:
    said: dict[str, Any] = {"engine": settings.SPEECH_ENGINE, "size": settings.WHISPER_SIZE}
    return Options(language="auto", **said)


def _limits() -> Limits:
    return Limits(
        max_seconds=MOST_SECONDS + _LATE_STOP_SECONDS, max_bytes=settings.MAX_UPLOAD_BYTES
    )


def _run(name: str, bench: WorkDirectory) -> None:
    lay_out(bench, name, _options())
    pipeline.run_stage(
        name,
        media_path=bench.media_path,
        workdir=bench.workdir,
        options=_options(),
        limits=_limits(),
        progress=_no_progress,
    )
    bench.store()


def _no_progress(_share: float) -> None:
    """Ignore progress: a minute of sound has no progress bar."""


def _make_playable(media_key: uuid.UUID, lease: Lease, bench: WorkDirectory) -> None:
    prepared = pipeline.load_prepared(bench.workdir)
    copy = make_copy(bench, _options(), _limits(), _no_progress)
    storage().keep(copy, places.copy_to_play(media_key))
    kind = content_type(copy.suffix.lstrip("."), has_video=prepared.media.video is not None)
    made = {"has_copy": True, "playback_type": kind, "duration": prepared.media.duration}
    if not retry_while_away(partial(lease.row.update, **made)):
        raise LeaseLost


def _conclude(media_key: uuid.UUID, key: uuid.UUID, lease: Lease, bench: WorkDirectory) -> None:
    """Store the words; a reply without recognised speech plays without captions."""
    skipped = pipeline.load_skipped(bench.workdir, "transcribe")
    spoken = None if skipped else pipeline.spoken_words(bench.workdir)
    if spoken is None or not spoken.words:
        problem = skipped or Note.of("no_speech_found")
        _end(lease, SpokenReply.State.FAILED, problem=stored(problem))
        return
    words = [{"text": each.text, "start": each.start, "end": each.end} for each in spoken.words]
    _end(lease, SpokenReply.State.DONE, words=words, language=spoken.language, problem={})
    remove_for_good(places.run_place(media_key, key))


def _end(lease: Lease, state: SpokenReply.State, **changes: object) -> None:
    """Store the outcome and give the lease back."""
    given_back = {"state": state, "lease": None, "lease_until": None, "queued_at": timezone.now()}
    if not retry_while_away(partial(lease.row.update, **given_back, **changes)):
        log.info("spoken reply %s went to another worker, or is gone", lease.key)


def _clear_if_deleted(reply: SpokenReply) -> None:
    """Delete the files of a reply that was deleted while it was processed."""
    is_kept = SpokenReply.objects.filter(pk=reply.pk, media_key=reply.media_key).exists()
    if not is_kept and reply.media_key is not None:
        remove_for_good(places.take_place(reply.media_key))


def stale() -> list[SpokenReply]:
    """Return replies to enqueue again after a dead worker or a lost broker message."""
    rows = SpokenReply.objects.all()
    return list(SpokenReply.objects.filter(pk__in=leases.stale_keys(rows)))
