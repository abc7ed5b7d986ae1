"""Asked once: whether the spoken language is the speaker's first. The answer goes with the take."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import Cohort, User
from coach.feedback.runs.drafting import context_of
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory


@pytest.mark.parametrize(("said", "known"), [("first", "first"), ("second", "second"), ("", None)])
def test_the_rules_know_what_was_said_and_nothing_where_nothing_was(
    said: str, known: str | None, trainee: User, cohort: Cohort
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, speaks_as=said)
    assert context_of(take).speaks_as == known


def test_what_was_answered_once_stands_in_the_next_form(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    RehearsalFactory(owner=trainee, cohort=cohort, language="fr", speaks_as="second")
    RehearsalFactory(owner=trainee, cohort=cohort, language="en", speaks_as="")

    form = sign_in(trainee).get(reverse("feedback:new")).context["form"]

    assert form["speaks_as"].value() == "second"
    assert form["language"].value() == "fr"


def test_a_strangers_answer_stands_in_nobody_elses_form(
    trainee: User, stranger: User, cohort: Cohort, sign_in: SignIn
) -> None:
    RehearsalFactory(owner=trainee, cohort=cohort, speaks_as="second")

    form = sign_in(stranger).get(reverse("feedback:new")).context["form"]

    assert not form["speaks_as"].value()
