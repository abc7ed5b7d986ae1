"""Building of a bundle by a worker: each finished step is saved in storage."""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from coach.audit.models import Entry
from coach.audit.services import record_act
from coach.lib.files.full_disk import is_full
from coach.lib.files.scratch import scratch
from coach.lib.work import leases
from coach.lib.work.leases import Lease, LeaseLost, TimeLimit, heartbeat
from coach.lib.work.outages import retry_while_away
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.removals import remove_for_good
from coach.research.exports.bundle.build import (
    CHECKED,
    BuildStep,
    Counts,
    ExportRefused,
    known_problems,
    pack,
    steps_after,
)
from coach.research.exports.bundle.package import digest_of
from coach.research.exports.bundle.scope import Included
from coach.research.exports.ledger import enter, has_withdrawn_people
from coach.research.exports.models import Export
from coach.research.exports.pending_bundles import drop, drop_withdrawn
from coach.research.studies.locks import hold_study
from coach.research.studies.models import ConsentEvent, Participant
from coach.storage import places, storage

log = logging.getLogger(__name__)

LIMIT_SECONDS = 3600.0
"""A bundle that takes longer hangs (rule of thumb: the demonstration takes some seconds)."""

KEPT_DAYS = 7
"""Days until an undownloaded bundle is deleted (rule of thumb)."""

AFTER_DOWNLOAD = timedelta(hours=1)
"""Time for which a broken download can be investigated; the link itself works once."""

_DELETING = ("rehearsals.deleted", "rehearsals.expired")


def execute_export(export_id: uuid.UUID) -> None:
    """Build the bundle if it is free. Safe to call any number of times, from any worker."""
    lease = retry_while_away(partial(leases.acquire, Export.objects.all(), key=export_id))
    if lease is None:
        return
    with heartbeat(lease, TimeLimit(limit=LIMIT_SECONDS)):
        _make(Export.objects.select_related("study", "asked_by").get(pk=export_id), lease)


def _make(export: Export, lease: Lease) -> None:
    if export.attempts > settings.STAGE_MAX_ATTEMPTS:  # its workers died of it
        _give_up(export, lease, problems=[])
        return
    try:
        _steps(export, lease)
    except LeaseLost:
        log.warning("another worker has export %s now", export.pk)
    except ExportRefused as refusal:
        retry_while_away(partial(_refuse, export, lease, refusal))
    except Exception as problem:  # whatever it is, the row must not say for ever that it goes on
        log.exception("export %s failed", export.pk)
        is_over = is_full(problem) or export.attempts >= settings.STAGE_MAX_ATTEMPTS
        told = [["disk_full", "", ""]] if is_full(problem) else []
        ending = partial(_give_up, export, lease, problems=told)
        retry_while_away(ending if is_over else partial(_again, lease))


def _steps(export: Export, lease: Lease) -> None:
    included = Included(
        study=export.study, cut_off=export.cut_off, formats=frozenset(export.formats)
    )
    known = known_problems(included, has_agreement=bool(export.agreement))
    if export.done_steps and _something_went(export):
        export.done_steps, export.counts, export.progress = [], {}, 0
    with scratch() as place:
        folder, made = place / "bundle", place / "bundle.zip"
        folder.mkdir()
        _fetch_parts(export, folder)
        counts: Counts = dict(export.counts)
        for step in steps_after(export.done_steps):
            _step(export, lease, step, included, folder, counts)
        _save_progress(lease, step=CHECKED, progress=0.95)
        pack(included, folder, made, known)
        storage().keep(made, places.bundle(export.pk))
        digest, size = digest_of(made), made.stat().st_size
        conclude = partial(_conclude, export, lease, included, counts)
        retry_while_away(partial(conclude, sha256=digest, size=size))


def _something_went(export: Export) -> bool:
    """Return whether a consent was withdrawn or a take deleted since the request.

    Then files of an earlier worker may contain that data.
    """
    ended = ConsentEvent.objects.filter(
        participant__study=export.study_id,
        kind=ConsentEvent.Kind.WITHDRAWN,
        at__gt=export.asked_at,
    )
    left = Participant.objects.filter(study=export.study_id, withdrawn_at__gt=export.asked_at)
    deleted = Entry.objects.filter(action__in=_DELETING, at__gt=export.asked_at)
    return ended.exists() or left.exists() or deleted.exists()


def _fetch_parts(export: Export, folder: Path) -> None:
    """Fetch the files of finished steps; remove leftovers if there are none."""
    start = places.bundle_parts(export.pk)
    if not export.done_steps:
        storage().remove(start)
        return
    for name in storage().names(start):
        target = folder / name.removeprefix(start)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            for piece in storage().read(name):
                file.write(piece)


def _step(
    export: Export,
    lease: Lease,
    step: BuildStep,
    included: Included,
    folder: Path,
    counts: Counts,
) -> None:
    _save_progress(lease, step=step.name)
    before = set(folder.rglob("*"))
    step.run(included, folder, counts)
    for path in sorted(set(folder.rglob("*")) - before):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            storage().keep(path, f"{places.bundle_parts(export.pk)}{name}")
    export.done_steps = [*export.done_steps, step.name]
    export.progress += step.share
    _save_progress(lease, done_steps=export.done_steps, counts=counts, progress=export.progress)


def _save_progress(lease: Lease, **changes: object) -> None:
    """Save the progress. Raises LeaseLost."""
    if not retry_while_away(partial(lease.row.update, **changes)):
        raise LeaseLost


@transaction.atomic
def _conclude(
    export: Export, lease: Lease, included: Included, counts: Counts, *, sha256: str, size: int
) -> None:
    hold_study(export.study_id)
    row = lease.row.select_for_update(of=("self",))
    current: Export | None = row.select_related("study").first()
    if current is None:
        raise LeaseLost
    current.state, current.step, current.progress = Export.State.DONE, "", 1.0
    current.finished_at = timezone.now()
    current.expires_at = timezone.now() + timedelta(days=KEPT_DAYS)
    current.lease, current.lease_until = None, None
    enter(current, included, counts=counts, sha256=sha256, size=size)
    remove_for_good(places.bundle_parts(export.pk))
    # If anybody withdrew in the meantime, the bundle is rebuilt without them.
    if has_withdrawn_people(current) or not (
        _still_agreed(included) and _is_scope_intact(included)
    ):
        _again_from_the_start(current)


def _still_agreed(included: Included) -> bool:
    """Return whether everybody in it still has the consents from the start of the build."""
    now = replace(included, left_out=Counter())
    return {each.name: each.scopes for each in now.people} == {
        each.name: each.scopes for each in included.people
    }


def _is_scope_intact(included: Included) -> bool:
    """Return whether no take in it was deleted since the start of the build."""
    keys = {each.rehearsal for each in included.take_keys}
    return Rehearsal.objects.filter(pk__in=keys).count() == len(keys)


def _again_from_the_start(export: Export) -> None:
    export.pseudonyms.all().delete()
    Export.objects.filter(pk=export.pk).update(
        state=Export.State.QUEUED,
        done_steps=[],
        counts={},
        progress=0,
        sha256="",
        size_bytes=0,
        queued_at=timezone.now(),
        finished_at=None,
        expires_at=None,
    )


@transaction.atomic
def _give_up(export: Export, lease: Lease, *, problems: list[list[str]]) -> None:
    """End a failed export and delete its files, which contain people's words."""
    if _end(lease, Export.State.FAILED, problems=problems):
        remove_for_good(places.bundle_place(export.pk))


@transaction.atomic
def _refuse(export: Export, lease: Lease, refusal: ExportRefused) -> None:
    problems = [list(each) for each in refusal.problems]
    if _end(lease, Export.State.REFUSED, problems=problems):
        remove_for_good(places.bundle_place(export.pk))
        codes = sorted({each.code for each in refusal.problems})
        record_act(
            action="research.bundle_refused", target=export, actor=export.asked_by, problems=codes
        )


def _end(lease: Lease, state: str, **changes: object) -> bool:
    return bool(
        lease.row.update(
            state=state, lease=None, lease_until=None, finished_at=timezone.now(), **changes
        )
    )


def _again(lease: Lease) -> None:
    lease.row.update(
        state=Export.State.QUEUED, lease=None, lease_until=None, queued_at=timezone.now()
    )


def stale() -> list[uuid.UUID]:
    """Return exports to enqueue again after a dead worker or a lost broker message."""
    return leases.stale_keys(Export.objects.all())


def expire() -> int:
    """Delete bundles that expired, were downloaded, or contain withdrawn people; return
    their number.
    """
    now = timezone.now()
    kept = Export.objects.filter(state=Export.State.DONE, removed_at=None)
    over = kept.filter(expires_at__lt=now) | kept.filter(downloaded_at__lt=now - AFTER_DOWNLOAD)
    return sum(drop(export=export) for export in over) + drop_withdrawn()
