"""The main journeys in French, on a phone and on a desk: no English word is left over.

What people wrote (titles, names, rules' own documents) keeps its language and says so by `lang`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from analysis.results import Report
from coach.accounts.models import Cohort, Language, Role, User
from coach.lib.catalogues import catalogue_of
from coach.lib.catalogues.files import read
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import send_to_coach
from coach.rulesets.services import publish_builtin_rules
from coach.uploads.services import finish_upload
from feedback_rules.loader import builtin_rule_set
from tests.coach.browser.conftest import SECONDS, Arrive
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, make_report

pytestmark = pytest.mark.django_db(transaction=True)

Look = Callable[..., None]

DETAIL = "Made for a test."
LOOKS = [("phone", 390, 844), ("desk", 1440, 900)]
# Words that no French sentence has; those that French shares (on, me, but, plus) are left out.
ENGLISH = re.compile(
    r"\b(?:the|and|your|yours|you|with|for|of|is|are|was|were|this|that|these|those|what|when"
    r"|which|who|why|how|where|there|here|their|they|them|then|than|it|its|be|been|have|has|had"
    r"|not|about|after|before|because|into|over|under|until|while|our|we|from|by|will|would"
    r"|can|could|should|must|more|most|less|least|only|each|every|take|takes|talk|talks|rehearsal"
    r"|report|rule|rules|item|items|measure|measured|waiting|done|added|sent|share|hands"
    r"|words|sentences|sign|send|save|delete|choose|keep|next|first|work|yes)\b",
    re.IGNORECASE,
)
# Everything that is shown or read out in French, each text once, with where it stands.
COLLECT = """() => {
  const found = new Set();
  const foreign = (node) => {
    const marked = node.closest('[lang]');
    return marked && !marked.lang.startsWith('fr');
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, data } = walker.currentNode;
    if (parent.closest('script, style, noscript, template, pre, .talk, .menu__name')) continue;
    if (!foreign(parent)) found.add(data.trim());
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label', 'data-news']) {
    for (const node of document.querySelectorAll(`[${name}]`)) {
      if (!foreign(node)) found.add(node.getAttribute(name).trim());
    }
  }
  found.add(document.title);
  return [...found].filter(Boolean);
}"""

# Headings of tables that a phone breaks after each word, since the table is none there.
SQUEEZED = """[...document.querySelectorAll('caption:not(.visually-hidden)')]
  .filter(each => each.offsetWidth && each.offsetWidth < each.closest('table').offsetWidth - 1)
  .map(each => each.innerText)"""


@pytest.fixture(scope="module")
def untranslated() -> frozenset[str]:
    """English sentences that read otherwise in French: none of them may stand on a page."""
    both = read(catalogue_of("fr"), "fr")
    plain = (each for each in both if each.id and not each.context)
    pairs = ((each.id, each.string) for each in plain if isinstance(each.id, str))
    return frozenset(english for english, french in pairs if english != french)


@pytest.fixture
def leftovers(page: Page, untranslated: frozenset[str]) -> Iterator[Look]:
    """Looks for English on the page as it stands, and for what does not fit the screen."""

    def look(where: str, *, said: Iterable[str] = ()) -> None:
        own = sorted(said, key=len, reverse=True)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        for look_name, width, height in LOOKS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.lang") == "fr", where
            wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            if wide > 0:
                found.append(f"{where} ({look_name}): scrolls sideways by {wide} px")
            found.extend(
                f"{where} ({look_name}): “{heading}” has not the width of its table"
                for heading in page.evaluate(SQUEEZED)
            )
            english = [
                text
                for text in page.evaluate(COLLECT)
                if text not in own and (text in untranslated or ENGLISH.search(_without(text, own)))
            ]
            found.extend(f"{where} ({look_name}): {text}" for text in english)

    found: list[str] = []
    yield look
    assert found == []


def _without(text: str, said: Iterable[str]) -> str:
    for each in said:
        text = text.replace(each, "")
    return re.sub(r"{\w*}", "", text)  # a place in a rule's words has a name of the document


def french(report: Report) -> Report:
    """The same report of a talk in French."""
    events = tuple(each.model_copy(update={"label": "euh"}) for each in report.events)
    words = tuple(
        each.model_copy(update={"text": f"mot{n}"}) for n, each in enumerate(report.words)
    )
    language = report.language.model_copy(update={"code": "fr"}) if report.language else None
    return report.model_copy(update={"events": events, "words": words, "language": language})


@pytest.fixture
def speaks_french(trainee: User, coach: User) -> None:
    """Ana and Bea have chosen French."""
    User.objects.update(language=Language.FRENCH)


@pytest.fixture
def prise(
    live_server: LiveServer, trainee: User, cohort: Cohort, playable: bytes, speaks_french: None
) -> Rehearsal:
    """Ana's analysed take of a talk in French, with a recording that plays."""
    take = RehearsalFactory(
        owner=trainee,
        cohort=cohort,
        content=playable,
        title="Ma soutenance",
        language="fr",
        duration=SECONDS,
        playback_type="video/webm",
    )
    finish_analysis(take, french(make_report(duration=SECONDS)))
    return take


def test_a_visitor_whose_browser_asks_for_french(
    page: Page, live_server: LiveServer, leftovers: Look
) -> None:
    page.set_extra_http_headers({"Accept-Language": "fr-FR,fr;q=0.9,en;q=0.3"})
    for path in (
        reverse("account_login"),
        reverse("account_reset_password"),
        reverse("account_signup"),
        "/no/such/page/",
    ):
        page.goto(live_server.url + path)
        leftovers(path)
    page.goto(live_server.url + reverse("portal:about"))
    leftovers("about")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("How Rostrum measures")
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Comment Rostrum mesure")


def test_a_trainee_signs_in_and_reads(
    arrive: Arrive, live_server: LiveServer, prise: Rehearsal, trainee: User, leftovers: Look
) -> None:
    upload = Upload.objects.create(owner=trainee, name="coupe.mp4", expected_bytes=5_000_000)
    finish_upload(upload=upload, received_bytes=2_500_000, sha256="", complete=False)
    page = arrive(trainee, reverse("feedback:takes"))
    record = reverse("feedback:record")
    expect(page.locator(f"a[href='{record}']").first).to_be_visible()
    leftovers("practise")
    for name, needs in (
        ("feedback:new", []),
        ("feedback:cut_off", [upload.pk]),
        ("feedback:report", [prise.pk]),
        ("portal:privacy", []),
        ("portal:erase", []),
        ("account_change_password", []),
        ("account_logout", []),
    ):
        page.goto(live_server.url + reverse(name, args=needs))
        # Consents stand as they were read when they were given: in English here.
        agreed = [each.text for each in trainee.consents.all()]
        leftovers(name, said=[DETAIL, *agreed])


def test_what_the_page_itself_says_of_a_file_is_in_french(
    arrive: Arrive, prise: Rehearsal, trainee: User
) -> None:
    page = arrive(trainee, reverse("feedback:new"))
    page.locator("form[data-upload]").evaluate("form => { form.dataset.maxBytes = '1500000'; }")
    page.locator("input[type=file]").set_input_files(
        {"name": "a.mp4", "mimeType": "video/mp4", "buffer": b"0" * 2_700_000}
    )
    said = page.locator("[data-files]")
    expect(said).to_contain_text("Ce fichier fait 2,6 Mo")
    expect(said).to_contain_text("Rien n’a été envoyé.")


def test_the_timeline_still_follows_the_recording(
    arrive: Arrive, prise: Rehearsal, trainee: User
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[prise.pk]))
    slider = page.get_by_role("slider", name="Chronologie")
    assert slider.get_attribute("aria-valuemax") == str(round(SECONDS))


def test_a_coach_reviews(
    arrive: Arrive, live_server: LiveServer, prise: Rehearsal, coach: User, leftovers: Look
) -> None:
    note = "Mon ouverture est-elle claire ?"
    send_to_coach(rehearsal=prise, note=note)
    page = arrive(coach, reverse("review:queue"))
    leftovers("queue", said=["Monday group"])
    page.goto(live_server.url + reverse("review:desk", args=[prise.pk]))
    claim = page.get_by_role("button", name="Travailler sur cette intervention")
    if claim.count():
        claim.click()
    leftovers("desk", said=["Monday group", DETAIL])
    page.goto(live_server.url + reverse("review:released"))
    leftovers("released")


def test_a_curator_looks_after_the_rules(
    arrive: Arrive,
    live_server: LiveServer,
    prise: Rehearsal,
    leftovers: Look,
) -> None:
    publish_builtin_rules()
    dora = UserFactory(email="dora@example.org", name="Dora", roles=[Role.CURATOR], language="fr")
    # What a rule's document says for itself, in its own language.
    cases = [case.name for rule in builtin_rule_set().rules for case in rule.cases]
    page = arrive(dora, reverse("curation:rules"))
    for name, needs in (
        ("curation:rules", []),
        ("curation:rule", ["FIL001"]),
        ("curation:edit", ["PAC001"]),
        ("curation:gallery", []),
        ("curation:publish", []),
        ("curation:releases", []),
        ("curation:dry_runs", []),
        ("curation:statistics", []),
        ("curation:import", []),
    ):
        page.goto(live_server.url + reverse(name, args=needs))
        leftovers(name, said=[*cases, "Rule of thumb"])


def test_a_researcher_and_an_administrator(
    arrive: Arrive,
    live_server: LiveServer,
    prise: Rehearsal,
    researcher: User,
    administrator: User,
    leftovers: Look,
) -> None:
    User.objects.update(language=Language.FRENCH)
    page = arrive(researcher, reverse("research:home"))
    leftovers("research")
    page.context.clear_cookies()
    arrive(administrator, reverse("portal:administration"))
    leftovers("administration")
    for model in ("accounts/user", "accounts/cohort", "audit/entry"):
        for place in ("", "add/") if model != "audit/entry" else ("",):
            page.goto(f"{live_server.url}/admin/{model}/{place}")
            expect(page.locator("html")).to_have_attribute("lang", "fr")
            english = [
                text
                for text in page.evaluate(COLLECT)
                if ENGLISH.search(_without(text, ["Monday group"]))
            ]
            assert english == [], (model, place)
