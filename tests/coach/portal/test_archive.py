"""One's own data as a file that other programs open, with the recordings in it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.lib.web.large_bodies import slots
from coach.portal.management.commands import own_data
from coach.portal.personal.archive import archive_of
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report


def _opened(user: User) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(archive_of(user))))


def test_it_holds_the_recording_the_report_and_the_transcript_of_each_take(trainee: User) -> None:
    take = RehearsalFactory(owner=trainee, title="Où va l’eau ?", content=b"\0moov" * 1000)
    finish_analysis(take, make_report(duration=180.0))
    with _opened(trainee) as archive:
        assert archive.testzip() is None
        folder = f"takes/{timezone.localtime():%Y-%m-%d}-où-va-leau-{str(take.pk)[:8]}"
        assert archive.read(f"{folder}/recording.mp4") == b"\0moov" * 1000
        assert archive.read(f"{folder}/transcript.vtt").startswith(b"WEBVTT")
        assert json.loads(archive.read(f"{folder}/report.json"))["media"]
        assert json.loads(archive.read("my-data.json"))["rehearsals"][0]["title"] == "Où va l’eau ?"


def test_a_read_me_says_what_is_in_it_in_ones_own_language(trainee: User) -> None:
    trainee.language = "fr"
    with _opened(trainee) as archive:
        words = archive.read("read-me.txt").decode()
    assert "Voici ce que Rostrum conserve" in words
    assert "my-data.json" in words
    assert "UTC" in words


def test_nothing_of_somebody_else_is_in_it(trainee: User, stranger: User) -> None:
    RehearsalFactory(owner=trainee)
    with _opened(stranger) as archive:
        assert archive.namelist() == ["read-me.txt", "my-data.json"]


def test_what_is_no_longer_kept_is_said(trainee: User) -> None:
    RehearsalFactory(owner=trainee, media_removed_at=timezone.now(), original_name="../../x.sh;id")
    with _opened(trainee) as archive:
        [name] = [each for each in archive.namelist() if each.startswith("takes/")]
        assert name.endswith("/recording.txt")


def test_a_name_from_outside_decides_nothing(trainee: User) -> None:
    RehearsalFactory(owner=trainee, title="../../etc", original_name="a.tar/../b.m p4")
    with _opened(trainee) as archive:
        [name] = [each for each in archive.namelist() if each.startswith("takes/")]
    assert ".." not in name
    assert name.endswith("/recording")


def test_a_long_recording_is_never_whole_in_memory(trainee: User) -> None:
    RehearsalFactory(owner=trainee, content=bytes(8 * 1024**2))
    assert max(map(len, archive_of(trainee))) < 2 * 1024**2


def test_the_page_leads_to_it(trainee: User, sign_in: SignIn) -> None:
    RehearsalFactory(owner=trainee)
    client, url = sign_in(trainee), reverse("portal:own_archive")
    assert url in client.get(reverse("portal:privacy")).content.decode()
    response = client.get(url)
    assert isinstance(response, StreamingHttpResponse)
    assert response.headers["Content-Type"] == "application/zip"
    body = b"".join(response)  # type: ignore[arg-type]
    assert zipfile.is_zipfile(io.BytesIO(body))
    assert not slots.obstacle(trainee.pk)


@pytest.mark.parametrize("name", ["own_archive", "own_data"])
def test_one_at_a_time_is_enough(
    name: str, trainee: User, sign_in: SignIn, settings: object
) -> None:
    settings.UPLOADS_AT_ONCE = 1  # type: ignore[attr-defined]
    client: Client = sign_in(trainee)
    with slots.hold(trainee.pk):
        response = client.get(reverse(f"portal:{name}"), follow=True)
    assert "Try again in a minute" in response.content.decode()


def test_who_cannot_sign_in_and_asked_by_letter_is_given_the_same_file(
    trainee: User, tmp_path: Path
) -> None:
    there, owner = tmp_path / "ana.zip", RehearsalFactory(owner=trainee).owner
    call_command("own_data", owner.email.upper(), "--out", str(there), stdout=io.StringIO())
    with zipfile.ZipFile(there) as handed_out:
        names = handed_out.namelist()
        assert owner.email.encode() in handed_out.read("my-data.json")
    assert any(name.endswith("/recording.mp4") for name in names)
    assert there.stat().st_mode & 0o077 == 0
    assert Entry.objects.get(action="accounts.data_handed_out").object_id == str(owner.pk)
    for address, file, why in (
        (owner.email, "ana.zip", "already exists"),
        (owner.email, "away/ana.zip", "No such file"),
        ("nobody@example.org", "nobody.zip", "No account uses the address"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("own_data", address, "--out", str(tmp_path / file))
    assert [each.name for each in tmp_path.iterdir()] == ["ana.zip"]
    assert Entry.objects.filter(action="accounts.data_handed_out").count() == 1


def test_no_copy_is_called_whole_before_the_log_knows_of_it(
    trainee: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, was_there = tmp_path / "ana.zip", []

    def goes_away(**_act: object) -> None:
        was_there.append(there.exists())
        raise OperationalError

    monkeypatch.setattr(own_data, "record_act", goes_away)
    with pytest.raises(OperationalError):
        call_command("own_data", trainee.email, "--out", str(there))
    assert was_there == [False]
    assert list(tmp_path.iterdir()) == []
