"""Sending recordings from the page: broken off, left, come back to; several at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Response, Route, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.rehearsals.models import Rehearsal, Upload
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import PASSWORD
from tests.coach.feedback.recordings import wav_bytes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_broker")]

NEW = reverse("feedback:new")


def send(page: Page) -> None:
    page.get_by_label("What is its purpose?").select_option("inform")
    page.get_by_label("Who is your audience?").select_option("public")
    page.get_by_role("button", name=re.compile("Upload")).click()


def test_what_was_left_in_the_middle_goes_on_when_the_same_file_is_chosen_again(
    arrive: Arrive, trainee: User, tmp_path: Path, axe: str
) -> None:
    file = tmp_path / "thesis.wav"
    file.write_bytes(wav_bytes(4) + bytes(17 * 2**20))
    page = arrive(trainee, NEW)
    page.get_by_label("Title of this talk").fill("My thesis")
    page.locator("input[type=file]").set_input_files(file)

    def lose_the_line(route: Route) -> None:
        if int(route.request.headers.get("upload-offset", "0")):
            route.abort()
        else:
            route.fallback()

    page.route("**/rehearsals/uploads/*/", lose_the_line)
    send(page)
    expect(page.get_by_text("resumes as soon as it is back")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused.")).to_be_visible()
    upload = Upload.objects.get()
    assert (upload.received_bytes, upload.context["title"]) == (16 * 2**20, "My thesis")

    page.unroute("**/rehearsals/uploads/*/")
    page.goto(page.url)
    expect(page.get_by_text("“thesis.wav” stopped after 16.0", exact=False)).to_be_visible()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("16.0 MB already uploaded")).to_be_visible()
    send(page)
    page.wait_for_url("**/progress/")
    take = Rehearsal.objects.get()
    assert take.size_bytes == file.stat().st_size
    assert Upload.objects.get().rehearsal == take


PIECE = 2**18


def in_small_pieces(route: Route) -> None:
    """The page's own script, with pieces that take a busy browser no time."""
    answer = route.fetch()
    script = answer.text()
    assert "16 * 2 ** 20" in script
    route.fulfill(response=answer, body=script.replace("16 * 2 ** 20", str(PIECE)))


def test_after_signing_in_again_elsewhere_the_same_button_goes_on_where_the_upload_was(
    page: Page, arrive: Arrive, live_server: LiveServer, trainee: User, tmp_path: Path
) -> None:
    file = tmp_path / "thesis.wav"
    file.write_bytes(wav_bytes(4) + bytes(2 * PIECE))
    page.route("**/js/sending*.js", in_small_pieces)
    arrive(trainee, NEW)
    page.locator("input[type=file]").set_input_files(file)
    other = page.context.new_page()
    other.goto(live_server.url + reverse("feedback:takes"))
    held: list[Route] = []
    told: list[tuple[str, str, int]] = []

    def hold_the_second(route: Route) -> None:
        if route.request.headers.get("upload-offset") == str(PIECE) and not held:
            held.append(route)
        else:
            route.fallback()

    def note(answer: Response) -> None:
        if "/rehearsals/uploads/" in answer.url:
            asked = answer.request
            offset = asked.headers.get("upload-offset", "")
            told.append((asked.method, offset, answer.status))

    page.route("**/rehearsals/uploads/*/", hold_the_second)
    page.on("response", note)
    send(page)
    while not held:
        page.wait_for_timeout(50)
    other.get_by_text(trainee.name, exact=True).click()
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()
    held[0].fallback()
    state = page.locator("[data-state]")
    expect(state).to_contain_text("You are signed out.")

    page.get_by_role("button", name=re.compile("Upload")).click()  # still signed out
    expect(page.get_by_role("button", name=re.compile("Upload"))).to_be_enabled()
    expect(state).to_contain_text("You are signed out.")
    other.locator("input[name=login]").fill(trainee.email)
    other.locator("input[name=password]").fill(PASSWORD)
    other.locator("input[name=password]").press("Enter")
    expect(other.get_by_text(trainee.name, exact=True)).to_be_visible()

    page.get_by_role("button", name=re.compile("Upload")).click()
    page.wait_for_url("**/progress/")
    assert told == [
        ("POST", "", 201),
        ("PATCH", "0", 204),
        ("PATCH", str(PIECE), 401),
        ("HEAD", "", 401),
        ("HEAD", "", 200),
        ("PATCH", str(PIECE), 204),
        ("PATCH", str(2 * PIECE), 204),
    ]
    take = Rehearsal.objects.get()
    assert take.size_bytes == file.stat().st_size
    assert Upload.objects.get().rehearsal == take


def test_several_files_become_several_takes(arrive: Arrive, trainee: User, tmp_path: Path) -> None:
    files = [tmp_path / "first.wav", tmp_path / "second.wav"]
    for seconds, file in enumerate(files, start=2):
        file.write_bytes(wav_bytes(seconds))
    page = arrive(trainee, NEW)
    page.locator("input[type=file]").set_input_files(files)
    (tmp_path / "notes.mp4").write_text("These are the minutes of our meeting.\n" * 40)
    page.locator("input[type=file]").set_input_files(tmp_path / "notes.mp4")
    expect(page.locator(".file[data-tone=refused]")).to_contain_text("not a recording")
    page.locator(".file", has_text="notes.mp4").get_by_role("button", name="Remove").click()
    send(page)
    page.wait_for_url("**/practise/")
    assert sorted(Rehearsal.objects.values_list("title", flat=True)) == ["first", "second"]


def test_the_answers_outlive_a_refused_file_and_go_with_the_one_that_is_taken(
    arrive: Arrive, trainee: User, tmp_path: Path
) -> None:
    notes, talk = tmp_path / "notes.mp4", tmp_path / "talk.wav"
    notes.write_text("These are the minutes of our meeting.\n" * 40)
    talk.write_bytes(wav_bytes(2))
    page = arrive(trainee, NEW)
    title = page.get_by_label("Title of this talk")
    page.locator("input[type=file]").set_input_files(notes)
    title.fill("My thesis")
    send(page)  # within the second before it would have been kept by itself
    expect(page.get_by_role("button", name="Remove")).to_be_focused()

    page.reload()
    expect(title).to_have_value("My thesis")
    expect(page.get_by_label("What is its purpose?")).to_have_value("inform")
    expect(page.get_by_text("We restored your text")).to_be_visible()

    page.locator("input[type=file]").set_input_files(talk)
    send(page)
    page.wait_for_url("**/progress/")
    assert Rehearsal.objects.get().title == "My thesis"
    assert not FormDraft.objects.exists()


def test_the_answers_stay_until_the_last_of_several_files_is_taken(
    arrive: Arrive, trainee: User, tmp_path: Path
) -> None:
    files = [tmp_path / "first.wav", tmp_path / "second.wav"]
    for seconds, file in enumerate(files, start=2):
        file.write_bytes(wav_bytes(seconds))
    page = arrive(trainee, NEW)
    title = page.get_by_label("Title of this talk")
    title.fill("My thesis")
    page.locator("input[type=file]").set_input_files(files)
    handed_in: list[str] = []

    def lose_the_second(route: Route) -> None:
        if route.request.method == "POST" and handed_in:
            route.abort()
            return
        handed_in.append(route.request.url)
        route.fallback()

    page.route("**/practise/uploads/*/", lose_the_second)
    send(page)
    expect(page.locator("[data-problem]")).to_be_visible()
    assert Rehearsal.objects.count() == 1

    page.unroute("**/practise/uploads/*/")
    page.reload()
    expect(title).to_have_value("My thesis")
    page.locator("input[type=file]").set_input_files(files[1])
    send(page)
    page.wait_for_url("**/progress/")
    assert Rehearsal.objects.count() == 2
    assert not FormDraft.objects.exists()
