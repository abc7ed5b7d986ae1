"""The work directory of a stage on a worker without local recordings."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from boto3.s3.transfer import TransferConfig

from coach.storage.port import Gone
from coach.storage.s3.store import Store, patiently

STORE_PATIENCE_SECONDS = 120.0
"""The time limit for storing artefacts, so that a restart of the store does not discard minutes of
computing (rule of thumb)."""

# Few threads, small pieces: a worker's memory is for its models.
TRANSFER = TransferConfig(
    multipart_threshold=16 * 1024**2, multipart_chunksize=8 * 1024**2, max_concurrency=2
)

_Stamp = tuple[int, int]


@dataclass(slots=True)
class RemoteWorkDirectory:
    """A scratch directory with the fetched files for one stage of one run."""

    store_: Store
    original: str
    """The name of the recording in the bucket."""
    run: str
    """The place of the run's artefacts."""
    workdir: Path
    media_path: Path
    _fetched: dict[str, _Stamp] = field(default_factory=dict)

    def fetch(self, names: Collection[str]) -> None:
        """Download the artefacts with these names; skip missing ones."""
        for name in names:
            try:
                self._bring(f"{self.run}{name}", self.workdir / name)
            except Gone:
                continue
            self._fetched[name] = _stamp(self.workdir / name)

    def fetch_media(self) -> None:
        """Download the recording once."""
        if not self.media_path.exists():
            self._bring(self.original, self.media_path)

    def _bring(self, key: str, target: Path) -> None:
        store = self.store_
        patiently(
            lambda: store.client.download_file(store.bucket, key, str(target), Config=TRANSFER)
        )

    def store(self) -> None:
        """Upload new and changed files, markers of completed work last; delete removed ones."""
        for name in _marks_last(path.name for path in self.workdir.iterdir() if path.is_file()):
            path = self.workdir / name
            if self._fetched.get(name) != _stamp(path):
                self._put(path, f"{self.run}{name}")
                self._fetched[name] = _stamp(path)
        for name in [each for each in self._fetched if not (self.workdir / each).exists()]:
            self._drop(f"{self.run}{name}")
            del self._fetched[name]

    def _put(self, path: Path, key: str) -> None:
        store = self.store_
        patiently(
            lambda: store.client.upload_file(str(path), store.bucket, key, Config=TRANSFER),
            patience=STORE_PATIENCE_SECONDS,
        )

    def _drop(self, key: str) -> None:
        store = self.store_
        patiently(
            lambda: store.client.delete_object(Bucket=store.bucket, Key=key),
            patience=STORE_PATIENCE_SECONDS,
        )


def _marks_last(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (name.endswith((".done.json", ".skipped.json")), name))


def _stamp(path: Path) -> _Stamp:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
