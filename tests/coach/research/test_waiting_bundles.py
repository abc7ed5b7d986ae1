"""What somebody takes back or deletes lies in no bundle that waits to be fetched."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.portal.models import Receipt
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.retention import remove_all
from coach.portal.receipts.services import delete_take
from coach.rehearsals.models import Rehearsal, Removal, RetentionNotice
from coach.research.exports import execution
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.exports.execution import execute_export, expire
from coach.research.exports.models import Export
from coach.research.exports.services import ask_for_export, take_bundle
from coach.research.studies.models import Scope, Study
from coach.research.studies.taking_part import leave_study
from coach.storage import places, storage
from tests.coach.conftest import SignIn
from tests.coach.research.making import agree


def asked_for(study: Study, researcher: User) -> Export:
    return ask_for_export(
        study=study,
        researcher=researcher,
        recipient="A university",
        purpose="To look",
        agreement="2026-1",
        formats=[],
    )


@pytest.fixture
def waits(study: Study, researcher: User) -> Export:
    """A bundle with Ana's take and words in it, which nobody has fetched."""
    export = asked_for(study, researcher)
    execute_export(export.pk)
    export.refresh_from_db()
    assert storage().size(places.bundle(export.pk))
    return export


def is_gone(export: Export) -> bool:
    export.refresh_from_db()
    asked = Removal.objects.filter(place=places.bundle_place(export.pk)).exists()
    return export.removed_at is not None and asked


def test_one_with_somebody_who_left_is_removed_though_nobody_comes_to_fetch_it(
    waits: Export, study: Study, trainee: User
) -> None:
    assert expire() == 0
    leave_study(participant=study.participants.get(group="trainee"), actor=trainee)
    assert expire() == 1
    assert is_gone(waits)
    assert expire() == 0


def test_one_with_something_that_was_taken_back_is_removed_as_well(
    waits: Export, study: Study
) -> None:
    agree(study.participants.get(group="trainee"), Scope.TRANSCRIPT, kind="withdrawn")
    assert expire() == 1
    assert is_gone(waits)


def test_erasing_somebody_removes_it_at_once_and_the_receipt_calls_it_no_copy_that_left(
    waits: Export, trainee: User
) -> None:
    receipt = erase_person(user=trainee)
    assert is_gone(waits)
    assert receipt.copies == []


def test_a_take_that_was_deleted_leaves_the_site_in_no_bundle_afterwards(
    waits: Export, sent: Rehearsal, researcher: User, sign_in: SignIn
) -> None:
    receipt = delete_take(rehearsal=sent)
    assert is_gone(waits)
    assert receipt.copies == []
    answer = sign_in(researcher).post(reverse("research:fetch", args=[waits.pk]), follow=True)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "withdrew or deleted data" in answer.content.decode()


def test_one_that_was_fetched_stays_in_the_ledger_and_on_the_receipt(
    waits: Export, sent: Rehearsal, researcher: User
) -> None:
    assert b"".join(take_bundle(export=waits, researcher=researcher))
    delete_take(rehearsal=sent)
    assert [each["recipient"] for each in Receipt.objects.get().copies] == ["A university"]


def test_a_take_that_is_deleted_while_one_is_made_is_not_in_it(
    study: Study, sent: Rehearsal, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = ask_for_export(
        study=study, researcher=researcher, recipient="A", purpose="B", agreement="C", formats=[]
    )
    pack = execution.pack

    def meanwhile(*args: object) -> None:
        delete_take(rehearsal=sent)
        monkeypatch.undo()
        pack(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(execution, "pack", meanwhile)
    execute_export(export.pk)
    export.refresh_from_db()
    assert export.state == "queued"
    execute_export(export.pk)
    export.refresh_from_db()
    assert (export.state, export.counts["rehearsals"]) == ("done", 0)


def test_a_take_that_is_deleted_between_two_looks_at_the_takes_is_missed(
    study: Study, sent: Rehearsal
) -> None:
    """Some tables go by the keys of takes, which were read before."""
    included = Included(study=study, cut_off=last_change(study))
    assert included.take_keys
    delete_take(rehearsal=sent)
    assert not execution._is_scope_intact(included)


def test_a_take_whose_time_is_over_goes_with_the_bundle_that_holds_it(
    waits: Export, sent: Rehearsal, researcher: User, sign_in: SignIn
) -> None:
    now = timezone.now()
    Rehearsal.objects.filter(pk=sent.pk).update(created_at=now - timedelta(days=1096))
    told_at = now - timedelta(days=30)
    RetentionNotice.objects.create(rehearsal=sent, kind="reports", sent_at=told_at)
    assert remove_all()["takes"] == 1
    assert is_gone(waits)
    answer = sign_in(researcher).post(reverse("research:fetch", args=[waits.pk]), follow=True)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "withdrew or deleted data" in answer.content.decode()


def test_what_is_taken_back_counts_also_where_the_worker_had_a_clock_that_is_fast(
    study: Study, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = timezone.now
    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: right() + timedelta(minutes=1))
        made = asked_for(study, researcher)
        execute_export(made.pk)
    agree(study.participants.get(group="trainee"), Scope.TRANSCRIPT, kind="withdrawn")
    assert expire() == 1
    assert is_gone(made)


def test_what_was_taken_back_before_does_not_remove_it_where_the_worker_had_a_slow_clock(
    study: Study, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(study.participants.get(group="trainee"), Scope.TRANSCRIPT, kind="withdrawn")
    right = timezone.now
    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: right() - timedelta(minutes=1))
        made = asked_for(study, researcher)
        Export.objects.filter(pk=made.pk).update(cut_off=right())
        execute_export(made.pk)
    assert expire() == 0
    made.refresh_from_db()
    assert (made.state, made.removed_at) == ("done", None)


def test_one_that_was_made_before_this_was_written_down_goes_by_its_time(
    waits: Export, study: Study
) -> None:
    Export.objects.update(newest_consent=None)
    assert expire() == 0
    agree(study.participants.get(group="trainee"), Scope.TRANSCRIPT, kind="withdrawn")
    assert expire() == 1
