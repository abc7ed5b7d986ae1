"""A site whose recordings lie in a bucket: uploads, analysis elsewhere, playback, deletion."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.feedback.runs.execution import execute
from coach.rehearsals.models import Removal, Upload
from coach.rehearsals.services import delete_rehearsal
from coach.rehearsals.sweeping import reconcile_storage
from coach.storage import places, storage
from coach.storage.s3 import upload_writer
from coach.storage.s3.work_directory import RemoteWorkDirectory
from coach.uploads.services import close_abandoned_uploads, lock_upload
from tests.coach.conftest import SignIn
from tests.coach.custody.s3_server import BUCKET, KEY, SECRET, S3Server
from tests.coach.custody.sending import send
from tests.coach.feedback.recordings import wav_bytes

OnCommit = Callable[..., AbstractContextManager[object]]

MEGABYTE = 1024 * 1024


def keys(server: S3Server, prefix: str = "rehearsals/") -> set[str]:
    listed = server.client().list_objects_v2(Bucket=BUCKET, Prefix=prefix)
    return {each["Key"] for each in listed.get("Contents", [])}


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    return sign_in(trainee)


@pytest.mark.django_db(transaction=True)
def test_a_take_is_uploaded_analysed_elsewhere_played_and_deleted(
    in_bucket: S3Server, client: Client, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = wav_bytes(4)
    take = send(client, content)
    assert keys(in_bucket) >= {places.original(take.pk)}
    fetched: list[tuple[str, str]] = []
    real = RemoteWorkDirectory._bring

    def bring(self: RemoteWorkDirectory, key: str, target: Path) -> None:
        real(self, key, target)  # what is not there is not counted
        fetched.append((at_work[-1], key.rpartition("/")[2]))

    monkeypatch.setattr(RemoteWorkDirectory, "_bring", bring)
    at_work: list[str] = []
    run = Run.objects.get(rehearsal=take)
    waiting = list(run.stages.filter(state="queued").values_list("queue", flat=True))
    while waiting:
        first = run.stages.filter(state="queued", queue=waiting[0]).order_by("due_at").first()
        at_work.append(first.name if first else "")
        waiting += [wakeup.queue for wakeup in execute(waiting.pop(0))]
        assert not list(settings.SCRATCH_DIR.iterdir())
    run.refresh_from_db()
    assert run.state == "done"
    # Nobody speaks and nothing is seen: only opening and copying take the recording or the sound.
    taken = [stage for stage, name in fetched if name in {"original", "audio.f32"}]
    assert taken == ["prepare", "playback"]
    assert not settings.MEDIA_ROOT.exists()
    copy = places.copy_to_play(take.pk)
    assert keys(in_bucket, places.take_place(take.pk)) == {places.original(take.pk), copy}
    url = reverse("rehearsals:media", args=[take.pk])
    part = client.get(url, headers={"range": "bytes=100-299"})
    assert part.status_code == 206
    played = b"".join(storage().read(copy))
    assert b"".join(part.streaming_content) == played[100:300]
    assert b"".join(client.get(url).streaming_content) == played
    place = places.take_place(take.pk)
    delete_rehearsal(rehearsal=take)
    assert Removal.objects.get(place=place).proven_at is not None
    assert keys(in_bucket, place) == set()


@pytest.mark.django_db(transaction=True)
def test_a_strangers_request_and_one_without_a_sign_in_get_nothing(
    in_bucket: S3Server, client: Client, stranger: User, sign_in: SignIn
) -> None:
    take = send(client, wav_bytes(1))
    url = reverse("rehearsals:media", args=[take.pk])
    assert sign_in(stranger).get(url).status_code == 404
    assert Client().get(url).status_code == 302
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(f"{in_bucket.url}/{BUCKET}/{places.original(take.pk)}")  # noqa: S310
    refusal.value.close()
    assert refusal.value.code == 403
    report = client.get(reverse("feedback:analysing", args=[take.pk])).content.decode()
    assert in_bucket.url not in report


def test_sixty_megabytes_arrive_in_the_memory_of_a_few_parts(in_bucket: S3Server) -> None:
    piece = os.urandom(64 * 1024)
    upload = uuid.uuid4()
    tracemalloc.start()
    try:
        arriving = storage().resume(upload)
        for _each in range(16 * 60):
            arriving.write(piece)
        arriving.close()
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert storage().settle(upload) == 60 * MEGABYTE
    assert peak < 6 * upload_writer.PART_BYTES
    storage().remove(places.take_place(upload))


def arrives(upload: uuid.UUID, size: int, *, tail: int) -> bytes:
    """So much came, the last of it slowly; then the process is killed."""
    content = os.urandom(size)
    arriving = storage().resume(upload)
    for first in range(0, size - tail, 64 * 1024):
        arriving.write(content[first : min(first + 64 * 1024, size - tail)])
    arriving._kept_at -= upload_writer.TAIL_SECONDS + 1  # type: ignore[attr-defined]
    arriving.write(content[size - tail :])
    return content


@pytest.mark.parametrize("size", [200_000, 5 * MEGABYTE, 11 * MEGABYTE])
@pytest.mark.django_db
def test_what_a_killed_web_process_had_received_is_kept_and_can_be_analysed(
    in_bucket: S3Server, trainee: User, size: int
) -> None:
    upload = Upload.objects.create(owner=trainee, name="talk.wav", expected_bytes=10**9)
    content = arrives(upload.pk, size, tail=1000)
    assert storage().size(places.original(upload.pk)) is None
    assert close_abandoned_uploads() == 0  # something came just now
    settled = storage().settle(upload.pk)
    assert settled == size
    assert b"".join(storage().read(places.original(upload.pk))) == content
    held = lock_upload(upload)
    assert (held.received_bytes, len(held.sha256)) == (size, 64)
    assert storage().remove(places.take_place(upload.pk)).is_proven


@pytest.mark.django_db
def test_an_upload_that_fell_silent_is_closed_with_what_arrived(
    in_bucket: S3Server, trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = Upload.objects.create(owner=trainee, name="talk.wav", expected_bytes=10**9)
    arrives(upload.pk, 6 * MEGABYTE, tail=1000)
    monkeypatch.setattr("coach.uploads.services.SILENT_SECONDS", -60.0)
    assert close_abandoned_uploads() == 1
    upload.refresh_from_db()
    assert (upload.state, upload.received_bytes) == ("cut_off", 6 * MEGABYTE)


@pytest.mark.django_db
def test_versions_and_uploads_without_an_end_are_removed_too(in_bucket: S3Server) -> None:
    client, take = in_bucket.client(), uuid.uuid4()
    name = places.original(take)
    client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    try:
        for content in (b"first", b"second"):
            client.put_object(Bucket=BUCKET, Key=name, Body=content)
        client.delete_object(Bucket=BUCKET, Key=name)
        begun = client.create_multipart_upload(Bucket=BUCKET, Key=f"{places.take_place(take)}x")
        client.upload_part(
            Bucket=BUCKET, Key=begun["Key"], UploadId=begun["UploadId"], PartNumber=1, Body=b"part"
        )
        receipt = storage().remove(places.take_place(take))
        assert (receipt.is_proven, receipt.objects) == (True, 4)
        left = client.list_object_versions(Bucket=BUCKET, Prefix=places.take_place(take))
        assert (left.get("Versions"), left.get("DeleteMarkers")) == (None, None)
        open_ = client.list_multipart_uploads(Bucket=BUCKET, Prefix=places.take_place(take))
        assert open_.get("Uploads") is None
    finally:
        client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Suspended"})


@pytest.mark.django_db
def test_what_no_row_knows_is_removed_after_a_time_of_grace(
    in_bucket: S3Server,
    trainee: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: OnCommit,
) -> None:
    waiting = Upload.objects.create(owner=trainee, name="talk.wav", expected_bytes=10**9)
    arrives(waiting.pk, 6 * MEGABYTE, tail=1000)
    stray = uuid.uuid4()
    arrives(stray, 6 * MEGABYTE, tail=1000)
    assert places.take_place(stray) not in reconcile_storage().removed
    monkeypatch.setattr("coach.rehearsals.sweeping.GRACE_SECONDS", -60.0)
    with django_capture_on_commit_callbacks(execute=True):
        removed = reconcile_storage().removed
    assert places.take_place(stray) in removed
    assert places.take_place(waiting.pk) not in removed
    assert storage().settle(stray) is None
    assert storage().settle(waiting.pk) == 6 * MEGABYTE


def test_a_killed_worker_leaves_no_recording_behind(in_bucket: S3Server, tmp_path: Path) -> None:
    take, run = uuid.uuid4(), uuid.uuid4()
    in_bucket.client().put_object(Bucket=BUCKET, Key=places.original(take), Body=b"a voice")
    said = tmp_path / "says"
    environment = {
        **os.environ,
        "SAYS": str(said),
        "DJANGO_SETTINGS_MODULE": "coach.settings",
        "ROSTRUM_CUSTODY": "s3",
        "ROSTRUM_S3_BUCKET": BUCKET,
        "ROSTRUM_S3_ENDPOINT": in_bucket.url,
        "ROSTRUM_S3_ACCESS_KEY": KEY,
        "ROSTRUM_S3_SECRET_KEY": SECRET,
        "ROSTRUM_SCRATCH_DIR": str(settings.SCRATCH_DIR),
    }
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.coach.custody.holding_bench", str(take), str(run)],
        env=environment,
    )
    try:
        deadline = time.monotonic() + 60
        while not (said.exists() and said.read_text()) and time.monotonic() < deadline:
            time.sleep(0.1)
        fetched = Path(json.loads(said.read_text()))
        assert fetched.read_bytes() == b"a voice"
        with storage().work_directory(take, run):
            assert fetched.exists()  # one that is at work is left alone
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    assert fetched.exists()
    with storage().work_directory(take, run):
        assert not fetched.exists()
    assert list(settings.SCRATCH_DIR.iterdir()) == []
