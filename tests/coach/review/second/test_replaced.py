"""What the first coach replaced was not kept, and is compared like that."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Feedback, Verdict
from coach.feedback.verdicts import decide_on_item, replace_item
from coach.rehearsals.models import Rehearsal
from coach.review.second.first_opinions import gather_first_opinions, write_first_opinion
from coach.review.second.models import Decision, Place
from tests.coach.conftest import SignIn
from tests.coach.review.second.judging import OWN, answer, second, url

upgrade = import_module("coach.review.second.migrations.0004_replaced_is_not_kept")


def first_decision() -> Decision:
    return Decision.objects.get(opinion__place=Place.FIRST)


def test_replacing_is_rejecting_for_the_reason_given(
    sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
) -> None:
    answer(draft, coach, kind="replace")
    second(sign_in(dora), sampled, "reject")
    gather_first_opinions()
    written = first_decision()
    assert (written.kind, written.reason) == ("reject", "wrong_context")
    page = sign_in(dora).get(url(sampled, "compare")).content.decode()
    assert "Would reject it: Does not fit this talk" in page
    assert "Cards decided alike: 1 of 1." in page


def test_moments_that_were_moved_before_are_not_where_it_is_seen(
    sampled: Rehearsal, draft: Feedback, coach: User
) -> None:
    item = draft.items.get(is_chosen=True)
    moved = {"claim": "You said um.", "clips": [{"start": 30.0, "end": 40.0}]}
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=moved)
    replace_item(item=item, coach=coach, words=OWN, reason="tone")
    write_first_opinion(feedback=draft, coach=coach)
    assert first_decision().own_moments == ()


@pytest.mark.parametrize(
    ("kind", "becomes"),
    [("replace", ("reject", "wrong_context")), ("accept", ("keep", ""))],
)
def test_what_was_written_down_before_is_put_right(
    sampled: Rehearsal, draft: Feedback, coach: User, kind: str, becomes: tuple[str, str]
) -> None:
    answer(draft, coach, kind=kind)
    write_first_opinion(feedback=draft, coach=coach)
    Decision.objects.update(kind="keep", reason="", clips=[])
    upgrade.reject_replaced(apps, connection.schema_editor)
    written = first_decision()
    assert (written.kind, written.reason) == becomes


def test_what_was_decided_after_it_was_written_down_changes_nothing(
    sampled: Rehearsal, draft: Feedback, coach: User
) -> None:
    item = draft.items.get(is_chosen=True)
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    write_first_opinion(feedback=draft, coach=coach)
    replace_item(item=item, coach=coach, words=OWN, reason="tone")
    upgrade.reject_replaced(apps, connection.schema_editor)
    assert first_decision().kind == "keep"


def test_what_was_taken_back_later_stood_then(
    sampled: Rehearsal, draft: Feedback, coach: User
) -> None:
    item = draft.items.get(is_chosen=True)
    replace_item(item=item, coach=coach, words=OWN, reason="tone")
    write_first_opinion(feedback=draft, coach=coach)
    Verdict.objects.filter(kind="replace").update(undone_at=timezone.now())
    Decision.objects.update(kind="keep", reason="")
    upgrade.reject_replaced(apps, connection.schema_editor)
    assert first_decision().kind == "reject"
