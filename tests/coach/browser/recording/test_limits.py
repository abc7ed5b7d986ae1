"""What a browser, disk or machine cannot do while somebody records is told; nothing is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from coach.accounts.models import User
from coach.rehearsals.models import Upload
from tests.coach.browser.recording.steps import Enter, record_for, turn_on
from tests.coach.browser.steps import problems

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_broker")]


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
    expect(page.get_by_text("Take saved")).to_be_visible()
    assert Upload.objects.get().state == "complete"
    page.wait_for_function("document.querySelector('[data-takes] video').videoWidth === 1280")


def test_a_browser_that_is_full_keeps_the_takes_that_fill_it_in_sight(
    studio: BrowserContext, enter: Enter, trainee: User
) -> None:
    page = enter(studio, trainee)
    turn_on(page)
    record_for(page, 2500)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Take saved")).to_be_visible()
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
    expect(page.get_by_text("This browser has no space left")).to_be_visible()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Use this take")).to_be_visible()
    page.evaluate("window.full = 'takes'")  # not even the first line of a take
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_text("no space left, so nothing was recorded.")).to_be_visible()
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

NO_PICTURE = "This browser cannot record video, so only sound is recorded here."


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
    expect(page.get_by_text("Take saved")).to_be_visible()
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
    expect(page.get_by_text(NO_PICTURE)).to_be_visible()
    expect(page.get_by_role("button", name="Turn on the microphone", exact=True)).to_be_focused()
    page.evaluate("delete performance.now")
    page.keyboard.press("Enter")
    record_for(page, 2500)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Take saved")).to_be_visible()
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
    expect(page.get_by_text("This browser cannot record here.")).to_be_visible()
    upload = page.get_by_role("alert").get_by_role("link", name="Upload a recording")
    expect(upload).to_be_focused()
    assert not Upload.objects.exists()
