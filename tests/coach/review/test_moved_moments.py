"""A coach moves the moments of an item at the desk, and goes back to the machine's."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.items import StandingItem, standing
from coach.feedback.models import CorrectedCard, Feedback, Item, Verdict
from coach.feedback.releases import begin_correction, release_feedback
from coach.feedback.undoing import take_back_last
from coach.feedback.verdicts import add_coach_item, decide_on_item
from coach.rehearsals.models import Rehearsal
from coach.review.items.words import clips_words
from coach.review.second.first_opinions import write_first_opinion
from tests.coach.conftest import SignIn
from tests.coach.review.leaving import let_it_leave
from tests.coach.review.second.judging import OWN

MOVED = ((30.0, 33.0),)
WORDS = {"claim": "You said um.", "suggestion": ""}


@pytest.fixture
def item(draft: Feedback) -> Item:
    return draft.items.get(is_chosen=True)


@pytest.fixture
def desk(item: Item, coach: User, sign_in: SignIn) -> Client:
    """Bea, who has moved the moments of the item."""
    client = sign_in(coach)
    reword(client, item, clips_words(MOVED))
    assert moments(item) == MOVED
    return client


def now(item: Item) -> StandingItem:
    return standing(Item.objects.get(pk=item.pk))


def moments(item: Item) -> tuple[tuple[float, float], ...]:
    return tuple((clip.start, clip.end) for clip in now(item).card.clips)


def drafted(item: Item) -> tuple[tuple[float, float], ...]:
    return tuple((clip.start, clip.end) for clip in item.card.clips)


def reword(client: Client, item: Item, clips: str, claim: str = "You said um.") -> None:
    form = {"action": "edit", "wording": claim, "suggestion": "", "clips": clips}
    client.post(reverse("review:verdict", args=[item.feedback.rehearsal_id, item.pk]), form)


def edit(item: Item, coach: User, clips: list[dict[str, float]] | None) -> None:
    wording: dict[str, Any] = {**WORDS, "clips": clips}
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=wording)


def test_the_machines_stand_once_more_and_that_can_be_taken_back(
    item: Item, draft: Feedback, coach: User
) -> None:
    edit(item, coach, [{"start": 30.0, "end": 33.0}])
    edit(item, coach, None)
    assert moments(item) == drafted(item)
    assert now(item).machines_clips is None
    assert now(item).document["clips"] == item.document["clips"]
    take_back_last(feedback=draft, coach=coach)
    assert moments(item) == MOVED
    take_back_last(feedback=draft, coach=coach)
    assert moments(item) == drafted(item)


@pytest.mark.parametrize("is_typed", [True, False])
def test_typed_as_they_were_or_left_empty_they_are_the_machines(
    desk: Client, item: Item, draft: Feedback, is_typed: bool
) -> None:
    reword(desk, item, clips_words(drafted(item)) if is_typed else "")
    assert moments(item) == drafted(item)
    page = desk.get(reverse("review:desk", args=[draft.rehearsal_id])).content.decode()
    assert f'value="{clips_words(drafted(item))}" placeholder=' in page
    desk.post(reverse("review:undo", args=[draft.rehearsal_id]))
    assert moments(item) == MOVED


def test_a_card_that_was_drafted_without_any_goes_back_to_none(
    item: Item, coach: User, sign_in: SignIn
) -> None:
    item.document = {**item.document, "clips": []}
    item.save(update_fields=["document"])
    client = sign_in(coach)
    reword(client, item, clips_words(MOVED))
    assert moments(item) == MOVED
    reword(client, item, "")
    assert moments(item) == ()
    assert now(item).machines_clips is None


@pytest.mark.parametrize(("is_drafted", "is_moved"), [(True, True), (True, False), (False, True)])
def test_the_field_names_the_machines_moments_only_where_there_are_some(
    item: Item, coach: User, sign_in: SignIn, is_drafted: bool, is_moved: bool
) -> None:
    if not is_drafted:
        item.document = {**item.document, "clips": []}
        item.save(update_fields=["document"])
    client = sign_in(coach)
    if is_moved:
        reword(client, item, clips_words(MOVED))
    page = client.get(reverse("review:desk", args=[item.feedback.rehearsal_id])).content.decode()
    field = page.partition(f'id="edit-clips-{item.pk}"')[2].partition(">")[0]
    assert ('placeholder="the automatic moments"' in field) == is_drafted


def test_what_a_coach_wrote_has_no_moments_of_the_machines(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    own = add_coach_item(feedback=draft, coach=coach, words=OWN)
    decide_on_item(item=own, coach=coach, kind=Verdict.Kind.EDIT, wording=WORDS)
    page = sign_in(coach).get(reverse("review:desk", args=[draft.rehearsal_id])).content.decode()
    field = page.partition(f'id="edit-clips-{own.pk}"')[2].partition(">")[0]
    assert "value=" in field
    assert "placeholder" not in field


def test_other_words_alone_move_nothing(desk: Client, item: Item) -> None:
    reword(desk, item, clips_words(MOVED), claim="You said um a lot.")
    assert moments(item) == MOVED
    assert now(item).card.claim == "You said um a lot."


def test_of_an_item_that_nobody_moved_nothing_is_written_down(
    item: Item, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    for clips in (clips_words(drafted(item)), ""):
        reword(client, item, clips)
    assert not any("clips" in verdict.wording for verdict in item.verdicts.all())


def test_a_mark_within_the_same_second_is_kept(desk: Client, item: Item) -> None:
    reword(desk, item, "0:30.4-0:33.2")
    assert moments(item) == ((30.4, 33.2),)


def test_what_a_corrected_word_moves_moves_them_again(
    desk: Client, item: Item, draft: Feedback, coach: User
) -> None:
    reword(desk, item, "")
    corrected = [{"start": 40.4, "end": 45.2}]
    CorrectedCard.objects.create(item=item, document={**item.document, "clips": corrected})
    assert moments(item) == ((40.4, 45.2),)
    opinion = write_first_opinion(feedback=draft, coach=coach)
    assert opinion.decisions.get().own_moments == ()


def test_a_correction_goes_back_to_them_too(
    desk: Client, item: Item, sent: Rehearsal, draft: Feedback, coach: User
) -> None:
    release_feedback(feedback=draft, coach=coach)
    let_it_leave()
    fresh = begin_correction(feedback=draft, coach=coach)
    again = fresh.items.get(former=item)
    assert moments(again) == MOVED
    reword(desk, again, "")
    assert moments(again) == drafted(item)
    assert moments(item) == MOVED
