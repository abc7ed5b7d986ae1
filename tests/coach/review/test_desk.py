"""A coach accepts, rewords, rejects, adds and releases; the original is never lost."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.items import shown, standing, standing_items
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.pages.cards import cards
from coach.feedback.releases import release_feedback, release_obstacle
from coach.feedback.services import AlreadyReleased
from coach.feedback.verdicts import add_coach_item, decide_on_item, undo_verdict
from tests.coach.conftest import SignIn
from tests.coach.review.deciding import own, settle
from tests.coach.review.leaving import let_it_leave


@pytest.fixture
def item(draft: Feedback) -> Item:
    """The um item of the draft."""
    found = draft.items.first()
    assert found is not None
    return found


def test_rewording_changes_what_is_read_and_keeps_the_original(item: Item, coach: User) -> None:
    before = item.document["claim"]
    decide_on_item(
        item=item, coach=coach, kind=Verdict.Kind.EDIT, wording={"claim": "You said um a lot here."}
    )
    now = standing(Item.objects.get(pk=item.pk))
    assert now.document["claim"] == "You said um a lot here."
    assert now.decision == "edited"
    assert now.item.document["claim"] == before
    assert before in now.original_claim


def test_rejecting_needs_a_reason(item: Item, coach: User) -> None:
    with pytest.raises(ValidationError, match="Choose why"):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT)
    with pytest.raises(IntegrityError), transaction.atomic():
        Verdict.objects.create(item=item, coach=coach, coach_name="Bea", kind="reject")


def test_a_rejected_item_no_longer_reaches_the_trainee_and_that_can_be_undone(
    item: Item, coach: User
) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="unimportant")
    assert not standing(Item.objects.get(pk=item.pk)).is_shown
    undo_verdict(item=item, coach=coach)
    again = standing(Item.objects.get(pk=item.pk))
    assert again.is_shown
    assert again.decision == "open"
    assert Verdict.objects.count() == 1


def test_an_item_of_ones_own_stands_at_its_moment(draft: Feedback, coach: User) -> None:
    added = add_coach_item(feedback=draft, coach=coach, words=own())
    now = standing(Item.objects.get(pk=added.pk))
    assert now.decision == "added"
    assert now.document["clips"] == [{"start": 12.0, "end": 18.0}]


def test_an_item_of_ones_own_can_be_taken_out_until_the_release(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    settle(draft, coach)
    added = add_coach_item(feedback=draft, coach=coach, words=own())
    desk = reverse("review:desk", args=[draft.rehearsal_id])
    client = sign_in(coach)
    assert "Take it out" in client.get(desk).content.decode()
    client.post(reverse("review:verdict", args=[draft.rehearsal_id, added.pk]), {"action": "undo"})
    assert "Your question at the start had no answer." not in client.get(desk).content.decode()
    assert added.pk not in {each.item.pk for each in shown(standing_items(draft))}
    assert release_obstacle(draft) == ""
    assert Item.objects.filter(pk=added.pk).exists()


def test_the_first_improvement_that_is_shown_is_the_one_to_work_on_first(
    draft: Feedback, item: Item, coach: User
) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="unimportant")
    add_coach_item(feedback=draft, coach=coach, words=own())
    rejected, mine = cards(standing_items(draft), draft)
    assert rejected.heading == "Something to work on"
    assert mine.heading == "Work on this first"
    assert (mine.author, mine.coach_note) == ("Your coach Bea", "")


@pytest.mark.parametrize(("start", "end"), [(5.0, 5.0), (9.0, 5.0), (170.0, 400.0), (-1.0, 3.0)])
def test_a_moment_outside_the_recording_is_refused(
    draft: Feedback, coach: User, start: float, end: float
) -> None:
    with pytest.raises(ValidationError, match="inside the recording"):
        add_coach_item(feedback=draft, coach=coach, words=own(clips=((start, end),)))


def test_nothing_is_released_before_each_item_is_decided(draft: Feedback, coach: User) -> None:
    with pytest.raises(ValidationError, match="Decide on each item"):
        release_feedback(feedback=draft, coach=coach)


def test_released_feedback_never_changes(draft: Feedback, item: Item, coach: User) -> None:
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    draft.refresh_from_db()
    assert draft.state == "released"
    assert draft.released_by_name == "Bea"
    with pytest.raises(AlreadyReleased):
        release_feedback(feedback=draft, coach=coach)
    with pytest.raises(AlreadyReleased):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    with pytest.raises(AlreadyReleased):
        undo_verdict(item=item, coach=coach)
    with pytest.raises(AlreadyReleased):
        add_coach_item(feedback=draft, coach=coach, words=own())
    assert Entry.objects.filter(action="feedback.released", actor=coach).count() == 1


def test_the_database_refuses_released_feedback_without_a_coach(draft: Feedback) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Feedback.objects.filter(pk=draft.pk).update(state="released")


def test_a_whole_review_in_the_browser_reaches_the_trainee(
    draft: Feedback, item: Item, coach: User, trainee: User, sign_in: SignIn
) -> None:
    rehearsal = draft.rehearsal
    client = sign_in(coach)
    assert rehearsal.title in client.get(reverse("review:queue")).content.decode()
    desk = reverse("review:desk", args=[rehearsal.pk])
    assert "Please look at my opening." in client.get(desk).content.decode()
    verdict = reverse("review:verdict", args=[rehearsal.pk, item.pk])
    client.post(
        verdict,
        {"action": "edit", "wording": "You said um before names.", "suggestion": "Breathe first."},
    )
    for other in draft.items.exclude(pk=item.pk):
        url = reverse("review:verdict", args=[rehearsal.pk, other.pk])
        client.post(url, {"action": "reject", "reason": "wrong_context"})
    client.post(
        reverse("review:add_item", args=[rehearsal.pk]),
        {
            "tone": "strength",
            "quality": "structure",
            "claim": "You opened with a question.",
            "clips": "0:03",
        },
    )
    response = client.post(reverse("review:release", args=[rehearsal.pk]), follow=True)
    assert "Undo the release" in response.content.decode()
    let_it_leave()
    page = sign_in(trainee).get(reverse("feedback:report", args=[rehearsal.pk])).content.decode()
    assert "You said um before names." in page
    assert "You opened with a question." in page
    assert "Reviewed by Bea" in page
    assert page.index("You opened with a question.") < page.index("You said um before names.")


def test_a_figure_stands_beside_what_it_is_compared_with(
    draft: Feedback, item: Item, coach: User, sign_in: SignIn
) -> None:
    page = sign_in(coach).get(reverse("review:desk", args=[draft.rehearsal_id]))
    card = item.document
    html = unescape(page.content.decode())
    assert f"{card['figure']} {card['comparison']}</p>" in html
    assert html.count(f"{card['comparison']}</p>") == 1


def test_htmx_gets_only_the_items_back(
    draft: Feedback, item: Item, coach: User, sign_in: SignIn
) -> None:
    url = reverse("review:verdict", args=[draft.rehearsal_id, item.pk])
    response = sign_in(coach).post(url, {"action": "accept"}, headers={"hx-request": "true"})
    text = response.content.decode()
    assert "<html" not in text
    assert "Accepted" in text
    assert 'id="lease" hx-swap-oob="true"' in text
    assert "Reserved for you. If you close this page" in text


def test_a_decision_that_makes_no_sense_is_refused_with_a_sentence(
    draft: Feedback, item: Item, coach: User, sign_in: SignIn
) -> None:
    url = reverse("review:verdict", args=[draft.rehearsal_id, item.pk])
    response = sign_in(coach).post(url, {"action": "explode"}, follow=True)
    assert "could not read this decision" in response.content.decode()
    assert not Verdict.objects.exists()


def test_opening_the_desk_again_costs_few_queries(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client, desk = sign_in(coach), reverse("review:desk", args=[draft.rehearsal_id])
    client.get(desk)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(desk).status_code == 200
    asked = [each["sql"] for each in captured if "SAVEPOINT" not in each["sql"]]
    # 25; what the trainee wished for and thought themselves, a newer take, the rules now, spoken
    # replies: one each.
    assert len(asked) <= 30, "\n".join(asked)
