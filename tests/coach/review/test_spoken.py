"""A coach's spoken reply: who hears it, how it gets its captions, and how it goes."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.feedback.selectors import latest_feedback
from coach.portal.personal.archive import archive_of
from coach.portal.personal.erasure import erase_person
from coach.rehearsals.models import Rehearsal, Removal, Upload
from coach.rehearsals.services import delete_rehearsal
from coach.rehearsals.sweeping import reconcile_storage
from coach.review.spoken.execution import execute_reply
from coach.review.spoken.models import SpokenReply
from coach.review.spoken.selectors import released_replies, spoken_replies_for
from coach.review.spoken.services import save_reply, upload_key
from coach.storage import places, storage
from coach.uploads.services import keep_file
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.feedback.recordings import wav_bytes

pytestmark = pytest.mark.django_db
commits = pytest.mark.django_db(transaction=True)
TOAST = Path(__file__).parents[3] / "demo" / "talks" / "toast.ogg"


def draft_of(take: Rehearsal) -> Feedback:
    found = latest_feedback(take)
    assert found is not None
    return found


def release(take: Rehearsal, coach: User) -> None:
    Feedback.objects.filter(pk=draft_of(take).pk).update(
        state="released", released_at=timezone.now(), released_by=coach, released_by_name="Bea"
    )


def arrived(take: Rehearsal, coach: User, content: bytes, tmp_path: Path) -> Upload:
    file = tmp_path / "reply.ogg"
    file.write_bytes(content)
    upload = Upload(owner=coach, name="reply.ogg", meant_for=upload_key(take.pk))
    keep_file(upload=upload, path=file)
    upload.save()
    return upload


@pytest.fixture
def reply(sent: Rehearsal, coach: User, tmp_path: Path) -> SpokenReply:
    """A reply that plays, with two words."""
    upload = arrived(sent, coach, b"OggS" + bytes(500), tmp_path)
    saved = save_reply(feedback=draft_of(sent), coach=coach, upload=upload, at=2.0)
    assert saved.media_key is not None
    source = tmp_path / "copy.wav"
    source.write_bytes(wav_bytes(1))
    storage().keep(source, places.copy_to_play(saved.media_key))
    words = [
        {"text": "Lovely", "start": 0.1, "end": 0.4},
        {"text": "pause.", "start": 0.5, "end": 0.9},
    ]
    SpokenReply.objects.update(
        state="done", has_copy=True, playback_type="audio/wav", words=words, language="en"
    )
    saved.refresh_from_db()
    return saved


def media(reply: SpokenReply) -> str:
    return reverse("review:spoken_media", args=[reply.pk])


def plays(client: Client, reply: SpokenReply) -> bool:
    answer = client.get(media(reply))
    return answer.streaming and len(b"".join(answer.streaming_content)) > 1000


def test_the_owner_hears_it_once_the_feedback_is_released(
    reply: SpokenReply, sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    owner, report = sign_in(trainee), reverse("feedback:report", args=[sent.pk])
    captions = reverse("review:spoken_captions", args=[reply.pk])
    assert not plays(owner, reply)
    assert media(reply) not in owner.get(report).content.decode()
    assert plays(sign_in(coach), reply)
    release(sent, coach)
    assert media(reply) in owner.get(report).content.decode()
    assert plays(owner, reply)
    assert "00:00:00.100 --> 00:00:00.900\nLovely pause." in owner.get(captions).content.decode()
    # A later one waits for the next release.
    SpokenReply.objects.update(created_at=timezone.now() + timedelta(minutes=1))
    assert not released_replies(sent).exists()


def test_a_stranger_gets_nothing(
    reply: SpokenReply, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    release(sent, coach)
    client = sign_in(UserFactory(roles=["trainee", "coach"]))
    take, key = [sent.pk], [reply.pk]
    for name in ("spoken_media", "spoken_captions"):
        assert client.get(reverse(f"review:{name}", args=key)).status_code == 404
    for name in ("speak", "spoken_now"):
        assert client.get(reverse(f"review:{name}", args=take)).status_code == 404
    for name in ("spoken_again", "delete_spoken"):
        assert client.post(reverse(f"review:{name}", args=key)).status_code == 404
    for name in ("use_spoken", "send_spoken"):
        assert client.post(reverse(f"review:{name}", args=take)).status_code == 404
    address, tus = reverse("review:spoken_uploads", args=take), {"tus-resumable": "1.0.0"}
    begun = client.post(address, content_type="application/offset+octet-stream", headers=tus)
    assert begun.status_code == 404
    assert SpokenReply.objects.count() == 1


def test_a_file_is_checked_and_a_released_version_takes_no_more(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client, url = sign_in(coach), reverse("review:send_spoken", args=[sent.pk])

    def send(content: bytes, at: str = "0:02") -> None:
        client.post(url, {"at": at, "recording": SimpleUploadedFile("a.wav", content)})

    send(b"#!/bin/sh\n" * 40)
    send(wav_bytes(1), at="soon")
    assert not SpokenReply.objects.exists()
    send(wav_bytes(1), at="99:00")
    assert not SpokenReply.objects.exists()
    # What arrived is not lost: the page offers it.
    page = client.get(reverse("review:speak", args=[sent.pk])).content.decode()
    assert str(Upload.objects.get().pk) in page
    send(wav_bytes(1))
    assert SpokenReply.objects.get().at == 2.0
    release(sent, coach)
    send(wav_bytes(1))
    assert SpokenReply.objects.count() == 1


@commits
def test_a_real_recording_gets_its_captions_from_the_pipeline(
    models: Path, sent: Rehearsal, coach: User, tmp_path: Path
) -> None:
    upload = arrived(sent, coach, TOAST.read_bytes(), tmp_path)
    saved = save_reply(feedback=draft_of(sent), coach=coach, upload=upload, at=1.0)
    execute_reply(saved.pk)
    saved.refresh_from_db()
    assert (saved.state, saved.has_copy, saved.problem) == ("done", True, {})
    assert len(saved.words) > 20
    assert saved.media_key is not None
    assert storage().size(saved.plays)


@commits
def test_silence_plays_without_captions_and_rubbish_is_not_sent(
    models: Path, sent: Rehearsal, coach: User, tmp_path: Path, sign_in: SignIn
) -> None:
    for content in (wav_bytes(3), wav_bytes(90), b"OggS" + bytes(900)):
        upload = arrived(sent, coach, content, tmp_path)
        saved = save_reply(feedback=draft_of(sent), coach=coach, upload=upload, at=1.0)
        execute_reply(saved.pk)
    hum, long, rubbish = SpokenReply.objects.order_by("created_at")
    assert {each.state for each in (hum, long, rubbish)} == {"failed"}
    assert [each.has_copy for each in (hum, long, rubbish)] == [True, False, False]
    release(sent, coach)
    assert [each.pk for each in released_replies(sent)] == [hum.pk]
    client: Client = sign_in(coach)
    client.post(reverse("review:spoken_again", args=[hum.pk]))
    hum.refresh_from_db()
    assert (hum.state, hum.attempts) == ("queued", 0)


@commits
def test_it_goes_with_the_take_and_its_voice_with_the_coach(
    reply: SpokenReply, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert reply.media_key is not None
    place = places.take_place(reply.media_key)
    assert reconcile_storage().missing == ()
    other = SpokenReply.objects.create(
        rehearsal=sent, author=coach, author_name="Bea", at=1.0, words=reply.words
    )
    sign_in(coach).post(reverse("review:delete_spoken", args=[reply.pk]))
    assert Removal.objects.get(place=place).proven_at is not None
    assert list(SpokenReply.objects.all()) == [other]
    erase_person(user=coach, actor=coach)
    other.refresh_from_db()
    assert (other.author, other.media_key) == (None, None)
    assert other.text == "Lovely pause."
    delete_rehearsal(rehearsal=sent)
    assert not SpokenReply.objects.exists()


def test_both_take_it_along(
    reply: SpokenReply, sent: Rehearsal, trainee: User, coach: User
) -> None:
    def names(user: User) -> list[str]:
        with ZipFile(BytesIO(b"".join(archive_of(user)))) as archive:
            return [each for each in archive.namelist() if "spoken-reply" in each]

    assert names(trainee) == []
    assert len(names(coach)) == 2
    release(sent, coach)
    assert len(names(trainee)) == 2
    assert list(spoken_replies_for(trainee)) == [reply]
