"""A crash between disk and database loses no recording and leaves none behind for ever."""

from __future__ import annotations

import os
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from threading import Barrier

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client, override_settings

from coach.accounts.models import User
from coach.feedback import tasks
from coach.feedback.models import Run
from coach.feedback.services import analyse_in_language, send_take
from coach.portal.home.operation import health_rows
from coach.rehearsals.models import AccessGrant, Rehearsal, Removal, Upload
from coach.rehearsals.services import delete_rehearsal
from coach.rehearsals.sweeping import check_recordings, reconcile_storage
from coach.uploads.services import UploadGone, discard_upload
from coach.uploads.storing import submit_rehearsal
from tests.coach.factories import RehearsalFactory, arrived, finish_analysis, folder_of
from tests.coach.uploads.handing_in import CONTEXT, waiting


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """What other tests left on the disk is none of ours; nor is the broker."""
    monkeypatch.setattr(tasks.run_stage, "apply_async", lambda *_args, **_kwargs: None)
    with override_settings(MEDIA_ROOT=tmp_path):
        yield


def submit(upload: Upload) -> Rehearsal:
    return submit_rehearsal(
        owner=upload.owner, upload=upload, context=CONTEXT, form_token=uuid.uuid4()
    )


def make_old(*paths: Path) -> None:
    long_ago = time.time() - 2 * 3600
    for path in paths:
        os.utime(path, (long_ago, long_ago))


def folders() -> list[Path]:
    return list((Path(settings.MEDIA_ROOT) / "rehearsals").iterdir())


class Crash(Exception):
    """The process ends here."""


@transaction.atomic
def _crash_after(upload: Upload) -> None:
    submit(upload)
    raise Crash


@pytest.mark.django_db(transaction=True)
def test_a_rollback_after_the_bytes_were_taken_loses_and_leaves_nothing(trainee: User) -> None:
    upload = waiting(trainee)
    content = arrived(upload).read_bytes()
    with pytest.raises(Crash):
        _crash_after(upload)
    upload.refresh_from_db()
    assert upload.state == "cut_off"
    assert arrived(upload).read_bytes() == content
    make_old(*folders())
    assert len(reconcile_storage().removed) == 1
    assert folders() == []
    take = submit(upload)
    assert (folder_of(take) / "original").read_bytes() == content
    assert not arrived(upload).exists()


def test_a_crash_after_the_commit_leaves_only_a_second_name(trainee: User) -> None:
    upload = waiting(trainee)
    take = submit(upload)
    assert arrived(upload).exists()  # what runs on commit never ran
    make_old(arrived(upload), folder_of(take))
    assert reconcile_storage().removed == (f"uploads/{upload.pk}.part",)
    assert (folder_of(take) / "original").exists()


def test_a_copy_that_a_killed_process_left_half_way_is_removed(trainee: User) -> None:
    submit(waiting(trainee))
    left = Path(settings.MEDIA_ROOT) / "uploads" / f"{uuid.uuid4()}.part.{uuid.uuid4().hex}.part"
    left.write_bytes(b"half of it")
    make_old(left)
    assert reconcile_storage().removed == (f"uploads/{left.name}",)


def test_what_is_young_or_not_ours_stays(trainee: User) -> None:
    root = Path(settings.MEDIA_ROOT)
    young = root / "rehearsals" / str(uuid.uuid4())
    foreign = root / "rehearsals" / "lost+found"
    for folder in (young, foreign):
        folder.mkdir(parents=True)
    make_old(foreign)
    assert reconcile_storage().removed == ()


def test_a_row_without_its_bytes_is_reported(
    trainee: User, caplog: pytest.LogCaptureFixture
) -> None:
    take = submit(waiting(trainee))
    lost = waiting(trainee)
    for path in (folder_of(take) / "original", arrived(lost)):
        path.unlink()
    assert set(reconcile_storage().missing) == {take.pk, lost.pk}
    assert str(take.pk) in caplog.text


def _lying_there(how_many: int) -> list[Path]:
    folders = [
        Path(settings.MEDIA_ROOT) / "rehearsals" / str(uuid.uuid4()) for _ in range(how_many)
    ]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "original").write_bytes(b"what somebody said")
        make_old(folder / "original", folder)
    return folders


@pytest.mark.parametrize(("known", "strange"), [(0, 1), (2, 4), (40, 5)])
def test_beside_another_database_no_recording_is_removed_until_somebody_says_so(
    known: int,
    strange: int,
    trainee: User,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:
    """An empty one, or an older copy: what lies there was somebody's a moment ago."""
    for _each in range(known):
        RehearsalFactory(owner=trainee)
    folders = _lying_there(strange)
    found = reconcile_storage()
    assert (found.removed, len(found.kept)) == ((), strange)
    assert all((folder / "original").exists() for folder in folders)
    assert f"{strange} of {known + strange} places belong to nothing" in caplog.text
    answer = Client().get("/ready/")
    said = f"{strange} belong to nothing in the database"
    assert (answer.status_code, answer.json()["recordings"]) == (200, said)
    assert "do not match" in str([row["text"] for row in health_rows()])
    out = StringIO()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        call_command("custody", "sweep", stdout=out)
    assert out.getvalue() == f"{strange} deleted, 0 missing\n"
    assert not any(folder.exists() for folder in folders)
    assert check_recordings() == "ok"


def test_what_a_person_deleted_and_the_place_holds_on_to_is_not_taken_for_another_database(
    trainee: User, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again every minute by the row that asks for it."""
    takes = RehearsalFactory.create_batch(5, owner=trainee)
    for take in takes:
        make_old(folder_of(take) / "original", folder_of(take))
        delete_rehearsal(
            rehearsal=take
        )  # what runs on commit is refused by a disk that is read only
    found = reconcile_storage()
    assert (found.kept, found.removed) == ((), ())
    assert "belong to nothing" not in caplog.text
    assert check_recordings() == "ok"
    assert Removal.objects.count() == len(takes)


def _at_once(*acts: object) -> list[str]:
    start = Barrier(len(acts), timeout=60)

    def run(act: object) -> str:
        start.wait()
        try:
            return str(act())  # type: ignore[operator]
        except (ValidationError, UploadGone) as error:
            return type(error).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_of_discarding_and_analysing_at_once_one_holds(trainee: User) -> None:
    for _each in range(6):
        upload = waiting(trainee)
        discarded, _taken = _at_once(
            lambda upload=upload: discard_upload(upload=upload),
            lambda upload=upload: submit(upload),
        )
        takes = list(Rehearsal.objects.all())
        assert len(takes) == (discarded == "False")
        assert [(folder_of(take) / "original").exists() for take in takes] == [True] * len(takes)
        assert not arrived(upload).exists()
        for take in takes:
            take.delete()


@pytest.mark.django_db(transaction=True)
def test_four_tabs_at_once_make_one_take(trainee: User) -> None:
    upload = waiting(trainee)
    _at_once(*[lambda: submit(upload).pk] * 4)
    assert Rehearsal.objects.count() == 1
    assert Run.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_take_is_not_sent_while_it_is_analysed_again(trainee: User, coach: User) -> None:
    for _each in range(5):
        take = RehearsalFactory(owner=trainee)
        finish_analysis(take)
        _at_once(
            lambda take=take: send_take(rehearsal=take, note="").pk,
            lambda take=take: analyse_in_language(rehearsal=take, language="fr", actor=trainee).pk,
        )
        sent = AccessGrant.objects.filter(rehearsal=take).exists()
        again = take.runs.filter(state=Run.State.RUNNING).exists()
        assert sent != again
        take.delete()
