"""A site of before codes, storage and rows: its takes, feedback, proposals and log read the same.

The database is made as the migrations of then left it, in a schema of its own.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import override_settings

from analysis.results import Note, Reason, Report
from coach.accounts.models import User
from coach.audit.models import Entry
from coach.curation.models import Proposal
from coach.feedback.items import items_for_reading
from coach.feedback.models import Feedback, MeasuredValue, Run, Stage
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.pages.measures import not_measured
from coach.feedback.pages.report import report_page
from coach.feedback.reports import report_of
from coach.lib.words.sentences import whole
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from coach.review.second.models import CalibrationTake
from coach.rulesets.selectors import rule_of
from demo.quick_migrations import quick_migrations
from feedback_rules.loader import builtin_rule_set, rule_to_document, rule_to_yaml
from feedback_rules.select import draft
from tests.coach.factories import make_report

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

BEFORE = [
    ("accounts", "0005_people_in_words"),
    ("audit", "0002_entries_in_words"),
    ("curation", "0004_kept_statistics"),
    ("feedback", "0007_forget_what_deleted_takes_lent"),
    ("portal", "0001_kept_forms"),
    ("rehearsals", "0007_answered_at"),
    ("review", "0001_initial"),
    ("rulesets", "0002_versions"),
]
CLIPS = [("second", "0001_opinions")]
"""When takes on which new coaches practise had another name."""
SKIPPED = "Your face was found for 33% of the time you speak; 60% are needed."
NOTE = "Damaged pieces that were passed over: 3."
FAILED = "The file is empty."
HINT = "Record or upload it again."
AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What was stored then, after all migrations since."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA a_site_of_before; SET search_path TO a_site_of_before")
    try:
        with override_settings(MEDIA_ROOT=tmp_path), quick_migrations():
            executor = MigrationExecutor(connection)
            executor.migrate(BEFORE)
            apps = executor.loader.project_state(BEFORE).apps
            stored = _store(apps, tmp_path)
            executor = MigrationExecutor(connection)
            executor.migrate(CLIPS)
            _store_clip(executor.loader.project_state(CLIPS).apps, stored)
            executor = MigrationExecutor(connection)
            executor.migrate(executor.loader.graph.leaf_nodes())
            yield stored
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET search_path TO DEFAULT; DROP SCHEMA a_site_of_before CASCADE")


def former_report() -> dict[str, Any]:
    """A report as version 1 wrote it."""
    document: dict[str, Any] = json.loads(make_report().as_json())
    document["schema_version"] = 1
    document["media"]["notes"] = [NOTE]
    for skipped in document["skipped"].values():
        skipped.pop("code")
        skipped.pop("values")
        skipped["detail"] = "Made for a test."
    document["skipped"]["gaze.camera_facing_share"] = {"reason": "low_coverage", "detail": SKIPPED}
    return document


def _store(apps: Apps, media: Path) -> dict[str, Any]:
    user = apps.get_model("accounts", "User").objects
    ana = user.create(email="ana@example.org", name="Ana", roles=["trainee"], joined_at=AT)
    bea = user.create(email="bea@example.org", name="Bea", roles=["coach"], joined_at=AT)
    take = _take(apps, ana, "My pitch")
    (media / f"rehearsals/{take.pk}").mkdir(parents=True)
    (media / f"rehearsals/{take.pk}/poster.jpg").write_bytes(b"a picture")
    rules = builtin_rule_set()
    report = former_report()
    made = draft(Report.model_validate(report), rules, None)
    release = apps.get_model("rulesets", "RuleSetRelease").objects.create(
        number=1,
        digest=rules.digest,
        documents=[rule_to_document(rule) for rule in rules.rules],
        is_active=True,
    )
    run = apps.get_model("feedback", "Run").objects.create(
        rehearsal=take, state="done", report=report, finished_at=AT
    )
    apps.get_model("feedback", "Stage").objects.create(
        run=run,
        name="watch",
        position=1,
        queue="vision",
        state="failed",
        problem=FAILED,
        rung_at=AT,
    )
    feedback = apps.get_model("feedback", "Feedback").objects.create(
        rehearsal=take,
        run=run,
        state="released",
        rule_set=release,
        draft=made.as_json(),
        released_at=AT,
        released_by=bea,
        released_by_name="Bea",
    )
    documents = [item.model_dump(mode="json") for item in made.items]
    items = [
        apps.get_model("feedback", "Item").objects.create(
            feedback=feedback,
            origin="rule",
            position=place,
            tone=each["tone"],
            quality=each["quality"],
            rule=each["rule"],
            rule_version=each["rule_version"],
            document=each,
        )
        for place, each in enumerate(documents)
    ]
    apps.get_model("feedback", "Verdict").objects.create(
        item=items[0], coach=bea, coach_name="Bea", kind="edit", wording={"claim": "Said anew."}
    )
    failed = apps.get_model("feedback", "Run").objects.create(
        rehearsal=_take(apps, ana, "An empty one"),
        state="failed",
        error_code="E102",
        error_sentence=FAILED,
        error_hint=HINT,
    )
    rule = rules.rules[0]
    version = apps.get_model("rulesets", "RuleVersion").objects.create(
        rule=rule.id,
        number=2,
        text=rule_to_yaml(rule),
        document=rule_to_document(rule),
        digest="d",
        origin="studio",
        author=bea,
        author_name="Bea",
        why="It speaks early.",
    )
    proposal = apps.get_model("curation", "Proposal").objects.create(rule=rule.id, version=version)
    apps.get_model("audit", "Entry").objects.create(
        actor=bea,
        action="feedback.released",
        object_type="feedback.feedback",
        object_id=str(feedback.pk),
        detail={"items": 1},
    )
    return {
        "report": report,
        "draft": made.as_json(),
        "documents": documents,
        "rule": rule,
        "take": take.pk,
        "run": run.pk,
        "failed": failed.pk,
        "feedback": feedback.pk,
        "proposal": proposal.pk,
    }


def _store_clip(apps: Apps, site: dict[str, Any]) -> None:
    clip = apps.get_model("second", "Clip").objects.create(rehearsal_id=site["take"])
    site["clip"] = clip.pk


def _take(apps: Apps, owner: Any, title: str) -> Any:
    key = uuid.uuid4()
    return apps.get_model("rehearsals", "Rehearsal").objects.create(
        id=key,
        owner=owner,
        title=title,
        aim="inform",
        audience="experts",
        setting="camera",
        language="en",
        media=f"rehearsals/{key}/original",
        original_name="take.mp4",
        size_bytes=10,
        sha256=key.hex * 2,
        duration=180.0,
        has_video=True,
        playback_type="video/mp4",
    )


def test_what_a_site_held_reads_the_same_after_all_migrations(site: dict[str, Any]) -> None:
    run = Run.objects.get(pk=site["run"])
    _the_report_reads_the_same(run, site["report"])
    _the_feedback_reads_the_same(site)
    _what_went_wrong_reads_the_same(site, run)
    proposal = Proposal.objects.get(pk=site["proposal"])
    assert (proposal.state, proposal.version.why) == ("open", "It speaks early.")
    assert rule_of(proposal.version).title == site["rule"].title
    entry = Entry.objects.get(action="feedback.released")
    assert (entry.object_id, entry.detail) == (str(site["feedback"]), {"items": 1})
    assert (entry.object_type, entry.actor) == (
        "feedback.feedback",
        User.objects.get(email="bea@example.org"),
    )
    assert CalibrationTake.objects.get(pk=site["clip"]).rehearsal_id == site["take"]


def _the_report_reads_the_same(run: Run, former: dict[str, Any]) -> None:
    assert run.report.document == former
    report = report_of(run)
    measured = {name: each.model_dump(mode="json") for name, each in report.measurements.items()}
    assert measured == former["measurements"]
    assert [note.detail for note in report.media.notes] == [NOTE]
    assert report.skipped["gaze.camera_facing_share"].detail == SKIPPED
    assert SKIPPED in {gap.detail for cause in not_measured(report) for gap in cause.gaps}
    assert (run.report.duration, run.report.language) == (180.0, "en")
    rows = {row.metric: row for row in MeasuredValue.objects.filter(report=run.pk)}
    assert rows.keys() == former["measurements"].keys() | former["skipped"].keys()
    row = rows["fillers.filled_pauses_per_minute"]
    assert (row.value, row.n, row.low, row.high, row.quality) == (8.0, 24, 6.0, 10.0, "good")
    assert rows["gaze.camera_facing_share"].reason == Reason.LOW_COVERAGE.value


def _the_feedback_reads_the_same(site: dict[str, Any]) -> None:
    feedback = Feedback.objects.get(pk=site["feedback"])
    assert feedback.draft == site["draft"]
    assert (feedback.state, feedback.released_at, feedback.released_by_name) == (
        "released",
        AT,
        "Bea",
    )
    first = items_for_reading(feedback)[0]
    assert first.document == {**site["documents"][0], "claim": "Said anew."}
    ana = User.objects.get(email="ana@example.org")
    page = report_page(feedback.rehearsal, feedback.run, reader=ana)
    assert page.cards[0].claim == "Said anew."
    assert NOTE in page.notices
    own = own_data(ana)
    taken = next(each for each in own["rehearsals"] if each["title"] == "My pitch")
    assert taken["report"] == site["report"]
    take = Rehearsal.objects.get(title="My pitch")
    assert (take.has_poster, take.has_copy) == (True, False)


def _what_went_wrong_reads_the_same(site: dict[str, Any], run: Run) -> None:
    failed = Run.objects.select_related("rehearsal").get(pk=site["failed"])
    problem = analysing_page(failed.rehearsal, failed).problem
    assert FAILED in problem
    assert HINT in problem
    assert failed.error_code == "E102"
    stage = Stage.objects.get(run=run, name="watch")
    assert whole(Note.model_validate(stage.problem)) == FAILED
    assert stage.enqueued_again_at == AT
