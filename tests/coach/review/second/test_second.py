"""Two coaches on one take: neither sees the other's before both are in; one opinion counts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Purpose, Role, User
from coach.accounts.people import join_cohort
from coach.accounts.services import give_consent, withdraw_consent
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.selectors import items_for
from coach.feedback.verdicts import decide_on_item
from coach.portal.own_data import own_data
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.services import send_to_coach
from coach.review.models import Review
from coach.review.rubric.models import Occasion
from coach.review.rubric.services import finish_rating, save_rating
from coach.review.rubric.words import QUALITIES
from coach.review.sampling import wants_second_opinion
from coach.review.second.models import Opinion, Place
from coach.review.second.selectors import comparable_for, seconds_waiting_for, to_resolve_for
from coach.review.second.services import (
    OCCASIONS,
    gather_first_opinions,
    take_second,
)
from coach.review.selectors import QueueFilter, waiting_for
from coach.review.services import claim_next, claim_rehearsal, enqueue_sent, finish_review
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join
from tests.coach.review.rubric.test_rubric import judge

ALL = QueueFilter()


@pytest.fixture
def dora(cohort: Cohort) -> User:
    """Bea's colleague."""
    person = UserFactory(email="dora@example.org", name="Dora", roles=[Role.COACH])
    join(cohort, person, Role.COACH)
    return person


@pytest.fixture
def leader(cohort: Cohort) -> User:
    eve = UserFactory(email="eve@example.org", name="Eve", roles=[Role.COACH])
    join_cohort(person=eve, cohort=cohort, role=Role.COACH, actor=None, leads=True)
    return eve


@pytest.fixture
def sampled(cohort: Cohort, dora: User, sent: Rehearsal) -> Rehearsal:
    """Ana's take, which two coaches judge."""
    enqueue_sent()
    Review.objects.update(wants_second=True)
    return sent


def url(take: Rehearsal, name: str) -> str:
    return reverse(f"review:{name}", args=[take.pk])


def answer(draft: Feedback, coach: User, *, level: int = 3, kind: str = "accept") -> None:
    """The first coach judges, decides and releases."""
    take = draft.rehearsal
    claim_rehearsal(rehearsal=take, coach=coach)
    judge(take, coach, level)
    reason = "unimportant" if kind == "reject" else ""
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind(kind), reason=reason)
    release_feedback(feedback=draft, coach=coach)
    Feedback.objects.filter(pk=draft.pk).update(released_at=timezone.now() - timedelta(minutes=1))
    finish_review(rehearsal=take, coach=coach)


def levels_form(level: int = 4, **more: Any) -> dict[str, Any]:
    return {f"level_{quality.code}": level for quality in QUALITIES} | more


def second(client: Client, take: Rehearsal, kind: str = "keep", level: int = 4) -> Any:
    """Through the pages: take it, judge, decide, hand in."""
    client.post(url(take, "take_second"))
    return hand_in(client, take, kind, level)


def hand_in(client: Client, take: Rehearsal, kind: str = "keep", level: int = 4) -> Any:
    client.post(url(take, "opinion_rubric"), levels_form(level, finish="1"))
    item = take.feedback.order_by("version")[0].items.filter(is_chosen=True).get()
    form = {f"kind_{item.pk}": kind, f"reason_{item.pk}": "tone", "hand_in": "1"}
    return client.post(url(take, "opinion_decide"), form)


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
        assert sum(drawn) / 400 == pytest.approx(percent / 100, abs=0.07)

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
            assert item.document["claim"] not in page  # First one's own levels.
            assert client.get(url(sampled, "desk")).status_code == 404
            assert client.get(url(sampled, "compare")).status_code == 404
            assert client.get(reverse("feedback:report", args=[sampled.pk])).status_code == 404
            assert client.post(url(sampled, "release")).status_code == 404
            assert not items_for(dora).exists()
        client.post(url(sampled, "opinion_rubric"), levels_form(finish="1"))
        page = client.get(url(sampled, "opinion")).content.decode()
        assert item.document["claim"] in page
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
            assert "Items decided alike: 0 of 1." in page
            assert page.count("One level apart") == 6
            assert "This is what counts" not in page
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
        assert "1 of 6 judged" in page
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
        assert "Judge the qualities first." in page.content.decode()
        client.post(url(sampled, "opinion_rubric"), levels_form(finish="1"))
        page = client.post(url(sampled, "opinion_decide"), {"hand_in": "1"}, follow=True)
        assert "Say of each item whether you would keep it." in page.content.decode()
        item = sampled.feedback.get().items.filter(is_chosen=True).get()
        form = {f"kind_{item.pk}": "reject", "hand_in": "1"}
        page = client.post(url(sampled, "opinion_decide"), form, follow=True)
        assert "Choose why you reject it" in page.content.decode()
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
        self, sampled: Rehearsal, draft: Feedback, cohort: Cohort, coach: User, dora: User,
        sign_in: SignIn,
    ) -> None:  # fmt: skip
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
        assert "the release waits for that" in page
        assert Opinion.objects.get(place=Place.FIRST).decisions.get().kind == "keep"
        second(sign_in(dora), sampled, "reject")
        assert client.get(url(sampled, "compare")).status_code == 200
        client.post(url(sampled, "release"))
        draft.refresh_from_db()
        assert draft.state == Feedback.State.RELEASED


class TestWhatCounts:
    """A coach who leads says which opinion counts; there is one."""

    @pytest.fixture
    def both(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> Rehearsal:
        answer(draft, coach, level=3)
        second(sign_in(dora), sampled, "reject", level=4)
        return sampled

    def test_one_of_the_two(self, both: Rehearsal, leader: User, sign_in: SignIn) -> None:
        client = sign_in(leader)
        assert [each.pk for each in to_resolve_for(leader)] == [both.pk]
        client.post(url(both, "settle"), {"pick": "second"})
        assert Opinion.objects.get(is_authoritative=True).place == Place.SECOND
        client.post(url(both, "settle"), {"pick": "first"})
        assert Opinion.objects.get(is_authoritative=True).place == Place.FIRST
        assert not to_resolve_for(leader).exists()
        entry = Entry.objects.filter(action="second.resolved").order_by("pk").last()
        assert entry is not None
        assert entry.detail == {"before": "second", "after": "first"}

    def test_or_what_the_leader_writes_line_by_line(
        self, both: Rehearsal, leader: User, sign_in: SignIn
    ) -> None:
        client = sign_in(leader)
        item = both.feedback.get().items.filter(is_chosen=True).get()
        form = levels_form(5, level_body="0", **{f"kind_{item.pk}": "keep"})
        for _again in range(2):
            client.post(url(both, "settle"), form)
            own = Opinion.objects.get(is_authoritative=True)
            assert own.place == Place.RESOLUTION
            assert own.rating is not None
            assert own.rating.judgements.get(quality="body").level is None
        page = client.get(url(both, "compare")).content.decode()
        assert "What Eve wrote after comparing counts." in page
        del form["level_voice"]
        page = client.post(url(both, "settle"), form, follow=True).content.decode()
        assert "Still open: Voice." in page
        assert Opinion.objects.get(is_authoritative=True) == own

    def test_the_database_allows_one(self, both: Rehearsal, leader: User) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Opinion.objects.filter(rehearsal=both).update(is_authoritative=True)

    def test_nobody_but_who_leads(
        self, both: Rehearsal, coach: User, dora: User, stranger: User, sign_in: SignIn
    ) -> None:
        for person in (coach, dora, stranger):
            response = sign_in(person).post(url(both, "settle"), {"pick": "first"})
            assert response.status_code == 404
        assert not Opinion.objects.filter(is_authoritative=True).exists()

    def test_what_the_first_coach_released_is_written_down_once(self, both: Rehearsal) -> None:
        assert gather_first_opinions() == 0
        assert Opinion.objects.filter(place=Place.FIRST).count() == 1


class TestCalibration:
    """New coaches judge what was judged, and see afterwards where they agree."""

    @pytest.fixture
    def answered(self, sent: Rehearsal, draft: Feedback, coach: User) -> Rehearsal:
        answer(draft, coach, level=3)
        return sent

    @pytest.fixture
    def clip(self, answered: Rehearsal, leader: User, trainee: User, sign_in: SignIn) -> Rehearsal:
        give_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        sign_in(leader).post(url(answered, "make_clip"))
        return answered

    def test_only_with_the_owners_consent_and_by_who_leads(
        self, answered: Rehearsal, leader: User, coach: User, trainee: User, sign_in: SignIn
    ) -> None:
        assert sign_in(leader).post(url(answered, "make_clip")).status_code == 404
        give_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        assert sign_in(coach).post(url(answered, "make_clip")).status_code == 404
        page = sign_in(leader).get(reverse("review:clips")).content.decode()
        assert "Make it a clip" in page
        assert sign_in(leader).post(url(answered, "make_clip")).status_code == 302
        assert Opinion.objects.get(is_authoritative=True).coach == coach

    def test_a_new_coach_judges_it_and_sees_where_they_agree(
        self, clip: Rehearsal, dora: User, sign_in: SignIn
    ) -> None:
        client = sign_in(dora)
        assert not waiting_for(dora).exists()
        assert "Judge this clip" in client.get(reverse("review:clips")).content.decode()
        client.post(url(clip, "begin_clip"))
        assert client.get(url(clip, "desk")).status_code == 404
        assert client.get(url(clip, "compare")).status_code == 404
        page = client.get(url(clip, "opinion")).content.decode()
        assert "you see where you and your group agree" in page
        response = hand_in(client, clip, "keep", level=3)
        assert response.headers["Location"] == url(clip, "compare")
        page = client.get(url(clip, "compare")).content.decode()
        assert "Qualities at the same level: 6 of 6." in page
        assert "Items decided alike: 1 of 1." in page
        assert "This is what counts" not in page
        assert Viewing.objects.filter(viewer=dora, what="calibration").exists()

    def test_a_consent_that_is_withdrawn_takes_the_clip_away(
        self, clip: Rehearsal, dora: User, trainee: User, sign_in: SignIn
    ) -> None:
        withdraw_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        assert "Judge this clip" not in sign_in(dora).get(reverse("review:clips")).content.decode()
        sign_in(dora).post(url(clip, "begin_clip"))
        assert not Opinion.objects.filter(coach=dora).exists()

    def test_who_answered_it_or_opened_it_cannot_practise_on_it(
        self, clip: Rehearsal, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        sign_in(dora).get(url(clip, "desk"))
        for person in (coach, dora):
            page = sign_in(person).get(reverse("review:clips")).content.decode()
            assert "No clip waits for you." in page

    def test_a_clip_can_be_dropped(
        self, clip: Rehearsal, leader: User, dora: User, sign_in: SignIn
    ) -> None:
        assert sign_in(dora).post(url(clip, "drop_clip")).status_code == 404
        sign_in(leader).post(url(clip, "drop_clip"))
        assert (
            "No clip waits for you." in sign_in(dora).get(reverse("review:clips")).content.decode()
        )


def test_a_coach_takes_their_opinions_along(
    sampled: Rehearsal, dora: User, sign_in: SignIn
) -> None:
    second(sign_in(dora), sampled, "reject")
    (opinion,) = own_data(dora)["opinions"]
    assert opinion["place"] == "second"
    assert opinion["decisions"] == [{"rule": "FIL001", "kind": "reject", "reason": "tone"}]
    assert own_data(dora)["ratings"][0]["occasion"] == Occasion.SECOND


@pytest.fixture
def make_pair(cohort: Cohort, coach: User, dora: User) -> Callable[[int, int, str, str], None]:
    """A take of another trainee's that both coaches judged."""

    def made(first: int, other: int, kind: str, other_kind: str) -> None:
        owner = UserFactory()
        join(cohort, owner, Role.TRAINEE)
        take = RehearsalFactory(owner=owner, cohort=cohort)
        draft = finish_analysis(take)
        send_to_coach(rehearsal=take, note="")
        enqueue_sent()
        _write(take, draft, coach, Place.FIRST, first, kind)
        _write(take, draft, dora, Place.SECOND, other, other_kind)

    return made


def _write(
    take: Rehearsal, draft: Feedback, coach: User, place: Place, level: int, kind: str
) -> None:

    occasion = OCCASIONS[place]
    levels = {quality.code: level for quality in QUALITIES}
    save_rating(rehearsal=take, coach=coach, occasion=occasion, levels=levels, priorities=[])
    rating = finish_rating(rehearsal=take, coach=coach, occasion=occasion)
    opinion = Opinion.objects.create(
        rehearsal=take, feedback=draft, coach=coach, place=place, rating=rating,
        submitted_at=timezone.now(),
    )  # fmt: skip
    item = draft.items.get(is_chosen=True)
    opinion.decisions.create(item=item, kind=kind, reason="tone" if kind == "reject" else "")


class TestAgreement:
    """Figures for who leads, and none under twenty pairs."""

    def test_twenty_pairs_and_not_fewer(
        self, make_pair: Callable[[int, int, str, str], None], leader: User, sign_in: SignIn
    ) -> None:
        client = sign_in(leader)
        for number in range(19):
            level = number % 5 + 1
            kind = "reject" if number % 4 == 0 else "keep"
            make_pair(level, level, kind, kind)
        page = client.get(reverse("review:agreement")).content.decode()
        assert "fewer than 20 pairs" in page
        assert "1.00" not in page
        table = client.get(reverse("review:agreement_csv")).content.decode().splitlines()
        assert table[1].startswith("quality,content,Content,19,,,,")
        make_pair(1, 2, "reject", "keep")
        page = client.get(reverse("review:agreement")).content.decode()
        assert "fewer than 20 pairs" not in page
        table = client.get(reverse("review:agreement_csv")).content.decode().splitlines()
        content = table[1].split(",")
        assert content[:5] == ["quality", "content", "Content", "20", "0.9500"]
        alpha, low, high = (float(each) for each in content[5:8])
        assert low < alpha < high <= 1
        rule = next(line for line in table if line.startswith("rule,FIL001")).split(",")
        # Of 19 + 1 decisions both reject 5, one alone 1: 2 * 5 / (2 * 5 + 1).
        assert float(rule[11]) == pytest.approx(10 / 11, abs=1e-4)
        assert float(rule[8]) == pytest.approx(0.875, abs=1e-4)

    def test_it_is_for_who_leads(
        self, coach: User, stranger: User, leader: User, sign_in: SignIn
    ) -> None:
        for name in ("review:agreement", "review:agreement_csv"):
            assert sign_in(coach).get(reverse(name)).status_code == 404
            assert sign_in(stranger).get(reverse(name)).status_code == 404
            assert sign_in(leader).get(reverse(name)).status_code == 200
