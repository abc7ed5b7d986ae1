"""Two people code one interview with keys alone, see where they differ, and settle it."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Role, User
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Adjudication, Assignment, Code, Coding
from coach.research.coding.rounds.services import close_round, finish_share, open_round
from coach.research.studies.models import Member, Study
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_interview, make_study, take_part

pytestmark = pytest.mark.django_db(transaction=True)

TEACHER = "👩🏽\u200d🏫"
SAID = (
    f"I like {TEACHER} pauses, q\u0303uite a lot; they help.",
    "المدرّب يفهم الهدف 🙂 جيدًا",
)


@pytest.fixture
def shares(researcher: User, trainee: User) -> dict[str, Assignment]:
    """Rui's and Ida's share of one interview with Ana, in two scripts."""
    study: Study = make_study(researcher)
    ida = UserFactory(email="ida@example.org", name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=ida, role=Member.Role.CODER)
    ana = take_part(study, trainee)
    interview = make_interview(
        study, [("I", None, "How was it? 🎤"), *(("P", ana, words) for words in SAID)]
    )
    for place, name in enumerate(("pauses", "helping")):
        Code.objects.create(study=study, name=name, position=place, colour="#2a9d8f")
    opened = open_round(
        study=study,
        title="",
        codebook=keep_version(study=study, note="", actor=researcher),
        coders=[researcher, ida],
        interviews=[interview],
        actor=researcher,
    )
    return {share.coder.user.name: share for share in opened.assignments.all() if share.coder.user}


def news(page: Page, words: str) -> None:
    expect(page.locator("[data-coding-news]")).to_contain_text(words)


def coded(coder: str) -> list[tuple[str, str]]:
    """What somebody coded: the code, and the words at the code points that were kept."""
    codings = Coding.objects.filter(coder__user__name=coder).order_by("pk")
    return [
        (each.code.name, each.text.text[each.start : each.end])
        for each in codings.select_related("code", "text")
        if each.text
    ]


def test_two_people_code_differ_and_settle_it_with_keys_alone(
    arrive: Arrive, live_server: LiveServer, shares: dict[str, Assignment], researcher: User
) -> None:
    slug, ida = "first-talks", User.objects.get(name="Ida")
    page = arrive(ida, reverse("research:coding", args=[slug, shares["Ida"].pk]))
    page.wait_for_load_state("networkidle")
    keys = page.keyboard
    for key in ("ArrowDown", "ArrowDown", *["ArrowRight"] * 3, "Shift+ArrowRight", "1"):
        keys.press(key)
    news(page, "Coded: pauses")
    said = page.locator("[data-marked-words]")
    expect(said).to_have_attribute("role", "status")
    expect(said).to_have_attribute("lang", re.compile("."))
    keys.press("/")
    keys.type("help")
    keys.press("Enter")
    news(page, "Coded: helping")
    keys.press("x")
    news(page, "removed")
    keys.press("u")
    news(page, "Undone.")
    expect(page.locator("#said")).to_contain_text("Undone.")
    page.get_by_role("button", name="Remove helping").press("Enter")
    news(page, "removed")
    expect(page.get_by_role("button", name="Remove pauses")).to_be_focused()
    keys.press("u")
    news(page, "Undone.")
    # Arabic goes on to the left.
    for key in ("ArrowDown", *["ArrowLeft"] * 4, "2"):
        keys.press(key)
    news(page, "3 codings")
    both = "pauses, q\u0303uite"
    assert sorted(coded("Ida")) == [("helping", both), ("helping", "جيدًا"), ("pauses", both)]
    # Somebody else, with the mouse: from within an emoji's turn to its end.
    page.context.clear_cookies()
    page = arrive(researcher, reverse("research:coding", args=[slug, shares["Rui"].pk]))
    page.wait_for_load_state("networkidle")
    expect(page.locator("[data-coding]")).to_have_count(0)
    page.locator("#turn-2 [data-words]").dblclick(position={"x": 12, "y": 12})
    page.locator("#turn-2 [data-words]").click(position={"x": 120, "y": 12}, modifiers=["Shift"])
    marked = page.evaluate("document.getSelection().toString()").strip()
    page.get_by_role("button", name="pauses").click()
    news(page, "Coded: pauses")
    assert TEACHER in marked
    assert coded("Rui") == [("pauses", marked)]
    for share in shares.values():
        finish_share(assignment=share, is_finished=True, actor=researcher)
    close_round(coding_round=shares["Rui"].round, actor=researcher)
    page.goto(live_server.url + reverse("research:differences_of", args=[slug, 1, 1]))
    page.wait_for_load_state("networkidle")
    # A decision and a note by single keys; the next one has the focus, and each can be undone.
    page.keyboard.press("m")
    page.keyboard.type("Why: it is said.")
    page.locator("[data-difference]").first.focus()
    for key in ("1", "0"):
        page.keyboard.press(key)
    expect(page.locator("#settling-state")).to_contain_text("All disagreements are resolved.")
    page.keyboard.press("u")
    expect(page.locator("#settling-state")).to_contain_text("1 disagreement to resolve.")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("2")
    expect(page.locator("#settling-state")).to_contain_text("All disagreements are resolved.")
    assert [each.note for each in Adjudication.objects.all()] == ["Why: it is said.", ""]


def test_what_comes_back_answers_the_very_next_key(
    arrive: Arrive, shares: dict[str, Assignment]
) -> None:
    """A button is pressed before the browser has drawn it: it must not load the page anew."""
    ida = User.objects.get(name="Ida")
    page = arrive(ida, reverse("research:coding", args=["first-talks", shares["Ida"].pk]))
    page.wait_for_load_state("networkidle")
    page.evaluate(
        """() => new MutationObserver((_, watching) => {
            watching.disconnect();
            document.querySelector("[data-undo]").click();
        }).observe(document.getElementById("coding-state").parentElement, {childList: true})"""
    )
    for key in ("ArrowDown", "ArrowDown", "1"):
        page.keyboard.press(key)
    news(page, "Undone.")
    assert coded("Ida") == []


def test_a_code_that_waits_is_about_the_words_that_were_marked_when_it_was_pressed(
    arrive: Arrive, shares: dict[str, Assignment]
) -> None:
    """On a slow line a third code came to the words marked last, and the second one was lost."""
    ida = User.objects.get(name="Ida")
    page = arrive(ida, reverse("research:coding", args=["first-talks", shares["Ida"].pk]))
    page.wait_for_load_state("networkidle")
    slow: list[Route] = []

    def hold(route: Route) -> None:
        slow.append(route)

    mark = f"**{reverse('research:mark', args=['first-talks', shares['Ida'].pk])}"
    page.route(mark, hold, times=1)
    with page.expect_request(mark):
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "1"):
            page.keyboard.press(key)
    for key in ("ArrowRight", "2", "ArrowRight", "1", "u", "ArrowRight"):
        page.keyboard.press(key)
    slow[0].continue_()
    news(page, "Undone.")
    assert coded("Ida") == [("pauses", "I"), ("helping", "like")]
    expect(page.locator("[data-marked-words]")).to_have_text("q\u0303uite")


def test_free_coding_names_and_replaces_codes_with_keys_alone(
    arrive: Arrive, live_server: LiveServer, shares: dict[str, Assignment]
) -> None:
    ida = User.objects.get(name="Ida")
    page = arrive(ida, reverse("research:rounds", args=["first-talks"]))
    page.get_by_role("button", name="Code freely INT-01").press("Enter")
    page.wait_for_load_state("networkidle")
    keys = page.keyboard
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "c"):
        keys.press(key)
    keys.type("rests")
    keys.press("Enter")
    news(page, "Coded: rests")
    expect(page.locator("#codes").get_by_role("button", name="rests")).to_be_visible()
    for key in ("ArrowRight", "ArrowRight", "v"):
        keys.press(key)
    news(page, "2 codings")
    for key in ("e", "Escape", "e"):
        keys.press(key)
    expect(page.locator("#replacing")).to_be_visible()
    keys.press("1")
    news(page, "Coded: pauses")
    expect(page.locator("#replacing")).to_be_hidden()
    words = [text for _code, text in coded("Ida")]
    assert coded("Ida") == [("rests", words[0]), ("pauses", words[1])]
    assert Code.objects.filter(name=words[1]).exists()
