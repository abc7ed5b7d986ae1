"""Recording in a real browser, with files in the place of camera and microphone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect
from pytest_django.live_server_helper import LiveServer

from analysis.backends.media.probe import read_media
from analysis.ports import Limits
from coach.accounts.models import User
from coach.feedback.uploads import recording
from coach.rehearsals.models import Rehearsal, Upload
from tests.coach.browser.steps import problems
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD, lies_at
from tests.coach.feedback.recordings import wav_bytes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_broker")]

RECORD = reverse("feedback:record")
Enter = Callable[[BrowserContext, User], Page]


@pytest.fixture(autouse=True)
def a_quick_look(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the page shows the check; the check itself is tried in tests/coach/rehearsals."""
    shown: list[str] = []

    def ask(kind: str, content: bytes, **about: int) -> list[dict[str, str]]:
        shown.append(kind)
        assert content[:3] == b"\xff\xd8\xff" if kind == "picture" else len(content) >= 32_000
        words = f"A {kind} of {about.get('width')}."
        return [{"topic": kind, "state": "improve", "words": words}]

    monkeypatch.setattr(recording.looker, "ask", ask)
    return shown


@pytest.fixture(scope="module")
def filming(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, object],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Browser]:
    """A Chromium that films one file and hears another."""
    folder = tmp_path_factory.mktemp("devices")
    film, sound = folder / "film.y4m", folder / "sound.wav"
    pictures = (
        b"FRAME\n"
        + np.roll(np.arange(1280 * 720 * 3 // 2) % 200, 50 * turn).astype(np.uint8).tobytes()
        for turn in range(10)
    )
    film.write_bytes(b"YUV4MPEG2 W1280 H720 F10:1 Ip A1:1 C420mpeg2\n" + b"".join(pictures))
    sound.write_bytes(wav_bytes(4))
    launch = dict(browser_type_launch_args)
    launch["args"] = [
        *(launch.get("args") or ()),  # type: ignore[misc]
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
        f"--use-file-for-fake-audio-capture={sound}",
    ]
    started = browser_type.launch(**launch)  # type: ignore[arg-type]
    yield started
    started.close()


@pytest.fixture
def unhurried(filming: Browser) -> Iterator[BrowserContext]:
    """It, with nothing kept, at its own pace."""
    context = filming.new_context()
    yield context
    context.close()


@pytest.fixture
def studio(unhurried: BrowserContext) -> BrowserContext:
    """The same, where a second of the count-down before a recording is a tenth of one."""
    unhurried.add_init_script(
        """const wait = window.setTimeout;
        window.setTimeout = (act, after, ...rest) =>
          wait(act, after === 1000 ? 100 : after, ...rest);"""
    )
    return unhurried


@pytest.fixture
def enter(live_server: LiveServer, sign_in: SignIn) -> Enter:
    """The page on which one records, as somebody who signed in just before."""

    def entered(studio: BrowserContext, user: User) -> Page:
        mark = sign_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": mark, "url": live_server.url}
        studio.add_cookies([cookie])
        page = studio.new_page()
        page.goto(live_server.url + RECORD)
        return page

    return entered


def turn_on(page: Page, what: str = "camera and microphone") -> None:
    hint = re.compile(f"^Turn on {what}: then")
    expect(page.locator("[data-findings]")).to_have_text(hint, use_inner_text=True)
    page.get_by_role("button", name=f"Turn on {what}", exact=True).click()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()


def record_for(page: Page, milliseconds: int) -> None:
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[1-9]"))
    page.wait_for_timeout(milliseconds - 1000)


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
    expect(page.get_by_text("A picture of 1280.")).to_be_visible(timeout=15_000)
    expect(page.get_by_text("A sound of None.")).to_be_visible(timeout=15_000)
    # The first look was read out; another one every few seconds would chatter.
    expect(page.locator("[data-findings]")).to_have_attribute("aria-live", "off")
    assert {"picture", "sound"} <= set(a_quick_look)
    page.get_by_label("What is it for?").select_option("pitch")
    page.get_by_label("Time limit").fill("0.1")
    page.get_by_label("I look into the lens").check()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-count]")).to_have_text("Look into the lens")
    said = page.get_by_role("status").filter(has_text="It is")
    expect(said).to_have_text("It is recording.")
    before = page.get_by_role("heading", name="Before you begin")
    expect(before).to_be_hidden()
    expect(page.locator("[data-findings]")).to_be_hidden()
    expect(page.locator("[data-stage]")).to_have_attribute("data-light", "over")
    expect(said).to_have_text("It is recording. Your time limit is over.")
    page.get_by_role("button", name="Pause").click()
    expect(said).to_have_text("It is paused.")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    # Everything so far is at the site before the recording has ended.
    page.wait_for_timeout(1500)
    upload = Upload.objects.get()
    assert (upload.state, upload.expected_bytes) == ("receiving", None)
    assert upload.received_bytes > 10_000
    page.get_by_role("button", name="Go on").click()
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Stop").click()
    expect(before).to_be_visible()
    expect(page.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
    left = page.evaluate("indexedDB.databases().then((all) => all.length)")
    assert left == 1
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/practise/uploads/**")
    expect(page.get_by_role("heading", name="Your recording is here")).to_be_visible()
    expect(page.get_by_label("What is it for?")).to_have_value("pitch")
    page.get_by_label("Who will listen?").select_option("public")
    page.get_by_text("More", exact=False).first.click()
    expect(page.get_by_label("I look into the lens")).to_be_checked()
    page.get_by_role("button", name="Analyse it").click()
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
    assert media.duration == pytest.approx(8.0, abs=3.0)
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
    expect(again.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
    name = re.compile(r"^0:0\d · Recording \d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d$")
    expect(again.locator("[data-takes] [data-name]")).to_have_text(name)
    upload = Upload.objects.get()
    assert upload.state == "complete"
    with av.open(str(lies_at(f"uploads/{upload.pk}.part"))) as container:
        heard = sum(frame.samples for frame in container.decode(audio=0)) / 48_000
    assert heard >= 1.5  # of four seconds, the last piece had not been written
    again.get_by_role("button", name="Discard it").click()
    expect(again.get_by_text("All of it is here.")).to_have_count(0)
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
    expect(page.get_by_text("A picture of 1280.")).to_be_visible(timeout=15_000)


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
    expect(page.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
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
    expect(told).to_contain_text("The microphone gives no sound just now.")
    page.evaluate(happens, "unmute")
    expect(told).to_be_hidden()
    page.evaluate(happens, "mute")
    record_for(page, 1000)
    expect(told).to_contain_text("The microphone gives no sound just now.")
    page.evaluate(happens, "unmute")
    expect(told).to_contain_text("It is back. Look at this take before you use it")
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
    # A take as long as one may be ends by itself: the page says so before, near the end, and why.
    expect(page.get_by_text("A recording ends by itself after 90 minutes.")).to_be_visible()
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
    expect(page.get_by_role("alert")).to_have_text(re.compile("as long as a take may be"))
    assert page.evaluate("window.told") == [
        "It is recording.",
        "It is recording. It ends by itself in less than a minute.",
        "",
    ]
    expect(page.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
    page.get_by_label("What is it for?").select_option("pitch")
    page.get_by_label("Time limit").fill("5")
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/practise/uploads/**")
    expect(page.get_by_label("What is it for?")).to_have_value("pitch")
    page.get_by_text("More", exact=False).first.click()
    expect(page.get_by_label("Time limit")).to_have_value("5")


def test_a_take_that_a_sign_out_stopped_says_so_and_goes_on_when_it_is_used(
    studio: BrowserContext, live_server: LiveServer, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.get_by_label("Microphone only").check()
    turn_on(page, "the microphone")
    record_for(page, 1500)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    told = page.get_by_text("You are signed out.")
    expect(told).to_be_visible(timeout=15_000)
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
    page.wait_for_url("**/practise/uploads/**")
    assert Upload.objects.get().state == "complete"


def test_a_browser_that_keeps_nothing_does_not_pretend_to_record(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.add_init_script("IDBFactory.prototype.open = () => { throw new Error('private'); };")
    page.reload()
    expect(page.get_by_text("This browser cannot record here.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on", exact=False)).to_have_count(0)


def test_a_private_window_that_keeps_no_blobs_keeps_their_bytes(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.add_init_script(  # as Safari does
        """const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (value) {
          if ([value, value.blob].some((one) => one instanceof Blob)) throw new Error("no blobs");
          return put.apply(this, arguments);
        };"""
    )
    page.reload()
    turn_on(page)
    record_for(page, 3000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
    assert Upload.objects.get().state == "complete"
    page.wait_for_function("document.querySelector('[data-takes] video').videoWidth === 1280")


def test_a_browser_that_is_full_keeps_the_takes_that_fill_it_in_sight(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    turn_on(page)
    record_for(page, 2500)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
    page.evaluate(
        """() => {
          window.full = "pieces";
          const put = IDBObjectStore.prototype.put;
          IDBObjectStore.prototype.put = function () {
            if (this.name === window.full) throw new DOMException("full", "QuotaExceededError");
            return put.apply(this, arguments);
          };
        }"""
    )
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_text("This browser has no more room")).to_be_visible(timeout=15_000)
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Use this take")).to_be_visible()
    page.evaluate("window.full = 'takes'")  # not even the first line of a take
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_text("no more room, so nothing was recorded.")).to_be_visible()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_focused()
    expect(page.get_by_text(NO_PICTURE)).to_be_hidden()
    lost = """async () => {
      const { forget, keepPiece, Source } = await import("/static/js/takes.js");
      const take = { id: "lost", owner: "", bytes: 10, ended: true };
      for (const number of [1, 2, 4, 5]) await keepPiece(take, number, new Blob(["ab"]));
      const source = new Source(take);
      for (const at of [0, 2, 4, 6]) await source.slice(at, at + 2);
      return source.slice(8, 10).then(() => "passed for the whole", (error) => error.message);
    }"""
    page.evaluate("delete IDBObjectStore.prototype.put")
    page.reload()
    assert page.evaluate(lost) == "pieces of this take are missing"


HANDS_OVER_NOTHING = """
    const all = MediaRecorder.prototype;
    const handler = Object.getOwnPropertyDescriptor(all, "ondataavailable");
    Object.defineProperty(all, "ondataavailable", {
      set(hear) {
        const isMute = (KIND).test(this.mimeType);
        handler.set.call(this, (event) => hear(isMute ? { data: new Blob([]) } : event));
      },
    });
    const clock = performance.now.bind(performance);
    performance.now = () => 8 * clock();"""
"""What a browser without an encoder does, and a clock by which nobody waits for it for long."""

NO_PICTURE = "This browser cannot write a picture into a file, so only sound can be recorded here."


def test_where_no_picture_can_be_written_down_the_microphone_alone_is_left(
    studio: BrowserContext, enter: Enter, trainee: User, axe: str
) -> None:
    page = enter(studio, trainee)
    page.add_init_script(
        """const asked = MediaRecorder.isTypeSupported;
        MediaRecorder.isTypeSupported = (kind) => !kind.startsWith("video") && asked(kind);"""
    )
    page.reload()
    expect(page.get_by_role("alert").filter(has_text=NO_PICTURE)).to_be_visible()
    expect(page.get_by_label("Camera and microphone")).to_be_disabled()
    expect(page.get_by_label("Microphone only")).to_be_checked()
    assert problems(page, axe) == []
    turn_on(page, "the microphone")
    record_for(page, 2500)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
    assert Upload.objects.get().state == "complete"


def test_a_picture_of_which_nothing_comes_leaves_the_microphone(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    expect(page.get_by_text(NO_PICTURE)).to_be_hidden()
    page.add_init_script(HANDS_OVER_NOTHING.replace("KIND", "/^video/"))
    page.reload()
    turn_on(page)
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_text(NO_PICTURE)).to_be_visible(timeout=40_000)
    expect(page.get_by_role("button", name="Turn on the microphone", exact=True)).to_be_focused()
    page.evaluate("delete performance.now")
    page.keyboard.press("Enter")
    record_for(page, 2500)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("All of it is here.")).to_be_visible(timeout=15_000)
    assert Upload.objects.get().state == "complete"


def test_a_recorder_that_hands_over_nothing_is_not_spoken_to_for_long(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    page.add_init_script(HANDS_OVER_NOTHING.replace("KIND", "/./"))
    page.reload()
    page.get_by_label("Microphone only").check()
    turn_on(page, "the microphone")
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_text("This browser cannot record here.")).to_be_visible(timeout=40_000)
    expect(page.get_by_role("link", name="Upload a recording")).to_be_focused()
    assert not Upload.objects.exists()
