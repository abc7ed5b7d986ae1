"""How the file of a recording arrives: in pieces or by a form, whole or cut off."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from coach.accounts.models import User
from coach.rehearsals.models import Upload
from coach.rehearsals.selectors import uploads_for
from coach.research.coding.models import Recording
from coach.research.studies.models import ConsentEvent, Participant, Scope
from coach.storage import places, storage
from coach.uploads.limits import upload_obstacle
from tests.coach.conftest import SignIn
from tests.coach.research.making import agree
from tests.coach.research.recordings.conftest import sent
from tests.coach.research.recordings.pages import WAV, tus, url

pytestmark = pytest.mark.django_db


def test_it_comes_in_pieces_for_this_recording_alone(
    awaited: Recording, ana: Participant, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    name = base64.b64encode(b"talk.wav").decode()
    begin = {"Upload_Length": str(len(WAV)), "Upload_Metadata": f"filename {name}"}
    assert (
        tus(sign_in(trainee), url(awaited, "recording_uploads"), "POST", **begin).status_code == 404
    )
    answer = tus(client, url(awaited, "recording_uploads"), "POST", **begin)
    assert answer.status_code == 201
    upload = Upload.objects.get()
    assert upload.meant_for == awaited.upload_key
    assert not uploads_for(researcher).exists()
    piece = tus(client, answer.headers["Location"], "PATCH", WAV, Upload_Offset="0")
    assert piece.status_code == 204
    handed_in = client.post(
        f"{url(awaited, 'hand_in_recording')}?upload={upload.pk}",
        headers={"Accept": "application/json"},
    )
    assert handed_in.json() == {"next": url(awaited)}
    awaited.refresh_from_db()
    assert (awaited.state, awaited.original_name) == ("queued", "talk.wav")
    assert awaited.media_key is not None
    assert storage().size(places.original(awaited.media_key)) == len(WAV)
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    assert tus(client, url(awaited, "recording_uploads"), "POST", **begin).status_code == 404


def test_nothing_is_sent_of_somebody_who_agrees_no_more(
    awaited: Recording, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    answer = tus(sign_in(researcher), url(awaited, "recording_uploads"), "POST", Upload_Length="9")
    assert answer.status_code == 403
    assert "no longer agrees" in json.loads(answer.content)["message"]
    assert not Upload.objects.exists()
    signed_out = tus(Client(), url(awaited, "recording_uploads"), "POST", Upload_Length="9")
    assert signed_out.status_code == 401


def test_a_form_sends_it_where_no_script_runs(
    awaited: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    refused = client.post(
        url(awaited, "send_recording"),
        {"recording": SimpleUploadedFile("a.wav", b"#!/bin/sh\n" * 40)},
    )
    assert refused.headers["Location"] == url(awaited)
    assert "not a recording in a format" in client.get(url(awaited)).content.decode()
    assert not Upload.objects.exists()
    client.post(url(awaited, "send_recording"), {"recording": SimpleUploadedFile("a.wav", WAV)})
    awaited.refresh_from_db()
    assert (awaited.state, awaited.size_bytes) == ("queued", len(WAV))
    assert client.post(
        url(awaited, "check_recording"), WAV, content_type="application/octet-stream"
    ).json() == {"message": ""}


def test_too_many_that_wait_are_said_to_be_where_they_are(
    awaited: Recording, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    file = tmp_path / "a.wav"
    file.write_bytes(WAV)
    sent(awaited, researcher, file)
    client = sign_in(researcher)

    def asked(address: str) -> str:
        answer = client.post(address, WAV, content_type="application/octet-stream")
        return str(answer.json()["message"])

    with override_settings(MOST_WAITING_UPLOADS=1):
        problem = asked(url(awaited, "check_recording"))
        assert "You have 1 unfinished upload" in problem
        assert "on the page where you uploaded it" in problem
        assert "Practise" not in problem
        form = {"recording": SimpleUploadedFile("a.wav", WAV)}
        refused = client.post(url(awaited, "send_recording"), form, follow=True)
        assert "on the page where you uploaded it" in refused.content.decode()
        begun = tus(client, url(awaited, "recording_uploads"), "POST", upload_length="9")
        assert "on the page where you uploaded it" in begun.json()["message"]
        # They are in no take's way.
        assert upload_obstacle(owner=researcher, expected_bytes=9) == ""
    assert asked(url(awaited, "check_recording")) == ""


def test_a_form_of_another_page_sends_nothing(awaited: Recording, researcher: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(researcher)
    answer = client.post(
        url(awaited, "send_recording"), {"recording": SimpleUploadedFile("a.wav", WAV)}
    )
    assert answer.status_code == 403
    assert not Upload.objects.exists()


def test_what_stopped_midway_is_used_or_discarded(
    awaited: Recording, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    client, file = sign_in(researcher), tmp_path / "x.wav"
    file.write_bytes(WAV)
    upload = sent(awaited, researcher, file)
    Upload.objects.update(state="cut_off")
    assert "stopped after" in client.get(url(awaited)).content.decode()
    client.post(url(awaited, "discard_recording"), {"upload": upload.pk})
    assert not Upload.objects.exists()
    other = sent(awaited, researcher, file)
    Upload.objects.update(state="cut_off")
    client.post(url(awaited, "hand_in_recording"), {"upload": other.pk})
    awaited.refresh_from_db()
    assert (awaited.state, awaited.is_partial) == ("queued", True)
    assert client.post(url(awaited, "hand_in_recording"), {"upload": other.pk}).status_code == 302
