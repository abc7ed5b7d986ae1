"""A flagged take stays flagged until it is settled, and nobody is handed it meanwhile."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import join_cohort
from coach.audit.models import Entry
from coach.rehearsals.models import Rehearsal
from coach.review.flags import clear_flag, flag_review
from coach.review.models import Review
from coach.review.selectors import QueueFilter, waiting_for
from coach.review.services import claim_next, claim_rehearsal, enqueue_sent, give_back
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory

WHY = "The sound is of another talk."


@pytest.fixture
def leader(cohort: Cohort) -> User:
    """Eve, who leads the coaches of the group."""
    eve = UserFactory(name="Eve", roles=[Role.COACH])
    join_cohort(person=eve, cohort=cohort, role=Role.COACH, actor=None, leads=True)
    return eve


@pytest.fixture
def colleague(cohort: Cohort) -> User:
    """Carl, who coaches beside Bea."""
    carl = UserFactory(name="Carl", roles=[Role.COACH])
    join_cohort(person=carl, cohort=cohort, role=Role.COACH, actor=None)
    return carl


@pytest.fixture
def flagged(sent: Rehearsal, coach: User, sign_in: SignIn) -> Review:
    """Bea opened it, flagged it and gave it back."""
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[sent.pk]))
    client.post(reverse("review:flag", args=[sent.pk]), {"why": WHY})
    give_back(rehearsal=sent, coach=coach)
    return Review.objects.get(rehearsal=sent)


def test_it_holds_through_claims_and_nobody_is_handed_it(
    flagged: Review, coach: User, colleague: User
) -> None:
    assert flagged.flag == WHY
    assert claim_next(coach=colleague, wanted=QueueFilter()) is None
    claim_rehearsal(rehearsal=flagged.rehearsal, coach=colleague)
    give_back(rehearsal=flagged.rehearsal, coach=colleague)
    flagged.refresh_from_db()
    assert (flagged.flag, flagged.flagged_by) == (WHY, coach)
    assert claim_next(coach=coach, wanted=QueueFilter()) is None


def test_the_queue_and_the_desk_say_why(
    flagged: Review, coach: User, colleague: User, sign_in: SignIn
) -> None:
    client = sign_in(colleague)
    queue = reverse("review:queue")
    assert f"Flagged: {WHY}" in client.get(queue).content.decode()
    assert flagged.rehearsal.title in client.get(f"{queue}?flagged=1").content.decode()
    desk = client.get(reverse("review:desk", args=[flagged.rehearsal_id])).content.decode()
    assert WHY in desk
    assert "Bea flagged this take" in desk
    assert reverse("review:settle_flag", args=[flagged.rehearsal_id]) not in desk
    enqueue_sent()
    assert not waiting_for(coach, QueueFilter(flagged=True)).exclude(pk=flagged.pk).exists()


def test_who_leads_or_who_flagged_it_settles_it_and_nobody_else(
    flagged: Review, coach: User, colleague: User, leader: User, sign_in: SignIn
) -> None:
    settle = reverse("review:settle_flag", args=[flagged.rehearsal_id])
    sign_in(colleague).post(settle)
    flagged.refresh_from_db()
    assert flagged.flag == WHY
    sign_in(leader).post(settle)
    flagged.refresh_from_db()
    assert (flagged.flag, flagged.flagged_by, flagged.flagged_at) == ("", None, None)
    assert claim_next(coach=colleague, wanted=QueueFilter()) is not None
    flag_review(review=flagged, coach=coach, why=WHY)
    clear_flag(review=Review.objects.get(pk=flagged.pk), coach=coach)
    acts = Entry.objects.filter(action__startswith="review.flag").order_by("pk")
    assert [(each.actor, each.detail["before"], each.detail["after"]) for each in acts] == [
        (coach, "", "flagged"),
        (leader, "flagged", ""),
        (coach, "", "flagged"),
        (coach, "flagged", ""),
    ]
    assert WHY not in str([each.detail for each in acts])


def test_a_reason_is_asked_for_and_a_first_flag_stands(flagged: Review, colleague: User) -> None:
    with pytest.raises(ValidationError, match="already"):
        flag_review(review=flagged, coach=colleague, why="Another reason.")
    clear_flag(review=flagged, coach=Review.objects.get(pk=flagged.pk).flagged_by or colleague)
    with pytest.raises(ValidationError, match="Say why"):
        flag_review(review=flagged, coach=colleague, why="  ")
