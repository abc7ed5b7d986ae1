"""The synthetic study: everything that a study can hold, of nobody who exists."""

from __future__ import annotations

import random

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Coding
from coach.research.dashboard.pages import asked_by
from coach.research.dashboard.registry import GLANCES
from coach.research.dashboard.spec import DashboardRequest
from coach.research.demonstration.interviews import make_interviews
from coach.research.demonstration.people import make_cast
from coach.research.demonstration.small import make_small_study
from coach.research.demonstration.takes import make_takes
from coach.rulesets.services import publish_builtin_rules
from tests.coach.conftest import SignIn


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
    assert Coding.objects.filter(rehearsal__isnull=False).count() == 2
    for each in Coding.objects.filter(rehearsal=None).select_related("text"):
        words = each.text.text + " "
        assert (words[each.start - 1] + words[each.end]).isspace()
        assert words[each.start : each.end].strip() == words[each.start : each.end]


def test_a_small_study_can_be_played_and_is_made_once(
    researcher: User, take: Rehearsal, sign_in: SignIn
) -> None:
    Rehearsal.objects.update(has_copy=True)
    study = make_small_study(take=take, researcher=researcher)
    assert study is not None
    theme = study.themes.get()
    page = sign_in(researcher).get(reverse("research:reel", args=[study.slug]), {"theme": theme.pk})
    assert page.context["counts"]["takes"] == 1
    assert [row["n"] for row in page.context["refused"]] == [2]
    assert make_small_study(take=take, researcher=researcher) is None
