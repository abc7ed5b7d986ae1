"""Two curators at the very same moment, each with a connection of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from coach.accounts.models import User
from coach.curation.import_export import import_rules
from coach.curation.models import Proposal
from coach.curation.releases import publish_approved
from coach.curation.services import (
    EditedMeanwhile,
    approve_proposal,
    propose_change,
    withdraw_proposal,
)
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.rulesets.selectors import rule_of
from feedback_rules.loader import rule_to_yaml
from tests.coach.curation.steps import approved, newest, proposed, tried

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("release")]


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Let them go at the same time; what each of them came to."""
    start = Barrier(len(acts), timeout=60)

    def run(act: Callable[[], object]) -> str:
        start.wait()
        try:
            act()
        except (ValidationError, EditedMeanwhile) as error:
            return type(error).__name__
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))


def test_of_two_proposals_from_the_same_version_one_learns_of_the_other(
    curator: User, second_curator: User
) -> None:
    base = newest("FIL001")

    def propose(author: User) -> Callable[[], object]:
        rule = rule_of(base).model_copy(update={"title": f"By {author}"})
        return lambda: propose_change(rule=rule, base=base, author=author, why="x")

    assert at_once(propose(curator), propose(second_curator)) == ["EditedMeanwhile", "done"]
    assert RuleVersion.objects.filter(rule="FIL001").count() == 2


def test_two_files_with_the_same_rule_are_taken_in_one_after_the_other(
    curator: User, second_curator: User
) -> None:
    rule = rule_of(newest("FIL001"))

    def take_in(who: User) -> Callable[[], object]:
        text = rule_to_yaml(rule.model_copy(update={"title": f"By {who}"})).encode()
        return lambda: import_rules(name=f"{who}.yml", content=text, curator=who)

    assert at_once(take_in(curator), take_in(second_curator)) == ["done", "done"]
    assert RuleVersion.objects.filter(rule="FIL001").count() == 3


def test_publishing_twice_at_once_makes_one_set(curator: User, second_curator: User) -> None:
    proposal = approved(curator, second_curator)
    tried(curator)
    seen = (proposal.version_id,)
    outcome = at_once(
        lambda: publish_approved(curator=curator, seen=seen),
        lambda: publish_approved(curator=second_curator, seen=seen),
    )
    assert outcome == ["ValidationError", "done"]
    assert RuleSetRelease.objects.count() == 2
    assert RuleSetRelease.objects.filter(is_active=True).count() == 1


def test_of_approving_and_taking_back_one_comes_first_and_both_are_told(
    curator: User, second_curator: User
) -> None:
    proposal = proposed(curator)
    outcome = at_once(
        lambda: approve_proposal(proposal=proposal, curator=second_curator),
        lambda: withdraw_proposal(proposal=proposal, curator=curator),
    )
    state = Proposal.objects.get().state
    assert state == "withdrawn"
    assert outcome in (["done", "done"], ["ValidationError", "done"])
