"""The strip of plain facts above a report."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from analysis.results import Reason, Report, Skipped
from coach.accounts.models import User
from coach.feedback.pages.plain_facts import plain_facts
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report
from tests.feedback_rules.reports import a_report, events

FILLED = "fillers.filled_pauses_per_minute"


def values(report: Report) -> list[str]:
    return [each.value for each in plain_facts(report)]


def test_counts_come_with_their_moments() -> None:
    facts = plain_facts(make_report())
    ums = next(each for each in facts if each.value == "24")
    assert len(ums.clips) == 20
    assert (ums.clips[0].start, ums.clips[0].end, ums.clips[0].label) == (1.5, 4.4, "0:03")


def test_an_unmeasured_fact_has_no_number_and_a_switched_off_one_is_left_out() -> None:
    report = make_report()
    off = Skipped.because(Reason.DISABLED_BY_PROFILE, "in_words", words="Turned off.")
    without = report.model_copy(
        update={"measurements": {}, "skipped": {**report.skipped, FILLED: off}}
    )
    assert len(plain_facts(without)) == len(plain_facts(report)) - 1
    assert values(without) == ["3:00", "", "", "", ""]


def test_the_longest_pause_is_one_moment() -> None:
    pauses = [*events("silent_pause", 10, lasting=0.6), *events("silent_pause", 40, lasting=2.1)]
    silent = {"value": 4.0, "n": 2}
    report = a_report(measurements={"pauses.silent_per_minute": silent}, events=pauses)
    [pause] = [each for each in plain_facts(report) if each.value == "2.1 s"]
    assert [each.label for each in pause.clips] == ["0:40"]


def test_a_report_begins_with_them_also_without_cards(client: Client, trainee: User) -> None:
    take = RehearsalFactory(owner=trainee)
    finish_analysis(take, make_report().model_copy(update={"measurements": {}}))
    client.force_login(trainee)
    page = client.get(reverse("feedback:report", args=[take.pk]))
    assert page.context["page"].plain_facts
    assert page.text.index('class="plain-facts"') < page.text.index('class="report"')
