"""Sending a recording: limits first, progress, and what the site answers."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, Request, Route, expect

from coach.uploads.forms import NewRehearsalForm
from coach.uploads.pages import upload_words
from tests.analysis.recordings import Picture, Tone, record
from tests.browser.conftest import Serve


@pytest.fixture
def upload(serve: Serve) -> Page:
    """The page on which a rehearsal starts, with a limit of one kilobyte."""
    limits = {"max_bytes": 1000, "max_minutes": 90, "max_size": "1 kB", "kinds": "mp4"}
    answered = NewRehearsalForm(initial={"aim": "inform", "audience": "public"})
    words = upload_words()
    context = {"limits": limits, "form": answered, "unfinished": [], "upload_words": words}
    document = render_to_string("feedback/new.html", context)
    page = serve("/new", document)
    _object(page, "")
    return page


def _choose(page: Page, size: int) -> None:
    file = {"name": "talk.mp4", "mimeType": "video/mp4", "buffer": bytes(size)}
    page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]


@pytest.mark.parametrize(("size", "sentence"), [(0, "empty"), (2000, "the limit is")])
def test_a_file_over_the_limits_is_refused_before_it_is_sent(
    upload: Page, size: int, sentence: str
) -> None:
    _choose(upload, size)
    expect(upload.locator("[data-state]")).to_contain_text(sentence)
    sent: list[str] = []
    upload.on("request", lambda request: sent.append(request.method))
    upload.get_by_role("button", name="Upload and analyse").click()
    expect(upload.get_by_role("button", name="Remove")).to_be_focused()
    expect(upload.locator("[data-state]")).to_contain_text(sentence)
    expect(upload.locator("[data-problem]")).to_be_hidden()
    assert "POST" not in sent


@pytest.mark.parametrize(
    ("picture", "sound", "says"), [(True, False, "has no sound"), (True, True, "")]
)
@pytest.mark.parametrize("name", ["take.webm", "take.mp4"])
def test_a_file_without_sound_says_so_before_it_is_sent(
    upload: Page, tmp_path: Path, name: str, picture: bool, sound: bool, says: str
) -> None:
    codec = {"take.webm": ("libvpx", "libopus"), "take.mp4": ("libx264", "aac")}[name]
    path = tmp_path / name
    record(
        path,
        picture=Picture(codec=codec[0], times=(0.0, 0.2, 0.4)) if picture else None,
        tone=Tone(codec=codec[1], seconds=0.5, rate_hz=48_000) if sound else None,
    )
    upload.evaluate("document.querySelector('form').dataset.maxBytes = ''")
    upload.set_input_files("input[type=file]", path)
    expect(upload.locator(".file[data-tone=attention]")).to_have_count(1 if says else 0)
    expect(upload.locator("[data-state]")).to_contain_text(says)


def _object(page: Page, sentence: str) -> list[int]:
    """Let the site answer what is asked before sending; the length of what it was shown."""
    shown: list[int] = []

    def answer(route: Route, request: Request) -> None:
        shown.append(len(request.post_data_buffer or b""))
        route.fulfill(body=json.dumps({"message": sentence}), content_type="application/json")

    page.route("**/check/?*", answer)
    return shown


def test_what_the_site_objects_to_is_said_when_it_is_chosen_and_never_sent(upload: Page) -> None:
    shown = _object(upload, "This is a PDF document, not a recording.")
    sent: list[str] = []
    upload.on("request", lambda request: sent.append(request.url))
    _choose(upload, 900)
    expect(upload.locator("[data-state]")).to_contain_text("This is a PDF document")
    upload.get_by_role("button", name="Upload and analyse").click()
    expect(upload.get_by_role("button", name="Remove")).to_be_focused()
    expect(upload.get_by_text("This is a PDF document")).to_have_count(1)
    upload.wait_for_timeout(300)
    assert shown == [900, 900]
    assert [url for url in sent if url.endswith(("/new", "/uploads/"))] == []


def test_a_button_is_described_by_the_file_it_stands_with_and_gives_the_focus_back(
    upload: Page,
) -> None:
    _choose(upload, 900)
    remove = upload.get_by_role("button", name="Remove")
    expect(remove).to_have_accessible_description(re.compile(r"^talk\.mp4"))
    remove.press("Enter")
    expect(upload.locator("input[type=file]")).to_be_focused()


def test_nothing_chosen_is_said_at_the_field_and_the_focus_comes_to_it(upload: Page) -> None:
    upload.get_by_role("button", name="Upload and analyse").press("Enter")
    field = upload.locator("input[type=file]")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(re.compile("Choose a recording first"))


def test_what_is_to_be_mended_is_told_at_its_field_only_as_long_as_it_is(upload: Page) -> None:
    """The site refuses a field that is folded away, then another one."""
    _arrives(upload)
    answers = [{"time_limit_minutes": ["A number."]}, {"aim": ["Choose one."]}]
    upload.route(
        "**/practise/uploads/*/",
        lambda route: route.fulfill(
            body=json.dumps({"errors": answers.pop(0)}), content_type="application/json"
        ),
    )
    _choose(upload, 900)
    button = upload.get_by_role("button", name="Upload and analyse")
    limit, aim = (upload.locator(f"[name={name}]") for name in ("time_limit_minutes", "aim"))
    helped = limit.get_attribute("aria-describedby") or ""
    button.press("Enter")
    expect(limit).to_be_focused()
    expect(limit).to_have_accessible_description(re.compile(r"A number\.$"))
    assert (limit.get_attribute("aria-describedby") or "").startswith(helped)
    button.press("Enter")
    expect(aim).to_be_focused()
    expect(limit).not_to_have_attribute("aria-invalid", "true")
    assert limit.get_attribute("aria-describedby") == helped


def test_how_much_was_sent_stands_outside_of_what_is_read_out(upload: Page) -> None:
    _arrives(upload)
    heard = (
        "() => { window.heard = []; const state = document.querySelector('[data-state]');"
        " new MutationObserver(() => heard.push(state.textContent))"
        ".observe(state, { childList: true, characterData: true, subtree: true }); }"
    )
    upload.route("**/practise/uploads/*/", lambda route: route.fulfill(body="{}"))
    _choose(upload, 900)
    upload.evaluate(heard)
    upload.get_by_role("button", name="Upload and analyse").press("Enter")
    expect(upload.locator("[data-state]")).to_have_text("Upload complete. Checking the file.")
    said = upload.evaluate("heard")
    assert said == ["Uploading your recording", "Upload complete. Checking the file."]


def _arrives(page: Page) -> None:
    """A site that takes every byte at once (tus)."""

    def create(route: Route, request: Request) -> None:
        body = request.post_data_buffer or b""
        headers = {"Tus-Resumable": "1.0.0", "Upload-Offset": str(len(body))}
        if request.method == "POST":
            headers["Location"] = f"/uploads/{uuid.UUID(int=1)}/"
        route.fulfill(status=201 if request.method == "POST" else 204, headers=headers)

    page.route("**/uploads/", create)
    page.route(f"**/uploads/{uuid.UUID(int=1)}/", create)


_BYTES, _FIRST = 900, 400


def _breaks_off(page: Page, status: int) -> list[tuple[str, str]]:
    """A site that takes the first bytes, then answers `status` twice: to more, and when asked."""
    asked: list[tuple[str, str]] = []
    refusals = [status, status]

    def answer(route: Route, request: Request) -> None:
        offset = request.headers.get("upload-offset", "")
        asked.append((request.method, offset))
        headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(_BYTES)}
        if request.method == "POST":
            headers["Location"] = f"/uploads/{uuid.UUID(int=len(asked))}/"
            route.fulfill(status=201, headers=headers)
        elif offset == "0":
            route.fulfill(status=204, headers={**headers, "Upload-Offset": str(_FIRST)})
        elif refusals:
            route.fulfill(status=refusals.pop(), headers=headers, body="{}")
        else:
            has = _BYTES if request.method == "PATCH" else _FIRST
            headers["Upload-Offset"] = str(has)
            route.fulfill(status=204 if request.method == "PATCH" else 200, headers=headers)

    page.route("**/uploads/", answer)
    page.route("**/uploads/*/", answer)
    page.route("**/practise/uploads/*/", lambda route: route.fulfill(body="{}"))
    return asked


def _upload_until_it_is_here(page: Page) -> None:
    _choose(page, _BYTES)
    button = page.get_by_role("button", name="Upload and analyse")
    state = page.locator("[data-state]")
    for _press in range(3):
        expect(button).not_to_have_attribute("aria-disabled", "true")
        if "Upload complete" in (state.text_content() or ""):
            return
        button.press("Enter")
        expect(button).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("talk\u202e4pm.mp4", "talk4pm.mp4"),
        ("\u2067talk\u2069 \u202a(1)\u202c.mp4", "talk (1).mp4"),
        ("\u0639\u0631\u0636 \u062a\u0642\u062f\u064a\u0645\u064a.mp4", None),
        ("\u05d4\u05e8\u05e6\u05d0\u05d4 12.mp4", None),
    ],
)
def test_a_name_from_right_to_left_turns_nothing_round_that_stands_next_to_it(
    upload: Page, sent: str, shown: str | None
) -> None:
    file = {"name": sent, "mimeType": "video/mp4", "buffer": bytes(900)}
    upload.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
    row = upload.locator("[data-name]")
    expect(row.locator("bdi")).to_have_text(shown or sent)
    expect(row).to_have_text(f"{shown or sent} \u00b7 1 kB")
    # The size stands behind the name, whichever way that is read.
    name, size = row.evaluate(
        """row => [...row.childNodes].map((each) => {
          const range = document.createRange();
          range.selectNode(each);
          return range.getBoundingClientRect();
        })"""
    )
    assert name["right"] <= size["left"] + 1


@pytest.mark.parametrize("status", [401, 403, 408, 413, 423, 429, 500, 502, 503, 507])
def test_whatever_interrupts_an_upload_the_same_button_goes_on_where_it_was(
    upload: Page, refusals: set[int], status: int
) -> None:
    refusals.add(status)
    asked = _breaks_off(upload, status)
    _upload_until_it_is_here(upload)
    expect(upload.locator("[data-state]")).to_contain_text("Upload complete")
    assert [one for one in asked if one[0] == "POST"] == [("POST", "")]
    assert asked[:3] == [("POST", ""), ("PATCH", "0"), ("PATCH", str(_FIRST))]
    assert asked[-2:] == [("HEAD", ""), ("PATCH", str(_FIRST))]


@pytest.mark.parametrize("status", [404, 410])
def test_an_upload_that_the_site_says_is_gone_begins_again(
    upload: Page, refusals: set[int], status: int
) -> None:
    refusals.add(status)
    asked = _breaks_off(upload, status)
    _upload_until_it_is_here(upload)
    assert [offset for method, offset in asked if method == "PATCH"][:3] == ["0", "400", "0"]
    assert [one for one in asked if one[0] == "POST"] == [("POST", ""), ("POST", "")]
