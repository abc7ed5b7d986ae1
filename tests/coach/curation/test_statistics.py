"""What became of each rule, counted: shares with intervals, and nobody picked out."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from coach.accounts.models import Cohort, Policy, User
from coach.curation.models import KeptStatistics
from coach.curation.pages.studio import statistics_words
from coach.curation.statistics import kept as statistics
from coach.curation.statistics.counting import LEAST_PEOPLE, count_rules
from coach.curation.statistics.kept import (
    PERIODS,
    groups_for,
    keep_statistics,
    rule_statistics_for,
    takes_for,
)
from coach.curation.statistics.tallies import LEAST_DECISIONS, RuleStatistics, Tally
from coach.feedback.conversation import dispute_item
from coach.feedback.models import Dispute, Feedback, Firing, Item, RejectReason, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item, undo_verdict
from coach.lib.shares import Share, kept_words, share_words
from coach.rehearsals.models import Rehearsal
from feedback_rules.loader import load_rules
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis
from tests.feedback_rules.reports import shipped

RULE = "FIL001"


@pytest.fixture
def item(draft: Feedback) -> Item:
    """The one item of Ana's draft."""
    return draft.items.get()


def release(feedback: Feedback) -> None:
    Feedback.objects.filter(pk=feedback.pk).update(
        state=Feedback.State.RELEASED, released_at=timezone.now(), released_by_name="Bea"
    )


def _tally(curator: User) -> Tally:
    return rule_statistics_for(curator)[RULE].total


def _takes(cohort: Cohort | None, people: int) -> None:
    for _ in range(people):
        finish_analysis(RehearsalFactory(owner=UserFactory(), cohort=cohort))


# --- counting


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


def test_constructed_takes_are_not_counted(curator: User, take: Rehearsal) -> None:
    Rehearsal.objects.update(is_constructed=True)
    assert rule_statistics_for(curator) == {}
    assert takes_for(curator) == 0


def test_a_period_looks_back_only_so_far(curator: User, take: Rehearsal) -> None:
    Feedback.objects.update(created_at=timezone.now() - timedelta(days=40))
    assert rule_statistics_for(curator, days=30) == {}
    assert rule_statistics_for(curator, days=90)[RULE].total.fired == 1


def test_versions_are_counted_apart_and_added_up(curator: User, take: Rehearsal) -> None:
    _takes(None, 1)
    Firing.objects.filter(feedback__rehearsal=take).update(rule_version=9)
    found = rule_statistics_for(curator)[RULE]
    fired = {version: tally.fired for version, tally in found.versions.items()}
    assert fired == {shipped(RULE): 1, 9: 1}
    assert found.total.fired == 2


def test_one_query_counts_everything(
    curator: User, draft: Feedback, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _takes(None, 3)
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
    _takes(cohort, LEAST_PEOPLE)
    _takes(Cohort.objects.create(name="Tuesday group"), LEAST_PEOPLE)
    now = {
        days: (rule_statistics_for(curator, days=days), takes_for(curator, days=days))
        for days in PERIODS
    }
    groups = groups_for(curator, rule=RULE)
    monkeypatch.setattr(statistics, "MOST_COUNTED_NOW", 0)
    keep_statistics()
    _takes(cohort, 1)
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


# --- flags


@pytest.mark.parametrize(
    ("kept", "decisions", "flagged"),
    [(17, 30, True), (18, 30, False), (16, 29, False), (0, 29, False), (30, 51, True)],
)
def test_a_rule_is_flagged_below_three_fifths_kept_of_thirty_decisions(
    kept: int, decisions: int, flagged: bool
) -> None:
    tally = Tally(
        accepted=kept - 1 if kept else 0,
        edited=1 if kept else 0,
        rejected={"tone": decisions - kept},
    )
    assert tally.decisions == decisions
    assert tally.is_flagged is flagged


def test_a_revised_rule_begins_anew() -> None:
    rejected = Tally(rejected={"tone": LEAST_DECISIONS})
    statistics = RuleStatistics(rule=RULE, versions={1: rejected})
    assert statistics.is_flagged(1)
    assert not statistics.is_flagged(2)


@pytest.fixture
def flagged(take: Rehearsal, coach: User) -> None:
    """Coaches kept 12 of 30."""
    for _ in range(LEAST_DECISIONS - 1):
        finish_analysis(RehearsalFactory(owner=take.owner, cohort=take.cohort))
    for number, item in enumerate(Item.objects.filter(rule=RULE)):
        kind = Verdict.Kind.ACCEPT if number < 12 else Verdict.Kind.REJECT
        reason = "" if number < 12 else RejectReason.WRONG_MEASUREMENT
        decide_on_item(item=item, coach=coach, kind=kind, reason=reason)


@pytest.mark.usefixtures("flagged")
def test_a_flagged_rule_stands_first_and_its_page_says_why(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    listed = client.get("/rules/statistics/").content.decode()
    order = re.findall(r">([A-Z]{3}\d{3})<", listed)
    assert order[0] == RULE
    assert order[1:] == sorted(order[1:])
    table, silent = listed.split("</table>")
    assert re.findall(r">([A-Z]{3}\d{3})<", table) == [RULE], "the others are folded away"
    assert "rules had nothing to say" in silent
    page = client.get(f"/rules/statistics/{RULE}/").content.decode()
    assert "Flagged for revision" in page
    assert "12 of 30: 40% (25–58%)" in page
    assert "The measurement is wrong" in page
    assert f'href="{reverse("curation:rule", args=[RULE])}">Open the rule</a>' in page
    assert "By version" not in page, "there is one: its figures stand above"
    Firing.objects.filter(pk__in=Firing.objects.values("pk")[:9]).update(rule_version=1)
    assert "By version" in client.get(f"/rules/statistics/{RULE}/").text


# --- groups


def test_groups_of_five_are_shown_and_smaller_ones_together(curator: User) -> None:
    for name, people in (("Autumn", 6), ("Spring", 5), ("Duo", 2), ("Trio", 3)):
        _takes(Cohort.objects.create(name=name), people)
    groups = groups_for(curator, rule=RULE)
    assert [(group.name, group.people) for group in groups] == [
        ("Autumn", 6),
        ("Spring", 5),
        ("", 5),
    ]
    assert [group.tally.fired for group in groups] == [6, 5, 5]


def test_a_small_group_cannot_be_worked_out_by_subtraction(curator: User) -> None:
    for name, people in (("Autumn", 7), ("Spring", 6), ("Duo", 2)):
        _takes(Cohort.objects.create(name=name), people)
    groups = groups_for(curator, rule=RULE)
    assert [(group.name, group.people) for group in groups] == [("Autumn", 7), ("", 8)]


def test_people_in_two_small_groups_are_counted_once(curator: User) -> None:
    _takes(Cohort.objects.create(name="Autumn"), 6)
    four = [UserFactory() for _ in range(4)]
    for name in ("Duo", "Quartet"):
        cohort = Cohort.objects.create(name=name)
        for person in four:
            finish_analysis(RehearsalFactory(owner=person, cohort=cohort))
    assert groups_for(curator, rule=RULE) == ()


def test_where_everybody_is_few_there_is_no_breakdown(
    curator: User, take: Rehearsal, sign_in: SignIn
) -> None:
    assert groups_for(curator, rule=RULE) == ()
    page = sign_in(curator).get(f"/rules/statistics/{RULE}/").content.decode()
    assert "Monday group" not in page
    assert "no breakdown by group" in page


# --- pages


def test_a_reworded_item_is_not_shown_as_one_that_was_kept_as_written(
    curator: User, coach: User, item: Item, sign_in: SignIn
) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording={"claim": "Other."})
    client = sign_in(curator)
    assert "0 as written, 1 in other words" in client.get("/rules/statistics/").text
    page = client.get(f"/rules/statistics/{RULE}/").text
    assert re.search(r"kept in other words</th><td>1 of 1", page)
    assert "kept 1 of 1, 1 of them reworded" in client.get("/rules/").content.decode()
    assert kept_words(as_written=0, reworded=0) == ""


def test_of_what_waits_for_a_coach_the_list_says_what_could_be_read(
    curator: User, coach: User, item: Item, sign_in: SignIn
) -> None:
    Item.objects.update(is_chosen=False)
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release(item.feedback)
    page = sign_in(curator).get("/rules/statistics/").text
    assert re.search(r"Shown </span>1</td>", page), "chosen it was not, and its trainee reads it"


def test_shares_are_said_with_their_interval() -> None:
    assert share_words(Share(hits=14, of=20)) == "14 of 20: 70% (48–85%)"
    assert share_words(None) == ""


@pytest.mark.parametrize("path", ["/rules/statistics/", f"/rules/statistics/{RULE}/"])
def test_the_pages_are_for_curators(
    path: str, draft: Feedback, curator: User, coach: User, sign_in: SignIn
) -> None:
    assert sign_in(curator).get(path).status_code == 200
    assert sign_in(curator).get(path, {"days": "30"}).status_code == 200
    assert sign_in(curator).get(path, {"days": "'; drop"}).status_code == 200
    assert sign_in(coach).get(path).status_code == 404


def test_a_rule_that_never_was_has_no_page(curator: User, sign_in: SignIn) -> None:
    assert sign_in(curator).get("/rules/statistics/XYZ999/").status_code == 404


def test_the_list_takes_as_many_queries_for_one_take_as_for_many(
    curator: User,
    sign_in: SignIn,
    draft: Feedback,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    _takes(None, 4)
    client = sign_in(curator)
    client.get("/rules/statistics/")  # the first reads the rule set and marks the page, once
    # One of them counts what is new, for the badge.
    with django_assert_max_num_queries(9):
        client.get("/rules/statistics/")


def test_a_rule_that_never_speaks_is_named_as_silent(curator: User, sign_in: SignIn) -> None:
    text = sign_in(curator).get("/rules/statistics/").content.decode()
    silent = re.findall(r'/statistics/(\w+)/[^"]*">([^<]*)</a>', text)
    named = {rule for rule, name in silent if name.endswith("(retired or a draft: silent)")}
    retired = {each.id for each in load_rules() if each.status in {"retired", "draft"}}
    assert named == retired
    assert retired
