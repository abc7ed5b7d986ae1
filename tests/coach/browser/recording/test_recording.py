"""Recording in a real browser, with files in the place of camera and microphone."""

from __future__ import annotations

import re
from pathlib import Path

import av
import numpy as np
import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from analysis.backends.media.probe import read_media
from analysis.clock import seconds_of
from analysis.ports import Limits
from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal, Upload
from tests.coach.browser.recording.steps import RECORD, Enter, record_for, turn_on
from tests.coach.browser.steps import until
from tests.coach.factories import PASSWORD, lies_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_broker")]


def test_a_take_is_recorded_checked_sent_as_it_comes_and_used(
    unhurried: BrowserContext,
    enter: Enter,
    trainee: User,
    a_quick_look: list[str],
    tmp_path: Path,
    axe: str,
) -> None:
    page = enter(unhurried, trainee)
    turn_on(page)
    expect(page.get_by_text("A picture of 1280.")).to_be_visible()
    expect(page.get_by_text("A sound of None.")).to_be_visible()
    # The first look was read out; another one every few seconds would chatter.
    expect(page.locator("[data-findings]")).to_have_attribute("aria-live", "off")
    assert {"picture", "sound"} <= set(a_quick_look)
    page.get_by_label("Time limit").fill("0.1")
    page.get_by_label("I look into the lens").check()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-count]")).to_have_text("Look into the lens")
    said = page.locator("[data-said]")
    expect(said).to_have_text(re.compile("^Recording"))
    before = page.get_by_role("heading", name="Before you begin")
    expect(before).to_be_hidden()
    expect(page.locator("[data-findings]")).to_be_hidden()
    expect(page.locator("[data-stage]")).to_have_attribute("data-light", "over")
    expect(said).to_have_text(re.compile("^Recording. .*time limit"))
    page.get_by_role("button", name="Pause").click()
    expect(said).to_have_text(re.compile("^Paused"))
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    # Everything so far is at the site before the recording has ended.
    until(page, Upload.objects.filter(received_bytes__gt=10_000).exists)
    upload = Upload.objects.get()
    assert (upload.state, upload.expected_bytes) == ("receiving", None)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Stop").click()
    expect(before).to_be_visible()
    expect(page.get_by_text("Take saved")).to_be_visible()
    expect(page.locator("[data-short='60']")).to_be_visible()
    expect(page.locator("[data-short='90']")).to_be_hidden()
    length = page.locator("[data-takes] [data-name]").inner_text().partition(" ")[0]
    left = page.evaluate("indexedDB.databases().then((all) => all.length)")
    assert left == 1
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/progress/")
    take = Rehearsal.objects.get()
    assert take.capture == {
        "picture": True,
        "echo_cancellation": False,
        "noise_suppression": False,
        "auto_gain_control": False,
    }
    assert take.looks_into_lens_first
    media = read_media(
        lies_at(f"rehearsals/{take.pk}/original"),
        audio_path=tmp_path / "audio.f32",
        limits=Limits(),
        progress=lambda _share: None,
    )
    # The pause is no part of it, however late somebody pressed.
    assert media.duration == pytest.approx(seconds_of(length), abs=2.0)
    assert media.duration > 7
    assert media.video is not None
    assert np.fromfile(tmp_path / "audio.f32", dtype=np.float32).any()


def test_a_page_that_is_reloaded_in_the_middle_loses_nothing(
    studio: BrowserContext, live_server: LiveServer, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.get_by_label("Microphone only").check()
    turn_on(page, "the microphone")
    # The line is away all the while, then the tab is closed without a word.
    page.context.route("**/rehearsals/uploads/**", lambda route: route.abort())
    record_for(page, 4000)
    assert not Upload.objects.exists()
    again = page.context.new_page()
    page.close(run_before_unload=False)
    again.context.unroute("**/rehearsals/uploads/**")
    again.goto(live_server.url + RECORD)
    expect(again.get_by_text("This recording was interrupted.")).to_be_visible()
    expect(again.get_by_text("Take saved")).to_be_visible()
    name = re.compile(r"^0:0\d · Recording \d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d$")
    expect(again.locator("[data-takes] [data-name]")).to_have_text(name)
    upload = Upload.objects.get()
    assert upload.state == "complete"
    with av.open(str(lies_at(f"uploads/{upload.pk}.part"))) as container:
        heard = sum(frame.samples for frame in container.decode(audio=0)) / 48_000
    assert heard >= 1.5  # of four seconds, the last piece had not been written
    again.get_by_role("button", name="Discard take").click()
    expect(again.get_by_text("Take saved")).to_have_count(0)
    assert not Upload.objects.exists()


@pytest.mark.parametrize("years", [-6, 6])
def test_a_clock_that_was_years_off_costs_nobody_a_recording(
    studio: BrowserContext, live_server: LiveServer, enter: Enter, trainee: User, years: int
) -> None:
    page = enter(studio, trainee)
    page.add_init_script(
        f"const now = Date.now; Date.now = () => now() + {years} * 365 * 24 * 3600 * 1000;"
    )
    page.reload()
    page.get_by_label("Microphone only").check()
    turn_on(page, "the microphone")
    page.context.route("**/rehearsals/uploads/**", lambda route: route.abort())
    record_for(page, 3000)
    again = page.context.new_page()
    page.close(run_before_unload=False)
    again.goto(live_server.url + RECORD)  # the clock was put right meanwhile
    expect(again.get_by_text("This recording was interrupted.")).to_be_visible()
    kept = """async (days) => {
      const script = document.querySelector("script[src*='/record']").src;
      const { takesOf } = await import(script.replace("/record", "/takes"));
      const now = Number(document.querySelector("[data-studio]").dataset.now) + days * 24 * 3600;
      return (await takesOf(document.body.dataset.owner, now * 1000)).length;
    }"""
    assert [again.evaluate(kept, days) for days in (13, 15)] == [1, 0]


def test_a_recording_of_before_is_as_old_as_the_clock_says_that_it_was_begun_by(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.add_init_script(
        "const now = Date.now; Date.now = () => now() - 6 * 365 * 24 * 3600 * 1000;"
    )
    page.reload()
    kept = """async (days) => {
      const script = document.querySelector("script[src*='/record']").src;
      const { keep, takesOf } = await import(script.replace("/record", "/takes"));
      const { owner, now } = document.querySelector("[data-studio]").dataset;
      await keep({ id: `${days}`, owner, began: Date.now() - days * 24 * 3600 * 1000 });
      return (await takesOf(owner, Number(now) * 1000)).map((take) => take.id);
    }"""
    assert [page.evaluate(kept, days) for days in (13, 15)] == [["13"], ["13"]]


def test_where_nothing_can_play_sound_the_picture_is_looked_at_all_the_same(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    # What Firefox does on a machine without any output for sound: it never says that it began.
    page.evaluate(
        """() => {
          AudioContext.prototype.resume = function resume() {
            this.suspend();
            return new Promise(() => {});
          };
        }"""
    )
    turn_on(page)
    expect(page.get_by_text("A picture of 1280.")).to_be_visible()


def test_a_double_click_turns_one_camera_on_and_begins_one_recording(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.evaluate(
        """() => {
          const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          window.opened = [];
          navigator.mediaDevices.getUserMedia = async (wanted) => {
            const stream = await ask(wanted);
            window.opened.push(stream);
            return stream;
          };
        }"""
    )
    page.get_by_role("button", name="Turn on camera and microphone", exact=True).dblclick()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()
    page.wait_for_function("window.opened.length === 2")
    live = "window.opened.filter((stream) => stream.active).length"
    page.wait_for_function(f"{live} === 1")
    page.get_by_role("button", name="Record", exact=True).dblclick()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[1-9]"))
    page.get_by_role("button", name="Stop").dblclick()
    expect(page.get_by_text("Take saved")).to_be_visible()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()
    expect(page.locator("[data-takes] li")).to_have_count(1)


def test_a_microphone_that_is_taken_for_a_while_is_told_and_the_screen_stays_on(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    """As a call does on a telephone: the recording goes on, with silence in it."""
    page = enter(studio, trainee)
    page.evaluate(
        """() => {
          window.asked = 0;
          const request = async () => { window.asked += 1; return { release() {} }; };
          Object.defineProperty(navigator, "wakeLock", { value: { request } });
        }"""
    )
    turn_on(page)
    told = page.locator("[data-studio] [data-problem]")
    happens = """(name) => {
        const [track] = document.querySelector("[data-preview]").srcObject.getAudioTracks();
        Object.defineProperty(track, "muted", { value: name === "mute", configurable: true });
        track.dispatchEvent(new Event(name));
      }"""
    page.evaluate(happens, "mute")
    expect(told).to_contain_text("The microphone gives no sound.")
    page.evaluate(happens, "unmute")
    expect(told).to_be_hidden()
    page.evaluate(happens, "mute")
    record_for(page, 1000)
    expect(told).to_contain_text("The microphone gives no sound.")
    page.evaluate(happens, "unmute")
    expect(told).to_contain_text("It works again. Check this take before you use it")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("window.asked === 2")


def test_a_count_down_that_is_stopped_leaves_the_focus_on_the_button_that_begins_the_next(
    unhurried: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(unhurried, trainee)
    turn_on(page)
    page.get_by_role("button", name="Record", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Stop")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_focused()


def test_what_is_answered_after_the_recording_is_not_asked_again(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.get_by_label("Microphone only").check()
    turn_on(page, "the microphone")
    # A take as long as one may be ends by itself: the page says so near the end, and why.
    page.evaluate(
        """() => {
          document.querySelector("[data-studio]").dataset.maxMinutes = 5 / 60;
          const place = document.querySelector("[data-said]");
          window.told = [];
          const note = () => window.told.push(place.textContent);
          new MutationObserver(note).observe(place, { childList: true });
        }"""
    )
    record_for(page, 1000)
    expect(page.get_by_role("alert")).to_have_text(re.compile("reached the maximum length"))
    assert page.evaluate("window.told") == [
        "Recording",
        "Recording. It stops automatically in less than a minute.",
        "",
    ]
    expect(page.get_by_text("Take saved")).to_be_visible()
    page.get_by_label("Time limit").fill("5")
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/progress/")
    take = Rehearsal.objects.get()
    assert (take.aim, take.audience, take.time_limit) == ("inform", "mixed", 300)


def test_a_take_that_a_sign_out_stopped_says_so_and_goes_on_when_it_is_used(
    studio: BrowserContext, live_server: LiveServer, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.get_by_label("Microphone only").check()
    turn_on(page, "the microphone")
    record_for(page, 1500)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    told = page.get_by_text("You are signed out.")
    expect(told).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    use = page.get_by_role("button", name="Use this take")
    expect(use).to_be_visible()
    expect(told).to_be_visible()
    use.click()
    expect(told).to_be_visible()
    expect(use).to_be_enabled()
    other = page.context.new_page()
    other.goto(f"{live_server.url}/accounts/login/")
    other.locator("input[name=login]").fill(trainee.email)
    other.locator("input[name=password]").fill(PASSWORD)
    other.locator("input[name=password]").press("Enter")
    other.wait_for_url(lambda url: "login" not in url)
    use.click()
    page.wait_for_url("**/progress/")
    assert Upload.objects.get().state == "used"
