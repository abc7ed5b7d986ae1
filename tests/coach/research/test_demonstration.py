"""The synthetic study: everything that a study can hold, of nobody who exists."""

from __future__ import annotations

import random

import pytest

from coach.accounts.models import User
from coach.research.coding.models import Coding
from coach.research.dashboard.pages import asked_by
from coach.research.dashboard.registry import GLANCES
from coach.research.dashboard.spec import DashboardRequest
from coach.research.demonstration.interviews import make_interviews
from coach.research.demonstration.people import make_cast
from coach.research.demonstration.takes import make_takes
from coach.rulesets.services import publish_builtin_rules


@pytest.fixture
def asked(researcher: User) -> DashboardRequest:
    """A small one, as whoever leads it sees it."""
    publish_builtin_rules()
    dice = random.Random(1)  # noqa: S311  # for a demonstration
    cast = make_cast("demo-study", dice)
    make_takes(cast, dice, count=24)
    make_interviews(cast, dice, n_codings=500)
    return asked_by(researcher, cast.study, {})


def test_every_table_at_a_glance_has_something_in_it(asked: DashboardRequest) -> None:
    found = {each.name: len(list(each.rows(asked))) for each in GLANCES}
    assert all(found.values()), found
    assert found["completeness"] == 30
    for each in Coding.objects.select_related("text"):
        words = each.text.text + " "
        assert (words[each.start - 1] + words[each.end]).isspace()
        assert words[each.start : each.end].strip() == words[each.start : each.end]
