"""The report on its real template: words, clips, keys and the timeline move the recording."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from analysis.clock import clock, seconds_of
from coach.feedback.pages.transcript import TranscriptLine, TranscriptWord
from tests.browser.conftest import Serve
from tests.browser.front_samples import PAGE


@pytest.fixture
def report(serve: Serve) -> Page:
    """The report of a talk of half a minute, a word a second."""
    opened = serve("/report", render_to_string("feedback/report.html", {"page": PAGE}))
    _until(opened, "document.querySelector('#player').readyState >= 1")
    return opened


def _until(page: Page, condition: str) -> None:
    """Wait until it is true; the page's own policy forbids playwright's way of asking."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"this never became true: {condition}")


def _time(page: Page) -> float:
    seconds: float = page.evaluate("document.querySelector('#player').currentTime")
    return seconds


def test_the_browser_says_and_reads_times_as_python_does(report: Page) -> None:
    times = [0.0, 59.9999999, 62.0, 75.4, 3599.9, 3600.0, 3723.0, 36000.0]
    said = report.evaluate(
        "times => import('/static/js/clock.js').then(({ clock }) => times.map(clock))", times
    )
    assert said == [clock(time) for time in times]
    read = report.evaluate(
        "texts => import('/static/js/clock.js').then(each => texts.map(each.secondsOf))", said
    )
    assert read == [seconds_of(text) for text in said]


def test_a_press_on_a_word_seeks_and_marks_it(report: Page) -> None:
    report.get_by_text("word9", exact=True).click()
    assert _time(report) == pytest.approx(9, abs=0.05)
    expect(report.locator("[data-s][aria-current]")).to_have_text("word9")


def test_no_word_stays_marked_through_a_long_silence(report: Page) -> None:
    report.evaluate("document.querySelector('#player').currentTime = 29.5")
    expect(report.locator("[data-s][aria-current]")).to_have_count(0)


def test_lines_of_the_transcript_are_one_tab_stop_with_arrow_keys(report: Page) -> None:
    report.locator("[data-seek]").first.focus()
    report.keyboard.press("ArrowDown")
    report.keyboard.press("Enter")
    assert _time(report) == pytest.approx(4, abs=0.05)
    assert report.locator("[data-seek][tabindex='0']").count() == 1


def test_a_clip_plays_repeats_and_stops(report: Page) -> None:
    chip = report.locator("[data-clip]").first
    # A second of the recording lasts ten: a busy machine looks late, and finds it there still.
    report.evaluate("document.querySelector('#player').playbackRate = 0.1")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert _time(report) == pytest.approx(5, abs=0.5)
    report.evaluate("document.querySelector('#player').currentTime = 6.2")
    _until(report, "document.querySelector('#player').currentTime < 6")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    assert report.evaluate("document.querySelector('#player').paused")


def test_a_clip_paused_by_the_player_offers_to_play_and_plays_again(report: Page) -> None:
    chip = report.locator("[data-clip]").first
    chip.click()
    _until(report, "!document.querySelector('#player').paused")
    report.evaluate("document.querySelector('#player').pause()")
    expect(chip).to_have_attribute("aria-pressed", "false")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert not report.evaluate("document.querySelector('#player').paused")


def test_a_second_clip_takes_over_from_the_first(report: Page) -> None:
    first, second = report.locator("[data-clip]").all()
    first.click()
    second.click()
    expect(first).to_have_attribute("aria-pressed", "false")
    expect(second).to_have_attribute("aria-pressed", "true")


def test_keys_move_the_recording_and_can_be_switched_off(report: Page) -> None:
    report.locator("h1").click()
    report.keyboard.press("l")
    assert _time(report) == pytest.approx(10, abs=0.1)
    report.keyboard.press("ArrowLeft")
    assert _time(report) == pytest.approx(9, abs=0.1)
    report.get_by_role("button", name="Keys").click()
    report.get_by_label("Use single keys on this device").uncheck()
    report.keyboard.press("Escape")
    report.locator("h1").click()
    report.keyboard.press("l")
    assert _time(report) == pytest.approx(9, abs=0.1)


def test_speed_goes_from_a_quarter_to_three_times(report: Page) -> None:
    report.locator("h1").click()
    for key, end in ((">", 3), ("<", 0.25)):
        for _press in range(12):
            report.keyboard.press(key)
        assert report.evaluate("document.getElementById('player').playbackRate") == end


def test_keys_do_nothing_while_somebody_is_typing(report: Page) -> None:
    report.get_by_text("I disagree", exact=True).click()
    note = report.locator("textarea[name=note]").first
    note.fill("")
    note.press_sequentially("jkl")
    assert _time(report) == 0
    assert note.input_value() == "jkl"


def test_the_recording_shows_that_it_has_the_focus_where_nothing_cuts_it_off(report: Page) -> None:
    stage = report.locator(".stage")
    expect(stage).to_have_css("outline-style", "none")
    report.locator("#player").focus()
    report.keyboard.press("Tab")
    report.keyboard.press("Shift+Tab")
    expect(stage).to_have_css("outline-style", "solid")


def test_the_timeline_is_a_slider_that_reads_out_what_is_there(report: Page) -> None:
    slider = report.get_by_role("slider", name="Timeline")
    box = slider.bounding_box()
    assert box is not None
    report.mouse.click(box["x"] + box["width"] * 0.51, box["y"] + 5)
    assert _time(report) == pytest.approx(15.3, abs=0.2)
    expect(report.locator("[data-readout]")).to_have_text("0:15 · Pauses: long at 0:15")
    # Read out, it would talk over the recording; who stands on the slider hears it there.
    assert report.locator("[data-readout]").get_attribute("aria-live") == "off"
    slider.press("Home")
    assert _time(report) == 0
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "0:05")


def test_a_page_with_thousands_of_words_stays_light(serve: Serve) -> None:
    words = tuple(
        TranscriptWord(text="somewhat", start=at * 0.4, end=at * 0.4 + 0.3) for at in range(4500)
    )
    lines = tuple(
        TranscriptLine(start=words[at].start, label="12:34", words=words[at : at + 15])
        for at in range(0, len(words), 15)
    )
    page = replace(PAGE, sentences=lines)
    document = render_to_string("feedback/report.html", {"page": page})
    assert len(document.encode()) < 300_000
    opened = serve("/report", document)
    opened.locator("[data-s]").nth(40).click()
    assert _time(opened) == pytest.approx(16, abs=0.05)
