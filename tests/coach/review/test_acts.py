"""Every act of the desk: held back, replaced, moved, worded; each can be taken back."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.drafts.models import FormDraft
from coach.feedback.items import shown, standing, standing_items
from coach.feedback.models import DeskAct, Feedback, Item, RejectReason, Verdict
from coach.feedback.undoing import UNDO_DEPTH, take_back_last
from coach.feedback.verdicts import (
    add_coach_item,
    decide_on_item,
    hold_another_back,
    move_item,
    replace_item,
    set_word,
)
from coach.lib.words.punctuation import within_quotes
from coach.review.desk.page import desk_page
from coach.review.services import claim_rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.review.deciding import own, settle


@pytest.fixture
def item(draft: Feedback) -> Item:
    """The first of the draft."""
    found = draft.items.first()
    assert found is not None
    return found


@pytest.fixture
def full(draft: Feedback, coach: User) -> Feedback:
    """Three that reach the trainee."""
    settle(draft, coach)
    for extra in range(3 - len(shown(standing_items(draft)))):
        add_coach_item(
            feedback=draft, coach=coach, words=own(claim=f"Own {extra}.", clips=((20.0, 25.0),))
        )
    return draft


def claims(feedback: Feedback) -> list[str]:
    feedback.refresh_from_db()
    return [each.card.claim for each in shown(standing_items(feedback))]


def test_a_fourth_item_holds_the_last_one_back_and_another_can_be_chosen(
    full: Feedback, coach: User
) -> None:
    before = claims(full)
    add_coach_item(feedback=full, coach=coach, words=own(claim="A fourth."))
    assert claims(full) == [*before[:2], "A fourth."]
    held = next(each for each in standing_items(full) if each.decision == "held")
    assert held.card.claim == before[2]
    other = next(each for each in standing_items(full) if each.card.claim == before[0])
    hold_another_back(held=held.item, other=other.item, coach=coach)
    assert set(claims(full)) == {before[1], before[2], "A fourth."}
    take_back_last(feedback=full, coach=coach)
    take_back_last(feedback=full, coach=coach)
    assert claims(full) == before


def test_the_desk_says_which_one_was_held_back(
    full: Feedback, coach: User, sign_in: SignIn
) -> None:
    last = claims(full)[2]
    client = sign_in(coach)
    words = {"tone": "improvement", "quality": "structure", "claim": "Fourth.", "clips": "0:05"}
    client.post(reverse("review:add_item", args=[full.rehearsal_id]), words)
    page = client.get(reverse("review:desk", args=[full.rehearsal_id])).content.decode()
    assert (
        f"The trainee gets at most three cards, so this one is held back: “{within_quotes(last)}”"
        in page
    )


def test_words_of_ones_own_take_the_place_of_an_item_which_is_rejected_for_a_reason(
    full: Feedback, item: Item, coach: User
) -> None:
    at = [each.item.pk for each in standing_items(full)].index(item.pk)
    with pytest.raises(ValidationError, match="Choose why"):
        replace_item(item=item, coach=coach, words=own(), reason="")
    mine = replace_item(item=item, coach=coach, words=own(), reason="tone")
    assert standing(Item.objects.get(pk=item.pk)).decision == "replaced"
    assert mine.replaces == item
    assert [each.item.pk for each in standing_items(full)].index(mine.pk) in {at, at + 1}
    assert len(claims(full)) == 3
    take_back_last(feedback=full, coach=coach)
    assert standing(Item.objects.get(pk=item.pk)).decision == "accepted"
    assert mine.pk not in {each.item.pk for each in standing_items(full)}


def test_an_item_is_moved_and_reading_follows(full: Feedback, coach: User) -> None:
    before = claims(full)
    last = shown(standing_items(full))[-1].item
    while move_item(item=last, coach=coach, by=-1):
        pass
    assert claims(full)[0] == before[-1]
    take_back_last(feedback=full, coach=coach)
    assert claims(full)[0] != before[-1]


def test_several_moments_are_kept_and_a_moment_outside_is_refused(item: Item, coach: User) -> None:
    clips = [{"start": 30.0, "end": 33.0}, {"start": 5.0, "end": 8.0}]
    words = {"claim": "Twice.", "suggestion": "", "clips": clips}
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=words)
    now = standing(Item.objects.get(pk=item.pk))
    assert [(each.start, each.end) for each in now.card.clips] == [(5.0, 8.0), (30.0, 33.0)]
    with pytest.raises(ValidationError, match="inside the recording"):
        decide_on_item(
            item=item,
            coach=coach,
            kind=Verdict.Kind.EDIT,
            wording={**words, "clips": [{"start": 5.0, "end": 4000.0}]},
        )


def test_ten_steps_are_taken_back_and_no_more(draft: Feedback, coach: User) -> None:
    for number in range(UNDO_DEPTH + 2):
        set_word(feedback=draft, coach=coach, text=f"Word {number}")
        item = draft.items.first()
        assert item is not None
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    back = 0
    while take_back_last(feedback=draft, coach=coach):
        back += 1
    assert back == UNDO_DEPTH
    draft.refresh_from_db()
    assert draft.word == f"Word {UNDO_DEPTH + 2 - UNDO_DEPTH // 2 - 1}"


def test_what_is_typed_on_is_one_step(draft: Feedback, coach: User) -> None:
    for text in ("Go", "Good", "Good start"):
        set_word(feedback=draft, coach=coach, text=text)
    assert DeskAct.objects.count() == 1
    take_back_last(feedback=draft, coach=coach)
    draft.refresh_from_db()
    assert draft.word == ""


def test_an_older_window_writes_over_no_word_to_the_trainee(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    url, client = reverse("review:word", args=[draft.rehearsal_id]), sign_in(coach)

    def write(**sent: str) -> str:
        page = client.post(url, sent, headers={"hx-request": "true"}).content.decode()
        draft.refresh_from_db()
        return page

    write(word="On the tablet", before="")
    assert 'value="On the tablet, yesterday"' in write(
        word="On the tablet, yesterday", before="On the tablet"
    )
    for typed in ("At", "At the desk"):  # typing on says nothing more
        told = write(word=typed, before="")
        assert (
            f"another window: “On the tablet, yesterday”. This text is not saved yet: “{typed}”"
            in told
        )
    assert draft.word == "On the tablet, yesterday"
    write(word="At the desk", before="", over="On the tablet, yesterday")
    assert draft.word == "At the desk"


def test_nobody_takes_back_what_a_colleague_did(item: Item, draft: Feedback, coach: User) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    dora = UserFactory(email="dora@example.org", name="Dora", roles=[Role.COACH])
    assert take_back_last(feedback=draft, coach=dora) is None


def test_a_change_that_somebody_had_not_seen_is_shown_with_both_texts(
    item: Item, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    dora = UserFactory(email="dora@example.org", name="Dora", roles=[Role.COACH])
    cohort = draft.rehearsal.cohort
    assert cohort is not None
    join(cohort, dora, Role.COACH)
    words = {"claim": "Dora's words.", "suggestion": ""}
    decide_on_item(item=item, coach=dora, kind=Verdict.Kind.EDIT, wording=words)
    url = reverse("review:verdict", args=[draft.rehearsal_id, item.pk])
    typed = {"action": "edit", "wording": "Bea's words.", "suggestion": "", "seen": "0"}
    client = sign_in(coach)
    page = client.post(url, typed, headers={"hx-request": "true"}).content.decode()
    assert "Dora changed this card" in page
    assert "Dora&#x27;s words." in page
    assert "Bea&#x27;s words." in page
    assert standing(Item.objects.get(pk=item.pk)).card.claim == "Dora's words."
    seen = DeskAct.objects.latest("pk").pk
    client.post(url, {**typed, "seen": str(seen)})
    assert standing(Item.objects.get(pk=item.pk)).card.claim == "Bea's words."
    # Her own second window, which still shows Dora's.
    older = {**typed, "wording": "Bea's other words.", "seen": str(seen)}
    page = client.post(url, older, headers={"hx-request": "true"}).content.decode()
    assert "You changed this card in another window" in page
    assert standing(Item.objects.get(pk=item.pk)).card.claim == "Bea's words."


def test_the_same_from_another_window_is_no_conflict_and_no_second_decision(
    item: Item, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client, take = sign_in(coach), draft.rehearsal_id
    url = reverse("review:verdict", args=[take, item.pk])
    edited = {"action": "edit", "wording": "Bea's words.", "suggestion": "Wait.", "why": ""}
    rejected = {"action": "reject", "reason": RejectReason.values[0], "note": "A cough."}
    for typed in (edited, {"action": "hold"}, rejected, {"action": "accept"}):
        seen = str(DeskAct.objects.order_by("pk").values_list("pk", flat=True).last() or 0)
        for _window in range(2):
            page = client.post(url, {**typed, "seen": seen}, headers={"hx-request": "true"})
            assert "another window" not in page.content.decode(), typed
    assert Verdict.objects.count() == 4
    own_words = {"tone": "strength", "quality": "clarity", "claim": "Mine.", "clips": "0:04-0:06"}
    replaced = {
        **own_words,
        "reason": rejected["reason"],
        "seen": str(DeskAct.objects.latest("pk").pk),
    }
    for _window in range(2):
        client.post(reverse("review:replace", args=[take, item.pk]), replaced)
    assert Item.objects.filter(author=coach).count() == 1


def test_a_coach_words_the_reason_and_the_comparison_anew_or_leaves_them_out(
    item: Item, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    document = {"comparison": "We allow up to 10% of leeway.", "why": "You may be stopped."}
    Item.objects.filter(pk=item.pk).update(document={**item.document, **document})
    client, take = sign_in(coach), draft.rehearsal_id
    url = reverse("review:verdict", args=[take, item.pk])
    desk = client.get(reverse("review:desk", args=[take])).content.decode()
    assert f'name="why" rows="2" maxlength="600" data-bank>{document["why"]}<' in desk
    assert f'name="comparison" rows="2" maxlength="600">{document["comparison"]}<' in desk
    words = {"action": "edit", "wording": "You ended at 1:09.", "suggestion": "", **document}
    client.post(url, words)
    # What was left as it was goes on following what is put right.
    assert set(Verdict.objects.latest("pk").wording) == {"claim", "suggestion"}
    client.post(url, {**words, "why": "Your ending was there already.", "comparison": ""})
    now = standing(Item.objects.get(pk=item.pk))
    assert (now.card.why, now.card.comparison) == ("Your ending was there already.", "")
    assert "You may be stopped." in now.original_claim
    client.post(url, {"action": "edit", "wording": "You ended early.", "suggestion": ""})
    assert standing(Item.objects.get(pk=item.pk)).card.why == "Your ending was there already."
    summary = client.get(reverse("review:summary", args=[take])).content.decode()
    assert "Your ending was there already." in summary
    assert "You may be stopped." not in re.sub(r"<details.*?</details>", "", summary, flags=re.S)
    assert "10% of leeway" not in re.sub(r"<details.*?</details>", "", summary, flags=re.S)


def test_what_is_typed_and_not_sent_is_there_again_and_goes_once_it_is_sent(
    item: Item, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client, take = sign_in(coach), draft.rehearsal_id
    page = reverse("review:desk", args=[take])
    for form in (f"edit:{item.pk}", f"reject:{uuid4()}", "/elsewhere/#0"):
        typed = {"page": page, "form": form, "fields": json.dumps({"wording": "Half a sen"})}
        assert client.post(reverse("portal:begun"), typed).status_code == 204
    assert FormDraft.objects.get(form__startswith="edit").expires_at is None
    summary = client.get(reverse("review:summary", args=[take])).content.decode()
    assert "One text is not saved yet" in summary
    client.post(
        reverse("review:verdict", args=[take, item.pk]),
        {"action": "edit", "wording": "Half a sentence.", "suggestion": ""},
    )
    assert not FormDraft.objects.filter(form__startswith="edit").exists()


def test_what_comes_anew_after_an_act_is_what_the_page_has_and_reads_no_report(
    draft: Feedback, item: Item, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[draft.rehearsal_id]))
    url = reverse("review:verdict", args=[draft.rehearsal_id, item.pk])
    with CaptureQueriesContext(connection) as asked:
        answer = client.post(url, {"action": "accept"}, headers={"hx-request": "true"})
    assert not [each for each in asked if "feedback_storedreport" in each["sql"]]
    draft.refresh_from_db()
    page = desk_page(draft.rehearsal, draft, coach=coach)
    context = {"desk": page.desk, "with_word": False, "with_places": False}
    whole = render_to_string("review/_items.html", context, request=answer.wsgi_request)
    token = re.compile(r'csrfmiddlewaretoken" value="\w+"')
    assert token.sub("", whole) == token.sub("", answer.content.decode())


def test_u_says_what_it_took_back(
    item: Item, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    claim_rehearsal(rehearsal=draft.rehearsal, coach=coach)
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    url = reverse("review:undo", args=[draft.rehearsal_id])
    text = client.post(url, headers={"hx-request": "true"}).content.decode()
    assert "Undone: " in text
    text = client.post(url, headers={"hx-request": "true"}).content.decode()
    assert "nothing left to undo" in text
    assert Entry.objects.filter(action="feedback.undone", actor=coach).count() == 1
