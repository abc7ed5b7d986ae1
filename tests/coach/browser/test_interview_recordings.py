"""An interview is recorded or sent, and somebody says who speaks with keys while it plays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserType, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from analysis.results import Word
from coach.accounts.models import User
from coach.research.coding.models import Interview, Recording
from coach.research.coding.recordings import tasks, words_pages
from coach.research.coding.recordings.passages import (
    lay_out,
    merge_with_previous,
    propose,
    text_of,
)
from coach.research.coding.recordings.services import RecordingPlan, plan_recording
from coach.research.studies.models import Scope
from coach.storage import places
from coach.uploads import views as booth
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import check
from tests.coach.factories import PASSWORD, place
from tests.coach.feedback.recordings import wav_bytes
from tests.coach.research.making import agree, make_study, take_part

pytestmark = pytest.mark.django_db(transaction=True)

COUNT_INSTEAD_OF_SENDING = """() => {
  window.sent = 0;
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented) window.sent += 1;
    event.preventDefault();
  });
}"""
SENTENCES = ("How was it?", "I met Bea.", "Then I spoke.", "And you?", "Me too.")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker has tests of its own."""
    monkeypatch.setattr(tasks.write_down, "apply_async", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(booth.looker, "ask", lambda *_args, **_about: [])


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """axe is not part of the page; the page's own policy would refuse it."""
    return {**browser_context_args, "bypass_csp": True}


@pytest.fixture
def awaited(researcher: User, trainee: User) -> Recording:
    """Ana agrees to being recorded; nothing came yet."""
    study = make_study(researcher)
    ana = take_part(study, trainee)
    agree(ana, Scope.RECORDING)
    plan = RecordingPlan(
        mode="in_person", language="en", held_on=date(2026, 3, 3), people=[ana], n_voices=2
    )
    return plan_recording(study=study, plan=plan, actor=researcher)


@pytest.fixture
def written(awaited: Recording) -> Recording:
    """Five sentences, two seconds each, over a hum that plays."""
    words = [
        Word(text=text, start=n * 2 + m * 0.3, end=n * 2 + m * 0.3 + 0.25, probability=0.9)
        for n, sentence in enumerate(SENTENCES)
        for m, text in enumerate(sentence.split())
    ]
    lay_out(awaited, propose(words))
    Recording.objects.update(
        state="done",
        media_key=awaited.pk,
        duration_ms=10_000,
        has_video=False,
        playback_type="audio/wav",
        has_copy=True,
    )
    place(places.copy_to_play(awaited.pk), wav_bytes(10))
    return awaited


def of(recording: Recording, name: str = "recording") -> str:
    return reverse(f"research:{name}", args=[recording.study.slug, recording.pk])


def voices(page: Page) -> str:
    given = "rows => rows.map((row) => row.dataset.voice ?? '-').join('')"
    said: str = page.locator("[data-passage]").evaluate_all(given)
    return said


def test_keys_say_who_speaks_put_words_right_and_take_it_in(
    arrive: Arrive, axe: str, researcher: User, written: Recording
) -> None:
    page = arrive(researcher, of(written))
    page.wait_for_load_state("networkidle")
    current = page.locator("[data-passage][aria-current]")
    expect(current).to_contain_text("How was it?")
    mine = written.study.members.get(user=researcher)
    mine.delete()  # so it is refused
    page.keyboard.press("1")
    expect(current).to_contain_text("I met Bea.")
    expect(page.locator("[data-passage][data-voice]")).to_have_count(0)
    written.study.members.create(user=researcher, role=mine.role)
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(current).to_contain_text("How was it?")
    page.keyboard.press("1")
    expect(current).to_contain_text("I met Bea.")
    page.keyboard.press("2")
    expect(current).to_contain_text("Then I spoke.")
    page.keyboard.press("s")
    expect(page.locator("#count")).to_contain_text("2 of 5 passages have no speaker yet.")
    assert voices(page) == "122--"
    page.keyboard.press("e")
    field = page.locator("[data-text]")
    expect(field).to_be_focused()
    field.press("Home")
    field.press_sequentially("So. ")
    field.press("Enter")
    field.press("Control+Enter")
    expect(page.locator("[data-passage]")).to_have_count(6)
    expect(current).to_contain_text("So.")
    page.keyboard.press("m")
    expect(page.locator("[data-passage]")).to_have_count(5)
    expect(current).to_contain_text("Then I spoke. So.")
    page.keyboard.press("n")
    expect(current).to_contain_text("And you?")
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("#count")).to_contain_text("Every passage has a speaker.")
    assert voices(page) == "12212"
    check(page, axe, "who speaks")
    page.get_by_role("button", name="Import transcript").click()
    page.wait_for_url("**/names")
    text = Interview.objects.get().texts.get().text
    assert text == "I: How was it?\nP: I met Bea. Then I spoke. So.\nI: And you?\nP: Me too."


def test_what_plays_is_followed(arrive: Arrive, researcher: User, written: Recording) -> None:
    page = arrive(researcher, of(written))
    page.wait_for_load_state("networkidle")
    current = page.locator("[data-passage][aria-current]")
    page.locator("[data-play]").nth(1).click()
    link = page.locator("[data-rewrite]").first
    link.focus()
    expect(current).to_contain_text("Then I spoke.")
    expect(link).to_be_focused()  # what is heard takes nobody off a control
    page.locator("[data-play]").nth(2).click()
    page.evaluate("document.activeElement.blur()")
    expect(current).to_contain_text("And you?")
    page.keyboard.press("Space")
    assert page.locator("[data-take]").evaluate("media => media.paused")
    assert written.listenings.count() == 1


def test_a_file_is_looked_at_before_it_is_sent(
    arrive: Arrive, axe: str, researcher: User, awaited: Recording, tmp_path: Path
) -> None:
    page = arrive(researcher, of(awaited))
    page.wait_for_load_state("networkidle")
    check(page, axe, "send")
    bad, good = tmp_path / "bad.mp3", tmp_path / "good.wav"
    bad.write_text("#!/bin/sh\n" * 100)
    good.write_bytes(wav_bytes(2))
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.locator("[data-files]")).to_contain_text("not a recording in a format")
    page.locator("input[type=file]").set_input_files(good)
    expect(page.locator("[data-files] li")).to_have_count(1)
    page.get_by_role("button", name="Upload and transcribe").click()
    expect(page.locator("#progress")).to_contain_text("waiting for a worker")
    awaited.refresh_from_db()
    assert (awaited.state, awaited.original_name) == ("queued", "good.wav")
    check(page, axe, "progress")


@pytest.fixture
def studio(
    browser_type: BrowserType, browser_type_launch_args: dict[str, object], tmp_path: Path
) -> Iterator[Browser]:
    """A Chromium that hears a file."""
    sound = tmp_path / "sound.wav"
    sound.write_bytes(wav_bytes(4))
    launch = dict(browser_type_launch_args)
    launch["args"] = [
        *(launch.get("args") or ()),  # type: ignore[misc]
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={sound}",
    ]
    started = browser_type.launch(**launch)  # type: ignore[arg-type]
    yield started
    started.close()


def test_it_is_recorded_here_and_survives_a_reload(
    studio: Browser, live_server: LiveServer, researcher: User, awaited: Recording
) -> None:
    page = studio.new_context().new_page()
    path = of(awaited, "record_interview")
    page.goto(f"{live_server.url}/accounts/login/?next={path}")
    page.locator("input[name=login]").fill(researcher.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(f"{live_server.url}{path}")
    expect(page.get_by_label("Microphone only")).to_be_checked()
    page.get_by_role("button", name="Turn on the microphone").click()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[3-9]"), timeout=20_000)
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_text("This recording was interrupted.").wait_for()
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url(f"{live_server.url}{of(awaited)}")
    awaited.refresh_from_db()
    assert awaited.state == "queued"
    assert awaited.size_bytes > 5_000


@pytest.fixture
def on_two_pages(written: Recording, monkeypatch: pytest.MonkeyPatch) -> Recording:
    """Three passages on the first page, two on the second, which begins at 6 s."""
    monkeypatch.setattr(words_pages, "PAGE_SIZE", 3)
    return written


def test_each_page_plays_what_its_keys_are_about(
    arrive: Arrive, researcher: User, on_two_pages: Recording
) -> None:
    page = arrive(researcher, f"{of(on_two_pages)}?page=2")
    page.wait_for_load_state("networkidle")
    current = page.locator("[data-passage][aria-current]")
    expect(current).to_contain_text("And you?")
    take = page.locator("[data-take]")
    page.wait_for_function("document.querySelector('[data-take]').currentTime > 5.9")
    page.goto(page.url.replace("page=2", "page=1"))
    page.wait_for_load_state("networkidle")
    page.locator("[data-play]").last.click()
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("[data-next-page]")).to_be_focused(timeout=15_000)
    assert take.evaluate("media => media.paused && media.currentTime < 6")
    expect(current).to_contain_text("Then I spoke.")


def test_a_key_that_is_held_down_changes_one_passage(
    arrive: Arrive, researcher: User, written: Recording
) -> None:
    page = arrive(researcher, of(written))
    page.wait_for_load_state("networkidle")
    for _each in range(4):
        page.keyboard.press("ArrowDown")
    page.keyboard.down("m")
    page.keyboard.down("m")  # as the keyboard repeats it
    page.keyboard.down("m")
    page.keyboard.up("m")
    rows = page.locator("[data-passage]")
    expect(rows).to_have_count(4)
    expect(rows.last).to_contain_text("And you? Me too.")
    page.keyboard.down("1")
    page.keyboard.down("1")
    page.keyboard.up("1")
    expect(page.locator("#count")).to_contain_text("3 of 4 passages have no speaker yet.")
    assert voices(page).count("1") == 1


def test_an_answer_that_comes_late_does_not_count_anew(
    arrive: Arrive, researcher: User, written: Recording
) -> None:
    page = arrive(researcher, of(written))
    page.wait_for_load_state("networkidle")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if not held and route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route("**/voice*", hold_the_first)
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("#count")).to_contain_text("4 of 5 passages")
    answer = held[0].fetch()
    page.keyboard.press("1")
    expect(page.locator("#count")).to_contain_text("2 of 5 passages")
    held[0].fulfill(response=answer)
    expect(page.locator("[data-passage][data-voice] [aria-pressed=true]")).to_have_count(3)
    expect(page.locator("#count")).to_contain_text("2 of 5 passages")


def test_two_passages_are_put_right_at_a_time(
    arrive: Arrive, researcher: User, written: Recording
) -> None:
    page = arrive(researcher, of(written))
    page.wait_for_load_state("networkidle")
    rows = page.locator("[data-passage]")
    rows.nth(0).locator("[data-rewrite]").click()
    rows.nth(0).locator("[data-text]").fill("How was that?")
    rows.nth(1).locator("[data-rewrite]").click()
    rows.nth(1).locator("[data-text]").fill("I met Ben.")
    rows.nth(1).locator("[data-keep]").click()
    expect(rows.nth(1)).to_contain_text("I met Ben.")
    expect(rows.nth(0).locator("[data-text]")).to_have_value("How was that?")
    rows.nth(4).locator("[data-join]").click()
    expect(rows).to_have_count(4)
    expect(rows.nth(0).locator("[data-text]")).to_have_value("How was that?")
    rows.nth(0).locator("[data-text]").press("Escape")
    expect(rows.nth(0)).to_contain_text("How was it?")
    expect(page.locator("[data-text]")).to_have_count(0)
    kept = [text_of(each) for each in written.passages.all()]
    assert kept == ["How was it?", "I met Ben.", "Then I spoke.", "And you? Me too."]


def test_why_nothing_was_written_is_in_sight(
    arrive: Arrive, researcher: User, written: Recording
) -> None:
    page = arrive(researcher, of(written))
    page.set_viewport_size({"width": 390, "height": 500})
    page.wait_for_load_state("networkidle")
    last = page.locator("[data-passage]").last
    last.locator("[data-rewrite]").click()
    last.locator("[data-text]").fill("Me as well.")
    other = written.passages.all()[4]
    merge_with_previous(passage=other)
    last.locator("[data-keep]").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.locator(".notice blockquote")).to_have_text("Me as well.")


def test_a_double_click_sends_the_person_once(
    arrive: Arrive, researcher: User, awaited: Recording
) -> None:
    page = arrive(researcher, reverse("research:new_recording", args=[awaited.study.slug]))
    page.get_by_role("link", name="Add a participant without an account").click()
    page.wait_for_load_state("networkidle")
    page.get_by_label("Also of a new participant").select_option("expert")
    page.evaluate(COUNT_INSTEAD_OF_SENDING)
    page.get_by_role("button", name="Record consent").dblclick()
    assert page.evaluate("sent") == 1
