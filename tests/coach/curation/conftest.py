"""The cast of the studio: two curators and the published built-in rules."""

from __future__ import annotations

import pytest

from coach.accounts.models import Role, User
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.services import publish_builtin_rules
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
    """The built-in rules, as the first set."""
    return publish_builtin_rules()
