"""A flagged take stays flagged until it is settled, and nobody is handed it meanwhile."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, pgettext

from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import join_cohort
from coach.audit.models import Entry
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.services import send_to_coach, withdraw_from_coach
from coach.review.desk.flags import clear_flag, flag_review, may_clear
from coach.review.models import Review
from coach.review.selectors import QueueFilter, waiting_for
from coach.review.services import (
    claim_next,
    claim_rehearsal,
    enqueue_sent,
    finish_review,
    give_back,
)
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join

WHY = "The sound is of another talk."


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
    # Nor is it handed back to who has it open.
    claim_rehearsal(rehearsal=flagged.rehearsal, coach=coach)
    assert claim_next(coach=coach, wanted=QueueFilter()) is None


def test_the_queue_and_the_desk_say_why(
    flagged: Review, coach: User, colleague: User, leader: User, sign_in: SignIn
) -> None:
    client = sign_in(colleague)
    assert leader.can_review
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
    with pytest.raises(ValidationError, match="Give a reason"):
        flag_review(review=flagged, coach=colleague, why="  ")


def test_a_take_sent_to_another_group_brings_no_flag_along(
    flagged: Review, sign_in: SignIn
) -> None:
    take = flagged.rehearsal
    withdraw_from_coach(rehearsal=take)
    elsewhere = Cohort.objects.create(name="Elsewhere")
    zoe = UserFactory(name="Zoe", roles=[Role.COACH])
    join(elsewhere, zoe, Role.COACH)
    AccessGrant.objects.create(rehearsal=take, cohort=elsewhere)
    client = sign_in(zoe)
    assert WHY not in client.get(reverse("review:queue")).content.decode()
    assert WHY not in client.get(reverse("review:desk", args=[take.pk])).content.decode()
    give_back(rehearsal=take, coach=zoe)
    review = claim_next(coach=zoe, wanted=QueueFilter())
    assert review is not None
    assert (review.flag, review.flagged_by, review.flagged_at) == ("", None, None)


def test_an_answer_ends_the_flag(flagged: Review, coach: User) -> None:
    finish_review(rehearsal=flagged.rehearsal, coach=coach)
    flagged.refresh_from_db()
    assert (flagged.flag, flagged.flagged_by, flagged.flagged_at) == ("", None, None)
    # It is taken back and answered anew: nothing is left to settle.
    claim_rehearsal(rehearsal=flagged.rehearsal, coach=coach)
    assert claim_next(coach=coach, wanted=QueueFilter()) == flagged


def test_where_nobody_leads_any_coach_of_the_group_settles_it(
    flagged: Review, colleague: User, stranger: User, leader: User
) -> None:
    join(Cohort.objects.create(name="Elsewhere"), stranger, Role.COACH)
    User.objects.filter(pk=stranger.pk).update(roles=[Role.COACH])
    of_another_group = User.objects.get(pk=stranger.pk)
    assert not may_clear(flagged, colleague)
    User.objects.filter(pk=leader.pk).update(is_active=False)
    assert may_clear(flagged, colleague)
    assert not may_clear(flagged, of_another_group)
    clear_flag(review=flagged, coach=colleague)
    assert claim_next(coach=colleague, wanted=QueueFilter()) == flagged


def test_the_flag_of_somebody_erased_is_settled_by_any_coach_of_the_group(
    flagged: Review, coach: User, colleague: User, leader: User
) -> None:
    assert leader.is_active
    coach.delete()
    flagged.refresh_from_db()
    assert (flagged.flag, flagged.flagged_by) == (WHY, None)
    assert may_clear(flagged, colleague)


def test_where_all_that_waits_is_flagged_it_says_so_and_blames_no_colleague(
    flagged: Review, coach: User, colleague: User, cohort: Cohort, sign_in: SignIn
) -> None:
    client, following = sign_in(colleague), reverse("review:next")
    for asked in ("", "?flagged=1"):
        said = client.post(following + asked, follow=True).content.decode()
        assert "All waiting takes are flagged." in said
        assert "Colleagues are working" not in said
    other = RehearsalFactory(owner=flagged.rehearsal.owner, cohort=cohort)
    finish_analysis(other)
    send_to_coach(rehearsal=other, note="")
    claim_rehearsal(rehearsal=other, coach=coach)
    said = client.post(following, follow=True).content.decode()
    assert "Colleagues are working on all waiting takes that are not flagged. A" in said


def test_a_download_holds_the_reasons_one_wrote_and_no_colleagues(
    flagged: Review, coach: User, colleague: User
) -> None:
    claim_rehearsal(rehearsal=flagged.rehearsal, coach=colleague)
    theirs = own_data(colleague)
    assert len(theirs["reviews"]) == 1
    assert theirs["takes_flagged"] == []
    assert WHY not in str(theirs)
    [written] = own_data(coach)["takes_flagged"]
    assert written["flag"] == WHY


def test_a_reason_is_as_long_as_its_field_lets_it_be(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client, flag = sign_in(coach), reverse("review:flag", args=[sent.pk])
    client.get(reverse("review:desk", args=[sent.pk]))
    said = client.post(flag, {"why": "a" * 501}, follow=True).content.decode()
    assert "at most 500 characters (it has 501)" in said
    assert "Give a reason" in client.post(flag, {"why": " "}, follow=True).content.decode()
    lines = "\n".join(["a" * 9] * 50)
    assert len(lines) == 499
    client.post(flag, {"why": lines.replace("\n", "\r\n")})
    assert Review.objects.get(rehearsal=sent).flag == lines


def test_the_button_that_settles_says_so_in_french_beside_the_column_of_differences() -> None:
    with translation.override("fr"):
        assert pgettext("a flagged take", "Mark as settled") == "C’est réglé"
        assert gettext("Resolved") == "Tranchées"
