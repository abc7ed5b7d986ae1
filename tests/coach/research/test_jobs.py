"""A bundle is made by a worker, goes on after a dead one, is fetched once, and goes in time."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import shutil
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from analysis.backends.scratch import PREFIX
from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.portal.receipts.services import delete_take
from coach.rehearsals.custody import CustodyAway, custody, places
from coach.rehearsals.models import Rehearsal, Removal
from coach.rehearsals.tasks import sweep_custody
from coach.research.coding.models import Interview, Memo
from coach.research.exports import execution
from coach.research.exports.bundle.build import STEPS
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.execution import execute_export, expire
from coach.research.exports.ledger import to_be_told
from coach.research.exports.models import Export
from coach.research.exports.services import ask_for_export
from coach.research.studies.models import Member, Participant, Scope, Study
from coach.research.studies.selectors import participations_of
from coach.research.studies.taking_part import leave_study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, make_interview


@pytest.fixture
def export(study: Study, researcher: User) -> Export:
    """One that was asked for."""
    return ask_for_export(
        study=study,
        researcher=researcher,
        recipient="A university",
        purpose="To look",
        agreement="2026-1",
        formats=["textgrid"],
    )


def made(export: Export) -> Export:
    execute_export(export.pk)
    export.refresh_from_db()
    return export


def fetched(export: Export, user: User, sign_in: SignIn) -> bytes:
    response = sign_in(user).post(reverse("research:fetch", args=[export.pk]))
    if response.status_code != 200:
        return b""
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]


def test_a_worker_makes_it_and_it_is_fetched_once(
    export: Export, researcher: User, sign_in: SignIn
) -> None:
    made(export)
    assert (export.state, export.progress) == ("done", 1.0)
    page = sign_in(researcher).get(reverse("research:bundle", args=[export.pk])).content.decode()
    assert "Fetch the bundle" in page
    told = re.findall(r'<th scope="row">(\w+)</th>', page)
    assert told == [table.name for table in TABLES if table.name in export.counts]
    assert told[0] == "participants"
    content = fetched(export, researcher, sign_in)
    assert hashlib.sha256(content).hexdigest() == export.sha256
    assert fetched(export, researcher, sign_in) == b""
    assert Removal.objects.filter(place=places.bundle_parts(export.pk)).exists()
    acts = Entry.objects.filter(action__startswith="research.bundle").values_list(
        "action", flat=True
    )
    assert set(acts) == {
        "research.bundle_asked",
        "research.bundle_made",
        "research.bundle_downloaded",
    }


def test_who_asks_twice_gets_the_one_that_is_being_made(export: Export, researcher: User) -> None:
    again = ask_for_export(
        study=export.study,
        researcher=researcher,
        recipient="B",
        purpose="C",
        agreement="",
        formats=[],
    )
    assert again == export


def test_a_worker_that_takes_over_goes_on_after_the_steps_that_stand(
    export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    step = execution._step

    def dies_at_coding(*args: object) -> None:
        name = args[2].name  # type: ignore[attr-defined]
        ran.append(name)
        if name == "coding" and ran.count("coding") == 1:
            raise OSError("the disk went away")
        step(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(execution, "_step", dies_at_coding)
    made(export)
    assert export.state == "queued"
    assert export.done_steps == ["people", "takes", "events", "feedback"]
    made(export)
    assert export.state == "done"
    assert ran == [*export.done_steps[:4], "coding", *(each.name for each in STEPS[4:])]
    whole = export.sha256
    monkeypatch.undo()
    Export.objects.update(state="queued", done_steps=[], counts={}, progress=0)
    assert made(export).sha256 == whole


@pytest.mark.parametrize("how", ["deleted", "withdrawn"])
def test_a_worker_that_takes_over_begins_anew_where_something_went_meanwhile(
    export: Export, sent: Rehearsal, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = execution._step

    def dies_at_coding(*args: object) -> None:
        if args[2].name == "coding":  # type: ignore[attr-defined]
            raise OSError("the disk went away")
        step(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(execution, "_step", dies_at_coding)
    assert made(export).counts["rehearsals"] == 1
    if how == "deleted":
        delete_take(rehearsal=sent)
    else:
        leave_study(participant=participations_of(sent.owner).get(), actor=sent.owner)
    monkeypatch.undo()
    assert made(export).state == "done"
    assert export.counts["rehearsals"] == 0


def test_interviews_that_are_not_ready_stay_behind_where_that_was_asked_for(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    bea = study.participants.get(group="coach")
    make_interview(study, [("I", None, "And you?"), ("P", bea, "Ask Zoe Marsh.")])
    study.interviews.filter(number=2).update(state=Interview.State.IMPORTED)
    said = {"recipient": "A", "purpose": "B", "agreement": "C", "formats": ["leave_out_pending"]}
    sign_in(researcher).post(reverse("research:ask_for_bundle", args=[study.slug]), said)
    export = made(study.exports.get())
    assert (export.state, export.problems) == ("done", [])
    with zipfile.ZipFile(io.BytesIO(fetched(export, researcher, sign_in))) as archive:
        files = {each: archive.read(each).decode("utf-8", "replace") for each in archive.namelist()}
    assert json.loads(files["export_manifest.json"])["formats"] == ["leave_out_pending"]
    assert "interviews/INT-01.txt" in files
    assert [name for name, words in files.items() if "INT-02" in name or "Zoe" in words] == []
    [left] = [row for row in files["data/exclusions.csv"].splitlines() if "pending" in row]
    assert left.startswith("interviews,")


def test_what_was_refused_is_asked_for_again_without_typing_it_again(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client, address = sign_in(researcher), reverse("research:ask_for_bundle", args=[study.slug])
    client.post(address, {"recipient": "An archive", "purpose": "A try", "formats": ["words"]})
    assert "An archive" not in client.get(address).content.decode()
    study.exports.update(state=Export.State.REFUSED)
    page = client.get(address).content.decode()
    assert 'value="An archive"' in page
    assert 'value="A try"' in page
    assert page.count(" checked") == 1


def test_what_had_been_cut_is_written_in_full_by_the_migration(export: Export) -> None:
    Export.objects.update(formats=["leave_out_pe", "textgrid"])
    loader = MigrationExecutor(connection).loader
    node = ("research", "0012_formats_in_full")
    repair = loader.get_migration(*node).operations[-1]
    repair.code(loader.project_state([node]).apps, None)
    export.refresh_from_db()
    assert export.formats == ["leave_out_pending", "textgrid"]


def test_what_failed_before_is_cleared_away_by_the_migration(export: Export) -> None:
    Export.objects.update(state="failed")
    loader = MigrationExecutor(connection).loader
    node = ("research", "0014_clear_what_failed")
    clear = loader.get_migration(*node).operations[-1]
    clear.code(loader.project_state([node]).apps, None)
    assert Removal.objects.get().place == places.bundle_place(export.pk)


def test_one_that_is_refused_says_where_and_leaves_nothing(
    export: Export, researcher: User, sign_in: SignIn
) -> None:
    Memo.objects.update(body="Ask someone@example.net.")
    made(export)
    assert export.state == "refused"
    page = sign_in(researcher).get(reverse("research:bundle", args=[export.pk])).content.decode()
    assert "data/memos.csv, line 2, body" in page
    assert custody().size(places.bundle(export.pk)) is None
    assert Entry.objects.filter(action="research.bundle_refused").exists()


def test_who_leads_lets_a_word_through_from_where_it_stopped_an_export(
    export: Export, study: Study, researcher: User, sign_in: SignIn
) -> None:
    Memo.objects.update(body="Ana helped.")
    made(export)
    assert export.problems[0][0] == "known_name"
    page, way = reverse("research:bundle", args=[export.pk]), f'href="{_words_of(study)}"'
    assert way in sign_in(researcher).get(page).content.decode()
    analyst = UserFactory(roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=analyst, role=Member.Role.ANALYST)
    assert way not in sign_in(analyst).get(page).content.decode()
    Export.objects.update(problems=[["e_mail", "data/memos.csv", "s…"]])  # nobody lets that through
    assert way not in sign_in(researcher).get(page).content.decode()


def _words_of(study: Study) -> str:
    return reverse("research:let_words_through", args=[study.slug])


def test_the_studys_own_address_leaves_with_its_terms_and_no_other_does(
    export: Export, study: Study
) -> None:
    Study.objects.filter(pk=study.pk).update(contact="The lab, lab@example.org")
    assert made(export).state == "done"
    Study.objects.filter(pk=study.pk).update(title="Talks of ana@example.org")
    Export.objects.update(state="queued", done_steps=[], counts={}, progress=0)
    assert made(export).state == "refused"
    assert "DATA_USE_TERMS.txt" in str(export.problems)


def test_one_that_fails_three_times_says_so(
    export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_args: object) -> None:
        raise OSError

    monkeypatch.setattr(execution, "pack", fails)
    for _try in range(3):
        made(export)
    assert export.state == "failed"
    assert Removal.objects.filter(place=places.bundle_place(export.pk)).exists()


def test_one_for_which_the_disk_has_no_room_ends_at_once_and_says_what_helps(
    export: Export, researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fills_up(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(execution, "pack", fills_up)
    assert made(export).state == "failed"
    page = sign_in(researcher).get(reverse("research:bundle", args=[export.pk])).content.decode()
    assert "once your administrator has made room" in page
    assert "three times" not in page
    assert Removal.objects.filter(place=places.bundle_place(export.pk)).exists()


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
    assert {each.export for each in to_be_told(study)} == {waiting}


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


def test_what_is_taken_back_while_it_is_made_is_not_in_it(
    export: Export, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = execution.pack

    def meanwhile(*args: object) -> None:
        agree(study.participants.get(group="trainee"), Scope.MEASUREMENTS, kind="withdrawn")
        monkeypatch.undo()
        pack(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(execution, "pack", meanwhile)
    assert made(export).state == "queued"
    assert made(export).state == "done"
    assert export.counts["rehearsals"] == 0


def test_while_the_store_is_away_nothing_is_fetched_and_later_it_is(
    export: Export, researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_away(_self: object, _name: str) -> None:
        raise CustodyAway

    made(export)
    monkeypatch.setattr(type(custody()), "read", is_away)
    assert fetched(export, researcher, sign_in) == b""
    monkeypatch.undo()
    assert hashlib.sha256(fetched(export, researcher, sign_in)).hexdigest() == export.sha256


def test_a_bundle_that_is_not_there_says_so_and_is_asked_for_again(
    export: Export, researcher: User, sign_in: SignIn
) -> None:
    made(export)
    custody().remove(places.bundle(export.pk))
    client = sign_in(researcher)
    page = client.post(reverse("research:fetch", args=[export.pk]), follow=True).content.decode()
    assert "not there any more. Ask for it again." in page


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

    def packed(included: Included, folder: Path, made: Path) -> None:
        # As a kill leaves it: all of the folder, and a lock that nobody holds.
        shutil.copytree(folder.parent, left)
        pack(included, folder, made)

    monkeypatch.setattr(execution, "pack", packed)
    assert made(export).state == Export.State.DONE
    assert (left / "bundle/data/participants.csv").exists()
    sent, sending = (settings.SCRATCH_DIR / f"tmp{each}.upload.txt" for each in ("1", "2"))
    for path in (sent, sending):
        path.write_text("Ana: so I said")
    os.utime(sent, (0, 0))
    sweep_custody()
    assert list(settings.SCRATCH_DIR.iterdir()) == [sending]
