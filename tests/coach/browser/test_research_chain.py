"""From a transcript to the tables of a bundle, as a researcher goes it, with the keyboard alone."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Role, User
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Assignment, Code, Interview, Round
from coach.research.exports.execution import execute_export
from coach.research.exports.models import Export
from coach.research.studies.models import Member, Participant, Scope, Study
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, make_study, take_part

pytestmark = pytest.mark.django_db(transaction=True)

SAID = """Interviewer: How did you prepare? 🎤
Ana: I paused a lot; Bea helped me. 👩🏽\u200d🏫
Interviewer: What changed?
Ana: My pauses became shorter, I think.
"""


@pytest.fixture
def ana(researcher: User, trainee: User) -> Participant:
    """Ana takes part in Rui's study, in which Ida codes; two codes are kept."""
    study: Study = make_study(researcher)
    ida = UserFactory(email="ida@example.org", name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=ida, role=Member.Role.CODER)
    for place, name in enumerate(("pauses", "helping")):
        Code.objects.create(study=study, name=name, position=place, colour="#2a9d8f")
    keep_version(study=study, note="", actor=researcher)
    person = take_part(study, trainee)
    agree(person, Scope.MEASUREMENTS, Scope.TRANSCRIPT)
    return person


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


def press(page: Page, name: str, role: str = "button") -> None:
    """Reach a button by the focus, and press Enter on it."""
    page.get_by_role(role, name=name, exact=True).first.focus()  # type: ignore[arg-type]
    with page.expect_navigation():
        page.keyboard.press("Enter")


def choose(page: Page, label: str, option: str) -> None:
    """A list, by its first letters."""
    page.get_by_label(label, exact=True).first.focus()
    page.keyboard.type(option)


def tick(page: Page, label: str) -> None:
    page.get_by_label(label).first.focus()
    page.keyboard.press("Space")


def take_in(page: Page, live_server: LiveServer, pseudonym: str) -> None:
    """Read the transcript, say who is who, decide on each name, lock."""
    page.goto(live_server.url + url("new_interview"))
    file = {"name": "ana.txt", "mimeType": "text/plain", "buffer": SAID.encode()}
    page.get_by_label("Transcripts").set_input_files([file])  # type: ignore[list-item]
    press(page, "Upload")
    voice = page.locator("fieldset.voice", has=page.locator("legend", has_text="Ana"))
    for field in voice.locator("select").all():
        if pseudonym in (field.text_content() or ""):
            field.focus()
            page.keyboard.type(pseudonym)
    page.get_by_label("Date").fill("2026-03-03")
    press(page, "Import transcript")
    interview = Interview.objects.get()
    page.goto(live_server.url + url("redact", interview.number))
    page.wait_for_load_state("networkidle")
    waiting = page.locator("#open")
    for left in range(int((waiting.text_content() or "0").split()[0]), 0, -1):
        page.keyboard.press("a")
        expect(waiting).to_have_text(f"{left - 1} to decide")
    page.get_by_label("I have read the whole text").focus()
    page.keyboard.press("Space")
    press(page, "Lock the text")
    interview.refresh_from_db()
    assert interview.state == Interview.State.LOCKED


def code(page: Page, path: str, *keys: str) -> None:
    """Mark and code with these keys, then say that it is finished."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    coded = 0
    for key in keys:
        page.keyboard.press(key)
        if key.isdecimal():
            coded += 1  # what was said of the one before still stands there on a busy machine
            said = re.compile(rf"Coded:.* {coded} codings?$")
            expect(page.locator("[data-coding-news]")).to_have_text(said)
            page.wait_for_load_state("networkidle")
    press(page, "I have finished this text")


def test_from_a_transcript_to_tables_with_keys_alone(
    arrive: Arrive, live_server: LiveServer, researcher: User, ana: Participant, tmp_path: Path
) -> None:
    ida = User.objects.get(name="Ida")
    page = arrive(researcher, url("interviews"))
    take_in(page, live_server, ana.pseudonym)
    page.goto(live_server.url + url("new_round"))
    for label in ("Rui", "Ida", "INT-01"):
        tick(page, label)
    press(page, "Open a coding round")
    shares = {each.coder.user: each for each in Assignment.objects.all()}
    address = live_server.url + url("coding", shares[researcher].pk)
    code(page, address, "ArrowDown", "ArrowDown", "1", "ArrowDown", "ArrowDown", "1")
    page.context.clear_cookies()
    page = arrive(ida, url("rounds"))
    expect(page.get_by_role("link", name="INT-01")).to_be_visible()
    code(page, live_server.url + url("coding", shares[ida].pk), "ArrowDown", "ArrowDown", "1", "2")
    page.context.clear_cookies()
    page = arrive(researcher, url("round", 1))
    press(page, "Close round")
    press(page, "Disagreements between coders", "link")
    press(page, "INT-01", "link")
    page.wait_for_load_state("networkidle")
    for key in ("2", "1"):
        page.keyboard.press(key)
    state = page.locator("#settling-state")
    expect(state).to_contain_text("All disagreements are resolved.")
    page.goto(live_server.url + url("agreement", 1))
    expect(page.locator("#agreement tbody tr")).to_have_count(2)
    page.goto(live_server.url + url("ask_for_bundle"))
    for label, words in (
        ("Recipient", "A university"),
        ("Purpose", "To try"),
        ("Data agreement", "2026-1"),
    ):
        page.get_by_label(label).focus()
        page.keyboard.type(words)
    press(page, "Export the study")
    execute_export(Export.objects.get().pk)
    page.reload()
    page.get_by_role("button", name="Download bundle").focus()
    with page.expect_download() as fetched:
        page.keyboard.press("Enter")
    bundle = zipfile.ZipFile(fetched.value.path())
    tables = {
        name: list(csv.DictReader(io.StringIO(bundle.read(f"data/{name}.csv").decode())))
        for name in ("codings", "agreement", "adjudications", "shares")
    }
    words = bundle.read("interviews/INT-01.txt").decode()
    marked = {words[int(row["char_start"]) : int(row["char_end"])] for row in tables["codings"]}
    assert "I paused a lot; [NAME-1] helped me. 👩🏽\u200d🏫" in marked
    statuses = sorted(row["status"] for row in tables["codings"])
    assert statuses == ["adjudicated"] * 2 + ["independent"] * 4
    assert {row["n_units"] for row in tables["agreement"]} == {"2"}
    assert len(tables["adjudications"]) == 2
    assert {row["is_finished"] for row in tables["shares"]} == {"true"}
    assert Round.objects.get().state == Round.State.CLOSED
