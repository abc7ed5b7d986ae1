"""Names are taken out with keys, and what is selected is what goes, whatever the browser counts."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from playwright.sync_api import Route, expect

from coach.accounts.models import User
from coach.research.coding.interviews.redaction.deciding import propose_redactions
from coach.research.coding.interviews.transcript_text import SpokenTurn, lay_text
from coach.research.coding.models import Interview, Redaction, Speaker, Text
from tests.coach.browser.conftest import Arrive
from tests.coach.research.making import make_study

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "So Bea 👩🏽\u200d🏫 met tom 🎤 and Zoë in q\u0303 Rennes."
SELECT = """words => {
  const place = document.querySelector('.turns__words').lastChild;
  const at = place.data.indexOf(words);
  getSelection().setBaseAndExtent(place, at, place, at + words.length);
}"""


@pytest.fixture
def interview(researcher: User) -> Interview:
    """One in which three people and a place are named."""
    made = Interview.objects.create(
        study=make_study(researcher),
        number=1,
        mode="phone",
        language="en",
        held_on=date(2026, 3, 3),
    )
    ada = Speaker.objects.create(interview=made, label="P", role="participant")
    text = lay_text(made, [SpokenTurn(speaker=ada, words=WORDS)], Text.Kind.RAW)
    propose_redactions(text=text)
    return made


def test_keys_decide_and_a_selection_is_counted_in_code_points(
    arrive: Arrive, researcher: User, interview: Interview
) -> None:
    path = reverse("research:redact", args=[interview.study.slug, interview.number])
    page = arrive(researcher, path)
    page.wait_for_load_state("networkidle")
    waiting = page.locator("#open")
    expect(waiting).to_have_text("3 to decide")
    slow: list[Route] = []

    def hold(route: Route) -> None:
        slow.append(route)

    page.keyboard.press("ArrowUp")
    page.route(f"**{path}", hold, times=1)
    with page.expect_request(f"**{path}"):
        page.keyboard.press("a")
    # Before the site has answered: the second one, once, however long the key is held down.
    page.keyboard.down("x")
    page.keyboard.down("x")
    page.keyboard.up("x")
    # And then the button of the third, as it is chosen there, which by its turn stands there anew.
    page.locator("[data-open]").nth(2).get_by_label("Type").select_option("ORG")
    page.locator("[data-open]").nth(2).get_by_role("button", name="Redact", exact=True).click()
    slow[0].continue_()
    expect(waiting).to_have_text("0 to decide")
    expect(page.locator("[data-all-decided]")).to_be_focused()
    page.evaluate(SELECT.replace("lastChild", "childNodes[2]"), "tom 🎤")
    expect(page.locator("[data-chosen]")).to_have_text("“tom 🎤”")
    page.keyboard.press("m")
    expect(page.locator(".redact--approved")).to_have_count(3)
    text = Text.objects.get()
    taken = Redaction.objects.filter(state=Redaction.State.APPROVED)
    assert [text.text[e.start : e.end] for e in taken] == ["Bea", "tom 🎤", "Rennes"]
    assert taken.get(kind=Redaction.Kind.ORG).start == text.text.index("Rennes")
