"""Somebody has the bundle and nothing else: what it says of itself holds in its rows."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

from coach.accounts.models import User
from coach.feedback.conversation import answer, dispute_item, withdraw_dispute
from coach.feedback.releases import release_feedback
from coach.rehearsals.models import Rehearsal
from coach.research.exports.bundle.tables import BY_NAME
from coach.research.glance.facts import items_in
from coach.research.studies.models import Study
from tests.coach.research.conftest import included_in
from tests.coach.research.making import bundle_of


def rows(archive: zipfile.ZipFile, table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(archive.read(f"data/{table}.csv").decode())))


def test_what_a_trainee_says_against_an_item_is_there_until_they_take_it_back(
    study: Study, trainee: User, coach: User, sent: Rehearsal, tmp_path: Path
) -> None:
    release_feedback(feedback=sent.feedback.get(), coach=coach)
    item = sent.feedback.get().items.get()
    said = dispute_item(item=item, owner=trainee, reason="not_right", note="")
    answer(said=said, by=coach, text="I heard it twice.")
    [row] = rows(bundle_of(study, tmp_path, "said"), "feedback_items")
    before = included_in(study)
    assert row["dispute"] == "not_right"
    withdraw_dispute(item=item, owner=trainee)
    [row] = rows(bundle_of(study, tmp_path, "taken_back"), "feedback_items")
    assert row["dispute"] == ""
    assert not any(each.was_disputed for each in items_in(included_in(study)))
    [as_of_then] = BY_NAME["feedback_items"].rows(before)
    assert as_of_then["dispute"] == "not_right", "it was taken back after the cut-off"
