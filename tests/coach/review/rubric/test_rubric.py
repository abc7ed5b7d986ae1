"""A coach judges a talk, quality by quality; where that comes first, nothing is shown before."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.selectors import items_for
from coach.feedback.verdicts import decide_on_item
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Goal, Rehearsal
from coach.rehearsals.selectors import readable_rehearsals_for
from coach.review.models import Review
from coach.review.rubric.models import Judgement, Occasion, Rating
from coach.review.rubric.services import (
    reopen_rating,
    save_rating,
    three_of,
)
from coach.review.rubric.words import CANNOT_JUDGE, QUALITIES
from coach.review.services import finish_review
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.review.rubric.judging import judge, levels

HTMX = {"HX-Request": "true"}


def url(take: Rehearsal, name: str = "rubric") -> str:
    return reverse(f"review:{name}", args=[take.pk])


def sent_form(**chosen: Any) -> dict[str, Any]:
    return {f"level_{code}": value for code, value in levels().items()} | chosen


@pytest.fixture
def first(cohort: Cohort) -> Cohort:
    """Ana's group, where coaches judge first."""
    cohort.rubric_first = True
    cohort.save()
    return cohort


@pytest.fixture
def desk_of(sign_in: SignIn, coach: User) -> Client:
    return sign_in(coach)


def release(draft: Feedback, coach: User) -> None:
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=draft.rehearsal, coach=coach)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_quality_has_five_different_levels_in_words(language: str) -> None:
    with translation.override(language):
        for quality in QUALITIES:
            words = [str(each) for each in quality.anchors]
            assert len(set(words)) == 5
            assert all(each.endswith(".") for each in words)


def test_what_is_chosen_is_saved_as_the_coach_goes(
    desk_of: Client, sent: Rehearsal, coach: User
) -> None:
    answer = desk_of.post(
        url(sent), {"level_voice": "4", "level_body": "0", "words_2": "Ends early"}, headers=HTMX
    )
    assert "2 of 6 rated. Saved at" in answer.content.decode()
    rating = Rating.objects.get(coach=coach, rehearsal=sent)
    assert dict(rating.judgements.values_list("quality", "level")) == {"voice": 4, "body": None}
    assert list(rating.priorities.values_list("rank", "words")) == [(1, "Ends early")]
    desk_of.post(url(sent), {"level_voice": "5"}, headers=HTMX)
    assert dict(rating.judgements.values_list("quality", "level")) == {"voice": 5, "body": None}
    assert rating.finished_at is None
    page = desk_of.get(url(sent, "desk")).content.decode()
    assert "2 of 6 rated. Saved at" in page


def test_the_levels_are_one_of_five_also_in_the_database(sent: Rehearsal, coach: User) -> None:
    rating = judge(sent, coach)
    with pytest.raises(IntegrityError), transaction.atomic():
        Judgement.objects.filter(rating=rating, quality="voice").update(level=6)


def test_it_is_finished_once_each_quality_has_a_level_or_cannot_be_judged(
    desk_of: Client, sent: Rehearsal, coach: User
) -> None:
    form = sent_form(level_body="0", finish="1")
    del form["level_voice"]
    answer = desk_of.post(url(sent), form, follow=True).content.decode()
    assert "Still open: Voice." in answer
    assert not Rating.objects.filter(finished_at__isnull=False).exists()
    desk_of.post(url(sent), sent_form(level_body="0", finish="1"))
    assert Rating.objects.get().finished_at is not None
    entry = Entry.objects.get(action="rubric.finished")
    assert entry.detail["not_judged"] == 1
    with pytest.raises(ValidationError, match="can no longer be changed"):
        save_rating(rehearsal=sent, coach=coach, occasion=Occasion.REVIEW, levels={}, priorities=[])


def test_a_page_that_was_loaded_before_takes_no_level_back(
    desk_of: Client, sent: Rehearsal, coach: User
) -> None:
    desk_of.post(url(sent), sent_form(), headers=HTMX)
    whole = dict(Rating.objects.get().judgements.values_list("quality", "level"))
    assert len(whole) == len(QUALITIES)
    desk_of.post(url(sent), {"level_voice": "1"}, headers=HTMX)
    kept = dict(Rating.objects.get().judgements.values_list("quality", "level"))
    assert kept == {**whole, "voice": 1}


class TestTwoWindows:
    """Of two pages of one coach, the one that was loaded first takes nothing back."""

    def typed(self, desk_of: Client, take: Rehearsal, **changed: str) -> dict[str, str]:
        """The form as a page has it that is opened now, with what its coach changes on it."""
        page = desk_of.get(url(take, "desk")).content.decode()
        found = re.search(r'name="seen" value="(.*?)"', page.split('id="rubric-seen"')[1])
        assert found is not None
        seen = html.unescape(found[1])
        shown = json.loads(seen)
        levels = {f"level_{code}": value for code, value in shown["levels"].items()}
        three = {f"words_{at}": words for at, (words, _goal) in enumerate(shown["three"], start=1)}
        return {"seen": seen} | levels | three | changed

    def test_what_was_written_meanwhile_stands_until_its_coach_says_so(
        self, desk_of: Client, sent: Rehearsal
    ) -> None:
        older = self.typed(desk_of, sent, words_1="The opening")
        newer = self.typed(desk_of, sent, words_1="The ending", words_2="Breath", level_body="2")
        desk_of.post(url(sent), newer, headers=HTMX)
        told = desk_of.post(url(sent), older | {"level_voice": "4"}, headers=HTMX).content.decode()
        assert "in another window: “1. The ending; 2. Breath”" in html.unescape(told)
        assert "not saved: “1. The opening”" in html.unescape(told)
        rating = Rating.objects.get()
        assert [each.words for each in three_of(rating)] == ["The ending", "Breath"]
        assert rating.judgements.get(quality="voice").level == 4  # everything else is kept
        found = re.search(r'name="over" value="(.*?)"', told)
        assert found is not None
        over = {"over": html.unescape(found[1])}
        desk_of.post(url(sent), older | over, headers=HTMX)
        assert [each.words for each in three_of(rating)] == ["The opening"]

    def test_a_page_that_changes_something_else_takes_nothing_back(
        self, desk_of: Client, sent: Rehearsal
    ) -> None:
        desk_of.post(url(sent), {"level_voice": "4"}, headers=HTMX)
        older = self.typed(desk_of, sent, level_body="3")
        newer = self.typed(desk_of, sent, words_1="The ending", level_voice="5")
        desk_of.post(url(sent), newer, headers=HTMX)
        desk_of.post(url(sent), older, headers=HTMX)
        rating = Rating.objects.get()
        assert dict(rating.judgements.values_list("quality", "level")) == {"voice": 5, "body": 3}
        assert [each.words for each in three_of(rating)] == ["The ending"]

    def test_it_is_not_finished_while_the_two_differ(
        self, desk_of: Client, sent: Rehearsal
    ) -> None:
        older = self.typed(desk_of, sent, words_1="The opening", finish="1")
        newer = self.typed(desk_of, sent, words_1="The ending", **sent_form())
        desk_of.post(url(sent), newer, headers=HTMX)
        page = desk_of.post(url(sent), older, follow=True).content.decode()
        assert "not saved: “1. The opening”" in html.unescape(page)
        assert Rating.objects.get().finished_at is None


def test_a_save_that_was_queued_does_not_finish_it(
    desk_of: Client, sent: Rehearsal, coach: User
) -> None:
    desk_of.post(url(sent), sent_form(finish="1"), headers=HTMX)
    assert Rating.objects.get(coach=coach).finished_at is None


def test_each_coach_has_levels_of_their_own(
    sent: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    judge(sent, coach, 5)
    Review.objects.update(coach=None)
    dora = UserFactory(email="dora@example.org", name="Dora", roles=[Role.COACH])
    join(cohort, dora, Role.COACH)
    assert "Nothing is rated yet." in sign_in(dora).get(url(sent, "desk")).content.decode()


class TestFirst:
    """Where a group's coaches judge before they see the items."""

    def test_nothing_that_was_found_is_shown_before(
        self, first: Cohort, desk_of: Client, sent: Rehearsal, draft: Feedback, coach: User
    ) -> None:
        item = draft.items.get()
        assert desk_of.get(url(sent, "desk")).headers["Location"] == url(sent)
        page = desk_of.get(url(sent)).content.decode()
        assert "word42" in page  # The transcript is there.
        for found in (item.document["claim"], "per minute", 'class="f"', "lanes", item.rule):
            assert found not in page
        for name in ("add_item", "release", "claim", "hand_over"):
            assert desk_of.post(url(sent, name)).status_code == 404
        verdict = reverse("review:verdict", args=[sent.pk, item.pk])
        assert desk_of.post(verdict, {"action": "accept"}).status_code == 404
        assert desk_of.get(reverse("feedback:report", args=[sent.pk])).status_code == 404
        assert not items_for(coach).exists()
        assert not readable_rehearsals_for(coach).exists()
        assert desk_of.get(reverse("feedback:captions", args=[sent.pk])).status_code == 200
        assert desk_of.post(url(sent, "renew")).status_code == 200

    def test_everything_is_there_after_it_and_the_levels_stay(
        self, first: Cohort, desk_of: Client, sent: Rehearsal, draft: Feedback, coach: User
    ) -> None:
        desk_of.get(url(sent))
        answer = desk_of.post(url(sent), sent_form(finish="1"), follow=True)
        assert answer.redirect_chain[-1][0] == url(sent, "desk")
        page = answer.content.decode()
        assert draft.items.get().document["claim"] in page
        assert "Change my ratings" not in page
        with pytest.raises(ValidationError, match="can no longer be changed"):
            reopen_rating(rehearsal=sent, coach=coach)

    def test_a_colleague_who_takes_over_judges_too(
        self, first: Cohort, sent: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
    ) -> None:
        judge(sent, coach)
        dora = UserFactory(email="dora@example.org", name="Dora", roles=[Role.COACH])
        join(cohort, dora, Role.COACH)
        assert sign_in(dora).get(url(sent, "desk")).headers["Location"] == url(sent)

    def test_an_answered_take_is_open_to_colleagues(
        self, first: Cohort, draft: Feedback, coach: User, cohort: Cohort, sign_in: SignIn
    ) -> None:
        judge(draft.rehearsal, coach)
        release(draft, coach)
        dora = UserFactory(email="dora@example.org", name="Dora", roles=[Role.COACH])
        join(cohort, dora, Role.COACH)
        assert sign_in(dora).get(url(draft.rehearsal, "desk")).status_code == 200

    def test_the_owner_is_no_coach_of_their_own(
        self, first: Cohort, sent: Rehearsal, trainee: User, sign_in: SignIn
    ) -> None:
        client = sign_in(trainee)
        assert client.get(url(sent)).status_code == 404
        assert client.get(reverse("feedback:report", args=[sent.pk])).status_code == 200


def test_levels_can_be_changed_until_the_take_is_answered(
    desk_of: Client, draft: Feedback, coach: User
) -> None:
    take = draft.rehearsal
    judge(take, coach)
    desk_of.get(url(take, "desk"))
    assert "Change my ratings" in desk_of.get(url(take, "desk")).content.decode()
    desk_of.post(url(take, "reopen_rubric"))
    assert Rating.objects.get().finished_at is None
    judge(take, coach)
    release(draft, coach)
    desk_of.post(url(take, "reopen_rubric"))
    assert Rating.objects.get().finished_at is not None


class TestTheTrainee:
    """Reads words, after the release, where the group says so."""

    @pytest.fixture
    def shown(self, cohort: Cohort) -> Cohort:
        cohort.rubric_for_trainees = True
        cohort.save()
        return cohort

    def test_reads_words_and_no_number(
        self, shown: Cohort, draft: Feedback, coach: User, trainee: User, sign_in: SignIn
    ) -> None:
        take, client = draft.rehearsal, sign_in(trainee)
        judge(take, coach, 5)
        Judgement.objects.filter(quality="body").update(level=None)
        assert client.get(url(take, "rated")).status_code == 404
        release(draft, coach)
        assert (
            url(take, "rated")
            in client.get(reverse("feedback:report", args=[take.pk])).content.decode()
        )
        page = client.get(url(take, "rated")).content.decode()
        text = page.split("<dl", 1)[1].split("</dl>")[0]
        assert str(QUALITIES[0].anchors[4]) in text
        assert str(CANNOT_JUDGE) in text
        assert not any(character.isdigit() for character in text)
        told = own_data(trainee)["rehearsals"][0]["qualities"]
        assert told["content"] == str(QUALITIES[0].anchors[4])

    def test_reads_nothing_where_the_group_does_not_say_so(
        self, draft: Feedback, coach: User, trainee: User, sign_in: SignIn
    ) -> None:
        judge(draft.rehearsal, coach, 5)
        release(draft, coach)
        client = sign_in(trainee)
        assert client.get(url(draft.rehearsal, "rated")).status_code == 404
        report = client.get(reverse("feedback:report", args=[draft.rehearsal_id]))
        assert url(draft.rehearsal, "rated") not in report.content.decode()
        assert own_data(trainee)["rehearsals"][0]["qualities"] == {}


def test_a_coach_takes_their_levels_along(sent: Rehearsal, coach: User) -> None:
    judge(sent, coach)
    (rating,) = own_data(coach)["ratings"]
    assert rating["levels"]["voice"] == 3
    assert rating["priorities"] == [{"goal": "structure", "words": "The ending"}]


def test_each_quality_of_cards_belongs_to_one_rated_quality() -> None:
    assert sorted(goal for each in QUALITIES for goal in each.goals) == sorted(Goal)
