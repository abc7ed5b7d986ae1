"""A coach writes at times, puts a sentence of the bank in, and puts right what was misheard."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from coach.accounts.models import User
from coach.feedback.models import Correction, TimedNote
from coach.rehearsals.models import Rehearsal
from coach.review.bank.comments import CommentWords, keep_comment
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import current_time, play_slowly, wait_until_playable

pytestmark = pytest.mark.django_db(transaction=True)


def look(page: Page, name: str) -> None:
    folder = os.environ.get("LOOK")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


def is_paused(page: Page) -> bool:
    return bool(page.evaluate("document.getElementById('player').paused"))


def test_a_note_is_written_while_the_talk_goes_on_and_a_filler_is_struck(
    arrive: Arrive, coach: User, sent_take: Rehearsal
) -> None:
    bank = CommentWords(text="Take one breath after each number.")
    kept = keep_comment(coach=coach, words=bank)
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    wait_until_playable(page)
    look(page, "desk")
    page.evaluate("document.getElementById('player').currentTime = 12")
    play_slowly(page)
    page.evaluate("document.getElementById('player').play()")
    page.keyboard.press("m")
    expect(page.locator("#note-text")).to_be_focused()
    page.keyboard.type("Clear here. /brea")
    assert is_paused(page)
    expect(page.locator("#note-start")).to_have_value("0:12")
    expect(page.get_by_role("option", name="Take one breath")).to_be_visible()
    look(page, "bank")
    used = reverse("review:use_comment", args=[kept.pk])
    with page.expect_response(lambda answer: answer.url.endswith(used)):
        page.keyboard.press("Enter")
    expect(page.locator("#note-text")).to_have_value(f"Clear here. {bank.text}")
    page.keyboard.press("Enter")
    expect(page.locator(".note__text")).to_have_text(f"Clear here. {bank.text}")
    expect(page.locator("#note-text")).to_have_value("")
    expect(page.locator("#lane-notes rect")).to_have_count(1)
    assert not is_paused(page)
    note = TimedNote.objects.get()
    assert 12 <= note.start < 13
    kept.refresh_from_db()
    assert kept.uses == 1
    look(page, "noted")

    page.evaluate("document.getElementById('player').pause()")
    page.evaluate("document.getElementById('player').playbackRate = 1")
    page.evaluate("document.getElementById('player').currentTime = 10.2")
    page.keyboard.press("f")
    expect(page.locator("#lane-rows")).to_be_attached()
    expect(page.locator(".transcript")).to_be_visible()
    page.get_by_role("button", name="Correct").click()
    expect(page.get_by_text("“um” is not an um")).to_be_visible()
    look(page, "struck")
    # The button that takes it back goes with it: the focus stays in the list.
    page.get_by_role("button", name="Undo: ").press("Enter")
    expect(page.get_by_text("“um” is not an um")).to_have_count(0)
    expect(page.get_by_role("heading", name="Correct what was heard or seen")).to_be_focused()
    page.get_by_role("button", name="Remove um at 0:10").press("Enter")
    expect(page.get_by_text("“um” is not an um")).to_be_visible()
    page.keyboard.press("Escape")
    page.evaluate("document.getElementById('player').currentTime = 20.1")
    page.keyboard.press("c")
    expect(page.locator("#word-said")).to_have_value("word40")
    look(page, "word")
    page.locator("#word-said").fill("harbour")
    page.keyboard.press("Enter")
    expect(page.locator(".transcript .c")).to_have_text("harbour")
    expect(page.locator("#word-form")).to_be_hidden()
    assert set(Correction.objects.values_list("kind", "before", "after")) == {
        ("not_a_filler", "um", ""),
        ("word", "word40", "harbour"),
    }
    page.evaluate("document.getElementById('player').currentTime = 20.2")
    expect(page.locator(".transcript [aria-current]")).to_have_text("harbour")
    assert current_time(page) == pytest.approx(20.2, abs=0.1)
    look(page, "corrected")

    # Marks become the stretch of the next note; one picture is a thirtieth of a second here.
    page.evaluate("document.getElementById('player').currentTime = 30.05")
    page.keyboard.press("[")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("]")
    expect(page.locator("#note-start")).to_have_value("0:30")
    expect(page.locator("#note-end")).to_have_value("0:36")
    page.keyboard.press(".")
    assert current_time(page) == pytest.approx(36.068, abs=0.005)
    page.keyboard.press(">")
    expect(page.locator("[data-speed]")).to_have_text("× 1.25")
    page.keyboard.press("\\")
    expect(page.locator("[data-clip][aria-pressed=true]")).to_have_count(1)
    look(page, "marked")
