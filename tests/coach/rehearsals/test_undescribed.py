"""What a telephone writes into a film beside picture and sound reaches nobody but its owner."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePath

import av
import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Cohort, Purpose, User
from coach.accounts.services import give_consent, withdraw_consent
from coach.guests.services import make_link
from coach.portal.personal.archive import archive_of
from coach.rehearsals.custody import custody, places
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.undescribed import read_undescribed
from coach.research.exports.said import recordings_of
from tests.coach.cast import analysed_take
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, folder_of

PLACE, DEVICE, PERSON = b"+48.8566+002.3522", b"Pocket 7", b"Ana Silva"
TOLD = (PLACE, DEVICE, PERSON)


def film(path: Path, container: str, options: dict[str, str]) -> bytes:
    """One second with a picture, which says where, with what and by whom it was taken."""
    with av.open(str(path), "w", format=container, options=options) as out:
        for key in ("location", "com.apple.quicktime.location.ISO6709"):
            out.metadata[key] = PLACE.decode()
        out.metadata["model"] = out.metadata["title"] = DEVICE.decode()
        out.metadata["artist"] = PERSON.decode()
        stream = out.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for shade in range(10):
            picture = np.full((48, 64, 3), shade * 20, np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        out.mux(stream.encode())
    return path.read_bytes()


FILMS = [
    ("mov", {}),
    ("mp4", {}),
    ("mp4", {"movflags": "use_metadata_tags"}),
    ("mov", {"movflags": "use_metadata_tags+faststart"}),
    ("mp4", {"movflags": "frag_keyframe+empty_moov"}),
]


@pytest.fixture(params=FILMS, ids=lambda each: f"{each[0]} {each[1].get('movflags', '')}")
def filmed(request: pytest.FixtureRequest, sent: Rehearsal, tmp_path: Path) -> Rehearsal:
    """Ana's take is such a film, and Bea has it."""
    content = film(tmp_path / "film", *request.param)
    assert any(each in content for each in TOLD)
    return kept(sent, content)


def kept(take: Rehearsal, content: bytes) -> Rehearsal:
    (folder_of(take) / "original").write_bytes(content)
    Rehearsal.objects.filter(pk=take.pk).update(playback_type="video/mp4", has_video=True)
    take.refresh_from_db()
    return take


def original(take: Rehearsal) -> bytes:
    return b"".join(custody().read(places.original(take.pk)))


def undescribed(take: Rehearsal) -> Iterator[bytes]:
    name = places.original(take.pk)
    return read_undescribed(name, size=custody().size(name))


def shades(content: bytes) -> list[int]:
    with av.open(io.BytesIO(content)) as film:
        return [int(each.to_ndarray(format="gray").mean()) for each in film.decode(video=0)]


def is_undescribed(content: bytes, take: Rehearsal) -> bool:
    with av.open(io.BytesIO(content)) as film:
        said = " ".join(film.metadata.values())
    told = [each for each in TOLD if each in content or each.decode() in said]
    return not told and len(content) == len(original(take))


def test_a_coach_gets_picture_and_sound_and_no_place(
    filmed: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    url, client = reverse("rehearsals:media", args=[filmed.pk]), sign_in(coach)
    whole = client.get(url).getvalue()
    assert is_undescribed(whole, filmed)
    assert shades(whole) == shades(original(filmed))
    step = 700
    parts = [
        client.get(url, headers={"Range": f"bytes={at}-{at + step - 1}"}).getvalue()
        for at in range(0, len(whole), step)
    ]
    assert b"".join(parts) == whole


def test_so_does_a_guest(filmed: Rehearsal) -> None:
    link, token = make_link(
        rehearsal=filmed, maker=filmed.owner, meant_for="Paul", days=7, shows_findings=False
    )
    client = Client()
    client.post(reverse("guests:door", args=[token]), {"name": "Paul"})
    media = client.get(reverse("guests:media", args=[link.pk])).getvalue()
    assert is_undescribed(media, filmed)


def test_so_do_researchers(filmed: Rehearsal, researcher: User) -> None:
    for purpose in (
        *(Purpose.RESEARCH_MEASUREMENTS, Purpose.RESEARCH_AUDIO),
        Purpose.RESEARCH_VIDEO,
    ):
        give_consent(user=filmed.owner, purpose=purpose)
    with zipfile.ZipFile(io.BytesIO(b"".join(recordings_of(researcher)))) as archive:
        (name,) = [each for each in archive.namelist() if each != "recordings.csv"]
        assert is_undescribed(archive.read(name), filmed)


@pytest.mark.parametrize(
    ("called", "ends"),
    [("talk.MP4", ".mp4"), ("talk of.Ana", ""), ("a.silva", ""), ("talk", ""), ("x.mp4.ana", "")],
)
def test_the_end_of_a_name_tells_researchers_which_kind_it_is_and_nothing_else(
    sent: Rehearsal, researcher: User, called: str, ends: str
) -> None:
    for purpose in (Purpose.RESEARCH_MEASUREMENTS, Purpose.RESEARCH_AUDIO, Purpose.RESEARCH_VIDEO):
        give_consent(user=sent.owner, purpose=purpose)
    kept(sent, box(b"ftyp", b"isom"))
    Rehearsal.objects.filter(pk=sent.pk).update(original_name=called)
    with zipfile.ZipFile(io.BytesIO(b"".join(recordings_of(researcher)))) as archive:
        (name,) = [each for each in archive.namelist() if each != "recordings.csv"]
    assert PurePath(name).suffix == ends


@pytest.mark.parametrize("purpose", [Purpose.RESEARCH_AUDIO, Purpose.RESEARCH_VIDEO])
def test_who_takes_their_consent_back_while_recordings_leave_is_not_among_them(
    sent: Rehearsal, cohort: Cohort, researcher: User, purpose: Purpose
) -> None:
    other = analysed_take(UserFactory(), cohort)
    for take in (sent, other):
        for each in (
            *(Purpose.RESEARCH_MEASUREMENTS, Purpose.RESEARCH_AUDIO),
            Purpose.RESEARCH_VIDEO,
        ):
            give_consent(user=take.owner, purpose=each)
        folder_of(take).mkdir(parents=True, exist_ok=True)
        kept(take, box(b"ftyp", b"isom"))
    pieces = recordings_of(researcher)
    left = next(pieces)
    withdraw_consent(user=other.owner, purpose=purpose)
    with zipfile.ZipFile(io.BytesIO(left + b"".join(pieces))) as archive:
        names = archive.namelist()
    assert [name.partition("/")[0] for name in names] == [
        str(sent.owner.pseudonym),
        "recordings.csv",
    ]


def test_its_owner_downloads_it_whole(filmed: Rehearsal) -> None:
    content = b"".join(archive_of(filmed.owner))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (name,) = [each for each in archive.namelist() if "/recording" in each]
        assert archive.read(name) == original(filmed)


def box(kind: bytes, content: bytes = b"", *, is_long: bool = False) -> bytes:
    if is_long:
        return b"\0\0\0\1" + kind + (16 + len(content)).to_bytes(8) + content
    return (8 + len(content)).to_bytes(4) + kind + content


def handler(kind: bytes) -> bytes:
    return box(b"mdia", box(b"mdhd", b"x" * 24) + box(b"hdlr", b"\0" * 8 + kind + b"\0" * 12))


@pytest.mark.parametrize("is_long", [False, True])
def test_each_box_that_tells_becomes_free_space_and_everything_else_stays(
    sent: Rehearsal, *, is_long: bool
) -> None:
    seen = box(b"trak", box(b"tkhd", b"t" * 80) + handler(b"vide") + box(b"udta", PLACE))
    where = box(b"trak", handler(b"meta") + box(b"meta", PLACE), is_long=is_long)
    moov = box(b"moov", box(b"mvhd", b"m" * 100) + seen + where + box(b"udta", PLACE))
    content = b"".join(
        [
            box(b"ftyp", b"qt  "),
            box(b"uuid", PERSON * 3, is_long=is_long),
            box(b"mdat", b"picture", is_long=is_long),
            moov,
            box(b"meta", DEVICE),
        ]
    )
    left = b"".join(undescribed(kept(sent, content)))
    assert len(left) == len(content)
    assert not any(each in left for each in TOLD)
    for part in (b"picture", b"m" * 100, b"t" * 80, handler(b"vide")):
        assert part in left
    assert handler(b"meta") not in left
    assert left.count(b"free") == 5


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x1aE\xdf\xa3 a film of another kind with udta and meta in it",
        b"RIFF\0\0\0\0WAVEudta",
        b"ID3",
        b"fLaC",
        b"OggS",
        box(b"ftyp", b"qt  ") + b"\0\0\0\2udta",
        box(b"ftyp", b"qt  ") + b"\0\0\0\1udta",
        box(b"ftyp", b"qt  ") + b"\xff\xff\xff\xffmoov\0\0",
        box(b"ftyp", b"qt  ") + box(b"mdat", b"meta udta uuid"),
    ],
)
def test_what_has_no_such_box_is_delivered_as_it_is(sent: Rehearsal, content: bytes) -> None:
    assert b"".join(undescribed(kept(sent, content))) == content


def test_a_box_that_claims_to_reach_beyond_its_file_ends_with_it(sent: Rehearsal) -> None:
    content = box(b"ftyp", b"qt  ") + b"\0\0\xff\xffudta" + PLACE
    left = b"".join(undescribed(kept(sent, content)))
    assert (len(left), PLACE in left) == (len(content), False)


def test_what_is_read_is_closed_before_anybody_asked_for_the_first_piece(sent: Rehearsal) -> None:
    content = box(b"ftyp", b"qt  ") + box(b"udta", PLACE)
    pieces = undescribed(kept(sent, content))
    close = getattr(pieces, "close", None)
    assert close is not None
    close()


def test_the_copy_for_browsers_is_ours_and_delivered_as_it_is(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    content = box(b"ftyp", b"isom") + box(b"udta", b"ours")
    (folder_of(sent) / "playback").write_bytes(content)
    Rehearsal.objects.filter(pk=sent.pk).update(has_copy=True, playback_type="video/mp4")
    answer = sign_in(coach).get(reverse("rehearsals:media", args=[sent.pk]))
    assert answer.getvalue() == content
