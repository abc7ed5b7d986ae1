"""The store is ended in the middle of everything and started again: said, and nothing lost."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis import pipeline
from coach.accounts.models import User
from coach.feedback.models import Run, Stage
from coach.feedback.runs import execution
from coach.feedback.runs.execution import execute
from coach.rehearsals.models import Rehearsal, Removal, Upload
from coach.rehearsals.removals import prove_removals
from coach.rehearsals.sweeping import reconcile_storage
from coach.rehearsals.tasks import sweep_custody
from coach.storage import places, storage
from coach.storage.s3 import store, work_directory
from coach.storage.s3.upload_writer import PART_BYTES, S3UploadWriter
from coach.uploads.services import close_abandoned_uploads
from tests.coach.conftest import SignIn
from tests.coach.custody.s3_server import S3Server
from tests.coach.custody.sending import send, sent_form
from tests.coach.feedback.recordings import wav_bytes
from tests.coach.uploads.tus_sender import Sender

pytestmark = pytest.mark.django_db(transaction=True)

JSON = {"accept": "application/json"}


@pytest.fixture
def server(in_bucket: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """One that is up again for the next test."""
    monkeypatch.setattr(store.patiently, "__kwdefaults__", {"patience": 0.5})
    monkeypatch.setattr(work_directory, "STORE_PATIENCE_SECONDS", 0.5)
    yield in_bucket
    in_bucket.end()
    in_bucket.start()


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    return sign_in(trainee)


def first_stage(take: Rehearsal) -> Stage:
    return Run.objects.get(rehearsal=take).stages.get(state="queued")


def time_passes() -> None:
    """As long as a stage that was put off lets others go first."""
    Stage.objects.filter(state="queued").update(queued_at=timezone.now() - timedelta(minutes=2))


def test_an_analysis_waits_and_goes_on_by_itself(server: S3Server, client: Client) -> None:
    take = send(client, wav_bytes(2))
    stage = first_stage(take)
    server.end()
    for _each in range(5):  # more often than a stage is tried
        assert execute(stage.queue) == []
        stage.refresh_from_db()
        assert (stage.state, stage.attempts) == ("queued", 0)
        assert execute(stage.queue) == []  # at once it would only fail again
        time_passes()
    page = client.get(reverse("feedback:analysing", args=[take.pk])).content.decode()
    assert (
        "cannot reach the stored recordings at the moment. Nothing is lost; the analysis "
        "continues automatically." in page
    )
    server.start()
    assert execute(stage.queue)
    stage.refresh_from_db()
    assert (stage.state, stage.problem) == ("done", {})


def test_what_was_computed_and_cannot_be_stored_is_done_again(
    server: S3Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = send(client, wav_bytes(2))
    stage = first_stage(take)
    real = pipeline.run_stage

    def goes_away(name: str, **kwargs: object) -> object:
        made = real(name, **kwargs)  # type: ignore[arg-type]
        server.end()
        return made

    with monkeypatch.context() as patch:
        patch.setattr(execution.pipeline, "run_stage", goes_away)
        assert execute(stage.queue) == []
    stage.refresh_from_db()
    assert stage.state == "queued"
    server.start()
    time_passes()
    assert execute(stage.queue)


def test_an_upload_of_which_nothing_could_be_kept_is_refused_with_a_sentence(
    server: S3Server, client: Client
) -> None:
    server.end()
    response = client.post(reverse("feedback:new"), sent_form(wav_bytes(1)), headers=JSON)
    assert response.status_code == 503
    assert "cannot reach the stored recordings" in response.json()["message"]
    assert not Upload.objects.exists()
    page = client.post(reverse("feedback:new"), sent_form(wav_bytes(1)))
    assert (page.status_code, page.headers["Retry-After"]) == (503, "60")
    assert "Recordings unavailable" in page.content.decode()


def test_what_had_arrived_before_it_went_away_is_kept_and_becomes_a_take(
    server: S3Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = S3UploadWriter._send

    def once(self: S3UploadWriter, content: bytes) -> None:
        if self._parts:
            server.end()
        real(self, content)

    monkeypatch.setattr(S3UploadWriter, "_send", once)
    content = wav_bytes(400)
    assert len(content) > 2 * PART_BYTES
    sender = Sender(client)
    sender.begin(len(content))
    sender.send(content, 0)
    server.start()
    monkeypatch.setattr(S3UploadWriter, "_send", real)
    assert sender.offset() == PART_BYTES
    assert sender.send(content[PART_BYTES:], PART_BYTES).status_code == 204
    page = reverse("feedback:cut_off", args=[sender.upload.pk])
    form = {**sent_form(b""), "token": str(uuid.uuid4())}
    del form["recording"]
    server.end()
    told = client.post(page, form, follow=True).content.decode()
    assert "cannot reach the stored recordings" in told
    assert not Rehearsal.objects.exists()
    server.start()
    client.post(page, form)
    take = Rehearsal.objects.get()
    assert (take.size_bytes, take.is_partial) == (len(content), False)
    assert b"".join(storage().read(places.original(take.pk))) == content


def test_what_was_deleted_meanwhile_is_gone_once_it_is_back(
    server: S3Server, client: Client
) -> None:
    take = send(client, wav_bytes(1))
    place = places.take_place(take.pk)
    server.end()
    url = reverse("portal:delete_take", args=[take.pk])
    assert client.post(url, {"confirm": "yes"}).status_code == 302
    assert not Rehearsal.objects.exists()
    assert Removal.objects.get(place=place).proven_at is None
    assert prove_removals() == 1
    server.start()
    assert storage().size(f"{place}original") is not None
    assert prove_removals() == 0
    assert Removal.objects.get(place=place).proven_at is not None
    assert storage().size(f"{place}original") is None


def test_who_plays_a_take_meanwhile_reads_why_not(server: S3Server, client: Client) -> None:
    take = send(client, wav_bytes(1))
    server.end()
    answer = client.get(reverse("rehearsals:media", args=[take.pk]))
    assert answer.status_code == 503
    assert "Nothing is lost" in answer.content.decode()
    assert client.get("/ready/").json()["disk"] == "does not answer"


def test_the_sweepers_take_nothing_for_lost(server: S3Server, client: Client) -> None:
    take = send(client, wav_bytes(1))
    arriving = Upload.objects.create(owner=take.owner, name="talk.wav")
    server.end()
    sweep_custody()
    assert close_abandoned_uploads() == 0
    assert Upload.objects.filter(pk=arriving.pk, state="receiving").exists()
    server.start()
    assert take.pk not in reconcile_storage().missing
