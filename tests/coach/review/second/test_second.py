"""Two coaches on one take: neither sees the other's before both are in."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.curation.releases import mute_rule
from coach.feedback.models import Feedback, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.selectors import items_for
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import Rehearsal, Viewing
from coach.review.models import Review
from coach.review.rubric.words import QUALITIES
from coach.review.sampling import wants_second_opinion
from coach.review.second.models import Opinion, Place
from coach.review.second.selectors import comparable_for, seconds_waiting_for
from coach.review.second.services import (
    take_second,
)
from coach.review.selectors import QueueFilter, waiting_for
from coach.review.services import claim_next, claim_rehearsal, enqueue_sent, finish_review
from tests.coach.cast import analysed_take, send
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.review.deciding import settle
from tests.coach.review.rubric.judging import judge
from tests.coach.review.second.judging import answer, hand_in, levels_form, second, url

ALL = QueueFilter()


class TestTheSample:
    """A share of each cohort's takes, drawn when they are sent."""

    @pytest.mark.parametrize("percent", [0, 10, 50, 100])
    def test_about_the_share_that_the_cohort_says_and_always_the_same(
        self, percent: int, cohort: Cohort, sent: Rehearsal, dora: User
    ) -> None:
        cohort.second_opinion_percent = percent
        cohort.save()
        grant = sent.grants.select_related("cohort", "rehearsal").get()
        drawn = []
        for number in range(400):
            grant.pk = 10_000 + number
            drawn.append(wants_second_opinion(grant))
            assert wants_second_opinion(grant) == drawn[-1]
        share = percent / 100
        # Keys are drawn anew for every run: six standard errors are never left by chance.
        margin = 6 * math.sqrt(share * (1 - share) / 400)
        assert sum(drawn) / 400 == pytest.approx(share, abs=margin)

    def test_nobody_foresees_it_without_the_sites_secret(
        self, cohort: Cohort, sent: Rehearsal, dora: User
    ) -> None:
        cohort.second_opinion_percent = 50
        grant = sent.grants.select_related("cohort", "rehearsal").get()
        grant.cohort = cohort
        drawn = set()
        for secret in range(20):
            with override_settings(SECRET_KEY=f"secret-{secret}"):
                drawn.add(wants_second_opinion(grant))
        assert drawn == {True, False}

    def test_a_group_with_one_coach_has_none(self, cohort: Cohort, sent: Rehearsal) -> None:
        cohort.second_opinion_percent = 100
        cohort.save()
        enqueue_sent()
        assert not Review.objects.get().wants_second

    def test_it_is_a_part_of_the_priority(self, sampled: Rehearsal, coach: User) -> None:
        row = waiting_for(coach).get()
        assert row.part_second == 5
        parts = ("age", "deadline", "uncertainty", "trial", "first", "second")
        assert row.priority == sum(getattr(row, f"part_{part}") for part in parts)

    def test_what_is_drawn_once_stays_when_the_share_changes(
        self, cohort: Cohort, dora: User, sent: Rehearsal
    ) -> None:
        cohort.second_opinion_percent = 100
        cohort.save()
        enqueue_sent()
        cohort.second_opinion_percent = 0
        cohort.save()
        enqueue_sent()
        assert Review.objects.get().wants_second


class TestBlind:
    """The second coach sees neither the first one's decisions nor levels, by no door."""

    def test_no_page_shows_what_the_first_coach_decided(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        client = sign_in(dora)
        client.post(url(sampled, "take_second"))
        item = draft.items.filter(is_chosen=True).get()
        claim_rehearsal(rehearsal=sampled, coach=coach)
        judge(sampled, coach, 1)
        words = {"claim": "A wording of Bea's own."}
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=words)
        for released in (False, True):
            if released:
                release_feedback(feedback=draft, coach=coach)
                finish_review(rehearsal=sampled, coach=coach)
            page = client.get(url(sampled, "opinion")).content.decode()
            assert "Bea" not in page
            assert item.document["claim"].partition(" (")[0] not in page  # First one's own levels.
            assert client.get(url(sampled, "desk")).status_code == 404
            assert client.get(url(sampled, "compare")).status_code == 404
            assert client.get(reverse("feedback:report", args=[sampled.pk])).status_code == 404
            assert client.post(url(sampled, "release")).status_code == 404
            assert not items_for(dora).exists()
        client.post(url(sampled, "opinion_rubric"), levels_form(finish="1"))
        page = client.get(url(sampled, "opinion")).content.decode()
        assert item.document["claim"].partition(" (")[0] in page
        assert "A wording of Bea" not in page
        assert str(QUALITIES[0].anchors[0]) not in page  # Level 1 is the first coach's.

    def test_the_first_coach_sees_nothing_of_the_second_before_answering(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        second(sign_in(dora), sampled, "reject")
        client = sign_in(coach)
        page = client.get(url(sampled, "desk")).content.decode()
        assert "Dora" not in page  # Nor can it be handed over to who judges it already.
        assert client.get(url(sampled, "compare")).status_code == 404
        assert not comparable_for(coach).exists()
        assert not comparable_for(dora).exists()

    def test_both_see_both_once_both_are_in(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        answer(draft, coach, level=3)
        response = second(sign_in(dora), sampled, "reject", level=4)
        assert response.headers["Location"] == url(sampled, "compare")
        for person in (coach, dora):
            page = sign_in(person).get(url(sampled, "compare")).content.decode()
            assert "First coach: Bea" in page
            assert "Second coach: Dora" in page
            assert "Would reject it: I would not say it like this" in page
            assert "Qualities at the same level: 0 of 6." in page
            assert "Cards decided alike: 0 of 1." in page
            assert page.count("One level apart") == 6
            assert "Save this choice" not in page
        assert sign_in(dora).get(url(sampled, "desk")).status_code == 200

    def test_who_knows_what_was_found_gives_no_second_opinion(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        assert [each.rehearsal for each in seconds_waiting_for(dora)] == [sampled]
        sign_in(dora).get(url(sampled, "desk"))
        Review.objects.update(coach=None, until=None)
        assert not seconds_waiting_for(dora).exists()
        with pytest.raises(ValidationError):
            take_second(rehearsal=sampled, coach=dora)
        answer(draft, coach)
        Viewing.objects.all().delete()
        assert not seconds_waiting_for(coach).exists()
        assert seconds_waiting_for(dora).exists()

    def test_who_judges_as_the_second_does_not_answer_as_the_first(
        self, sampled: Rehearsal, dora: User
    ) -> None:
        take_second(rehearsal=sampled, coach=dora)
        assert claim_next(coach=dora, wanted=ALL) is None
        assert not waiting_for(dora).exists()

    def test_a_stranger_and_the_owner_find_nothing(
        self, sampled: Rehearsal, trainee: User, stranger: User, dora: User, sign_in: SignIn
    ) -> None:
        take_second(rehearsal=sampled, coach=dora)
        for person in (trainee, stranger):
            client = sign_in(person)
            assert client.get(url(sampled, "opinion")).status_code == 404
            assert client.get(url(sampled, "compare")).status_code == 404
            for name in ("take_second", "opinion_rubric", "opinion_decide", "give_up", "settle"):
                assert client.post(url(sampled, name)).status_code == 404
        assert Opinion.objects.count() == 1


class TestTaking:
    """One coach at a time, and what was judged is kept."""

    def test_one_coach_has_it_until_they_leave_it(
        self, sampled: Rehearsal, dora: User, leader: User, sign_in: SignIn
    ) -> None:
        take_second(rehearsal=sampled, coach=dora)
        with pytest.raises(ValidationError, match="colleague"):
            take_second(rehearsal=sampled, coach=leader)
        sign_in(dora).post(url(sampled, "opinion_rubric"), {"level_voice": "2"})
        sign_in(dora).post(url(sampled, "give_up"))
        take_second(rehearsal=sampled, coach=leader)
        Opinion.objects.filter(coach=leader).update(until=timezone.now() - timedelta(hours=1))
        take_second(rehearsal=sampled, coach=dora)
        assert Opinion.objects.get(coach=leader).given_up_at is not None
        page = sign_in(dora).get(url(sampled, "opinion")).content.decode()
        assert "1 of 6 rated" in page
        assert sign_in(leader).get(url(sampled, "opinion")).status_code == 404

    def test_the_database_keeps_it_to_one(
        self, sampled: Rehearsal, draft: Feedback, dora: User, leader: User
    ) -> None:
        take_second(rehearsal=sampled, coach=dora)
        with pytest.raises(IntegrityError), transaction.atomic():
            Opinion.objects.create(
                rehearsal=sampled, feedback=draft, coach=leader, place=Place.SECOND
            )

    def test_it_is_handed_in_whole_and_then_stays(
        self, sampled: Rehearsal, dora: User, sign_in: SignIn
    ) -> None:
        client = sign_in(dora)
        client.post(url(sampled, "take_second"))
        page = client.post(url(sampled, "opinion_decide"), {"hand_in": "1"}, follow=True)
        assert "Rate the qualities first." in page.content.decode()
        client.post(url(sampled, "opinion_rubric"), levels_form(finish="1"))
        page = client.post(url(sampled, "opinion_decide"), {"hand_in": "1"}, follow=True)
        assert "Decide for each card whether you would keep it." in page.content.decode()
        item = sampled.feedback.get().items.filter(is_chosen=True).get()
        form = {f"kind_{item.pk}": "reject", "hand_in": "1"}
        page = client.post(url(sampled, "opinion_decide"), form, follow=True)
        assert "Choose a reason for rejecting it" in page.content.decode()
        hand_in(client, sampled)
        assert client.post(url(sampled, "opinion_decide"), form).status_code == 404
        assert Opinion.objects.get().submitted_at is not None
        assert Entry.objects.filter(action="second.handed_in").count() == 1


class TestTheRelease:
    """Waits for the second opinion only where the group says so."""

    def test_it_does_not_wait(
        self, sampled: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
    ) -> None:
        claim_rehearsal(rehearsal=sampled, coach=coach)
        for item in draft.items.filter(is_chosen=True):
            decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
        sign_in(coach).post(url(sampled, "release"))
        draft.refresh_from_db()
        assert draft.state == Feedback.State.RELEASED

    def test_it_waits_where_the_group_says_so_and_what_was_decided_is_in(
        self,
        sampled: Rehearsal,
        draft: Feedback,
        cohort: Cohort,
        coach: User,
        dora: User,
        sign_in: SignIn,
    ) -> None:
        cohort.second_opinion_first = True
        cohort.save()
        client = sign_in(coach)
        client.get(url(sampled, "desk"))
        judge(sampled, coach)
        item = draft.items.filter(is_chosen=True).get()
        page = client.post(url(sampled, "release"), follow=True).content.decode()
        assert "Decide on each item first" in page
        assert not Opinion.objects.exists()
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
        page = client.post(url(sampled, "release"), follow=True).content.decode()
        assert "this group releases feedback only after that" in page
        assert Opinion.objects.get(place=Place.FIRST).decisions.get().kind == "keep"
        second(sign_in(dora), sampled, "reject")
        assert client.get(url(sampled, "compare")).status_code == 200
        client.post(url(sampled, "release"))
        draft.refresh_from_db()
        assert draft.state == Feedback.State.RELEASED


def test_more_that_wait_for_a_second_opinion_take_no_more_queries(
    sampled: Rehearsal, trainee: User, cohort: Cohort, dora: User, sign_in: SignIn
) -> None:
    client, page = sign_in(dora), reverse("review:seconds")

    def asked() -> int:
        client.get(page)
        with CaptureQueriesContext(connection) as captured:
            client.get(page)
        return len(captured)

    few = asked()
    for _each in range(3):
        send(analysed_take(trainee, cohort))
    enqueue_sent()
    Review.objects.update(wants_second=True)
    assert len(seconds_waiting_for(dora)) == 4
    assert asked() == few


def test_where_one_of_them_judged_no_quality_the_page_says_that_none_can_be_compared(
    sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sampled, coach=coach)
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    second(sign_in(dora), sampled, "keep")
    page = sign_in(dora).get(url(sampled, "compare")).content.decode()
    assert (
        "The two coaches have not yet rated any of the same qualities. Cards decided alike: 1 of 1."
        in page
    )
    assert "0 of 0" not in page


def test_the_second_coach_reads_as_the_first_does_that_a_rule_is_out_of_use(
    sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
) -> None:
    mute_rule(rule="FIL001", curator=UserFactory(roles=[Role.CURATOR]), why="It counts coughs.")
    client = sign_in(dora)
    client.post(url(sampled, "take_second"))
    client.post(url(sampled, "opinion_rubric"), levels_form(finish="1"))
    told = "The rule for this card is no longer in use (since rule set 2)."
    assert told in client.get(url(sampled, "opinion")).content.decode()
    assert told in sign_in(coach).get(url(sampled, "desk")).content.decode()
