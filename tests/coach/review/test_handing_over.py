"""What a coach hands over waits for that colleague, who is told; after a day it is anybody's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import leave_cohort
from coach.audit.models import Entry
from coach.feedback.messages import answer, ask_trainee
from coach.feedback.models import Feedback, Verdict
from coach.notices.models import Kind
from coach.notices.selectors import new_for
from coach.rehearsals.models import Rehearsal
from coach.review.models import Review
from coach.review.selectors import QueueFilter
from coach.review.services import (
    claim_next,
    claim_rehearsal,
    enqueue_sent,
    give_back,
    hand_over,
    keep_for,
)
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.review.deciding import settle, taken

ANY = QueueFilter()


def test_what_was_handed_over_waits_for_that_colleague(
    sent: Rehearsal, coach: User, second_coach: User, cohort: Cohort
) -> None:
    third = UserFactory(roles=[Role.COACH])
    join(cohort, third, Role.COACH)
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="The ending is yours.")
    assert claim_next(coach=third, wanted=ANY) is None
    assert taken(claim_next(coach=second_coach, wanted=ANY)) == sent
    assert Entry.objects.filter(action="review.handed_over", actor=coach).exists()


def test_whom_a_take_is_handed_to_is_told_and_nobody_else(
    sent: Rehearsal, coach: User, second_coach: User, cohort: Cohort
) -> None:
    third = UserFactory(roles=[Role.COACH])
    join(cohort, third, Role.COACH)
    enqueue_sent()
    claim_rehearsal(rehearsal=sent, coach=coach)
    assert not new_for(second_coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="")
    assert [each.kind for each in new_for(second_coach)] == [Kind.HANDED]
    assert not new_for(third)
    assert not new_for(coach)


def test_the_colleague_reads_who_handed_it_over_and_why(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="Please look at the ums.")
    client, news = sign_in(second_coach), reverse("notices:list")
    page = client.get(news).content.decode()
    said = f"{coach} handed you “{sent.title}” by {sent.owner}: “Please look at the ums.”"
    assert said in page
    assert "is waiting for your review" not in page
    desk = client.get(reverse("review:desk", args=[sent.pk])).content.decode()
    assert f"{coach} handed this take to you: “Please look at the ums.”" in desk


def test_what_somebody_took_on_is_not_said_to_wait(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    enqueue_sent()
    client, news = sign_in(second_coach), reverse("notices:list")
    assert "is waiting for your review" in client.get(news).content.decode()
    claim_rehearsal(rehearsal=sent, coach=coach)
    page = client.get(news).content.decode()
    assert "a coach is reviewing it" in page
    assert "is waiting for your review" not in page


def acts_of_an_old_page(take: Rehearsal) -> dict[str, tuple[str, dict[str, str]]]:
    """Each act of a desk that was opened before: its address, and what its form sends."""
    item = take.feedback.get().items.first()
    assert item is not None
    own = {"tone": "strength", "quality": "clarity", "claim": "Mine.", "clips": "0:01-0:02"}

    def to(name: str, *more: object) -> str:
        return reverse(f"review:{name}", args=[take.pk, *more])

    return {
        "accept": (to("verdict", item.pk), {"action": "accept"}),
        "replace": (to("replace", item.pk), {**own, "reason": "does_not_fit"}),
        "add": (to("add_item"), own),
        "word": (to("word"), {"word": "Well done."}),
        "undo": (to("undo"), {}),
        "note": (to("add_note"), {"text": "Here.", "start": "0:01"}),
        "strike": (to("strike"), {"kind": "filled_pause", "start": "3.0"}),
        "ask": (to("ask"), {"text": "For whom?"}),
        "rubric": (to("rubric"), {"level_content": "3"}),
        "release": (to("release"), {}),
    }


def test_an_old_window_takes_nothing_back_that_was_handed_over(
    sent: Rehearsal, coach: User, second_coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    third = UserFactory(roles=[Role.COACH])
    join(cohort, third, Role.COACH)
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="")
    for person in (coach, third):
        client = sign_in(person)
        for act, (address, fields) in acts_of_an_old_page(sent).items():
            client.post(address, fields, headers={"hx-request": "true"})
            row = Review.objects.get()
            assert (row.coach, row.meant_for) == (None, second_coach), act
    assert [each.kind for each in new_for(second_coach)] == [Kind.HANDED]
    assert not Verdict.objects.exists()


def test_who_handed_it_over_is_told_and_takes_it_back_with_a_button(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="")
    client = sign_in(coach)
    address, fields = acts_of_an_old_page(sent)["accept"]
    page = client.post(address, fields, headers={"hx-request": "true"}).content.decode()
    assert f"<span data-lost>You handed this take to {second_coach} at" in page
    assert "Take it back" in page
    renewed = client.post(reverse("review:renew", args=[sent.pk]))
    assert (renewed.status_code, "Take it back" in renewed.content.decode()) == (286, True)
    claim = reverse("review:claim", args=[sent.pk])
    assert f'action="{claim}"' in page
    client.post(claim)
    assert Review.objects.get().coach == coach
    assert not new_for(second_coach)


def test_nobody_waits_for_a_colleague_who_coaches_the_group_no_more(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="")
    queue, client = reverse("review:queue"), sign_in(coach)
    assert "Handed over to" in client.get(queue).content.decode()
    assert claim_next(coach=coach, wanted=ANY) is None
    leave_cohort(membership=second_coach.memberships.get(), actor=None)
    assert "Handed over to" not in client.get(queue).content.decode()
    assert taken(claim_next(coach=coach, wanted=ANY)) == sent


def test_an_answer_to_who_coaches_the_group_no_more_is_told_to_those_who_do(
    sent: Rehearsal, coach: User, second_coach: User, trainee: User
) -> None:
    enqueue_sent()
    claim_rehearsal(rehearsal=sent, coach=coach)
    question = ask_trainee(feedback=sent.feedback.get(), coach=coach, text="For whom is it?")
    keep_for(rehearsal=sent, coach=coach)
    give_back(rehearsal=sent, coach=coach)
    leave_cohort(membership=coach.memberships.get(), actor=None)
    assert not new_for(second_coach)
    answer(said=question, by=trainee, text="Experts.")
    assert [each.kind for each in new_for(second_coach)] == [Kind.WAITING]
    assert taken(claim_next(coach=second_coach, wanted=ANY)) == sent


def test_looking_at_what_was_handed_over_takes_it_from_nobody(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="")
    desk, client = reverse("review:desk", args=[sent.pk]), sign_in(coach)
    page = client.get(desk).content.decode()
    assert f"Handed over to {second_coach}" in page
    assert Review.objects.get().coach is None
    assert taken(claim_next(coach=second_coach, wanted=ANY)) == sent
    give_back(rehearsal=sent, coach=second_coach)
    # Who does want it says so; after a day it is anybody's who opens it.
    assert "Work on this talk" in page
    client.post(reverse("review:claim", args=[sent.pk]))
    assert Review.objects.get().coach == coach
    give_back(rehearsal=sent, coach=coach)
    Review.objects.update(meant_until=timezone.now() - timedelta(minutes=1))
    client.get(desk)
    assert Review.objects.get().coach == coach


def test_what_was_handed_over_is_said_to_be_so_until_it_is_answered(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="The ending is yours.")
    desk, for_second = reverse("review:desk", args=[sent.pk]), sign_in(second_coach)
    assert "The ending is yours." in for_second.get(desk).content.decode()
    settle(sent.feedback.get(), second_coach)
    for_second.post(reverse("review:release", args=[sent.pk]))
    assert "Handed over" not in sign_in(coach).get(reverse("review:queue")).content.decode()

    # A correction of it is nobody's by name: not on their desk, and not on that of a colleague.
    Feedback.objects.update(released_at=timezone.now())
    for_second.post(reverse("review:correct", args=[sent.pk]))
    page = for_second.get(desk).content.decode()
    assert "This is a correction" in page
    assert "The ending is yours." not in page
    give_back(rehearsal=sent, coach=second_coach)
    page = sign_in(coach).get(desk).content.decode()
    assert "Handed over to" not in page
    assert Review.objects.get().coach == coach


def test_after_a_day_anybody_may_take_what_was_handed_over(
    sent: Rehearsal, coach: User, second_coach: User
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    hand_over(rehearsal=sent, coach=coach, to=second_coach, note="")
    Review.objects.update(meant_until=timezone.now() - timedelta(minutes=1))
    assert taken(claim_next(coach=coach, wanted=ANY)) == sent


def test_only_a_coach_of_that_group_can_be_given_it_and_only_by_who_has_it(
    sent: Rehearsal, coach: User, second_coach: User, stranger: User
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    with pytest.raises(ValidationError, match="not a coach of the group"):
        hand_over(rehearsal=sent, coach=coach, to=stranger, note="")
    with pytest.raises(ValidationError, match="Another coach"):
        hand_over(rehearsal=sent, coach=second_coach, to=coach, note="")


def test_what_is_kept_for_who_asked_the_trainee_is_not_said_to_be_handed_over(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    ask_trainee(feedback=sent.feedback.get(), coach=coach, text="For whom is it?")
    keep_for(rehearsal=sent, coach=coach)
    give_back(rehearsal=sent, coach=coach)
    page = sign_in(second_coach).get(reverse("review:desk", args=[sent.pk])).content.decode()
    assert f"Reserved for {coach}, who asked {sent.owner} a question" in page
    assert "Handed over to" not in page
    assert Review.objects.get().coach is None
