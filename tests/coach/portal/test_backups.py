"""A backup of a site, restored into an empty one with another key and another folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pyrage
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.portal.backups.archive import Backup, BackupDamaged, backups_in, read_backup
from coach.portal.backups.services import NotEmpty, check_backup, make_backup, restore_backup
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import delete_rehearsal
from coach.slides.models import Deck
from coach.storage import places
from coach.storage.factory import storage
from tests.coach.factories import RehearsalFactory, finish_analysis, give_poster
from tests.coach.uploads.handing_in import waiting
from tests.parts import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def site(tmp_path: Path) -> Iterator[Rehearsal]:
    """A site with a report, a waiting upload and slides."""
    with override_settings(MEDIA_ROOT=tmp_path / "media"):
        take = RehearsalFactory()
        give_poster(take)
        finish_analysis(take)
        waiting(take.owner)
        deck = Deck.objects.create(owner=take.owner, talk=take.talk, name="a.pdf", size_bytes=9)
        (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4\n")
        storage().keep(tmp_path / "a.pdf", places.deck_file(deck.pk))
        yield take


@pytest.fixture
def identity(tmp_path: Path) -> Path:
    """The file of a secret key, as age-keygen writes it."""
    key = pyrage.x25519.Identity.generate()
    path = tmp_path / "key.txt"
    path.write_text(f"# public key: {key.to_public()}\n{key}\n")
    return path


def backed_up(folder: Path, identity: Path | None = None, **options: object) -> Backup:
    public = "" if identity is None else identity.read_text().split()[3]
    call_command(
        "backup", folder, recipient=public, stdout=StringIO(), stderr=StringIO(), **options
    )
    return backups_in(folder)[-1]


@pytest.fixture
def empty() -> Iterator[str]:
    """The address of an empty database beside this one."""
    name = f"{connection.settings_dict['NAME']}_restored"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}"')
    yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def elsewhere(database: str, media: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command of another site."""
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "MEDIA_ROOT": str(media),
        "SECRET_KEY": "another",
        "LANG": "C.UTF-8",
    }
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, words)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def rows(cursor: object) -> dict[str, list[str]]:
    """All rows of all tables as text, without what a restore adds to the log and the cache."""
    run = cursor.execute  # type: ignore[attr-defined]
    run(
        "SELECT tablename FROM pg_tables "
        "WHERE schemaname = 'public' AND tablename <> 'django_cache'"
    )
    names = sorted(name for (name,) in cursor.fetchall())  # type: ignore[attr-defined]
    found = {}
    for name in names:
        condition = "WHERE action NOT LIKE 'portal.%'" if name == "audit_entry" else ""
        run(f'SELECT t::text FROM "{name}" t {condition}')  # noqa: S608 - names of our tables
        found[name] = sorted(text for (text,) in cursor.fetchall())  # type: ignore[attr-defined]
    return found


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def test_every_row_and_file_comes_back_in_an_empty_site(
    tmp_path: Path, identity: Path, empty: str
) -> None:
    backup = backed_up(tmp_path / "backups", identity)
    for path, _file in backup.files:
        assert path.read_bytes().startswith(b"age-encryption.org/")
    media = tmp_path / "other"
    done = elsewhere(empty, media, "restore", backup.folder, "--identity", identity)
    assert done.returncode == 0, done.stderr
    with connection.cursor() as here, psycopg.connect(empty) as there:
        before, after = rows(here), rows(there.cursor())
    assert after == before
    assert before["feedback_feedback"]
    assert files(media) == files(Path(settings.MEDIA_ROOT))
    again = elsewhere(empty, media, "restore", backup.folder, "--identity", identity)
    assert again.returncode != 0
    assert "has accounts" in again.stderr


@pytest.mark.parametrize("is_encrypted", [True, False])
def test_one_changed_byte_is_found_and_nothing_is_restored(
    tmp_path: Path, identity: Path, empty: str, *, is_encrypted: bool
) -> None:
    backup = backed_up(tmp_path / "backups", identity if is_encrypted else None)
    path, _file = list(backup.files)[-1]
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(BackupDamaged):
        check_backup(backup)  # without the secret key
    media = tmp_path / "other"
    done = elsewhere(empty, media, "restore", backup.folder, "--identity", identity)
    assert done.returncode != 0
    assert path.name in done.stderr
    with psycopg.connect(empty) as there:
        assert rows(there.cursor()) == {}
    assert files(media) == {}


def test_another_key_opens_nothing(tmp_path: Path, identity: Path) -> None:
    backup = backed_up(tmp_path / "backups", identity)
    other = [pyrage.x25519.Identity.generate()]
    with pytest.raises(BackupDamaged):
        check_backup(backup, identities=other)
    with pytest.raises(CommandError):
        call_command("restore", backup.folder, stderr=StringIO())


def test_a_recording_is_written_once_and_leaves_with_the_last_backup_that_has_it(
    tmp_path: Path, site: Rehearsal
) -> None:
    folder, told = tmp_path / "backups", list[str]()
    first = make_backup(folder, keep=2, tell=told.append)
    assert places.original(site.pk) in told
    made = first.recording(first.manifest.recordings[0]).stat().st_mtime_ns
    told.clear()
    (first.folder).rename(folder / "2026-01-01T000000Z")
    second = make_backup(folder, keep=2, tell=told.append)
    assert told == []
    assert second.recording(second.manifest.recordings[0]).stat().st_mtime_ns == made
    assert check_backup(second) == len(second.manifest.recordings) + 1
    original = next(
        second.recording(each)
        for each in second.manifest.recordings
        if each.name == places.original(site.pk)
    )
    delete_rehearsal(rehearsal=site)
    second.folder.rename(folder / "2026-01-02T000000Z")
    make_backup(folder, keep=2)
    assert original.exists()
    assert next(each.folder.name for each in backups_in(folder)) == "2026-01-02T000000Z"
    make_backup(folder, keep=1)
    assert not original.exists()
    assert len(backups_in(folder)) == 1


def test_what_was_not_finished_is_no_backup_and_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    make_backup(folder, keep=1)
    (folder / "2026-01-01T000000Z").mkdir(parents=True)
    (folder / "2026-01-01T000000Z" / "database.dump").write_bytes(b"half")
    with pytest.raises(BackupDamaged):
        read_backup(folder / "2026-01-01T000000Z")
    make_backup(folder, keep=1)
    assert not (folder / "2026-01-01T000000Z").exists()


def test_a_site_with_accounts_is_not_replaced(tmp_path: Path) -> None:
    backup = make_backup(tmp_path / "backups", keep=1)
    people, drafts = User.objects.count(), Feedback.objects.count()
    with pytest.raises(NotEmpty):
        restore_backup(backup)
    assert (User.objects.count(), Feedback.objects.count()) == (people, drafts)


def test_a_database_that_does_not_answer_leaves_the_backups_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backups"
    before = make_backup(folder, keep=1)
    monkeypatch.setitem(connection.settings_dict, "NAME", "nowhere")
    with pytest.raises(CommandError):
        call_command("backup", folder, recipient="", stdout=StringIO(), stderr=StringIO())
    assert [each.folder for each in backups_in(folder)] == [before.folder]


def test_a_folder_with_other_files_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "recordings").mkdir()
    (tmp_path / "recordings" / "mine.txt").write_text("not a backup")
    with pytest.raises(CommandError, match="empty folder"):
        call_command("backup", tmp_path, recipient="", stdout=StringIO(), stderr=StringIO())
    assert (tmp_path / "recordings" / "mine.txt").read_text() == "not a backup"
    assert backups_in(tmp_path) == []


def test_a_folder_beside_the_backups_stays(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    make_backup(folder, keep=1)
    (folder / "notes").mkdir()
    make_backup(folder, keep=1)
    assert (folder / "notes").is_dir()


def test_a_damaged_backup_stops_no_new_one_and_none_is_deleted(tmp_path: Path) -> None:
    folder, said = tmp_path / "backups", StringIO()
    first = make_backup(folder, keep=1)
    broken = folder / "2026-01-01T000000Z"
    first.folder.rename(broken)
    (broken / "manifest.json").write_text("{")
    call_command("backup", folder, recipient="", keep=1, stdout=StringIO(), stderr=said)
    assert str(broken) in said.getvalue()
    assert broken.exists()
    assert len(backups_in(folder)) == 1
