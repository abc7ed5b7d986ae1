"""Small manners of pages in a real browser: what is focused, what closes, what narrows a list."""

from __future__ import annotations

import io

import pytest
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from analysis.results import Event, Report
from coach.accounts.models import Cohort, Role, User
from coach.accounts.selectors import profile_of
from coach.rehearsals.models import Rehearsal
from coach.research.exports.models import Download
from coach.research.studies.models import Questionnaire
from coach.rulesets.services import publish_builtin_rules
from tests.coach.browser.conftest import SECONDS, Arrive
from tests.coach.factories import (
    RehearsalFactory,
    UserFactory,
    finish_analysis,
    folder_of,
    give_poster,
    make_report,
)
from tests.coach.research.making import make_interview, make_round, make_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ELSEWHERE = ["h1", ".footer", ".stage", "[data-transcript]", ".lanes__cursor", "main"]


def test_signing_in_begins_in_the_field_for_the_address(
    page: Page, live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/accounts/login/")
    expect(page.locator("input[name=login]")).to_be_focused()


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_menu_of_the_person_closes_on_a_press_anywhere_else(
    size: tuple[int, int], arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    menu = page.locator(".topbar details[data-menu]")
    for place in ELSEWHERE:
        page.evaluate("scrollTo(0, 0)")
        menu.locator("summary").click()
        expect(menu).to_have_attribute("open", "")
        page.locator(place).first.click(position={"x": 4, "y": 4})
        expect(menu).not_to_have_attribute("open", "")


def test_the_menu_of_the_person_closes_when_the_focus_leaves_it(
    arrive: Arrive, trainee: User
) -> None:
    page = arrive(trainee, reverse("feedback:takes"))
    menu = page.locator(".topbar details[data-menu]")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(menu).to_have_attribute("open", "")
    for _press in range(6):
        page.keyboard.press("Tab")
    expect(menu).not_to_have_attribute("open", "")


def test_the_list_of_rules_narrows_while_one_types(arrive: Arrive, live_server: LiveServer) -> None:
    publish_builtin_rules()
    curator = UserFactory(email="dana@example.org", name="Dana", roles=[Role.CURATOR])
    page = arrive(curator, reverse("curation:rules"))
    rows = page.locator("table.rows tbody tr:visible")
    many = rows.count()
    assert many > 40
    page.get_by_label("Find a rule").press_sequentially("pau00")
    expect(
        page.get_by_role("link", name="PAU001").or_(page.get_by_text("PAU001")).first
    ).to_be_visible()
    assert 0 < rows.count() < 10
    page.get_by_label("Find a rule").fill("no such rule")
    expect(rows).to_have_count(0)
    expect(page.get_by_text("No rule matches.")).to_be_visible()
    page.get_by_label("Find a rule").fill("")
    expect(rows).to_have_count(many)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [1366, 390, 320])
def test_what_a_notice_says_has_room_beside_its_link(
    width: int, language: str, arrive: Arrive, trainee: User
) -> None:
    User.objects.filter(pk=trainee.pk).update(language=language)
    page = arrive(trainee, reverse("feedback:record"))
    page.set_viewport_size({"width": width, "height": 844})
    page.evaluate("document.querySelector('[data-unable]').hidden = false")
    said, link = page.locator("[data-unable] > span"), page.locator("[data-unable] > a")
    sentence, way_on = said.bounding_box(), link.bounding_box()
    assert sentence is not None
    assert way_on is not None
    assert sentence["width"] >= 240
    assert sentence["height"] <= 7 * 24 + 1
    beside = way_on["x"] >= sentence["x"] + sentence["width"]
    assert beside if width == 1366 else way_on["y"] >= sentence["y"] + sentence["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_buttons_of_the_downloads_stand_in_one_line_beneath_each_other(
    size: tuple[int, int], arrive: Arrive, researcher: User
) -> None:
    page = arrive(researcher, reverse("research:home"))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    edges = page.evaluate(
        "[...document.querySelectorAll('.downloads .button')]"
        ".map((each) => Math.round(each.getBoundingClientRect().right))"
    )
    lefts = page.evaluate(
        "[...document.querySelectorAll('.downloads .button')]"
        ".map((each) => Math.round(each.getBoundingClientRect().left))"
    )
    assert len(edges) > 1
    assert len(set(edges)) == 1 or len(set(lefts)) == 1


def lines_of_all_kinds(duration: float) -> Report:
    """A report with every lane that a talk in front of a camera has."""
    report = make_report(duration=duration)
    line = next(iter(report.tracks.values()))
    added = [
        Event(kind=kind, start=at, end=at + 1.5, probability=0.9, label="")
        for kind, at in (("silent_pause", 8.0), ("look_away", 20.0))
    ]
    lines = dict.fromkeys(("pitch.semitones", "loudness.relative_db"), line)
    return report.model_copy(
        update={"tracks": {**report.tracks, **lines}, "events": (*report.events, *added)}
    )


@pytest.mark.parametrize("height", [720, 800, 900])
def test_on_a_laptop_the_words_and_what_their_marks_mean_stand_under_the_picture_uncut(
    height: int, arrive: Arrive, trainee: User, cohort: Cohort, playable: bytes
) -> None:
    take = RehearsalFactory(
        owner=trainee, cohort=cohort, content=playable, duration=SECONDS, playback_type="video/webm"
    )
    finish_analysis(take, lines_of_all_kinds(SECONDS))
    page = arrive(trainee, reverse("feedback:report", args=[take.pk]))
    page.set_viewport_size({"width": 1280, "height": height})
    expect(page.locator(".lane:visible")).to_have_count(7)
    watch = page.locator(".watch").bounding_box()
    legend = page.locator(".legend").bounding_box()
    assert watch
    assert legend
    assert legend["y"] + legend["height"] <= watch["y"] + watch["height"]


def test_without_a_line_a_form_stays_with_what_was_typed_and_goes_once_it_is_back(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    page.wait_for_load_state()
    page.get_by_text("I disagree").first.click()
    form = page.locator("article form").filter(has=page.get_by_label("In your own words")).first
    form.get_by_role("radio").first.check()
    form.get_by_label("In your own words").fill("I was waiting for the slide.")
    page.context.set_offline(True)
    form.get_by_role("button", name="Save disagreement").click()
    expect(page.get_by_role("alert")).to_contain_text("We could not send this.")
    expect(form.get_by_label("In your own words")).to_have_value("I was waiting for the slide.")
    page.context.set_offline(False)
    expect(page.locator("p.signed-out")).to_have_count(0)
    form.get_by_role("button", name="Save disagreement").click()
    expect(page.get_by_text("I was waiting for the slide.").first).to_be_visible()


def test_a_site_on_the_machine_itself_takes_a_form_where_there_is_no_line_at_all(
    arrive: Arrive, trainee: User, page: Page
) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    arrive(trainee, reverse("portal:profile"))
    page.wait_for_load_state()
    page.get_by_label("Show me one card at a time").check()
    page.get_by_role("button", name="Save choices").click()
    expect(page.get_by_text("Saved. This applies")).to_be_visible()
    assert profile_of(trainee).one_item


def test_marks_beside_words_are_seen_and_not_read_out(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    between = "getComputedStyle(document.querySelector('.facts > div'), '::before').content"
    assert page.evaluate(between) == '"·" / ""'
    read_out = page.locator(".facts").aria_snapshot()
    assert "Length" in read_out
    assert "·" not in read_out


def test_at_four_hundred_percent_no_page_scrolls_sideways(
    arrive: Arrive, trainee: User, researcher: User, playable_take: Rehearsal
) -> None:
    """A screen of 1280 pixels enlarged so far leaves 320: a badge breaks, a table is stacked."""
    Rehearsal.objects.filter(pk=playable_take.pk).update(is_constructed=True)
    Download.objects.create(researcher=researcher, file="measurements.csv")
    for person, place in ((trainee, "feedback:takes"), (researcher, "research:home")):
        page = arrive(person, reverse(place))
        page.set_viewport_size({"width": 320, "height": 256})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, place
        page.context.clear_cookies()


def test_a_closer_look_and_a_search_in_the_words_work_by_keys(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    timeline, search = page.locator("[data-lanes]"), page.locator("[data-search]")
    whole = page.locator("[data-ticks] text").all_text_contents()
    page.keyboard.press("+")
    expect(timeline).to_have_attribute("data-zoom", "2")
    assert page.locator("[data-ticks] text").all_text_contents() != whole
    page.keyboard.press("0")
    expect(timeline).to_have_attribute("data-zoom", "1")
    page.keyboard.press("/")
    page.keyboard.type("WORD1 word2")
    expect(search.locator("output")).to_have_text("1 of 1")
    expect(page.locator(".transcript .hit--now")).to_have_text(["word1", "word2"])
    page.keyboard.press("Escape")
    expect(page.locator(".transcript .hit")).to_have_count(0)


def test_the_picture_comes_before_the_beginning_of_the_recording(
    arrive: Arrive, page: Page, trainee: User, playable_take: Rehearsal
) -> None:
    """Side by side they share a slow line, and the picture is what people see."""
    picture = io.BytesIO()
    Image.new("RGB", (64, 36), "teal").save(picture, "JPEG")
    give_poster(playable_take, picture.getvalue())
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(request.url.split("/")[-1]))
    page.on("request", lambda request: asked.append(f"{request.url.split('/')[-2]}?"))
    with page.expect_request("**/media/"):
        arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    assert asked.count("poster.jpg") == 1
    assert asked.index("poster.jpg") < asked.index("media?")
    expect(page.locator("[data-player]")).to_have_js_property("preload", "metadata")


def test_a_recording_whose_file_is_missing_says_so_where_it_would_play(
    arrive: Arrive, page: Page, trainee: User, playable_take: Rehearsal
) -> None:
    """As after a copy of which only the database was taken back: the picture stayed black."""
    arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    expect(page.locator("[data-player]")).not_to_have_js_property("readyState", 0)
    missing = page.get_by_text("The recording does not play")
    expect(missing).to_be_hidden()
    (folder_of(playable_take) / "playback").unlink()
    page.reload()
    expect(missing).to_be_visible()


def test_a_study_with_a_questionnaire_fits_a_phone(arrive: Arrive, researcher: User) -> None:
    study = make_study(researcher)
    for title in ("Before you start", "Selbsteinschätzung"):
        Questionnaire.objects.create(
            study=study, key=title[:6].lower(), title=title, moment="before", language="en"
        )
    page = arrive(researcher, reverse("research:study", args=[study.slug]))
    page.set_viewport_size({"width": 360, "height": 844})
    expect(page.get_by_text("Before you start")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_all_texts_of_a_round_are_ticked_at_once_and_none_again(
    arrive: Arrive, researcher: User
) -> None:
    study = make_study(researcher)
    make_round(study, "pauses")
    for _number in range(3):
        make_interview(study, [("I", None, "How?")])
    page = arrive(researcher, reverse("research:new_round", args=[study.slug]))
    ticked = page.locator("input[name=interviews]:checked")
    page.get_by_role("button", name="Tick all").click()
    expect(ticked).to_have_count(3)
    page.get_by_role("button", name="Tick all").click()
    expect(ticked).to_have_count(0)
