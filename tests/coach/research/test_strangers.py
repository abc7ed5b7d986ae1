"""Somebody has the bundle and nothing else: what it says of itself holds in its rows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from analysis.results import Report
from coach.accounts.models import User
from coach.feedback.messages import answer, dispute_item, withdraw_dispute
from coach.feedback.releases import release_feedback
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Adjudication, Code, Coding, Interview, Round, Text
from coach.research.dashboard.facts import items_in
from coach.research.exports.bundle.reports import speech_reader
from coach.research.exports.bundle.tables import BY_NAME
from coach.research.exports.importing import load_bundle
from coach.research.studies.models import Study
from coach.research.studies.taking_part import leave_study
from coach.review.rubric.models import Judgement, Occasion, Rating
from tests.coach.factories import UserFactory, make_report
from tests.coach.research.conftest import included_in, lay_out
from tests.coach.research.making import bundle_of, make_interview, make_study, mark, rows


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


@pytest.mark.parametrize(
    ("size", "models", "reads"),
    [
        ("tiny.en", ["tiny.en-int8", "whisper-base"], "tiny.en-int8"),
        ("tiny.en", ["tiny.en.pt", "whisper-base"], "tiny.en.pt"),
        ("tiny.en", ["face_landmarker.task", "whisper-base"], "whisper-base"),
        ("tiny.en", ["face_landmarker.task"], ""),
    ],
)
def test_a_take_names_the_model_that_read_its_speech(
    size: str, models: list[str], reads: str
) -> None:
    stages = {"transcribe": {"version": "1", "seconds": 1.0, "options": {"size": size}}}
    said = make_report().model_dump() | {"stages": stages, "models": dict.fromkeys(models, "0")}
    assert speech_reader(Report.model_validate(said)) == reads


def test_a_round_names_only_interviews_that_are_in_the_bundle_and_comes_back_as_it_was(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    gone = study.participants.create(group="trainee", pseudonym="GONE00")
    make_interview(study, [("I", None, "And you?"), ("P", gone, "I say nothing of it.")])
    Round.objects.get().interviews.set(study.interviews.all())
    leave_study(participant=gone, actor=researcher)
    first = bundle_of(study, tmp_path, "first")
    assert [row["interviews"] for row in rows(first, "rounds")] == ["INT-01"]
    again = make_study(researcher, "again")
    load_bundle(study=again, path=tmp_path / "first.zip")
    again.refresh_from_db()
    second = bundle_of(again, tmp_path, "second")
    assert second.read("data/rounds.csv") == first.read("data/rounds.csv")


def test_how_a_difference_was_settled_is_not_there_where_its_words_are_hidden(
    study: Study, group: Interview, tmp_path: Path
) -> None:
    coding_round, text = Round.objects.get(), group.texts.get()
    for quote in ("yourselves", "go first"):
        coding = mark(coding_round, 1, text, quote, "helping")
        Coding.objects.filter(pk=coding.pk).update(status=Coding.Status.ADJUDICATED)
        Adjudication.objects.create(
            round=coding_round,
            text=text,
            code=coding.code,
            start=coding.start,
            end=coding.end,
            decision=Adjudication.Decision.KEEP,
            coding=coding,
            note=f"Of {quote}.",
        )
    archive = bundle_of(study, tmp_path, "a")
    [settled] = rows(archive, "adjudications")
    assert settled["note"] == "Of go first."
    assert settled["coding_guid"] in {row["coding_guid"] for row in rows(archive, "codings")}


def test_the_dictionary_names_the_values_that_stand_in_the_rows(
    study: Study, sent: Rehearsal, coach: User, trainee: User
) -> None:
    release_feedback(feedback=sent.feedback.get(), coach=coach)
    item = sent.feedback.get().items.get()
    dispute_item(item=item, owner=trainee, reason="not_helpful", note="")
    [row] = BY_NAME["feedback_items"].rows(included_in(study))
    said = {column.name: column.what for column in BY_NAME["feedback_items"].columns}
    for name in ("tone", "decision", "dispute"):
        assert row[name], name
        assert row[name] in re.split(r"[ ,:]+", said[name]), name


def test_levels_that_are_left_out_are_counted_as_the_rows_that_they_would_be(
    study: Study, sent: Rehearsal, tmp_path: Path
) -> None:
    Study.objects.update(least_group=1)
    study.refresh_from_db()
    rating = Rating.objects.create(
        rehearsal=sent,
        coach=UserFactory(),
        occasion=Occasion.SECOND,
        finished_at=timezone.now(),
    )
    for quality in ("content", "language"):
        Judgement.objects.create(rating=rating, quality=quality, level=4)
    left_out = {
        (row["table_name"], row["reason"]): row["n_rows"]
        for row in rows(bundle_of(study, tmp_path, "a"), "exclusions")
    }
    assert left_out["rubric_scores", "not_consented"] == "2"


def test_a_codebook_for_taguette_has_each_code_below_its_parent(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    Code.objects.create(
        study=study, name="long ones", position=0, parent=Code.objects.get(name="helping")
    )
    first = bundle_of(study, tmp_path, "first")
    lines = first.read("qda/codebook-taguette.csv").decode().splitlines()
    tags = [line.partition(",")[0] for line in lines]
    assert tags == ["tag", "pauses", "helping", "helping.long ones"]
    again = make_study(researcher, "again")
    load_bundle(study=again, path=tmp_path / "first.zip")
    again.refresh_from_db()
    second = bundle_of(again, tmp_path, "second")
    assert second.read("qda/codebook-taguette.csv").decode().splitlines() == lines


def test_what_the_readme_says_to_run_keeps_words_that_look_like_nothing_or_like_numbers(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study.participants.filter(group="coach").update(pseudonym="012345")
    Code.objects.filter(name="helping").update(name="None")
    lay_out(study, tmp_path)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    [python] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    [r] = re.findall(r"```r\n(.*?)```", readme, re.DOTALL)
    # pandas and readr take NA, None and null for missing, unless they are told.
    assert 'keep_default_na=False,\n        na_values=[""],' in python
    assert 'na = ""' in r
    assert "INT-01" not in readme  # whoever left took theirs along, and a study may have none
    kinds = {
        field["type"]
        for each in json.loads((tmp_path / "datapackage.json").read_text())["resources"]
        for field in each["schema"]["fields"]
    }
    for words in (python, r):
        named = re.findall(r'"?(string|integer|number|boolean)"?\s*[:=]', words)
        assert set(named) == kinds
    # What the join that is shown there has to keep apart is this, and no more.
    measures, takes, people = (
        set(BY_NAME[name].names) for name in ("measurements", "rehearsals", "participants")
    )
    assert takes & people == {"participant_id", "condition"}
    assert measures & (takes | people) == {"rehearsal_id", "quality"}
    pytest.importorskip("pandas", reason="pandas is not installed (pip install pandas)")
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(python, found)  # noqa: S102  # ours, from the bundle
    tables = found["tables"]
    assert set(tables["coach_reviews"]["coach_id"]) == {"012345"}
    assert "None" in set(tables["codes"]["name"])
    assert found["text"] == Text.objects.get().text
    assert {"quality", "quality_of_take", "condition"} <= set(found["measured"].columns)
    assert len(found["measured"]) == len(tables["measurements"]) > 0
