"""A site that changes from a folder to a store, or back, takes everything along."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal, Upload
from coach.storage import places
from coach.storage.factory import storage_named
from coach.storage.s3 import store
from coach.uploads.services import keep_file
from tests.coach.conftest import SignIn
from tests.coach.custody.s3_server import BUCKET, S3Server
from tests.coach.custody.sending import send
from tests.coach.factories import give_poster
from tests.coach.feedback.recordings import wav_bytes

pytestmark = pytest.mark.django_db(transaction=True)


def run(*words: str) -> str:
    said = StringIO()
    call_command("custody", *words, stdout=said)
    return said.getvalue()


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    return sign_in(trainee)


def test_everything_is_copied_once_and_the_site_goes_on(
    in_bucket: S3Server, client: Client, trainee: User, tmp_path: Path
) -> None:
    with override_settings(CUSTODY="folder"):
        take = send(client, wav_bytes(1))
        give_poster(take)
        recording = tmp_path / "talk.wav"
        recording.write_bytes(wav_bytes(2))
        waiting = Upload(owner=trainee, name="talk.wav")
        keep_file(upload=waiting, path=recording)
        waiting.save()
    assert "3 copied, 0 already there" in run("copy", "--from", "folder", "--to", "s3")
    assert "0 copied, 3 already there" in run("copy", "--from", "folder", "--to", "s3")
    answer = client.get(f"/rehearsals/{take.pk}/media/")
    assert b"".join(answer.streaming_content) == wav_bytes(1)
    assert storage_named("s3").settle(waiting.pk) == len(wav_bytes(2))
    poster = client.get(f"/rehearsals/{take.pk}/poster.jpg")
    assert b"".join(poster.streaming_content) == b"a picture"
    storage_named("folder").remove(places.take_place(take.pk))
    assert "2 copied, 1 already there" in run("copy", "--from", "s3", "--to", "folder")
    assert storage_named("folder").size(places.original(take.pk)) == len(wav_bytes(1))


def test_a_recording_that_is_not_what_its_row_says_is_told(
    in_bucket: S3Server, client: Client
) -> None:
    with override_settings(CUSTODY="folder"):
        take = send(client, wav_bytes(1))
    Rehearsal.objects.filter(pk=take.pk).update(sha256="ab" * 32)
    with pytest.raises(CommandError, match="does not have the SHA-256"):
        run("copy", "--from", "folder", "--to", "s3")


def test_a_store_is_tried_before_it_is_used(in_bucket: S3Server) -> None:
    said = run("check", "--make-bucket")
    for each in ("written to", "parts of it", "every version", "it cannot be read without the key"):
        assert each in said
    assert "written to" in run("check", "--in", "folder")


def test_a_bucket_that_everybody_reads_is_refused(in_bucket: S3Server) -> None:
    policy = (
        '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", '
        f'"Action": "s3:GetObject", "Resource": "arn:aws:s3:::{BUCKET}/*"}}]}}'
    )
    client = in_bucket.client()
    client.put_bucket_policy(Bucket=BUCKET, Policy=policy)
    try:
        with pytest.raises(CommandError, match="This bucket is public"):
            run("check")
    finally:
        client.delete_bucket_policy(Bucket=BUCKET)


def test_a_store_that_does_not_answer_is_told_in_a_sentence(
    in_bucket: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "PATIENCE_SECONDS", 0.5)
    nowhere = {**in_bucket.options, "endpoint_url": "http://127.0.0.1:9"}
    recordings = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": nowhere}
    with (
        override_settings(STORAGES={"recordings": recordings}),
        pytest.raises(CommandError, match="does not respond as expected"),
    ):
        run("check")
