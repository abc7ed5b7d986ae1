"""What becomes of a bundle that was made: fetched, taken back with what is in it, gone in time."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from analysis.backends.scratch import PREFIX
from coach.accounts.models import Role, User
from coach.rehearsals.tasks import sweep_custody
from coach.research.exports import execution
from coach.research.exports.bundle.guard import BundleProblem
from coach.research.exports.bundle.scope import Included
from coach.research.exports.execution import expire
from coach.research.exports.ledger import unreported_withdrawals
from coach.research.exports.models import Export
from coach.research.exports.services import ask_for_export
from coach.research.studies.models import Member, Participant, Scope, Study
from coach.research.studies.taking_part import leave_study
from coach.storage import StorageUnavailable, places, storage
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.bundling import fetched, made
from tests.coach.research.making import agree


def test_who_leaves_is_in_no_bundle_that_waits_and_named_to_those_who_hold_one(
    export: Export, study: Study, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    held = made(export)
    assert fetched(held, researcher, sign_in)
    waiting = made(
        ask_for_export(
            study=study,
            researcher=researcher,
            recipient="B",
            purpose="C",
            agreement="D",
            formats=[],
        )
    )
    ana = study.participants.get(group="trainee")
    leave_study(participant=ana, actor=trainee)
    assert fetched(waiting, researcher, sign_in) == b""
    page = sign_in(researcher).get(reverse("research:study", args=[study.slug])).content.decode()
    assert ana.pseudonym in page
    sign_in(researcher).post(reverse("research:told", args=[held.pk]))
    assert {each.export for each in unreported_withdrawals(study)} == {waiting}


def test_what_is_taken_back_leaves_no_bundle_that_waits_and_is_in_none_that_is_asked_for_later(
    export: Export, study: Study, researcher: User, sign_in: SignIn
) -> None:
    """Also as of a cut-off at which it stood."""
    waiting = made(export)
    ana = study.participants.get(group="trainee")
    agree(ana, Scope.MEASUREMENTS, kind="withdrawn")
    assert fetched(waiting, researcher, sign_in) == b""
    again = ask_for_export(
        study=study, researcher=researcher, recipient="A", purpose="B", agreement="C", formats=[]
    )
    Export.objects.filter(pk=again.pk).update(cut_off=waiting.cut_off)
    with zipfile.ZipFile(io.BytesIO(fetched(made(again), researcher, sign_in))) as archive:
        assert archive.read("data/rehearsals.csv").count(b"\n") == 1


def test_while_the_store_is_away_nothing_is_fetched_and_later_it_is(
    export: Export, researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_away(_self: object, _name: str) -> None:
        raise StorageUnavailable

    made(export)
    monkeypatch.setattr(type(storage()), "read", is_away)
    assert fetched(export, researcher, sign_in) == b""
    monkeypatch.undo()
    assert hashlib.sha256(fetched(export, researcher, sign_in)).hexdigest() == export.sha256


def test_a_bundle_that_is_not_there_says_so_and_is_asked_for_again(
    export: Export, researcher: User, sign_in: SignIn
) -> None:
    made(export)
    storage().remove(places.bundle(export.pk))
    client = sign_in(researcher)
    page = client.post(reverse("research:fetch", args=[export.pk]), follow=True).content.decode()
    assert "no longer available. Request a new one." in page


def test_what_is_over_is_removed_and_its_row_stays(export: Export) -> None:
    made(export)
    assert expire() == 0
    Export.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert expire() == 1
    assert expire() == 0
    assert Export.objects.get().removed_at is not None


def test_a_bundle_is_there_for_those_who_may_export_and_for_nobody_else(
    export: Export, study: Study, sign_in: SignIn
) -> None:
    made(export)
    coder, other = UserFactory(roles=[Role.RESEARCHER]), UserFactory(roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=coder, role=Member.Role.CODER)
    for user in (coder, other):
        client = sign_in(user)
        for name in ("bundle", "bundle_progress"):
            assert client.get(reverse(f"research:{name}", args=[export.pk])).status_code == 404
        for name in ("fetch", "told"):
            assert client.post(reverse(f"research:{name}", args=[export.pk])).status_code == 404


def test_a_long_ledger_costs_the_page_of_a_study_no_more_queries(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client, page = sign_in(researcher), reverse("research:study", args=[study.slug])
    ana = study.participants.get(group="trainee")
    Participant.objects.filter(pk=ana.pk).update(withdrawn_at=timezone.now())
    costs = []
    for more in (1, 4):
        for _each in range(more):
            held = Export.objects.create(
                study=study, asked_by=researcher, recipient="A", purpose="B", cut_off=timezone.now()
            )
            held.pseudonyms.create(pseudonym=ana.pseudonym)
        client.get(page)
        with CaptureQueriesContext(connection) as queries:
            html = client.get(page).content.decode()
        costs.append(len(queries))
    assert html.count(f"To be deleted: {ana.pseudonym}") == 5
    assert costs[0] == costs[1]


def test_what_a_killed_worker_had_of_it_goes_with_the_next_sweep(
    export: Export,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.SCRATCH_DIR = tmp_path / "scratch"
    left, pack = settings.SCRATCH_DIR / f"{PREFIX}left", execution.pack

    def packed(included: Included, folder: Path, made: Path, known: list[BundleProblem]) -> None:
        # As a kill leaves it: all of the folder, and a lock that nobody holds.
        shutil.copytree(folder.parent, left)
        pack(included, folder, made, known)

    monkeypatch.setattr(execution, "pack", packed)
    assert made(export).state == Export.State.DONE
    assert (left / "bundle/data/participants.csv").exists()
    sent, sending = (settings.SCRATCH_DIR / f"tmp{each}.upload.txt" for each in ("1", "2"))
    for path in (sent, sending):
        path.write_text("Ana: so I said")
    os.utime(sent, (0, 0))
    sweep_custody()
    assert list(settings.SCRATCH_DIR.iterdir()) == [sending]
