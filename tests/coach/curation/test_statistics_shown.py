"""What is shown of the figures of rules: flags, groups of people who are not few, pages."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from coach.accounts.models import Cohort, User
from coach.curation.statistics.cached import groups_for
from coach.curation.statistics.tallies import LEAST_DECISIONS, RuleStatistics, Tally
from coach.feedback.models import Feedback, Firing, Item, RejectReason, Verdict
from coach.feedback.verdicts import decide_on_item
from coach.lib.words.shares import Share, kept_words, share_words
from coach.rehearsals.models import Rehearsal
from feedback_rules.loader import load_rules
from tests.coach.conftest import SignIn
from tests.coach.curation.counted import RULE, make_takes, release
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis

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
    assert "rules gave no card" in silent
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
        make_takes(Cohort.objects.create(name=name), people)
    groups = groups_for(curator, rule=RULE)
    assert [(group.name, group.people) for group in groups] == [
        ("Autumn", 6),
        ("Spring", 5),
        ("", 5),
    ]
    assert [group.tally.fired for group in groups] == [6, 5, 5]


def test_a_small_group_cannot_be_worked_out_by_subtraction(curator: User) -> None:
    for name, people in (("Autumn", 7), ("Spring", 6), ("Duo", 2)):
        make_takes(Cohort.objects.create(name=name), people)
    groups = groups_for(curator, rule=RULE)
    assert [(group.name, group.people) for group in groups] == [("Autumn", 7), ("", 8)]


def test_people_in_two_small_groups_are_counted_once(curator: User) -> None:
    make_takes(Cohort.objects.create(name="Autumn"), 6)
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
    assert "0 as written, 1 reworded" in client.get("/rules/statistics/").text
    page = client.get(f"/rules/statistics/{RULE}/").text
    assert re.search(r"kept, reworded</th><td>1 of 1", page)
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
    assert share_words(Share(hits=14, of=19)) == "14 of 19", "no share of so few"
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
    make_takes(None, 4)
    client = sign_in(curator)
    client.get("/rules/statistics/")  # the first reads the rule set and marks the page, once
    # One of them counts what is new, for the badge; one asks whether all takes are constructed.
    with django_assert_max_num_queries(10):
        client.get("/rules/statistics/")


def test_a_rule_that_never_speaks_is_named_as_silent(curator: User, sign_in: SignIn) -> None:
    text = sign_in(curator).get("/rules/statistics/").content.decode()
    silent = re.findall(r'/statistics/(\w+)/[^"]*">([^<]*)</a>', text)
    named = {rule for rule, name in silent if name.endswith("(retired or a draft: silent)")}
    retired = {each.id for each in load_rules() if each.status in {"retired", "draft"}}
    assert named == retired
    assert retired
