"""From signing in to a first report; notes and quiet signs on the stage."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.db import transaction
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.rehearsals.models import Rehearsal
from tests.coach.browser.recording.steps import Enter, record_for, turn_on
from tests.coach.factories import PASSWORD, finish_analysis

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_broker")]

PERMISSION = 1
"""The browser's own question about camera and microphone, which the test's browser answers."""

COUNTS_CLICKS = """addEventListener("click", (event) => {
  if (event.isTrusted) localStorage.clicks = Number(localStorage.clicks ?? 0) + 1;
}, true);"""


def test_a_first_report_takes_at_most_eight_clicks(
    studio: BrowserContext, live_server: LiveServer, trainee: User
) -> None:
    studio.add_init_script(COUNTS_CLICKS)
    page = studio.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/accounts/login/")
    page.locator("input[name=login]").fill(trainee.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    page.get_by_role("link", name=re.compile("^Record a take")).click()
    turn_on(page)
    record_for(page, 2500)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/progress/")
    take = Rehearsal.objects.get()
    with transaction.atomic():  # as if a worker had been there meanwhile
        Run.objects.filter(rehearsal=take).delete()
        finish_analysis(take)
    expect(page.get_by_role("heading", name="What to keep and what to work on")).to_be_visible()
    clicks = page.evaluate("Number(localStorage.clicks)") + PERMISSION
    assert clicks <= 8, clicks


def test_notes_scroll_on_the_stage_at_the_speakers_pace(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.get_by_label("Microphone only").check()
    notes = "\n".join(f"Line {number} of a text" for number in range(60))
    page.locator("[data-key-words]").fill(notes)
    page.get_by_label("Scroll them").check()
    turn_on(page, "the microphone")
    record_for(page, 1000)
    place = page.locator("[data-prompter]")
    expect(place).to_be_visible()
    at = "document.querySelector('[data-prompter]').scrollTop"
    page.wait_for_function(f"() => {at} > 5")
    page.keyboard.press("Escape")
    stopped = page.evaluate(at)
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => {at} > {stopped} + 5")
    shown = "a, button, input, textarea, select"
    seen = "(all) => all.filter((one) => one.checkVisibility({ visibilityProperty: true })).length"
    assert page.locator(shown).evaluate_all(seen) == 2  # pause and stop
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/progress/")
    take = Rehearsal.objects.get()
    assert (take.notes, take.talk.key_words) == ("scrolling", notes)


def test_signs_are_quiet_few_and_asked_for(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.wait_for_load_state("networkidle")
    signs = """async ([isOn, limit, level]) => {
      const { Cue } = await import("/static/js/cue.js");
      const [place, choice] = [document.createElement("p"), document.createElement("input")];
      const cue = new Cue(place, choice);
      choice.checked = isOn;
      cue.begin();
      const shown = [];
      let before = true;
      for (let at = 0; at < 300; at += 1) {
        cue.tick(at, limit, level);
        if (before && !place.hidden) shown.push(at);
        before = place.hidden;
      }
      return shown;
    }"""
    assert page.evaluate(signs, [False, 300, -60]) == []
    assert page.evaluate(signs, [True, 300, -20]) == [150, 240, 285]
    quiet = page.evaluate(signs, [True, 0, -60])
    assert quiet[0] == 5
    assert min(after - before for before, after in pairwise(quiet)) >= 20
