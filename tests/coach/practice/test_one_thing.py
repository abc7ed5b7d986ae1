"""The one thing to try: it stands in the recorder, and the next report answers it first."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.results import Measurement
from coach.accounts.models import Cohort, Policy, User
from coach.feedback.pages.report import report_page
from coach.feedback.selectors import latest_report_run
from coach.practice.one_thing.advice import Advice, advice_for
from coach.practice.plan.services import choose_focus
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import TalkFactory
from tests.coach.practice.takes import UMS, take_with


def ums(count: int, low: float, high: float) -> Measurement:
    """That many ums in three minutes, with the interval of their rate."""
    return Measurement(
        value=count / 3,
        unit="per minute",
        n=count,
        coverage=0.95,
        quality="good",
        interval=(low, high),
    )


MANY, FEWER, NONE = ums(24, 6.5, 9.5), ums(20, 5.0, 8.4), ums(1, 0.1, 0.9)


def two_takes(
    owner: User, first: Measurement, second: Measurement, **more: Any
) -> tuple[Rehearsal, Rehearsal]:
    talk = TalkFactory(owner=owner)
    earlier = take_with(owner, first, talk=talk)
    Rehearsal.objects.filter(pk=earlier.pk).update(created_at=timezone.now() - timedelta(hours=1))
    earlier.refresh_from_db()
    return earlier, take_with(owner, second, talk=talk, **more)


def headline(take: Rehearsal, reader: User | None = None) -> dict[str, Any] | None:
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=reader or take.owner)
    found = [each for each in page.parts if each.template == "practice/_last_time.html"]
    return dict(found[0].context) if found else None


def test_the_recorder_shows_what_the_last_report_of_the_talk_advises(
    trainee: User, sign_in: SignIn
) -> None:
    take = take_with(trainee, MANY)
    advice = advice_for(trainee, of=take)
    assert isinstance(advice, Advice)
    assert (advice.metric, advice.better) == (UMS, "less")
    response = sign_in(trainee).get(f"{reverse('feedback:record')}?again={take.pk}")
    assert "data-one-thing" in response.content.decode()
    assert response.context["advice"].suggestion == advice.suggestion


def test_a_stranger_sees_no_advice_of_somebody_elses_talk(
    trainee: User, stranger: User, sign_in: SignIn
) -> None:
    take = take_with(trainee, MANY)
    response = sign_in(stranger).get(f"{reverse('feedback:record')}?again={take.pk}")
    assert "data-one-thing" not in response.content.decode()


def test_a_new_talk_begins_with_the_focus_of_the_plan(trainee: User) -> None:
    take_with(trainee, MANY)
    choose_focus(person=trainee, metric="pitch.sd_semitones", actor=trainee)
    advice = advice_for(trainee)
    assert advice is not None
    assert (advice.metric, advice.better) == ("pitch.sd_semitones", "more")


@pytest.mark.parametrize("hidden", [{"opened_at": None}, {"waits_by_choice": True}])
def test_a_report_that_was_not_read_gives_no_advice(hidden: dict[str, Any], trainee: User) -> None:
    take = take_with(trainee, MANY, **hidden)
    assert advice_for(trainee, of=take) is None


def test_counts_are_said_and_no_change_is_claimed_within_the_error(trainee: User) -> None:
    _earlier, take = two_takes(trainee, MANY, FEWER)
    found = headline(take)
    assert found is not None
    assert "24 ums" in found["answer"].facts
    assert (found["answer"].words, found["answer"].tone) == ("", "plain")


def test_a_jump_far_beyond_the_error_is_celebrated(trainee: User) -> None:
    _earlier, take = two_takes(trainee, MANY, NONE)
    found = headline(take)
    assert found is not None
    assert found["answer"].tone == "step"
    assert found["is_reached"]


def test_more_than_last_time_is_no_praise(trainee: User) -> None:
    _earlier, take = two_takes(trainee, MANY, ums(60, 18.0, 22.0))
    found = headline(take)
    assert found is not None
    assert found["answer"].tone == "plain"
    assert found["answer"].words


def test_takes_of_other_lengths_are_counted_with_their_lengths(trainee: User) -> None:
    _earlier, take = two_takes(trainee, MANY, FEWER)
    Rehearsal.objects.filter(talk=take.talk).exclude(pk=take.pk).update(duration=600)
    found = headline(take)
    assert found is not None
    assert "10:00" in found["answer"].facts


def test_another_camera_or_setting_is_not_compared(trainee: User) -> None:
    _earlier, take = two_takes(trainee, MANY, NONE, setting="stage")
    found = headline(take)
    assert found is not None
    assert not found["answer"].facts


def test_only_the_owner_reads_the_headline(trainee: User, stranger: User) -> None:
    _earlier, take = two_takes(trainee, MANY, NONE)
    assert headline(take, reader=stranger) is None


def test_what_a_coach_reads_first_is_not_revealed(trainee: User, cohort: Cohort) -> None:
    cohort.policy = Policy.COACH_FIRST
    cohort.save(update_fields=["policy"])
    _earlier, take = two_takes(trainee, MANY, NONE, waits_by_choice=True)
    assert headline(take) is None


def test_a_new_talk_elsewhere_does_not_open_with_an_excuse(trainee: User) -> None:
    earlier = take_with(trainee, MANY, setting="stage")
    Rehearsal.objects.filter(pk=earlier.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert headline(take_with(trainee, NONE)) is None
