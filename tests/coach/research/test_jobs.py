"""A bundle is made by a worker, goes on after a dead one, and says why it is refused."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import re
import zipfile

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.portal.receipts.services import delete_take
from coach.rehearsals.models import Rehearsal, Removal
from coach.research.coding.models import Interview, Memo
from coach.research.exports import execution
from coach.research.exports.bundle.build import STEPS
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.models import Export
from coach.research.exports.services import ask_for_export
from coach.research.studies.models import Member, Scope, Study
from coach.research.studies.selectors import participations_of
from coach.research.studies.taking_part import leave_study
from coach.storage import places, storage
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.bundling import fetched, made
from tests.coach.research.making import agree, make_interview


def test_a_worker_makes_it_and_it_is_fetched_once(
    export: Export, researcher: User, sign_in: SignIn
) -> None:
    made(export)
    assert (export.state, export.progress) == ("done", 1.0)
    page = sign_in(researcher).get(reverse("research:bundle", args=[export.pk])).content.decode()
    assert "Download bundle" in page
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
    assert storage().size(places.bundle(export.pk)) is None
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
    return reverse("research:allow_words", args=[study.slug])


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
    assert "once your administrator has freed space" in page
    assert "three times" not in page
    assert Removal.objects.filter(place=places.bundle_place(export.pk)).exists()


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
