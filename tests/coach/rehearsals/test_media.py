"""Recordings are delivered by byte range, to those who may open them, and never run."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePath

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Cohort, Purpose, User
from coach.accounts.services import give_consent, withdraw_consent
from coach.guests.services import make_link
from coach.lib.web.http import Unsatisfiable, parse_range
from coach.portal.personal.archive import archive_of
from coach.rehearsals.models import Rehearsal
from coach.research.exports.transcripts import recordings_of
from coach.storage import places, storage
from tests.coach.cast import analysed_take
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, folder_of, give_poster, place

SIZE = 10
RESEARCH_SOUND = (Purpose.RESEARCH_MEASUREMENTS, Purpose.RESEARCH_AUDIO)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("bytes=0-", (0, 9)),
        ("bytes=2-5", (2, 5)),
        ("Bytes= 2-5", (2, 5)),
        ("bytes=-3", (7, 9)),
        ("bytes=-30", (0, 9)),
        ("bytes=8-100", (8, 9)),
        ("bytes=0000000000000000000000000004-5", (4, 5)),
        (f"bytes=-{'9' * 4400}", (0, 9)),
        (f"bytes=0-{'9' * 4400}", (0, 9)),
        # What a server does not understand it ignores, and sends the whole.
        ("", None),
        ("bytes=5-2", None),
        ("bytes=-", None),
        ("bytes=x", None),
        ("bytes=0-1,4-5", None),
        ("items=0-1", None),
    ],
)
def test_a_range_is_read_as_the_standard_says(
    header: str, expected: tuple[int, int] | None
) -> None:
    assert parse_range(header, SIZE) == expected


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=-0", f"bytes={'9' * 4400}-"])
def test_a_range_behind_the_end_is_told_apart(header: str) -> None:
    with pytest.raises(Unsatisfiable):
        parse_range(header, SIZE)


@pytest.mark.parametrize("header", ["bytes=0-", "bytes=0-9999999"])
def test_a_long_range_is_answered_in_parts_so_that_a_paused_player_holds_no_thread(
    header: str,
) -> None:
    assert parse_range(header, 10 * 2**20) == (0, 4 * 2**20 - 1)


def test_several_ranges_are_answered_with_the_whole_file(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("rehearsals:media", args=[take.pk])
    response = sign_in(trainee).get(url, headers={"range": "bytes=0-1,4-5"})
    assert (response.status_code, body(response)) == (200, b"0123456789")


def body(response: object) -> bytes:
    assert isinstance(response, StreamingHttpResponse)
    return b"".join(response)  # type: ignore[arg-type]


def test_a_player_can_seek(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    url = reverse("rehearsals:media", args=[take.pk])
    client = sign_in(trainee)
    whole = client.get(url)
    assert (whole.status_code, body(whole)) == (200, b"0123456789")
    assert whole.headers["Accept-Ranges"] == "bytes"
    part = client.get(url, headers={"range": "bytes=4-6"})
    assert (part.status_code, body(part)) == (206, b"456")
    assert part.headers["Content-Range"] == "bytes 4-6/10"
    assert part.headers["Content-Length"] == "3"
    beyond = client.get(url, headers={"range": "bytes=20-"})
    assert beyond.status_code == 416
    head = client.head(url)
    assert head.headers["Content-Length"] == "10"


def test_what_was_uploaded_is_never_sniffed_or_run(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    response = sign_in(trainee).get(reverse("rehearsals:media", args=[take.pk]))
    body(response)
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == (
        "sandbox allow-same-origin; default-src 'none'; media-src 'self'"
    )
    assert response.headers["Content-Type"] == "video/mp4"


@pytest.mark.parametrize("kind", ["", "text/html", "image/svg+xml", "application/pdf"])
def test_what_is_no_recording_may_not_even_play(
    kind: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    Rehearsal.objects.filter(pk=take.pk).update(playback_type=kind)
    give_poster(take)
    for name in ("media", "poster"):
        response = sign_in(trainee).get(reverse(f"rehearsals:{name}", args=[take.pk]))
        body(response)
        assert response.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"


def test_no_browser_keeps_a_copy_that_outlives_the_permission(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    give_poster(take)
    for name in ("media", "poster"):
        response = sign_in(trainee).get(reverse(f"rehearsals:{name}", args=[take.pk]))
        body(response)
        assert response.headers["Cache-Control"] == "private, no-store"


def test_its_owner_sees_who_opened_it(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    url = reverse("rehearsals:media", args=[sent.pk])
    for _again in range(3):
        body(sign_in(coach).get(url))
    body(sign_in(trainee).get(url))
    assert list(sent.viewings.values_list("viewer__name", "what")) == [("Bea", "recording")]
    page = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    assert "Bea" in page


@pytest.mark.parametrize("name", ["feedback:captions", "rehearsals:poster"])
def test_its_owner_sees_who_took_the_transcript_or_the_picture_alone(
    name: str, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    give_poster(sent)
    for _again in range(2):
        b"".join(sign_in(coach).get(reverse(name, args=[sent.pk])))  # type: ignore[arg-type]
    assert list(sent.viewings.values_list("viewer__name", "what")) == [("Bea", "report")]


def test_what_a_page_fetches_by_itself_is_not_written_down_again(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    sign_in(coach).get(reverse("review:desk", args=[sent.pk]))
    sign_in(coach).get(reverse("feedback:captions", args=[sent.pk]))
    assert [viewing.what for viewing in sent.viewings.all()] == ["desk"]


def test_deleting_a_take_deletes_everything_made_from_it(
    sent: Rehearsal,
    trainee: User,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:
    folder = folder_of(sent)
    assert (folder / "original").exists()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        response = sign_in(trainee).post(
            reverse("portal:delete_take", args=[sent.pk]), {"confirm": "yes"}
        )
    assert response.status_code == 302
    assert not Rehearsal.objects.exists()
    assert not folder.exists()


def test_only_the_owner_gets_the_original_before_there_is_a_copy(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    place(places.copy_to_play(sent.pk), b"the copy")
    url = reverse("rehearsals:media", args=[sent.pk])
    Rehearsal.objects.filter(pk=sent.pk).update(has_copy=False)
    assert sign_in(coach).get(url).status_code == 404
    original = b"".join(storage().read(places.original(sent.pk)))
    assert sign_in(sent.owner).get(url).getvalue() == original
    Rehearsal.objects.filter(pk=sent.pk).update(has_copy=True)
    assert sign_in(coach).get(url).getvalue() == b"the copy"


def test_a_guest_gets_the_copy_and_nothing_before_it_is_made(sent: Rehearsal) -> None:
    place(places.copy_to_play(sent.pk), b"the copy")
    link, token = make_link(
        rehearsal=sent, maker=sent.owner, meant_for="Paul", days=7, shows_findings=False
    )
    client = Client()
    client.post(reverse("guests:door", args=[token]), {"name": "Paul"})
    url = reverse("guests:media", args=[link.pk])
    assert client.get(url).getvalue() == b"the copy"
    Rehearsal.objects.filter(pk=sent.pk).update(has_copy=False)
    assert client.get(url).status_code == 404


def test_researchers_download_the_copy_and_nothing_before_it_is_made(
    sent: Rehearsal, researcher: User
) -> None:
    for purpose in (*RESEARCH_SOUND, Purpose.RESEARCH_VIDEO):
        give_consent(user=sent.owner, purpose=purpose)
    place(places.copy_to_play(sent.pk), b"the copy")

    def recordings() -> dict[str, bytes]:
        with zipfile.ZipFile(io.BytesIO(b"".join(recordings_of(researcher)))) as archive:
            names = [each for each in archive.namelist() if each != "recordings.csv"]
            return {PurePath(name).suffix: archive.read(name) for name in names}

    assert recordings() == {".mp4": b"the copy"}
    Rehearsal.objects.filter(pk=sent.pk).update(has_copy=False)
    assert recordings() == {}


@pytest.mark.parametrize("purpose", [Purpose.RESEARCH_AUDIO, Purpose.RESEARCH_VIDEO])
def test_a_consent_withdrawn_during_the_download_takes_that_recording_out(
    sent: Rehearsal, cohort: Cohort, researcher: User, purpose: Purpose
) -> None:
    other = analysed_take(UserFactory(), cohort)
    for take in (sent, other):
        for each in (*RESEARCH_SOUND, Purpose.RESEARCH_VIDEO):
            give_consent(user=take.owner, purpose=each)
    pieces = recordings_of(researcher)
    left = next(pieces)
    withdraw_consent(user=other.owner, purpose=purpose)
    with zipfile.ZipFile(io.BytesIO(left + b"".join(pieces))) as archive:
        names = archive.namelist()
    assert [name.partition("/")[0] for name in names] == [
        str(sent.owner.pseudonym),
        "recordings.csv",
    ]


def test_the_owner_downloads_the_whole_original(sent: Rehearsal) -> None:
    with zipfile.ZipFile(io.BytesIO(b"".join(archive_of(sent.owner)))) as archive:
        (name,) = [each for each in archive.namelist() if "/recording" in each]
        assert archive.read(name) == b"".join(storage().read(places.original(sent.pk)))
