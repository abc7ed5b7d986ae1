"""Copying of all recordings from one storage backend to another, with verification."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db.models import F
from django.utils.translation import gettext as _

from coach.lib.files.scratch import scratch
from coach.rehearsals.external_recordings import external_recordings
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Upload
from coach.storage import Storage, places


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The numbers of copied and already present files, with errors."""

    copied: int
    there: int
    problems: tuple[str, ...]


def copy_storage(
    source: Storage, target: Storage, *, tell: Callable[[str], None] = lambda _name: None
) -> Moved:
    """Copy the files of all recordings and waiting uploads; nothing is deleted.

    Safe to call again: files with the same size are skipped. The SHA-256 of recordings
    is compared with the row. Raises StorageUnavailable.
    """
    copied, there, problems = 0, 0, []
    for here, name, sha256 in stored_files(source, target):
        size = source.size(here)
        if size is None:
            problems.append(_("%(file)s is not there") % {"file": here})
        elif target.size(name) == size:
            there += 1
        else:
            found = _copy(source, here, target, name)
            copied += 1
            tell(name)
            if sha256 and found != sha256:
                words = _("%(file)s does not have the SHA-256 that its row has")
                problems.append(words % {"file": here})
    return Moved(copied=copied, there=there, problems=tuple(problems))


def stored_files(source: Storage, target: Storage) -> Iterator[tuple[str, str, str]]:
    """Yield each file's source name, target name, and SHA-256 (empty if unknown)."""
    takes = Rehearsal.any_kind.exclude(kind=Kind.BEFORE).annotate(key=F("pk"))
    copies_only = set(takes.exclude(original_removed_at=None).values_list("pk", flat=True))
    for rows in (takes, *external_recordings()):
        kept = rows.order_by("pk").values_list("key", "sha256")
        for key, sha256 in kept.iterator(chunk_size=500):
            if key not in copies_only:
                yield places.original(key), places.original(key), sha256
            beside = set(source.names(places.take_place(key))) - {places.original(key)}
            yield from ((name, name, "") for name in sorted(beside))
    for place in (places.SLIDES, places.BUNDLES):
        yield from ((name, name, "") for name in source.names(place))
    for upload in Upload.objects.filter(state__in=Upload.WAITING).order_by("pk"):
        if source.settle(upload.pk) is not None:
            yield source.incoming(upload.pk), target.incoming(upload.pk), upload.sha256


def _copy(source: Storage, here: str, target: Storage, name: str) -> str:
    digest = hashlib.sha256()
    with scratch() as folder:
        path = folder / "copy"
        with path.open("wb") as file:
            for piece in source.read(here):
                digest.update(piece)
                file.write(piece)
        target.keep(path, name)
    return digest.hexdigest()
