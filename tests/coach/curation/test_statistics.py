"""What became of each rule, counted: shares with intervals, and nobody picked out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from coach.accounts.models import Cohort, Policy, User
from coach.curation.models import KeptStatistics
from coach.curation.pages.statistics import rule_statistics_page, statistics_page
from coach.curation.pages.studio import statistics_words
from coach.curation.statistics import cached as statistics
from coach.curation.statistics.cached import (
    PERIODS,
    groups_for,
    keep_statistics,
    rule_statistics_for,
    takes_for,
)
from coach.curation.statistics.counting import LEAST_PEOPLE, count_rules
from coach.curation.statistics.reasons import reasons_written_for
from coach.curation.statistics.tallies import Tally
from coach.feedback.messages import dispute_item
from coach.feedback.models import Dispute, Feedback, Firing, Item, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item, undo_verdict
from coach.lib.words.shares import Share
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.curation.counted import RULE, make_takes, release
from tests.coach.factories import finish_analysis
from tests.feedback_rules.reports import shipped


def _tally(curator: User) -> Tally:
    return rule_statistics_for(curator)[RULE].total


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (10, 10, 0.722, 1.0), (14, 20, 0.481, 0.855)],
)
def test_intervals_are_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert Share(hits=hits, of=of).interval == pytest.approx((low, high), abs=0.001)


def test_a_draft_is_counted_before_anybody_decided(curator: User, draft: Feedback) -> None:
    tally = _tally(curator)
    assert (tally.fired, tally.shown, tally.decisions) == (1, 1, 0)
    assert tally.kept is None
    assert tally.disputes == Share(hits=0, of=1)
    assert takes_for(curator) == 1


def test_what_a_coach_reads_first_could_not_be_disputed_yet(
    curator: User, coach: User, draft: Feedback, cohort: Cohort
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    assert (_tally(curator).shown, _tally(curator).read) == (1, 0)
    decide_on_item(item=draft.items.get(), coach=coach, kind=Verdict.Kind.ACCEPT)
    assert (_tally(curator).accepted, _tally(curator).read) == (1, 0)
    release_feedback(feedback=draft, coach=coach)
    assert _tally(curator).disputes == Share(hits=0, of=1)


def test_what_waits_for_a_coach_fired_but_was_not_chosen(curator: User, item: Item) -> None:
    Item.objects.update(is_chosen=False)
    assert (_tally(curator).fired, _tally(curator).shown) == (1, 0)


@pytest.mark.parametrize(
    ("kind", "more", "expected"),
    [
        ("accept", {}, Tally(fired=1, shown=1, accepted=1)),
        ("edit", {"wording": {"claim": "Other words."}}, Tally(fired=1, shown=1, edited=1)),
        ("reject", {"reason": "tone"}, Tally(fired=1, shown=1, rejected={"tone": 1})),
    ],
)
def test_each_decision_is_counted(
    curator: User, coach: User, item: Item, kind: str, more: dict[str, object], expected: Tally
) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind(kind), **more)  # type: ignore[arg-type]
    tally = _tally(curator)
    assert (tally.accepted, tally.edited) == (expected.accepted, expected.edited)
    assert {k: n for k, n in tally.rejected.items() if n} == expected.rejected
    assert tally.decisions == 1


def test_the_last_decision_that_was_not_undone_stands(
    curator: User, coach: User, item: Item
) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="unimportant")
    assert (_tally(curator).accepted, _tally(curator).rejected) == (0, {"unimportant": 1})
    undo_verdict(item=item, coach=coach)
    assert (_tally(curator).accepted, _tally(curator).decisions) == (1, 1)
    undo_verdict(item=item, coach=coach)
    assert _tally(curator).decisions == 0


def test_an_accepted_rewording_is_an_edit(curator: User, coach: User, item: Item) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording={"claim": "Other."})
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    assert (_tally(curator).accepted, _tally(curator).edited) == (0, 1)


def test_disputes_are_counted_by_what_was_said(curator: User, trainee: User, item: Item) -> None:
    dispute_item(item=item, owner=trainee, reason=Dispute.Reason.NOT_HELPFUL, note="")
    assert _tally(curator).disputed == {"not_helpful": 1}
    disputes = _tally(curator).disputes
    assert disputes is not None
    assert (disputes.hits, disputes.of) == (1, 1)


def test_what_a_coach_let_through_can_be_disputed_as_well(
    curator: User, coach: User, trainee: User, item: Item
) -> None:
    Item.objects.update(is_chosen=False)
    assert _tally(curator).disputes is None
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    assert _tally(curator).disputes is None
    release(item.feedback)
    assert _tally(curator).disputes == Share(hits=0, of=1)
    dispute_item(item=item, owner=trainee, reason=Dispute.Reason.NOT_RIGHT, note="")
    Verdict.objects.update(undone_at=timezone.now())
    assert _tally(curator).disputes == Share(hits=1, of=1)


def test_what_waits_for_a_coach_is_shown_to_nobody(
    curator: User, coach: User, cohort: Cohort, item: Item
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST, reply_hours=48)
    assert (_tally(curator).shown, _tally(curator).read) == (1, 0)
    assert statistics_words(rule_statistics_for(curator)[RULE]) == "shown 0 times"
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="tone")
    release(item.feedback)
    assert _tally(curator).read == 0
    Verdict.objects.update(undone_at=timezone.now())
    assert _tally(curator).read == 1
    Feedback.objects.update(released_at=timezone.now() + timedelta(seconds=30))
    assert _tally(curator).read == 0  # it could still be taken back
    Feedback.objects.update(released_at=timezone.now(), state=Feedback.State.RETRACTED)
    assert _tally(curator).read == 1


def test_what_was_shown_at_once_was_shown_whatever_a_coach_made_of_it(
    curator: User, coach: User, item: Item
) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="tone")
    assert _tally(curator).read == 1
    Rehearsal.objects.update(waits_by_choice=True)
    assert _tally(curator).read == 0


def test_what_a_coach_held_back_was_not_read(curator: User, coach: User, item: Item) -> None:
    Rehearsal.objects.update(waits_by_choice=True)
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    Verdict.objects.create(item=item, kind=Verdict.Kind.HOLD, coach=coach)
    release(item.feedback)
    assert (_tally(curator).accepted, _tally(curator).read) == (1, 0)


def test_a_draft_behind_a_released_version_is_shown_to_nobody(
    curator: User, take: Rehearsal
) -> None:
    release(Feedback.objects.get())
    finish_analysis(take)
    assert (_tally(curator).fired, _tally(curator).read) == (2, 1)


def test_a_draft_that_a_newer_analysis_replaced_counts_only_where_it_was_released(
    curator: User, take: Rehearsal
) -> None:
    finish_analysis(take)
    assert (_tally(curator).fired, takes_for(curator)) == (1, 1)
    Feedback.objects.filter(version=1).update(
        state=Feedback.State.RELEASED, released_at=timezone.now(), released_by_name="Bea"
    )
    assert (_tally(curator).fired, takes_for(curator)) == (2, 2)


def test_constructed_takes_count_only_while_there_are_no_others(
    curator: User, take: Rehearsal
) -> None:
    Rehearsal.objects.update(is_constructed=True)
    assert (_tally(curator).fired, takes_for(curator)) == (1, 1)
    assert statistics_page(curator, period="").only_demonstration
    make_takes(None, 1)
    assert takes_for(curator) == 1
    assert not statistics_page(curator, period="").only_demonstration


def test_what_coaches_wrote_is_read_by_curators(
    curator: User, coach: User, take: Rehearsal
) -> None:
    item = Firing.objects.get(feedback__rehearsal=take, rule=RULE).item
    for kind, note in ((Verdict.Kind.REJECT, "Not here."), (Verdict.Kind.ACCEPT, "Yes.")):
        Verdict.objects.create(
            item=item, coach=coach, coach_name="Bea", kind=kind, reason="tone", note=note
        )
    assert [each.note for each in reasons_written_for(curator, rule=RULE)] == ["Not here."]
    assert not reasons_written_for(coach, rule=RULE).exists()
    page = rule_statistics_page(curator, rule=RULE, period="")
    assert page is not None
    assert [each.text for each in page.reasons] == ["Not here."]


def test_a_period_looks_back_only_so_far(curator: User, take: Rehearsal) -> None:
    Feedback.objects.update(created_at=timezone.now() - timedelta(days=40))
    assert rule_statistics_for(curator, days=30) == {}
    assert rule_statistics_for(curator, days=90)[RULE].total.fired == 1


def test_versions_are_counted_apart_and_added_up(curator: User, take: Rehearsal) -> None:
    make_takes(None, 1)
    Firing.objects.filter(feedback__rehearsal=take).update(rule_version=99)
    found = rule_statistics_for(curator)[RULE]
    fired = {version: tally.fired for version, tally in found.versions.items()}
    assert fired == {shipped(RULE): 1, 99: 1}
    assert found.total.fired == 2


def test_one_query_counts_everything(
    curator: User, draft: Feedback, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_takes(None, 3)
    with django_assert_num_queries(1):
        found = count_rules(days=None)
    assert found == rule_statistics_for(curator)


@pytest.fixture
def too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were too many firings to count for each page."""
    monkeypatch.setattr(statistics, "MOST_COUNTED_NOW", 0)


def test_where_there_is_much_pages_read_what_was_counted_last(
    curator: User, item: Item, coach: User, cohort: Cohort, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="tone")
    make_takes(cohort, LEAST_PEOPLE)
    make_takes(Cohort.objects.create(name="Tuesday group"), LEAST_PEOPLE)
    now = {
        days: (rule_statistics_for(curator, days=days), takes_for(curator, days=days))
        for days in PERIODS
    }
    groups = groups_for(curator, rule=RULE)
    monkeypatch.setattr(statistics, "MOST_COUNTED_NOW", 0)
    keep_statistics()
    make_takes(cohort, 1)
    assert len(groups) == 2
    assert groups_for(curator, rule=RULE) == groups
    for days, (rules, takes) in now.items():
        assert rule_statistics_for(curator, days=days) == rules
        assert takes_for(curator, days=days) == takes


@pytest.mark.usefixtures("draft", "too_many")
def test_the_page_says_as_of_when_its_figures_are(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    assert "being counted" in client.get("/rules/statistics/").content.decode()
    keep_statistics()
    listed = client.get("/rules/statistics/").content.decode()
    assert "1 take counted. As of " in listed
    assert "being counted" not in listed
    assert "As of " in client.get(f"/rules/statistics/{RULE}/").content.decode()


@pytest.mark.usefixtures("draft")
def test_nothing_is_kept_where_pages_count_for_themselves(
    curator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as many:
        many.setattr(statistics, "MOST_COUNTED_NOW", 0)
        assert keep_statistics()
    assert not keep_statistics()
    assert not KeptStatistics.objects.exists()


@pytest.mark.usefixtures("draft", "too_many")
def test_what_is_kept_is_for_curators_too(coach: User) -> None:
    keep_statistics()
    assert rule_statistics_for(coach) == {}
    assert takes_for(coach) == 0


def test_nobody_but_a_curator_gets_any(draft: Feedback, coach: User, researcher: User) -> None:
    for user in (coach, researcher):
        assert rule_statistics_for(user) == {}
        assert groups_for(user, rule=RULE) == ()
        assert takes_for(user) == 0
