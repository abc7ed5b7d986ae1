"""What is deleted is gone, which is looked at again; what resists is tried again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from coach.accounts.models import User
from coach.rehearsals.models import Removal
from coach.rehearsals.removals import prove_removals, remove_for_good
from coach.rehearsals.services import delete_rehearsal
from coach.storage import places
from coach.storage.folder import FolderStorage
from coach.storage.port import RemovalReceipt
from tests.coach.factories import RehearsalFactory, folder_of, give_poster, place

OnCommit = Callable[..., AbstractContextManager[object]]


def test_a_deleted_take_leaves_a_receipt_and_nothing_else(
    trainee: User, django_capture_on_commit_callbacks: OnCommit
) -> None:
    take = RehearsalFactory(owner=trainee)
    give_poster(take)
    folder = folder_of(take)
    with django_capture_on_commit_callbacks(execute=True):
        delete_rehearsal(rehearsal=take)
    receipt = Removal.objects.get()
    assert receipt.place == f"rehearsals/{folder.name}/"
    assert receipt.proven_at is not None
    assert receipt.objects_removed == 4  # the folder, the recording, its copy, the picture
    assert not folder.exists()


def test_where_the_process_dies_at_the_commit_the_sweeper_removes_it(trainee: User) -> None:
    take = RehearsalFactory(owner=trainee)
    folder = folder_of(take)
    delete_rehearsal(rehearsal=take)  # what runs on commit never ran
    assert folder.exists()
    assert prove_removals() == 0
    assert not folder.exists()
    assert Removal.objects.get().proven_at is not None


def test_what_resists_is_not_called_gone_and_is_tried_again(
    trainee: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    take = RehearsalFactory(owner=trainee)
    delete_rehearsal(rehearsal=take)
    with monkeypatch.context() as patch:
        patch.setattr(
            FolderStorage, "remove", lambda _self, at: RemovalReceipt(place=at, objects=1, left=1)
        )
        assert prove_removals() == 1
    assert "1 objects are left" in caplog.text
    removal = Removal.objects.get()
    assert (removal.proven_at, removal.tries) == (None, 1)
    assert prove_removals() == 0
    removal.refresh_from_db()
    assert removal.proven_at is not None


def test_one_place_that_resists_holds_no_other_up(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    resists, other = RehearsalFactory(owner=trainee), RehearsalFactory(owner=trainee)
    stubborn = places.take_place(resists.pk)
    real = FolderStorage.remove

    def remove(self: FolderStorage, at: str) -> RemovalReceipt:
        return RemovalReceipt(place=at, objects=1, left=1) if at == stubborn else real(self, at)

    monkeypatch.setattr(FolderStorage, "remove", remove)
    for take in (resists, other):
        remove_for_good(places.take_place(take.pk))
    assert prove_removals() == 2
    assert prove_removals() == 1
    assert Removal.objects.filter(proven_at=None).get().place == stubborn


def test_of_what_stages_handed_on_no_receipt_is_kept(trainee: User) -> None:
    take = RehearsalFactory(owner=trainee)
    artefacts = places.run_place(take.pk, take.pk)
    sound = place(f"{artefacts}sound.npz", b"somebody's voice")
    remove_for_good(artefacts)
    assert prove_removals() == 0
    assert not sound.exists()
    assert not Removal.objects.exists()
    assert folder_of(take).exists()


def test_a_receipt_is_kept_for_a_while_only(db: None) -> None:
    long_ago = timezone.now() - timedelta(days=401)
    Removal.objects.create(place="rehearsals/x/", proven_at=long_ago)
    Removal.objects.create(place="rehearsals/y/", proven_at=timezone.now())
    prove_removals()
    assert Removal.objects.get().place == "rehearsals/y/"


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "rehearsals/../../x"])
def test_a_name_leads_nowhere_but_into_custody(name: str) -> None:
    with pytest.raises(ValueError, match="not a name in storage"):
        FolderStorage(Path("/srv")).path(name)
