"""The browser modules on the real templates, with sample values and a tone for a recording.

The pages are served to Chromium by request interception, under the product's own policy, so
that these tests need neither a database nor a server.
"""

from __future__ import annotations

import io
import json
import mimetypes
import re
import wave
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from playwright.sync_api import Page, Request, Route, expect

from coach.feedback.forms import NewRehearsalForm
from coach.feedback.pages import (
    Card,
    Clip,
    Lane,
    LaneMark,
    Player,
    ReportPage,
    Sentence,
    TranscriptWord,
)

pytestmark = pytest.mark.browser

SITE = "http://rostrum.test"
SECONDS = 30
POLICY = "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:"
WORDS = [f"word{index}" for index in range(28)]

PLAYER = Player(
    media_url="/talk.wav",
    media_type="audio/wav",
    captions_url="",
    poster_url="",
    duration=float(SECONDS),
    has_video=False,
    language="en",
)
CARD = Card(
    id="00000000-0000-4000-8000-000000000002",
    rank=1,
    tone="strength",
    heading="Keep",
    quality="pauses",
    claim="You paused after most sentences.",
    figure="19 of 26.",
    comparison="",
    why="Listeners can follow.",
    suggestion="Do it again.",
    exercise_title="",
    exercise="",
    certainty="Fairly sure.",
    clips=(Clip(start=5, end=6, label="0:05"), Clip(start=20, end=22, label="0:20")),
    author="Rule PAU001",
)
PAGE = ReportPage(
    rehearsal_id="00000000-0000-4000-8000-000000000001",
    title="A talk",
    facts=(),
    state_words="Not yet seen by a coach",
    constructed=False,
    notices=(),
    player=PLAYER,
    cards=(CARD,),
    neutral="",
    next_step="",
    held_back=(),
    not_measured=(),
    measures=(),
    lanes=(
        Lane(
            label="Pauses",
            kind="marks",
            summary="One pause.",
            marks=(LaneMark(start=15, end=16, left=50, width=3.33, label="long at 0:15"),),
        ),
        Lane(label="Pace", kind="line", summary="Even.", path="M0,50L1000,50"),
    ),
    sentences=tuple(
        Sentence(
            start=float(first),
            label=f"0:{first:02d}",
            words=tuple(
                TranscriptWord(text=WORDS[at], start=float(at), end=at + 0.8)
                for at in range(first, min(first + 4, len(WORDS)))
            ),
        )
        for first in range(0, len(WORDS), 4)
    ),
    is_owner=True,
)


def _tone() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(2 * 8000 * SECONDS))
    return buffer.getvalue()


def _fulfil_range(route: Route, request: Request, body: bytes, kind: str) -> None:
    asked = re.match(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
    headers = {"content-type": kind, "accept-ranges": "bytes"}
    if not asked:
        route.fulfill(body=body, headers=headers)
        return
    first, last = int(asked[1]), int(asked[2] or len(body) - 1)
    headers["content-range"] = f"bytes {first}-{last}/{len(body)}"
    route.fulfill(status=206, body=body[first : last + 1], headers=headers)


type_of = mimetypes.guess_type
Serve = Callable[[str, str], Page]


@pytest.fixture
def serve(page: Page) -> Iterator[Serve]:
    """Opens a page whose HTML is given; afterwards nothing was refused and nothing was thrown."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    documents: dict[str, str] = {}
    sound = _tone()

    def answer(route: Route, request: Request) -> None:
        path = request.url.removeprefix(SITE)
        if path in documents:
            headers = {"content-type": "text/html", "content-security-policy": POLICY}
            route.fulfill(body=documents[path], headers=headers)
        elif path == PLAYER.media_url:
            _fulfil_range(route, request, sound, PLAYER.media_type)
        elif found := finders.find(path.removeprefix("/static/")):
            kind = type_of(path)[0] or "text/plain"
            route.fulfill(body=Path(found).read_bytes(), headers={"content-type": kind})
        else:
            route.fallback()

    def open_page(path: str, document: str) -> Page:
        documents[path] = document
        page.route(f"{SITE}/**", answer)
        page.goto(SITE + path)
        return page

    yield open_page
    assert not complaints


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
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert _time(report) == pytest.approx(5, abs=0.5)
    report.evaluate("document.querySelector('#player').currentTime = 6.2")
    _until(report, "document.querySelector('#player').currentTime < 6")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    assert report.evaluate("document.querySelector('#player').paused")


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
    assert _time(report) == pytest.approx(5, abs=0.1)
    report.get_by_text("Keys", exact=True).click()
    report.get_by_label("Use single keys on this device").uncheck()
    report.locator("h1").click()
    report.keyboard.press("l")
    assert _time(report) == pytest.approx(5, abs=0.1)


def test_keys_do_nothing_while_somebody_is_typing(report: Page) -> None:
    report.get_by_text("I disagree", exact=True).click()
    note = report.locator("textarea[name=note]").first
    note.fill("")
    note.press_sequentially("jkl")
    assert _time(report) == 0
    assert note.input_value() == "jkl"


def test_the_timeline_is_a_slider_that_reads_out_what_is_there(report: Page) -> None:
    slider = report.get_by_role("slider", name="Timeline")
    box = slider.bounding_box()
    assert box is not None
    report.mouse.click(box["x"] + box["width"] * 0.51, box["y"] + 5)
    assert _time(report) == pytest.approx(15.3, abs=0.2)
    expect(report.locator("[data-readout]")).to_have_text("0:15 · Pauses: long at 0:15")
    slider.press("Home")
    assert _time(report) == 0
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "0:05")


def test_a_page_with_thousands_of_words_stays_light(serve: Serve) -> None:
    words = tuple(
        TranscriptWord(text="somewhat", start=at * 0.4, end=at * 0.4 + 0.3) for at in range(4500)
    )
    lines = tuple(
        Sentence(start=words[at].start, label="12:34", words=words[at : at + 15])
        for at in range(0, len(words), 15)
    )
    page = replace(PAGE, sentences=lines)
    document = render_to_string("feedback/report.html", {"page": page})
    assert len(document.encode()) < 300_000
    opened = serve("/report", document)
    opened.locator("[data-s]").nth(40).click()
    assert _time(opened) == pytest.approx(16, abs=0.05)


@pytest.fixture
def upload(serve: Serve) -> Page:
    """The page on which a rehearsal starts, with a limit of one kilobyte."""
    limits = {"max_bytes": 1000, "max_minutes": 90, "max_size": "1 kB", "kinds": "mp4"}
    context = {"limits": limits, "form": NewRehearsalForm()}
    document = render_to_string("feedback/new.html", context)
    return serve("/new", document)


def _choose(page: Page, size: int) -> None:
    file = {"name": "talk.mp4", "mimeType": "video/mp4", "buffer": bytes(size)}
    page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]


@pytest.mark.parametrize(("size", "sentence"), [(0, "empty"), (2000, "the most that can be sent")])
def test_a_file_over_the_limits_is_refused_before_it_is_sent(
    upload: Page, size: int, sentence: str
) -> None:
    _choose(upload, size)
    expect(upload.locator("[data-problem]")).to_contain_text(sentence)
    sent: list[str] = []
    upload.on("request", lambda request: sent.append(request.method))
    upload.get_by_role("button", name="Upload and analyse").click()
    expect(upload.locator("[data-problem]")).to_be_visible()
    assert "POST" not in sent


def test_the_size_is_announced_before_the_file(upload: Page) -> None:
    bodies: list[bytes] = []

    def take(route: Route, request: Request) -> None:
        if request.method != "POST":
            route.fallback()
            return
        bodies.append(request.post_data_buffer or b"")
        assert request.headers["accept"] == "application/json"
        route.fulfill(body=json.dumps({"next": "/new#done"}), content_type="application/json")

    upload.route("**/new", take)
    _choose(upload, 900)
    upload.get_by_role("button", name="Upload and analyse").click()
    upload.wait_for_url("**/new#done")
    (body,) = bodies
    assert body.index(b'name="expected_bytes"\r\n\r\n900') < body.index(b'name="recording"')


def test_what_the_site_refuses_is_said_beside_the_file(upload: Page) -> None:
    def refuse(route: Route, request: Request) -> None:
        if request.method != "POST":
            route.fallback()
            return
        answer = {"errors": {"recording": ["Not a recording."]}, "message": "Look again."}
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    upload.route("**/new", refuse)
    _choose(upload, 900)
    upload.get_by_role("button", name="Upload and analyse").click()
    expect(upload.locator("[data-problem]")).to_have_text("Not a recording.")
    expect(upload.get_by_role("button", name="Upload and analyse")).to_be_enabled()
