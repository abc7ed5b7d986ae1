"""The coach who leads sees how the queue goes; nobody else does, and of no other group."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.people import join_cohort
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.notices.models import Kind, Notice
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.services import send_to_coach
from coach.review.models import Review
from coach.review.selectors import groups_led_by
from coach.review.services import claim_rehearsal, enqueue_sent, finish_review
from coach.review.team import counts
from coach.review.team.counts import (
    LEAST_VERDICTS,
    decisions_in,
    loads_in,
    turnaround_in,
    waiting_in,
    weeks_in,
    without_second_take_in,
)
from coach.review.team.item_times import handled_in
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join


@pytest.fixture
def answered(sent: Rehearsal, draft: Feedback, coach: User) -> Rehearsal:
    """Bea answered Ana's take after 10 hours; she had it for 12 minutes."""
    claim_rehearsal(rehearsal=sent, coach=coach)
    Review.objects.update(claimed_at=timezone.now() - timedelta(minutes=12))
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(
            item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="unimportant", note=""
        )
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=sent, coach=coach)
    AccessGrant.objects.update(created_at=timezone.now() - timedelta(hours=10))
    return sent


def since() -> timezone.datetime:
    return timezone.now() - timedelta(days=90)


def text_of(sign_in: SignIn, person: User) -> str:
    return sign_in(person).get(reverse("review:team")).content.decode()


def test_what_was_answered_and_how_long_it_took(
    answered: Rehearsal, cohort: Cohort, coach: User, leader: User
) -> None:
    groups = groups_led_by(leader)
    found = turnaround_in(groups, since())
    assert found.count == 1
    assert found.median == pytest.approx(10, abs=0.1)
    assert found.p90 == pytest.approx(10, abs=0.1)
    loads = {row.name: row for row in loads_in(groups, since())}
    assert loads["Bea"].answered == 1
    assert loads["Bea"].minutes == pytest.approx(12, abs=0.2)
    length = answered.duration or 0
    handled = handled_in(groups, since())
    assert handled.count == 1
    assert handled.median == pytest.approx(12 * 60 / length, rel=0.05)
    assert (loads["Eve"].answered, loads["Eve"].minutes) == (0, None)


def test_what_waits_what_is_late_and_who_has_it(
    sent: Rehearsal, cohort: Cohort, coach: User, leader: User
) -> None:
    take = RehearsalFactory(owner=sent.owner, cohort=cohort)
    finish_analysis(take)
    send_to_coach(rehearsal=take, note="")
    now = timezone.now()
    AccessGrant.objects.filter(rehearsal=sent).update(created_at=now - timedelta(hours=50))
    AccessGrant.objects.filter(rehearsal=take).update(created_at=now - timedelta(hours=30))
    enqueue_sent()
    claim_rehearsal(rehearsal=take, coach=coach)
    found = waiting_in(groups_led_by(leader), now)
    assert (found.count, found.late, found.soon) == (2, 1, 1)
    assert found.since == now - timedelta(hours=50)
    assert {row.name: row.held for row in loads_in(groups_led_by(leader), since())} == {
        "Bea": 1,
        "Eve": 0,
    }


def test_verdicts_by_reason_and_by_rule(answered: Rehearsal, leader: User) -> None:
    found = decisions_in(groups_led_by(leader), since())
    assert found.rejected["unimportant"] == found.count > 0
    assert {share.hits for _rule, share, _reworded in found.by_rule} == {0}


def test_what_was_reworded_is_told_apart_from_what_was_kept_as_written(
    sent: Rehearsal,
    coach: User,
    leader: User,
    sign_in: SignIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enqueue_sent()
    item = sent.feedback.get().items.filter(is_chosen=True)[:1].get()
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording={"claim": "Other."})
    (row,) = decisions_in(groups_led_by(leader), since()).by_rule
    assert (row[1].hits, row[1].of, row[2]) == (1, 1, 1)
    assert "0 as written, 1 reworded" in text_of(sign_in, leader)
    monkeypatch.setattr(counts, "LEAST_VERDICTS", 1)
    text = text_of(sign_in, leader)
    assert "1 of 1" in text
    assert "100%" not in text
    assert "verdicts</summary>" not in text


def test_the_page_says_so_in_words(answered: Rehearsal, leader: User, sign_in: SignIn) -> None:
    text = text_of(sign_in, leader)
    assert "10 hours" in text
    assert "12 minutes" in text
    assert "times the talk’s length" in text
    assert "Rejected: Right, but not important here" in text
    few = text.split(f"fewer than {LEAST_VERDICTS} decisions</summary>")[1]
    assert "</span>0 of 1</td>" in few, "no share of so few"
    assert reverse("review:team") in sign_in(leader).get(reverse("review:queue")).content.decode()


def test_a_coach_who_does_not_lead_and_a_trainee_see_no_such_page(
    sent: Rehearsal, coach: User, trainee: User, sign_in: SignIn
) -> None:
    for person in (coach, trainee):
        assert sign_in(person).get(reverse("review:team")).status_code == 404
    assert (
        reverse("review:team") not in sign_in(coach).get(reverse("review:queue")).content.decode()
    )


def test_another_groups_takes_do_not_count(answered: Rehearsal, sign_in: SignIn) -> None:
    elsewhere = Cohort.objects.create(name="Another group")
    zoe = UserFactory(name="Zoe", roles=[Role.COACH])
    join_cohort(person=zoe, cohort=elsewhere, role=Role.COACH, actor=None, leads=True)
    found = turnaround_in(groups_led_by(zoe), since())
    assert (found.count, found.median) == (0, None)
    assert decisions_in(groups_led_by(zoe), since()).count == 0
    text = text_of(sign_in, zoe)
    assert "Bea" not in text
    assert "No decision yet." in text


def test_who_loses_the_role_leads_nobody(leader: User) -> None:
    leader.roles = []
    leader.save()
    assert not groups_led_by(leader).exists()


def test_leading_is_given_and_taken_on_record(cohort: Cohort, coach: User) -> None:
    for leads in (True, False):
        join_cohort(person=coach, cohort=cohort, role=Role.COACH, actor=None, leads=leads)
        assert Membership.objects.get(user=coach).leads is leads
    acts = Entry.objects.filter(action="accounts.lead_changed").order_by("pk")
    assert [act.detail["after"] for act in acts] == [True, False]


def test_a_trainee_cannot_lead(cohort: Cohort, trainee: User) -> None:
    join_cohort(person=trainee, cohort=cohort, role=Role.TRAINEE, actor=None, leads=True)
    assert not Membership.objects.filter(leads=True).exists()


def test_a_group_nobody_sent_anything_to(leader: User, cohort: Cohort, sign_in: SignIn) -> None:
    join(cohort, UserFactory(), Role.TRAINEE)
    text = text_of(sign_in, leader)
    assert "nothing waiting" in text
    assert "No take is waiting." in text


def test_a_lead_assigns_a_waiting_take_to_a_coach_of_the_group(
    sent: Rehearsal, cohort: Cohort, coach: User, leader: User, stranger: User, sign_in: SignIn
) -> None:
    enqueue_sent()
    url = reverse("review:assign", args=[sent.pk])
    lead = sign_in(leader)
    assert url in lead.get(reverse("review:team")).content.decode()
    assert sign_in(coach).post(url, {"colleague": coach.pk}).status_code == 404
    lead.post(url, {"colleague": stranger.pk})
    assert Review.objects.get().meant_for is None
    lead.post(url, {"colleague": coach.pk})
    review = Review.objects.get()
    assert (review.meant_for, review.handed_by) == (coach, leader)
    assert Notice.objects.filter(person=coach, kind=Kind.HANDED, rehearsal=sent).exists()
    assert Entry.objects.get(action="review.assigned").actor == leader
    claim_rehearsal(rehearsal=sent, coach=coach)
    lead.post(url, {"colleague": leader.pk})
    assert Review.objects.get().coach == coach


def test_each_week_counts_what_was_sent_and_answered_in_it(
    answered: Rehearsal, cohort: Cohort
) -> None:
    groups = Cohort.objects.filter(pk=cohort.pk)
    now = timezone.now()
    weeks = weeks_in(groups, now)
    assert len(weeks) == counts.WEEKS
    assert sum(each.sent for each in weeks) == sum(each.answered for each in weeks) == 1
    [median] = [each.median for each in weeks if each.median is not None]
    assert median == pytest.approx(10, abs=0.1)
    AccessGrant.objects.update(created_at=now - timedelta(weeks=20), answered_at=None)
    assert not any(each.sent for each in weeks_in(groups, now))


def test_who_sent_no_second_take_is_named_two_weeks_after_the_answer(
    answered: Rehearsal, cohort: Cohort, trainee: User
) -> None:
    groups = Cohort.objects.filter(pk=cohort.pk)
    now = timezone.now()
    assert without_second_take_in(groups, now) == []
    AccessGrant.objects.update(answered_at=now - timedelta(days=15))
    assert without_second_take_in(groups, now) == [str(trainee)]
    again = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(again)
    assert without_second_take_in(groups, now) == [str(trainee)]
    send_to_coach(rehearsal=again, note="")
    assert without_second_take_in(groups, now) == []
