"""Marking one's own part while the recording plays."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from tests.coach.browser.conftest import Arrive

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_current_time_of_the_player_becomes_the_end_of_the_part(
    arrive: Arrive, playable_take: Rehearsal, trainee: User
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    page.get_by_text("Measure only my part").click()
    page.evaluate("document.querySelector('[data-player]').currentTime = 42")
    page.get_by_role("button", name="Use the current time").nth(1).click()
    expect(page.get_by_label("My talk ends at").first).to_have_value("0:42")
    page.get_by_role("button", name="Analyse this part").click()
    page.wait_for_url(f"**{reverse('feedback:analysing', args=[playable_take.pk])}")
    playable_take.refresh_from_db()
    assert playable_take.part_end == 42.0
