"""Which rules fired, beside the draft, to be counted in the database."""

from __future__ import annotations

import logging
from importlib import import_module

import pytest
from django.apps import apps

from analysis.results import Event, Measurement, Report
from coach.audit.models import Entry
from coach.feedback.models import Firing
from coach.rehearsals.models import Rehearsal
from tests.coach.factories import finish_analysis, make_report

HABITS = {"wording.verbal_habits_per_minute": 4.0, "fillers.filler_words_per_minute": 3.0}


def _with_words_that_were_not_said() -> Report:
    measured = {
        metric: Measurement(
            value=value, unit="per minute", n=12, coverage=0.95, quality="good", interval=(2.5, 5)
        )
        for metric, value in HABITS.items()
    }
    said = tuple(
        Event(kind="verbal_habit", start=at, end=at + 0.4, label="you know")
        for at in (2.0, 30.0, 60.0, 90.0, 120.0)
    )
    report = make_report(**measured)
    return report.model_copy(update={"events": (*report.events, *said)})


def test_every_rule_that_fired_has_a_row_with_the_item_that_it_became(take: Rehearsal) -> None:
    feedback = take.feedback.get()
    item = feedback.items.get()
    assert list(Firing.objects.values_list("feedback", "rule", "rule_version", "item")) == [
        (feedback.pk, "FIL001", item.rule_version, item.pk)
    ]


def test_rows_of_older_drafts_are_made_from_their_text(take: Rehearsal) -> None:
    before = list(Firing.objects.values("feedback", "rule", "rule_version", "item"))
    Firing.objects.all().delete()
    import_module("coach.feedback.migrations.0002_firing")._from_drafts(apps, None)
    assert list(Firing.objects.values("feedback", "rule", "rule_version", "item")) == before


def test_what_the_evidence_check_drops_is_logged_and_stands_in_the_audit_log(
    take: Rehearsal, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        finish_analysis(take, _with_words_that_were_not_said())
    assert "WRD003" in caplog.text
    assert not Firing.objects.filter(rule="WRD003").exists()
    entry = Entry.objects.filter(action="feedback.drafted").first()
    assert entry is not None
    assert entry.detail["dropped"] == {"WRD003": "quote_mismatch"}
