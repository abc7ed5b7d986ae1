"""Two takes side by side: any two of a talk that the reader may open, sentence by sentence."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Policy, User
from coach.feedback.items import standing_items
from coach.feedback.models import Feedback, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import CoachItem, add_coach_item, decide_on_item
from coach.practice.side_by_side.alignment import Pair, matched_sentences
from coach.practice.side_by_side.page import side_by_side
from coach.rehearsals.models import Rehearsal, Viewing
from tests.coach.cast import send
from tests.coach.conftest import SignIn
from tests.coach.factories import TalkFactory
from tests.coach.practice.takes import rate, take_with


def address(one: Rehearsal, other: Rehearsal | None = None) -> str:
    second = f"&other={other.pk}" if other else ""
    return f"{reverse('practice:beside')}?one={one.pk}{second}"


@pytest.fixture
def pair(trainee: User, cohort: Cohort) -> tuple[Rehearsal, Rehearsal]:
    """Two takes of a talk, the first an hour older."""
    talk = TalkFactory(owner=trainee)
    first = take_with(trainee, rate(9), talk=talk, cohort=cohort)
    Rehearsal.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(hours=1))
    first.refresh_from_db()
    return first, take_with(trainee, rate(3), talk=talk, cohort=cohort)


def test_the_same_sentences_are_matched_and_the_others_stand_alone() -> None:
    first = ["Good morning, everyone.", "Bees live in cities.", "We counted nine hives.", "Thanks."]
    second = ["Bees live in our cities.", "They like it warm.", "We counted, um, nine hives."]
    assert matched_sentences(first, second) == [
        Pair(0, None),
        Pair(1, 0),
        Pair(None, 1),
        Pair(2, 2),
        Pair(3, None),
    ]
    assert matched_sentences([], second) == [Pair(None, 0), Pair(None, 1), Pair(None, 2)]


def test_both_takes_stand_oldest_first_whichever_is_named_first(
    trainee: User, pair: tuple[Rehearsal, Rehearsal]
) -> None:
    first, second = pair
    for named in ((second, None), (first, None), (second, first)):
        page = side_by_side(trainee, *named)
        assert [column.id for column in page.columns] == [str(first.pk), str(second.pk)]
        assert page.facts
        assert all(said.first and said.second for said in page.sentences)


def test_the_owner_opens_them_and_a_stranger_gets_nothing(
    trainee: User, stranger: User, pair: tuple[Rehearsal, Rehearsal], sign_in: SignIn
) -> None:
    assert sign_in(trainee).get(address(*pair)).status_code == 200
    for asked in (address(*pair), address(pair[0]), reverse("practice:beside")):
        assert sign_in(stranger).get(asked).status_code == 404


def test_a_coach_sees_only_takes_that_were_sent(
    coach: User, pair: tuple[Rehearsal, Rehearsal], sign_in: SignIn
) -> None:
    first, second = pair
    browser = sign_in(coach)
    send(second)
    assert browser.get(address(second, first)).status_code == 404
    assert not browser.get(address(second)).context["page"].columns
    send(first)
    assert len(browser.get(address(second, first)).context["page"].columns) == 2
    assert Viewing.objects.filter(viewer=coach, rehearsal__in=pair).count() == 2


def test_takes_of_two_talks_are_not_put_side_by_side(
    trainee: User, pair: tuple[Rehearsal, Rehearsal], sign_in: SignIn
) -> None:
    elsewhere = take_with(trainee, rate(5))
    assert sign_in(trainee).get(address(pair[0], elsewhere)).status_code == 404


def test_what_a_coach_reads_first_stays_closed_to_its_owner(
    trainee: User, cohort: Cohort, pair: tuple[Rehearsal, Rehearsal], sign_in: SignIn, coach: User
) -> None:
    cohort.policy = Policy.COACH_FIRST
    cohort.save(update_fields=["policy"])
    assert sign_in(trainee).get(address(*pair)).status_code == 404


def test_what_was_advised_is_there_once_it_is_released(
    trainee: User, coach: User, pair: tuple[Rehearsal, Rehearsal]
) -> None:
    first, second = pair
    send(first)
    assert side_by_side(trainee, second, first).advised == ()
    draft = Feedback.objects.get(rehearsal=first)
    words = CoachItem(
        tone="improvement",
        quality="fluency",
        claim="Ums before numbers.",
        suggestion="Breathe first.",
        clips=((1.0, 2.0),),
    )
    add_coach_item(feedback=draft, coach=coach, words=words)
    for each in standing_items(draft):
        if each.item.origin == "rule" and each.item.is_chosen:
            decide_on_item(item=each.item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    advised = side_by_side(trainee, second, first).advised
    assert ("Ums before numbers.", "Breathe first.", "") in [
        (each.claim, each.suggestion, each.moved) for each in advised
    ]
    assert all(each.moved for each in advised if each.claim != "Ums before numbers.")
