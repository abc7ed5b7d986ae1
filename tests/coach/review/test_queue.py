"""What a coach sees of the queue: why this one first, what is late, and which kind of empty."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for
from coach.rehearsals.services import send_to_coach
from coach.review import rule_trials
from coach.review.models import Review
from coach.review.priority import PARTS
from coach.review.selectors import QueueFilter, waiting_for
from coach.review.services import claim_rehearsal, enqueue_sent, finish_review
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join


@pytest.fixture
def send_one(cohort: Cohort) -> Callable[..., Rehearsal]:
    """Another trainee of the group sends a take."""

    def send(title: str, trainee: User | None = None, **kept: Any) -> Rehearsal:
        if trainee is None:
            trainee = UserFactory()
            join(cohort, trainee, Role.TRAINEE)
        take: Rehearsal = RehearsalFactory(owner=trainee, cohort=cohort, title=title)
        finish_analysis(take)
        send_to_coach(rehearsal=take, note="", **kept)
        return take

    return send


def sent_ago(take: Rehearsal, **ago: float) -> None:
    AccessGrant.objects.filter(rehearsal=take).update(created_at=timezone.now() - timedelta(**ago))


def text_of(client: Client, query: str = "") -> str:
    return client.get(reverse("review:queue") + query).content.decode()


def in_order(coach: User, **wanted: Any) -> list[str]:
    enqueue_sent()
    return [each.rehearsal.title for each in waiting_for(coach, QueueFilter(**wanted))]


def test_the_priority_is_the_sum_of_the_parts_that_are_shown(sent: Rehearsal, coach: User) -> None:
    sent_ago(sent, hours=24)  # Of 48 promised hours.
    enqueue_sent()
    Review.objects.update(uncertainty=0.4, is_on_trial=True, is_first=True)
    AccessGrant.objects.update(needed_by=timezone.localdate() + timedelta(days=2))
    row = waiting_for(coach).get()
    assert (row.part_age, row.part_deadline, row.part_uncertainty) == (15, 20, 6)
    assert (row.part_trial, row.part_first) == (10, 10)
    assert row.priority == 61


def test_a_rule_on_trial_counts_until_enough_of_it_is_judged_or_waits(
    sent: Rehearsal,
    coach: User,
    send_one: Callable[..., Rehearsal],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rule_trials, "ENOUGH_VERDICTS", 2)
    on_trial = {"rule": "END010", "rule_version": 3}

    def comes_in(**rule: Any) -> bool:
        take = send_one("A talk")
        items = take.feedback.get().items
        items.update(rule="PAU010")
        items.filter(pk=items.values("pk")[:1]).update(**rule)
        enqueue_sent()
        return Review.objects.get(rehearsal=take).is_on_trial

    sent.feedback.get().items.update(rule="PAU010")
    assert [comes_in(**on_trial) for _take in range(3)] == [True, True, False]
    # As a new version it is judged anew, and what was answered without a verdict on it counts not.
    assert comes_in(**on_trial | {"rule_version": 4})
    Review.objects.update(finished_at=timezone.now())
    assert comes_in(**on_trial)
    for item in Item.objects.filter(**on_trial)[:2]:
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    Review.objects.update(finished_at=timezone.now())
    assert not comes_in(**on_trial)
    assert not comes_in(rule="PAU010")  # stable


def test_what_each_part_of_a_priority_means_stands_below_the_queue(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    text = text_of(sign_in(coach))
    assert "How priority is worked out" in text
    assert all(f"<dt>{part.label}</dt><dd>{part.why}</dd>" in text for part in PARTS)


def test_what_is_late_weighs_more_than_what_will_be(
    sent: Rehearsal, coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    send_one("Late one")
    sent_ago(Rehearsal.objects.get(title="Late one"), hours=49)
    sent_ago(sent, hours=47)
    assert in_order(coach) == ["Late one", sent.title]


def test_a_talk_that_is_over_is_not_urgent(
    sent: Rehearsal, coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    send_one("Tomorrow", needed_by=timezone.localdate() + timedelta(days=1))
    send_one("Yesterday", needed_by=timezone.localdate() - timedelta(days=1))
    points = {each.rehearsal.title: each.part_deadline for each in _waiting(coach)}
    assert points == {"Tomorrow": 30, "Yesterday": 0, sent.title: 0}


def test_a_talk_before_the_promised_day_is_what_an_answer_is_due_by(
    sent: Rehearsal, coach: User, client: Client, send_one: Callable[..., Rehearsal]
) -> None:
    send_one("Today", needed_by=timezone.localdate())
    send_one("Next week", needed_by=timezone.localdate() + timedelta(days=7))
    enqueue_sent()
    client.force_login(coach)
    rows = {row.title: row for row in client.get(reverse("review:queue")).context["page"].rows}
    assert (rows["Today"].due, rows["Today"].urgency) == ("Answer before the talk", "soon")
    assert rows["Today"].deadline.startswith("Talk on")
    assert rows["Next week"].due.startswith("Answer by")
    assert rows[sent.title].urgency == ""


def _waiting(coach: User) -> Any:
    enqueue_sent()
    return waiting_for(coach)


def test_the_machines_doubt_and_a_first_take_are_read_from_what_was_drafted(
    sent: Rehearsal, draft: Feedback
) -> None:
    item = draft.items.first()
    assert item is not None
    factors = {**item.document["factors"], "confidence": 0.3}
    Item.objects.filter(pk=item.pk).update(document={**item.document, "factors": factors})
    enqueue_sent()
    review = Review.objects.get(rehearsal=sent)
    assert review.uncertainty == pytest.approx(0.7)
    assert review.is_first


def test_one_may_sort_by_any_part(
    sent: Rehearsal, coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    send_one("Soon", needed_by=timezone.localdate())
    sent_ago(sent, hours=60)
    assert in_order(coach) == [sent.title, "Soon"]
    assert in_order(coach, sort="deadline") == ["Soon", sent.title]


def test_the_ways_to_sort_are_folded_away_under_the_one_that_is_chosen(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    for query, words in (("", "Sorted by: Priority"), ("?sort=deadline", "Sorted by: Talk soon")):
        fold = text_of(client, query).split(f"<summary>{words}</summary>")[1].split("</details>")[0]
        assert fold.count('class="pill"') == len(PARTS) + 1


def test_a_take_says_its_state_only_where_it_does_not_wait_as_all_do(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    assert re.search(r"<td></td>\s*</tr>", text_of(client))
    claim_rehearsal(rehearsal=sent, coach=coach)
    assert "<td>In progress with you</td>" in text_of(client)


def test_my_trainees_are_those_whom_i_answered_before(
    sent: Rehearsal, coach: User, send_one: Callable[..., Rehearsal], draft: Feedback
) -> None:
    for item in draft.items.filter(is_chosen=True):
        item.verdicts.create(coach=coach, coach_name="Bea", kind="accept")
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=sent, coach=coach)
    send_one("Her second take", trainee=sent.owner)
    send_one("A stranger's take")
    assert in_order(coach, mine=True) == ["Her second take"]
    assert set(in_order(coach)) == {"Her second take", "A stranger's take"}


def test_only_what_is_due_within_a_day(
    sent: Rehearsal, coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    send_one("New")
    sent_ago(sent, hours=30)
    assert in_order(coach, late=True) == [sent.title]


def test_the_page_says_what_is_late_and_what_the_number_is_made_of(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    sent_ago(sent, hours=72)
    text = text_of(sign_in(coach))
    assert "Late: answer by" in text
    assert "Waiting 50" in text
    assert "First take 10" in text


def test_filters_that_mean_nothing_are_left_out(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    for query in ("?group=x", "?group=99999999999999", "?sort=owner", "?group=%00", "?sort="):
        response = sign_in(coach).get(reverse("review:queue") + query)
        assert response.status_code == 200
        assert sent.title in response.content.decode()


def test_a_group_of_others_shows_nothing(sent: Rehearsal, coach: User, sign_in: SignIn) -> None:
    other = Cohort.objects.create(name="Another group")
    assert sent.title not in text_of(sign_in(coach), f"?group={other.pk}")


def test_the_empty_queue_says_which_kind_of_empty(
    cohort: Cohort, coach: User, sign_in: SignIn
) -> None:
    assert "When a trainee sends you a take" in text_of(sign_in(coach))


def test_what_fits_no_filter_is_another_kind_of_empty(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert "No waiting take matches" in text_of(sign_in(coach), "?mine=1")


def test_taking_the_next_one_opens_the_desk(sent: Rehearsal, coach: User, sign_in: SignIn) -> None:
    response = sign_in(coach).post(reverse("review:next"))
    assert response.url == reverse("review:desk", args=[sent.pk])  # type: ignore[attr-defined]
    assert Review.objects.get(rehearsal=sent).coach == coach


def test_where_colleagues_have_everything_it_says_until_when(
    sent: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    claim_rehearsal(rehearsal=sent, coach=dan)
    client = sign_in(coach)
    text = client.post(reverse("review:next"), follow=True).content.decode()
    assert "Colleagues are working on all waiting takes" in text
    assert "A colleague is working on 1 take" in text


def test_the_next_one_follows_the_filters_of_the_page(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    assert f'action="{reverse("review:next")}?late=1"' not in text_of(client)
    sent_ago(sent, hours=40)
    assert f'action="{reverse("review:next")}?late=1"' in text_of(client, "?late=1")
    text = client.post(reverse("review:next") + "?mine=1", follow=True).content.decode()
    assert "No waiting take matches" in text


def test_who_is_no_coach_is_sent_home(trainee: User, sign_in: SignIn) -> None:
    response = sign_in(trainee).post(reverse("review:next"))
    assert response.url == reverse("portal:home")  # type: ignore[attr-defined]


def test_an_open_desk_renews_its_lease_and_says_when_it_is_lost(
    sent: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    client, renew = sign_in(coach), reverse("review:renew", args=[sent.pk])
    client.get(reverse("review:desk", args=[sent.pk]))
    assert "Reserved for you" in client.post(renew).content.decode()
    Review.objects.update(until=timezone.now() - timedelta(seconds=1))
    claim_rehearsal(rehearsal=sent, coach=dan)
    lost = client.post(renew)
    assert lost.status_code == 286
    assert "Dan has taken over this take. Your decisions so far are saved." in lost.content.decode()


def test_handing_over_through_the_desk(
    sent: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    client = sign_in(coach)
    desk = client.get(reverse("review:desk", args=[sent.pk])).content.decode()
    assert f'<option value="{dan.pk}">Dan</option>' in desk
    hand_over = reverse("review:hand_over", args=[sent.pk])
    said = client.post(hand_over, {"colleague": "x"}, follow=True).content.decode()
    assert "Choose a colleague" in said
    note = "She asked for you."
    assert "Choose a colleague" in client.post(hand_over, {"note": note}).content.decode()
    said = client.post(hand_over, {"colleague": dan.pk, "note": note}, follow=True).content.decode()
    assert "Handed over to Dan." in said
    client.logout()
    for_dan = sign_in(dan)
    assert "Handed over to you" in text_of(for_dan)
    assert note in for_dan.get(reverse("review:desk", args=[sent.pk])).content.decode()


def test_a_note_that_is_too_long_is_refused_for_that_and_stays_with_its_colleague(
    sent: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[sent.pk]))
    hand_over = reverse("review:hand_over", args=[sent.pk])
    note = "y" * 501
    answer = client.post(hand_over, {"colleague": dan.pk, "note": note})
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "This note has 501 characters; the limit is 500." in said
    assert "Choose a colleague to hand this take to." not in said
    assert f">{note}</textarea>" in said
    # What is typed there is kept under the address of the desk.
    assert f'data-address="{reverse("review:desk", args=[sent.pk])}"' in said
    assert f'<option value="{dan.pk}" selected>Dan</option>' in said
    assert Review.objects.get().coach == coach
    # New lines count once, as in the field.
    client.post(hand_over, {"colleague": dan.pk, "note": "y\r\n" * 250})
    assert Review.objects.get().meant_for == dan


def test_who_lost_the_take_meanwhile_reads_that_and_not_of_the_form(
    sent: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[sent.pk]))
    Review.objects.update(coach=dan)
    hand_over = reverse("review:hand_over", args=[sent.pk])
    said = client.post(hand_over, {"colleague": dan.pk, "note": "x"}, follow=True)
    assert "Another coach is now working on this take" in said.content.decode()


def test_a_day_of_the_talk_that_is_none_is_refused_in_words(
    cohort: Cohort, coach: User, trainee: User, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take)
    client, send = sign_in(trainee), reverse("feedback:send", args=[take.pk])
    text = client.post(send, {"needed_by": "soon"}, follow=True).content.decode()
    assert "Write the day of your talk as a date" in text
    assert not AccessGrant.objects.exists()
    client.post(send, {"needed_by": "2027-01-31", "note": "x"})
    assert str(AccessGrant.objects.get().needed_by) == "2027-01-31"


def test_what_is_hidden_from_a_coach_is_asked_of_each_take_and_never_listed(coach: User) -> None:
    read = str(shared_rehearsals_for(coach).query)
    # Else whoever opens one take reads all that are hidden, and no planner begins with the one.
    assert 'NOT ("rehearsals_rehearsal"."id" IN (' not in read
    assert read.count("NOT EXISTS") >= len(settings.HIDES_FINDINGS)
