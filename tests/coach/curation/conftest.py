"""The cast of the studio: two curators, the published built-in rules, and a change to one."""

from __future__ import annotations

import pytest

from coach.accounts.models import Role, User
from coach.curation.models import Proposal
from coach.curation.selectors import rule_set_with, working_rule
from coach.curation.services import propose_change
from coach.feedback.models import Feedback, Item
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import active_release, rule_of
from feedback_rules.model import RuleSet
from tests.coach.factories import UserFactory


@pytest.fixture
def curator(db: None) -> User:
    """Dora, who changes rules."""
    return UserFactory(email="dora@example.org", name="Dora", roles=[Role.CURATOR])


@pytest.fixture
def second_curator(db: None) -> User:
    """Emil, who approves them."""
    return UserFactory(email="emil@example.org", name="Emil", roles=[Role.CURATOR])


@pytest.fixture
def release(db: None) -> RuleSetRelease:
    """The built-in rules, as the first set: every database of ours begins with them."""
    release = active_release()
    assert release is not None, "a test before this one emptied the tables: see _commits"
    return release


@pytest.fixture
def proposal(release: RuleSetRelease, curator: User) -> Proposal:
    """FIL001 with its limit raised from 5 to 7 a minute: a lower end of 6 no longer clears it."""
    working = working_rule("FIL001")
    assert working is not None
    rule = rule_of(working.newest)
    first = rule.when.all[0].model_copy(update={"value": 7})
    raised = rule.model_copy(update={"when": rule.when.model_copy(update={"all": (first,)})})
    return propose_change(rule=raised, base=working.newest, author=curator, why="Fewer cards.")


@pytest.fixture
def raised(proposal: Proposal) -> RuleSet:
    """The rules in force with that proposal in place."""
    return rule_set_with(proposal)


@pytest.fixture
def item(draft: Feedback) -> Item:
    """The one item of Ana's draft."""
    return draft.items.get()
