"""A coach who is away gets no takes; a lead gives theirs to others, and no time is promised."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from coach.accounts.away import end_away, set_away
from coach.accounts.models import Cohort, User
from coach.audit.models import Entry
from coach.feedback.pages.owner_actions import promise_words
from coach.notices.models import Kind, Notice
from coach.rehearsals.models import Rehearsal
from coach.review.models import Review
from coach.review.selectors import QueueFilter, claimable_for
from coach.review.services import assign, claim_next, enqueue_sent
from tests.coach.conftest import SignIn

URL = reverse("review:away")


def go_away(coach: User, *, days: int = 3) -> None:
    today = timezone.localdate()
    set_away(coach=coach, first=today, last=today + timedelta(days=days))


def test_a_coach_sets_and_removes_days_away(
    sent: Rehearsal, coach: User, trainee: User, sign_in: SignIn
) -> None:
    client, today = sign_in(coach), timezone.localdate()
    last = today + timedelta(days=2)
    wrong = client.post(URL, {"first": last.isoformat(), "last": today.isoformat()})
    assert wrong.status_code == 422
    coach.refresh_from_db()
    assert not coach.is_away
    client.post(URL, {"first": today.isoformat(), "last": last.isoformat()})
    coach.refresh_from_db()
    assert (coach.is_away, coach.away_until) == (True, last)
    assert client.get(reverse("review:queue")).context["page"].away
    client.post(URL, {"back": "yes"})
    coach.refresh_from_db()
    assert not coach.is_away
    acts = Entry.objects.filter(action__startswith="accounts.away").order_by("pk")
    assert [act.action for act in acts] == ["accounts.away_set", "accounts.away_ended"]
    assert sign_in(trainee).get(URL).status_code == 302


def test_a_coach_who_is_away_is_neither_told_nor_given_a_take(
    sent: Rehearsal, coach: User, leader: User
) -> None:
    go_away(coach)
    enqueue_sent()
    told = Notice.objects.filter(kind=Kind.WAITING)
    assert {each.person for each in told} == {leader}
    with pytest.raises(ValidationError):
        assign(review=Review.objects.get(), lead=leader, to=coach)
    end_away(coach=coach)
    assign(review=Review.objects.get(), lead=leader, to=coach)
    assert Review.objects.get().meant_for == coach


def test_a_reserved_take_is_free_while_its_coach_is_away_and_a_lead_is_shown_it(
    sent: Rehearsal, coach: User, leader: User, sign_in: SignIn
) -> None:
    enqueue_sent()
    assign(review=Review.objects.get(), lead=leader, to=coach)
    now = timezone.now()
    assert not claimable_for(leader, QueueFilter(), now).exists()
    lead = sign_in(leader)
    assert lead.get(reverse("review:team")).context["page"].stranded == ()
    go_away(coach)
    [row] = lead.get(reverse("review:team")).context["page"].stranded
    assert [key for key, _name in row.coaches] == [leader.pk]
    lead.post(row.assign_url, {"colleague": leader.pk})
    assert lead.get(reverse("review:team")).context["page"].stranded == ()
    assert claim_next(coach=leader, wanted=QueueFilter()) is not None


def test_no_reply_time_is_promised_while_every_coach_is_away(
    sent: Rehearsal, cohort: Cohort, coach: User, leader: User
) -> None:
    cohort.reply_hours = 48
    cohort.save()
    usual = promise_words(None, cohort, None)
    assert "48" in usual
    go_away(coach)
    assert promise_words(None, cohort, None) == usual
    go_away(leader, days=1)
    first_back = timezone.localdate() + timedelta(days=1)
    assert str(first_back.day) in promise_words(None, cohort, None)
    assert "48" not in promise_words(None, cohort, None)
