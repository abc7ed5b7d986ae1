"""What people do with the product, in a real browser, with the real parts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse
from playwright.sync_api import Page, expect

from analysis.results import Reason, Skipped
from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.feedback.verdicts import CoachItem, add_coach_item
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import withdraw_from_coach
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import current_time, play_slowly, wait_until_playable
from tests.coach.factories import finish_analysis, make_report
from tests.coach.feedback.recordings import wav_bytes
from tests.coach.review.leaving import let_it_leave

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
SEEK_TOLERANCE_SECONDS = 0.5


@pytest.fixture
def worker(broker_url: str, models: Path) -> Iterator[None]:
    """A real worker on the real broker, for all queues."""
    server = urlsplit(os.environ["DATABASE_URL"])
    name = connection.settings_dict["NAME"]
    environment = {
        **os.environ,
        "DATABASE_URL": server._replace(path=f"/{name}").geturl(),
        "CELERY_BROKER_URL": broker_url,
        "MEDIA_ROOT": str(settings.MEDIA_ROOT),
    }
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "coach",
            "worker",
            "-Q",
            "media,speech,vision,default,upkeep",
            "-c",
            "1",
            "--loglevel",
            "WARNING",
        ],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield
    os.killpg(process.pid, signal.SIGTERM)
    process.wait()


def test_a_trainee_uploads_a_file_watches_the_stages_and_reads_the_report(
    arrive: Arrive, trainee: User, worker: None, tmp_path: Path
) -> None:
    file = tmp_path / "répétition générale.wav"
    file.write_bytes(wav_bytes(4))
    page = arrive(trainee, reverse("feedback:new"))
    page.get_by_label("Title of this talk").fill("My opening")
    page.get_by_label("What is its purpose?").select_option("pitch")
    page.get_by_label("Who is your audience?").select_option("public")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name=re.compile("Upload")).click()
    page.wait_for_url("**/progress/")
    expect(page.get_by_role("heading", name="My opening")).to_be_visible()
    expect(page.get_by_text("Opening your recording", exact=True)).to_be_visible()
    page.wait_for_url(re.compile(r"/rehearsals/[0-9a-f-]+/(\?waited=1)?$"), timeout=120_000)
    page.get_by_text("What we could not measure").first.click()
    expect(page.get_by_text("We heard no speech in this recording.").first).to_be_visible()
    expect(page.get_by_text("The file has no picture.").first).to_be_visible()
    expect(page.get_by_text("Private", exact=False).first).to_be_visible()


def test_a_text_file_named_mp4_is_said_to_be_none_before_it_is_sent(
    arrive: Arrive, trainee: User, tmp_path: Path
) -> None:
    file = tmp_path / "talk.mp4"
    file.write_text("These are the minutes of our meeting.\n" * 40)
    page = arrive(trainee, reverse("feedback:new"))
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name=re.compile("Upload")).click()
    sentence = page.get_by_text("This is not a recording", exact=False).first
    expect(sentence).to_be_visible()
    assert not Upload.objects.filter(owner=trainee).exists()


def test_a_word_a_chip_and_the_video_agree_on_the_moment(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    wait_until_playable(page)
    play_slowly(page)
    page.locator("[data-s='20.00']").first.click()
    assert current_time(page) == pytest.approx(20.0, abs=SEEK_TOLERANCE_SECONDS)
    chip = page.locator("article [data-clip]").first
    start = float(chip.get_attribute("data-start") or -1)
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert current_time(page) == pytest.approx(start, abs=SEEK_TOLERANCE_SECONDS)
    page.wait_for_selector("[data-s][aria-current]")


def test_why_this_item_is_one_click_away_and_the_measures_are_closed(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    why = page.get_by_text("Why am I seeing this?").first
    why.click()
    page.get_by_text("All details").first.click()
    expect(page.get_by_text("Laske", exact=False).first).to_be_visible()
    measures = page.locator("details", has_text="All measures").first
    assert measures.get_attribute("open") is None


def test_sending_shows_it_to_the_coach_who_works_and_releases(
    arrive: Arrive, trainee: User, coach: User, playable_take: Rehearsal
) -> None:
    report = reverse("feedback:report", args=[playable_take.pk])
    page = arrive(trainee, report)
    page.get_by_text("Send to my coach").first.click()
    note = page.get_by_label("A note for your coach", exact=False)
    note.fill("Is my opening clear?")
    page.locator("form", has=note).get_by_role("button", name=re.compile("Send")).click()
    expect(page.get_by_text("Sent to your coach", exact=False).first).to_be_visible()

    page.context.clear_cookies()
    arrive(coach, reverse("review:queue"))
    page.get_by_role("link", name=playable_take.title).first.click()
    expect(page.get_by_text("Is my opening clear?")).to_be_visible()
    wait_until_playable(page)

    page.locator("#items summary", has_text="Change").first.click()
    page.locator("textarea[name=wording]").first.fill("You said um before most names.")
    page.get_by_role("button", name="Save this wording").first.click()
    expect(page.get_by_text("You said um before most names.").first).to_be_visible()

    page.evaluate("document.getElementById('player').currentTime = 12.5")
    page.get_by_text("Add your own card").last.click()
    page.locator("[data-take-time=own-clips-new]").click()
    expect(page.locator("#own-clips-new")).to_have_value("0:12")
    page.locator("#own-tone").select_option("strength")
    page.locator("#own-claim").fill("You opened with a question.")
    page.get_by_role("button", name="Add the card").click()
    expect(page.get_by_text("You opened with a question.").first).to_be_visible()

    page.get_by_role("link", name="Preview").click()
    expect(page.locator("#summary")).to_contain_text("You opened with a question.")
    page.get_by_role("button", name="Release the feedback").click()
    page.wait_for_url("**/review/")
    expect(page.get_by_role("button", name="Undo the release")).to_be_visible()
    let_it_leave()
    assert Feedback.objects.get().state == "released"

    page.context.clear_cookies()
    arrive(trainee, report)
    expect(page.get_by_text("Reviewed by Bea", exact=False).first).to_be_visible()
    expect(page.get_by_text("You opened with a question.")).to_be_visible()
    expect(page.get_by_text("You said um before most names.")).to_be_visible()


def test_clicking_twice_on_send_opens_it_and_sends_nothing_and_then_sends_once(
    arrive: Arrive, trainee: User, coach: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    page.get_by_text("Send to my coach").first.dblclick()
    send_it = page.get_by_role("button", name="Send take")
    expect(send_it).to_be_visible()
    assert not playable_take.grants.exists()
    send_it.dblclick()
    expect(page.get_by_text("Sent to your coach", exact=False).first).to_be_visible()
    assert playable_take.grants.count() == 1


def test_a_coach_whose_take_was_taken_back_reads_so_where_they_are(
    arrive: Arrive, coach: User, sent_take: Rehearsal
) -> None:
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.locator("#items [data-item]").last.focus()
    withdraw_from_coach(rehearsal=sent_take)
    page.keyboard.press("a")
    expect(
        page.get_by_text("The trainee withdrew or deleted the take", exact=False)
    ).to_be_in_viewport()
    expect(page.locator("[data-trouble]")).to_be_hidden()


def test_an_item_that_a_coach_takes_out_leaves_the_keys_working(
    arrive: Arrive, coach: User, sent_take: Rehearsal
) -> None:
    feedback = sent_take.feedback.get()
    words = CoachItem(
        tone="improvement", quality="structure", claim="A slip.", suggestion="", clips=((1.0, 5.0),)
    )
    add_coach_item(feedback=feedback, coach=coach, words=words)
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.get_by_role("heading", name="A slip.").click()
    page.get_by_role("button", name="Take it out").click()
    expect(page.get_by_text("A slip.")).to_have_count(0)
    expect(page.locator("#items [data-item]").last).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_text("Accepted").first).to_be_visible()


def test_a_long_name_of_a_file_widens_no_page(
    arrive: Arrive, trainee: User, coach: User, sent_take: Rehearsal
) -> None:
    sent_take.title = "IMG_20260102_quarterly_presentation_final_version_2_with_corrections_01"
    sent_take.save(update_fields=["title"])
    sent_take.grants.update(note=sent_take.title * 2)
    desk = reverse("review:desk", args=[sent_take.pk])
    for person, path in (
        (coach, reverse("review:queue")),
        (coach, desk),
        (trainee, reverse("feedback:takes")),
        (trainee, reverse("feedback:report", args=[sent_take.pk])),
        (trainee, reverse("portal:privacy")),
    ):
        page = arrive(person, path)
        for width in (320, 1024):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") == width, path
        page.context.clear_cookies()


def test_the_offer_of_another_language_fits_a_phone(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    report = make_report(duration=60.0)
    detail = "You chose English, but the recording sounds like French. " * 2
    heard = Skipped.because(Reason.LANGUAGE_MISMATCH, "in_words", words=detail)
    skipped = {**report.skipped, "pace.words_per_minute": heard}
    finish_analysis(playable_take, report.model_copy(update={"skipped": skipped}))
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("button", name="Analyse as French")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_report_reads_without_javascript(
    browser: object, live_server: object, trainee: User, playable_take: Rehearsal
) -> None:
    context = browser.new_context(java_script_enabled=False)  # type: ignore[attr-defined]
    page = context.new_page()
    url = live_server.url  # type: ignore[attr-defined]
    path = reverse("feedback:report", args=[playable_take.pk])
    page.goto(f"{url}/accounts/login/?next={path}")
    page.locator("input[name=login]").fill(trainee.email)
    page.locator("input[name=password]").fill("a-long-test-password")
    page.locator("input[name=password]").press("Enter")
    first = page.get_by_text("Work on this first").locator("visible=true").first
    expect(first).to_be_visible()
    context.close()


def test_nothing_on_a_page_is_refused_by_its_own_policy(
    arrive: Arrive, trainee: User, playable_take: Rehearsal, page: Page
) -> None:
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    wait_until_playable(page)
    page.goto(page.url.split("/rehearsals")[0] + reverse("feedback:new"))
    page.goto(page.url.split("/practise")[0] + reverse("portal:privacy"))
    assert said == []
