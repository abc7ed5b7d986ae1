"""Two takes in a real browser: a pressed sentence plays in the first take, then in the second."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from analysis.results import Word
from coach.accounts.models import User
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import RehearsalFactory, TalkFactory, finish_analysis, make_report
from tests.coach.feedback.recordings import wav_bytes

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_pressed_sentence_plays_in_both_takes_one_after_the_other(
    arrive: Arrive, trainee: User
) -> None:
    talk = TalkFactory(owner=trainee)
    spoken = (
        Word(text="Good", start=1.0, end=1.2, probability=0.9),
        Word(text="morning.", start=1.2, end=1.5, probability=0.9),
    )
    for _take in range(2):
        take = RehearsalFactory(
            owner=trainee,
            talk=talk,
            has_video=False,
            playback_type="audio/wav",
            content=wav_bytes(4),
            opened_at=timezone.now(),
        )
        report = make_report(duration=4.0).model_copy(update={"words": spoken, "events": ()})
        finish_analysis(take, report)
    page = arrive(trainee, f"{reverse('practice:beside')}?one={take.pk}")
    page.wait_for_load_state("networkidle")
    sentence = page.locator("[data-play]")
    sentence.click()
    expect(sentence).to_have_attribute("aria-current", "true")
    for place in range(2):
        page.wait_for_function(
            "place => document.querySelectorAll('[data-take]')[place].currentTime > 1.2", arg=place
        )
