"""A bundle that is loaded into an empty study gives the same bundle again."""

from __future__ import annotations

import hashlib
import zipfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.rehearsals.models import Removal
from coach.research.coding.models import Coding, Interview
from coach.research.exports import import_execution
from coach.research.exports.bundle.tables import BY_NAME
from coach.research.exports.import_execution import execute_import
from coach.research.exports.importing import NotABundle, load_bundle
from coach.research.exports.importing.reading import has_columns_of
from coach.research.exports.models import BundleImport
from coach.research.exports.services import MOST_IMPORTS
from coach.research.studies.models import Participant, Study
from coach.storage import places
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.full_database import fill
from tests.coach.research.making import bundle_of, make_study


def test_tables_texts_and_codings_are_the_same_again(
    study: Study, group: Interview, researcher: User, tmp_path: Path
) -> None:
    first = bundle_of(study, tmp_path, "first")
    empty = make_study(researcher, "replication")
    counts = load_bundle(study=empty, path=tmp_path / "first.zip", actor=researcher)
    assert (counts["codings"], counts["interviews"], counts["participants"]) == (3, 2, 2)
    empty.refresh_from_db()
    second = bundle_of(empty, tmp_path, "second")
    same = [
        name for name in first.namelist() if name.startswith(("data/", "interviews/", "documents/"))
    ]
    for name in same:
        assert second.read(name) == first.read(name), name
    assert second.read("qda/codebook.qdc") == first.read("qda/codebook.qdc")
    assert Coding.objects.filter(study=empty).count() == 3


def changed(path: Path, name: str, right: bytes, wrong: bytes) -> None:
    with zipfile.ZipFile(path) as archive:
        kept = {each: archive.read(each) for each in archive.namelist()}
    assert right in kept[name]
    kept[name] = kept[name].replace(right, wrong, 1)
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in kept.items():
            archive.writestr(each, content)


def test_what_is_not_as_it_says_is_refused_and_nothing_is_kept(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    bundle_of(study, tmp_path, "spoilt").close()
    path = tmp_path / "spoilt.zip"
    changed(path, "data/metrics.csv", b"pace", b"PACE")
    empty = make_study(researcher, "replication")
    with pytest.raises(NotABundle, match=r"data/metrics\.csv"):
        load_bundle(study=empty, path=path)
    (tmp_path / "text.zip").write_text("no zip")
    with pytest.raises(NotABundle):
        load_bundle(study=empty, path=tmp_path / "text.zip")
    assert not Participant.objects.filter(study=empty).exists()


def test_a_manifest_that_is_nested_by_the_thousand_and_a_locked_file_are_refused(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    """Not tried three times, to say in the end that something went wrong here."""
    bundle_of(study, tmp_path, "whole").close()
    with zipfile.ZipFile(tmp_path / "whole.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["export_manifest.json"] = b"[" * 100_000
    packed(tmp_path / "deep.zip", files)
    locked = bytearray((tmp_path / "deep.zip").read_bytes())
    # The first bit of a file's flags says that a password is needed, here of all of them.
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = locked.find(mark)
        while at >= 0:
            locked[at + place] |= 1
            at = locked.find(mark, at + 1)
    (tmp_path / "locked.zip").write_bytes(locked)
    empty = make_study(researcher, "replication")
    for name in ("deep.zip", "locked.zip"):
        with pytest.raises(NotABundle):
            load_bundle(study=empty, path=tmp_path / name)


def test_a_bundle_from_before_a_column_is_loaded_where_the_column_may_be_empty() -> None:
    codes = BY_NAME["codes"]
    former = [name for name in codes.names if name != "examples"]
    assert has_columns_of(codes, former)
    assert not has_columns_of(codes, former[1:])
    assert not has_columns_of(codes, list(reversed(codes.names)))
    assert not has_columns_of(codes, [*codes.names, "more"])


def test_a_study_that_has_people_takes_none_in(study: Study, tmp_path: Path) -> None:
    bundle_of(study, tmp_path, "whole").close()
    with pytest.raises(NotABundle):
        load_bundle(study=study, path=tmp_path / "whole.zip")


def test_a_bundle_is_loaded_by_a_worker_from_its_page(
    study: Study, researcher: User, tmp_path: Path, sign_in: SignIn
) -> None:
    bundle_of(study, tmp_path, "first").close()
    client = sign_in(researcher)
    with (tmp_path / "first.zip").open("rb") as file:
        page = client.post(reverse("research:load"), {"file": file}).headers["Location"]
    asked = BundleImport.objects.get()
    assert "Importing" in client.get(page).content.decode()
    execute_import(asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.study.participants.count()) == ("done", 2)
    assert "Import finished" in client.get(page).content.decode()
    other = UserFactory(roles=[Role.RESEARCHER])
    assert sign_in(other).get(page).status_code == 404
    with (tmp_path / "no.zip").open("wb+") as file:
        file.write(b"no zip")
        file.seek(0)
        page = client.post(reverse("research:load"), {"file": file}).headers["Location"]
    refused = BundleImport.objects.get(name="no").pk
    execute_import(refused)
    assert Removal.objects.filter(place=places.bundle_place(refused)).exists()
    assert "The import failed" in client.get(page).content.decode()


def test_of_one_person_two_are_loaded_at_a_time_and_none_where_the_disk_is_nearly_full(
    researcher: User, sign_in: SignIn, settings: Any
) -> None:
    client = sign_in(researcher)

    def send() -> str:
        file = SimpleUploadedFile("first.zip", b"x" * 9000)
        return client.post(reverse("research:load"), {"file": file}, follow=True).content.decode()

    for _number in range(MOST_IMPORTS):
        assert "Importing" in send()
    assert "Two of your files are still being imported." in send()
    assert BundleImport.objects.count() == Study.objects.count() == MOST_IMPORTS
    execute_import(BundleImport.objects.latest("asked_at").pk)
    settings.LEAST_FREE_BYTES = 2**60
    assert "The disk of this site is nearly full" in send()
    settings.LEAST_FREE_BYTES = 0
    assert "Importing" in send()


def test_a_bundle_for_which_the_disk_has_no_room_is_tried_once_and_says_what_helps(
    researcher: User, tmp_path: Path, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "first.zip").write_bytes(b"x" * 9000)
    client = sign_in(researcher)
    with (tmp_path / "first.zip").open("rb") as file:
        page = client.post(reverse("research:load"), {"file": file}).headers["Location"]
    asked = BundleImport.objects.get()
    (tmp_path / "bundle").symlink_to("/dev/full")
    monkeypatch.setattr(import_execution, "scratch", lambda: nullcontext(tmp_path))
    execute_import(asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.attempts) == ("failed", 1)
    words = client.get(page).content.decode()
    assert "Nothing was saved" in words
    assert "Import the file again once your administrator has freed space" in words
    assert Removal.objects.filter(place=places.bundle_place(asked.pk)).exists()


def test_nor_is_one_tried_again_for_which_the_database_has_none(
    study: Study, researcher: User, tmp_path: Path, sign_in: SignIn
) -> None:
    bundle_of(study, tmp_path, "whole").close()
    client = sign_in(researcher)
    with (tmp_path / "whole.zip").open("rb") as file:
        page = client.post(reverse("research:load"), {"file": file}).headers["Location"]
    fill(Participant._meta.db_table)
    asked = BundleImport.objects.get()
    execute_import(asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.attempts) == ("failed", 1)
    assert "once your administrator has freed space" in client.get(page).content.decode()
    assert not Participant.objects.filter(study=asked.study).exists()


def test_what_fails_otherwise_is_tried_three_times(
    researcher: User, tmp_path: Path, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "first.zip").write_bytes(b"x" * 9000)
    with (tmp_path / "first.zip").open("rb") as file:
        sign_in(researcher).post(reverse("research:load"), {"file": file})
    asked = BundleImport.objects.get()

    def fails() -> None:
        raise OSError

    monkeypatch.setattr(import_execution, "scratch", fails)
    for state in ("queued", "queued", "failed"):
        execute_import(asked.pk)
        asked.refresh_from_db()
        assert (asked.state, asked.problems) == (state, [])


FORMER_TABLES = frozenset(
    {
        "adjudications",
        "agreement",
        "answers",
        "coach_reviews",
        "coders",
        "codes",
        "codings",
        "consents",
        "corrections",
        "desk_times",
        "events",
        "exclusions",
        "feedback_evidence",
        "feedback_items",
        "interview_turns",
        "interviews",
        "measurements",
        "memos",
        "metrics",
        "participants",
        "questions",
        "rehearsals",
        "rounds",
        "rubric_criteria",
        "rubric_scores",
        "take_codings",
        "viewings",
    }
)
"""Those of the first bundles: one that comes to be is missing in all bundles of before."""


def test_a_bundle_without_the_newest_tables_is_loaded_and_nan_is_no_number(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    bundle_of(study, tmp_path, "former").close()
    path = tmp_path / "former.zip"
    with zipfile.ZipFile(path) as archive:
        kept = {each: archive.read(each) for each in archive.namelist()}
    for table in BY_NAME.values():
        if table.name not in FORMER_TABLES:
            del kept[f"data/{table.name}.csv"]
    packed(path, kept)
    former = make_study(researcher, "former")
    load_bundle(study=former, path=path)
    assert Coding.objects.filter(study=former).count() == 3
    assert b",8,24,0.95,good," in kept["data/measurements.csv"]
    kept["data/measurements.csv"] = kept["data/measurements.csv"].replace(
        b",8,24,0.95,good,", b",NaN,24,0.95,good,"
    )
    packed(path, kept)
    with pytest.raises(NotABundle, match=r"data/measurements\.csv"):
        load_bundle(study=make_study(researcher, "spoilt"), path=path)


def packed(path: Path, files: dict[str, bytes]) -> None:
    """A zip of these files whose hashes hold."""
    del files["SHA256SUMS"]
    lines = [f"{hashlib.sha256(words).hexdigest()}  {name}\n" for name, words in files.items()]
    files["SHA256SUMS"] = "".join(lines).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, words in files.items():
            archive.writestr(name, words)
