"""What a change would do is counted on the latest takes before it is proposed."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.models import Proposal
from coach.curation.pages.effect import effect_of
from coach.curation.releases import mute_rule
from coach.feedback.models import Feedback, Lent
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_of
from feedback_rules.model import Rule
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import EDIT, newest, opened
from tests.coach.factories import RehearsalFactory, finish_analysis

pytestmark = pytest.mark.usefixtures("release")


def with_line(value: float) -> Rule:
    """FIL001 with its line elsewhere: takes of the factory have a lower end of 6."""
    rule = rule_of(newest("FIL001"))
    first, *rest = rule.when.all
    moved = first.model_copy(update={"value": value})
    return rule.model_copy(update={"when": rule.when.model_copy(update={"all": (moved, *rest)})})


def test_a_line_above_what_was_measured_silences_the_rule_on_each_take(take: Rehearsal) -> None:
    finish_analysis(RehearsalFactory())
    found = effect_of(with_line(7.0))
    assert (found.takes, found.now, found.changed, found.new, found.gone) == (2, 2, 0, 0, 2)
    same = effect_of(with_line(5.5))
    assert (same.now, same.changed, same.new, same.gone) == (2, 2, 0, 0)


def test_the_takes_are_counted_at_five_thresholds(take: Rehearsal) -> None:
    found = effect_of(with_line(6.0)).at_thresholds
    assert [each.is_chosen for each in found] == [False, False, True, False, False]
    assert (found[0].takes, found[-1].takes) == (1, 0)
    assert len({each.words for each in found}) == 5


def test_of_a_take_that_was_drafted_twice_only_the_newest_counts(take: Rehearsal) -> None:
    finish_analysis(take)
    assert Feedback.objects.count() == 2
    assert effect_of(with_line(7.0)).takes == 1


def test_many_takes_cost_no_more_queries_than_one(take: Rehearsal) -> None:
    with CaptureQueriesContext(connection) as of_one:
        effect_of(with_line(7.0))
    for _ in range(3):
        finish_analysis(RehearsalFactory(owner=take.owner))
    assert Lent.objects.count() == 3
    with CaptureQueriesContext(connection) as of_four:
        assert effect_of(with_line(7.0)).takes == 4
    assert len(of_four) == len(of_one)


def test_a_muted_rule_says_nothing_now(take: Rehearsal, curator: User) -> None:
    mute_rule(rule="FIL001", curator=curator, why="It counts coughs.")
    found = effect_of(with_line(5.0))
    assert (found.now, found.changed, found.new) == (0, 1, 1)


def test_a_context_that_cannot_be_read_any_more_is_left_out(take: Rehearsal) -> None:
    Feedback.objects.update(context={"aim": "no aim of ours"})
    found = effect_of(with_line(7.0))
    assert found.takes == 0
    assert found.lines == ("There are no takes yet to try it on.",)


def test_a_curator_reads_it_in_the_form_and_nothing_is_kept_or_shown_of_anybody(
    take: Rehearsal, curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    form = opened(client) | {"when|all|0|value": ["7"], "do": ["count"]}
    html = client.post(EDIT, form).content.decode()
    assert "Looked at the latest take." in html
    assert "It would give a new card for 0 and no longer give one for 1." in html
    assert 'value="7"' in html
    assert take.title not in html
    assert not Proposal.objects.exists()
    assert not Viewing.objects.exists()


def test_a_form_that_is_no_rule_is_not_counted(
    take: Rehearsal, curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    form = opened(client) | {"when|all|0|value": ["much"], "do": ["count"]}
    html = client.post(EDIT, form).content.decode()
    assert 'role="alert"' in html
    assert 'id="effect"' not in html


def test_nobody_but_curators_counts(
    take: Rehearsal, coach: User, stranger: User, sign_in: SignIn
) -> None:
    url = reverse("curation:edit", args=["FIL001"])
    for person in (coach, stranger, take.owner):
        assert sign_in(person).post(url, {"do": "count"}).status_code == 404


def test_the_count_is_of_the_set_in_force(release: RuleSetRelease, take: Rehearsal) -> None:
    assert release.is_active
    assert effect_of(rule_of(newest("FIL001"))).lines[2] == (
        "It would give a new card for 0 and no longer give one for 0."
    )
