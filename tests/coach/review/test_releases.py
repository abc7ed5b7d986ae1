"""A release leaves after half a minute and then stays; a correction is a version of its own."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone, translation

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.items import items_for_reading, standing, standing_items
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.pages.coach_feedback import changes_between
from coach.feedback.releases import (
    TAKE_BACK_FOR,
    begin_correction,
    drop_correction,
    release_feedback,
    retract_feedback,
    take_release_back,
)
from coach.feedback.selectors import feedback_for_owner
from coach.feedback.services import AlreadyReleased
from coach.feedback.undoing import take_back_last
from coach.feedback.verdicts import (
    CoachItem,
    add_coach_item,
    decide_on_item,
    move_item,
    set_word,
)
from coach.notices.models import Kind, Notice
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.review.models import Review
from coach.review.services import claim_rehearsal, finish_review
from tests.coach.conftest import SignIn
from tests.coach.review.deciding import settle
from tests.coach.review.leaving import let_it_leave


@pytest.fixture
def settled(draft: Feedback, coach: User) -> Feedback:
    """Each item decided, and a word on the whole."""
    settle(draft, coach)
    set_word(feedback=draft, coach=coach, text="You have found your voice in this one.")
    return draft


@pytest.fixture
def released(settled: Feedback, coach: User) -> Feedback:
    """Read by Ana."""
    release_feedback(feedback=settled, coach=coach)
    settled.refresh_from_db()
    return settled


def test_for_half_a_minute_the_trainee_sees_nothing_and_it_can_be_taken_back(
    settled: Feedback, coach: User, trainee: User, sign_in: SignIn
) -> None:
    take = settled.rehearsal
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[take.pk]))
    queue = client.post(reverse("review:release", args=[take.pk]), follow=True)
    assert "Undo the release" in queue.text.split("First steps")[0], "it is there for so long"
    report = reverse("feedback:report", args=[take.pk])
    assert "found your voice" not in sign_in(trainee).get(report).content.decode()
    assert not Notice.objects.filter(person=trainee, not_before__lte=settled.created_at).exists()
    client.post(reverse("review:take_back", args=[take.pk]))
    settled.refresh_from_db()
    assert settled.state == Feedback.State.DRAFT
    assert not Notice.objects.filter(kind=Kind.RELEASED, settled_at=None).exists()
    assert AccessGrant.objects.get().answered_at is None
    client.post(reverse("review:release", args=[take.pk]))
    let_it_leave()
    text = sign_in(trainee).get(report).content.decode()
    assert "found your voice" in text
    assert "Bea writes" in text


def test_once_it_has_left_it_cannot_be_taken_back(released: Feedback, coach: User) -> None:
    assert not take_release_back(feedback=released, coach=coach)
    with pytest.raises(AlreadyReleased):
        set_word(feedback=released, coach=coach, text="Later.")
    with pytest.raises(AlreadyReleased):
        take_back_last(feedback=released, coach=coach)


def test_the_summary_shows_exactly_what_is_read(
    settled: Feedback, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[settled.rehearsal_id]))
    url = reverse("review:summary", args=[settled.rehearsal_id])
    text = client.get(url, headers={"hx-request": "true"}).content.decode()
    assert "<html" not in text
    assert "Release the feedback" in text
    assert "<h1" not in text
    release_feedback(feedback=settled, coach=coach)
    settled.refresh_from_db()
    read = items_for_reading(settled)
    assert read
    for each in read:
        assert each.card.claim.partition(" (")[0] in text
    assert "found your voice" in text


def test_why_nothing_can_go_out_stands_above_what_would(
    draft: Feedback, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[sent.pk]))
    text = client.get(reverse("review:summary", args=[sent.pk])).text
    assert "Decide on each item first" in text.split("<article")[0]
    assert "Release the feedback" not in text


@pytest.mark.parametrize("name", ["summary", "takes"])
def test_a_panel_that_is_opened_as_a_page_says_in_a_heading_what_the_page_is(
    settled: Feedback, coach: User, sign_in: SignIn, name: str
) -> None:
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[settled.rehearsal_id]))
    url = reverse(f"review:{name}", args=[settled.rehearsal_id])
    assert client.get(url).content.decode().count("<h1") == 1


def test_a_correction_is_a_new_version_that_names_what_changed(
    released: Feedback, coach: User, trainee: User, sign_in: SignIn
) -> None:
    fresh = begin_correction(feedback=released, coach=coach)
    assert begin_correction(feedback=released, coach=coach).pk == fresh.pk
    assert (fresh.version, fresh.corrects) == (released.version + 1, released)
    assert [each.decision for each in standing_items(fresh)] == [
        each.decision for each in standing_items(released)
    ]
    item = fresh.items.first()
    assert item is not None
    words = {"claim": "You paused where it counts.", "suggestion": ""}
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=words)
    report = reverse("feedback:report", args=[released.rehearsal_id])
    assert "You paused where it counts." not in sign_in(trainee).get(report).content.decode()
    release_feedback(feedback=fresh, coach=coach)
    text = sign_in(trainee).get(report).content.decode()
    assert "Bea corrected this feedback" in text
    assert "<ins>You paused where it counts." in text
    assert Notice.objects.filter(person=trainee, kind=Kind.CORRECTED).count() == 1
    assert standing(Item.objects.get(pk=item.former_id)).card.claim != words["claim"]


def test_at_the_desk_a_correction_changes_what_was_accepted_before(
    released: Feedback, coach: User, sign_in: SignIn
) -> None:
    fresh = begin_correction(feedback=released, coach=coach)
    item = fresh.items.exclude(former=None).first()
    assert item is not None
    assert standing(item).decision in {"accepted", "edited"}
    client = sign_in(coach)
    client.post(reverse("review:claim", args=[released.rehearsal_id]))
    page = client.get(reverse("review:desk", args=[released.rehearsal_id])).content.decode()
    assert f'id="edit-{item.pk}-' in page
    fields = {"action": "edit", "wording": "You paused where it counts.", "suggestion": ""}
    client.post(reverse("review:verdict", args=[released.rehearsal_id, item.pk]), fields)
    now = standing(Item.objects.get(pk=item.pk))
    assert (now.decision, now.card.claim) == ("edited", "You paused where it counts.")


def test_a_correction_of_moments_or_of_the_order_is_named_as_well(
    released: Feedback, coach: User
) -> None:
    fresh = begin_correction(feedback=released, coach=coach)
    assert list(changes_between(released, fresh)) == []
    for each in standing_items(fresh):
        decide_on_item(item=each.item, coach=coach, kind=Verdict.Kind.ACCEPT)
    words = CoachItem(
        tone="improvement", quality="pace", claim="Slower here.", suggestion="", clips=((1.0, 3.0),)
    )
    add_coach_item(feedback=fresh, coach=coach, words=words)
    release_feedback(feedback=fresh, coach=coach)
    again = begin_correction(feedback=fresh, coach=coach)
    own = again.items.get(origin="coach")
    decide_on_item(
        item=own,
        coach=coach,
        kind=Verdict.Kind.EDIT,
        wording={"claim": "Slower here.", "clips": [{"start": 5.0, "end": 8.0}]},
    )
    (moved,) = changes_between(fresh, again)
    assert (moved.label, moved.before, moved.after) == (
        "New moments for “Slower here.”",
        "0:01–0:03",
        "0:05–0:08",
    )
    assert move_item(item=own, coach=coach, by=-1)
    again.refresh_from_db()
    *_moments, order = changes_between(fresh, again)
    assert order.label == "New order"
    assert order.after.startswith("Slower here.")


def test_a_claim_with_quotation_marks_is_named_within_others(
    released: Feedback, coach: User
) -> None:
    fresh = begin_correction(feedback=released, coach=coach)
    claim = "Des «\u00a0euh\u00a0»."
    words = CoachItem(tone="improvement", quality="pace", claim=claim, suggestion="", clips=())
    add_coach_item(feedback=fresh, coach=coach, words=words)
    release_feedback(feedback=fresh, coach=coach)
    again = begin_correction(feedback=fresh, coach=coach)
    own = again.items.get(origin="coach")
    decide_on_item(
        item=own,
        coach=coach,
        kind=Verdict.Kind.EDIT,
        wording={
            "claim": claim,
            "suggestion": "Respirez.",
            "clips": [{"start": 5.0, "end": 8.0}],
        },
    )
    with translation.override("fr"):
        assert [each.label for each in changes_between(fresh, again)] == [
            "Un autre conseil pour «\u00a0Des “euh”.\u00a0»",
            "D’autres moments pour «\u00a0Des “euh”.\u00a0»",
        ]


def test_in_another_order_words_stand_as_they_are_now(released: Feedback, coach: User) -> None:
    fresh = begin_correction(feedback=released, coach=coach)
    words = CoachItem(tone="improvement", quality="pace", claim="Slower.", suggestion="", clips=())
    add_coach_item(feedback=fresh, coach=coach, words=words)
    release_feedback(feedback=fresh, coach=coach)
    again = begin_correction(feedback=fresh, coach=coach)
    own = again.items.get(origin="coach")
    decide_on_item(
        item=own, coach=coach, kind=Verdict.Kind.EDIT, wording={"claim": "A little slower."}
    )
    assert {each.label for each in changes_between(fresh, again)} == {"In different words"}
    assert move_item(item=own, coach=coach, by=-1)
    again.refresh_from_db()
    *_words, order = changes_between(fresh, again)
    assert order.label == "New order"
    assert order.after.startswith("A little slower. · ")


def test_a_correction_that_is_dropped_leaves_what_was_released(
    released: Feedback, coach: User
) -> None:
    fresh = begin_correction(feedback=released, coach=coach)
    assert drop_correction(feedback=fresh, coach=coach)
    assert feedback_for_owner(released.rehearsal) == released
    assert not drop_correction(feedback=released, coach=coach)


def test_how_long_a_review_took_is_not_how_long_a_correction_did(
    settled: Feedback, coach: User
) -> None:
    take, hour = settled.rehearsal, timedelta(hours=1)
    claim_rehearsal(rehearsal=take, coach=coach)
    Review.objects.update(claimed_at=timezone.now() - hour)
    release_feedback(feedback=settled, coach=coach, leaves_in=TAKE_BACK_FOR)
    finish_review(rehearsal=take, coach=coach)
    assert take_release_back(feedback=settled, coach=coach)
    claim_rehearsal(rehearsal=take, coach=coach)
    release_feedback(feedback=settled, coach=coach)
    finish_review(rehearsal=take, coach=coach)
    took = Review.objects.get().handled_seconds
    assert took is not None
    assert took >= hour.total_seconds()
    settled.refresh_from_db()
    claim_rehearsal(rehearsal=take, coach=coach)
    assert drop_correction(feedback=begin_correction(feedback=settled, coach=coach), coach=coach)
    finish_review(rehearsal=take, coach=coach)
    assert Review.objects.get().handled_seconds == took


def test_retracting_is_for_groups_that_allow_it_and_says_why(
    released: Feedback, coach: User, trainee: User, sign_in: SignIn
) -> None:
    with pytest.raises(ValidationError, match="stays"):
        retract_feedback(feedback=released, coach=coach, why="The wrong take.")
    cohort = released.rehearsal.cohort
    assert cohort is not None
    cohort.may_retract = True
    cohort.save(update_fields=["may_retract"])
    with pytest.raises(ValidationError, match="Say why"):
        retract_feedback(feedback=released, coach=coach, why=" ")
    retract = reverse("review:retract", args=[released.rehearsal_id])
    for why, problem in (
        (" ", "Give a reason"),
        ("a" * 501, "at most 500 characters (it has 501)"),
    ):
        said = sign_in(coach).post(retract, {"why": why}, follow=True)
        assert problem in said.content.decode()
    retract_feedback(feedback=released, coach=coach, why="The wrong take.")
    report = reverse("feedback:report", args=[released.rehearsal_id])
    text = sign_in(trainee).get(report).content.decode()
    assert "Bea retracted the feedback" in text
    assert "The wrong take." in text
    assert "found your voice" not in text
    desk = sign_in(coach).get(reverse("review:desk", args=[released.rehearsal_id]))
    assert "A new draft of the retracted feedback." in desk.content.decode()


def test_each_step_is_in_the_log_with_before_and_after(settled: Feedback, coach: User) -> None:
    release_feedback(feedback=settled, coach=coach, leaves_in=TAKE_BACK_FOR)
    take_release_back(feedback=settled, coach=coach)
    steps = Entry.objects.filter(
        action__in=["feedback.released", "feedback.release_taken_back"]
    ).order_by("pk")
    assert [(each.detail["before"], each.detail["after"]) for each in steps] == [
        ("draft", "released"),
        ("released", "draft"),
    ]
