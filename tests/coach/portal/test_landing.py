"""What somebody without an account sees: what this is, and a report to try."""

from __future__ import annotations

import html
import re
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from analysis.pipeline.stages import stage_named
from bench.demonstration.sample import SAMPLES
from coach.accounts.models import User
from coach.portal.home import accuracy
from coach.portal.home.sample import LANGUAGES, sample_page, sample_report
from coach.rulesets.services import publish_builtin_rules
from feedback_rules.loader import builtin_rule_set
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_visitor_reads_what_it_is_and_can_play_a_moment(client: Client, language: str) -> None:
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}">' in page
    assert reverse("portal:sample") in page
    assert reverse("account_login") in page
    assert f"/static/sample/{language}.m4a" in page
    assert "data-clip" in page
    assert "data-lanes-text" in page


@pytest.mark.parametrize(
    "promise",
    [
        "no recording ever leaves",  # a bucket, researchers, guests
        "nobody else’s service",
        "sent to nobody else",
        "delete it at any time",  # not under a legal hold
        "delete a take yourself at any time",
        "comparison with other people",  # some cards compare with voices in general
        "experts write",  # no rule is signed
        "same recording always gives",  # context and version count, too
        "no root",  # two system libraries
        "Linux or macOS",  # nobody tried
    ],
)
def test_no_promise_leaves_its_condition_out(promise: str) -> None:
    places = (Path("README.md"), *Path("templates").rglob("*.html"), *Path("docs").rglob("*.md"))
    told = {place: re.sub(r"\s+", " ", place.read_text(encoding="utf-8")) for place in places}
    assert not [place for place, text in told.items() if promise in text]


def test_each_rule_names_its_source_as_visitors_are_told(client: Client) -> None:
    assert all(rule.source.strip() for rule in builtin_rule_set().rules)
    assert "Each rule names its source" in client.get("/").content.decode()


def test_on_a_site_that_nobody_has_an_account_on_it_says_how_the_first_is_made(
    client: Client,
) -> None:
    assert "manage.py add_person ADDRESS --role administrator" in client.get("/").content.decode()
    UserFactory(email="new@example.org")
    assert "add_person" not in client.get("/").content.decode()


def test_who_is_signed_in_goes_to_work(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    assert client.get("/").headers["Location"] == reverse("portal:welcome")
    client.get(reverse("portal:welcome"))
    assert client.get("/").headers["Location"] == reverse("feedback:takes")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_is_the_analysis_of_the_recording_that_plays(language: str) -> None:
    path = finders.find(f"sample/{language}.m4a")
    assert isinstance(path, str)
    assert sample_report(language).media.sha256 == sha256(Path(path).read_bytes()).hexdigest()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_was_analysed_as_recordings_are_now(language: str) -> None:
    """After a stage was changed: `python -m bench sample --spoken`."""
    made = {name: stage.version for name, stage in sample_report(language).stages.items()}
    assert made == {name: stage_named(name).version for name in made}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_holds_what_the_rules_say_now(language: str) -> None:
    with override(language):
        page = sample_page()
    assert sorted(card.tone for card in page.cards) == ["improvement", "improvement", "strength"]
    assert all(len(card.clips) > 1 for card in page.cards)
    assert all(card.explanation for card in page.cards)
    assert page.lanes
    assert page.sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_writes_down_nearly_every_word_of_its_talk(language: str) -> None:
    """A visitor judges the product by this transcript, and by its first line above all."""
    [talk] = [each.talk for each in SAMPLES if each.language == language]
    lines = [re.sub(r"\s*\d\.\d( fading)?$", "", line) for line in talk.lines.split("\n")]
    said = _words(" ".join(lines))
    heard = _words(" ".join(word.text for word in sample_report(language).words))
    first = _words(lines[1])
    assert heard[: len(first)] == first
    matching = SequenceMatcher(a=said, b=heard, autojunk=False).get_matching_blocks()
    assert sum(block.size for block in matching) / len(said) >= 0.9


def _words(text: str) -> list[str]:
    fillers = {"um", "uh"}
    return [word for word in re.findall(r"[\w’']+", text.casefold()) if word not in fillers]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_says_that_its_voice_is_synthetic_and_has_no_picture(
    client: Client, language: str
) -> None:
    for name in ("portal:sample", "portal:home"):
        page = client.get(reverse(name), headers={"Accept-Language": language}).content.decode()
        assert {"en": "synthetic voice", "fr": "voix de synthèse"}[language] in page
        assert {"en": "sound only", "fr": "Avec la vidéo"}[language] in page


def test_the_sample_opens_for_anybody(client: Client, trainee: User, sign_in: SignIn) -> None:
    publish_builtin_rules()
    for somebody in (client, sign_in(trainee)):
        page = somebody.get(reverse("portal:sample")).content.decode()
        assert page.count('class="card"') == len(sample_page().cards)
        assert "I disagree" not in page


def test_visitors_are_told_the_published_figures_with_their_ranges() -> None:
    pages = (Path(f"docs/lab/{name}.md") for name in ("words", "watching", "fillers"))
    published = "".join(page.read_text(encoding="utf-8") for page in pages)
    words = rf"word errors, fillers left out \|[^|]*\| {accuracy.WORDS} words"
    camera = rf"\| all \| {accuracy.PICTURES} \| 0"
    for row, value, (low, high) in (
        (words, accuracy.WORDS_WRONG, accuracy.WORDS_WRONG_RANGE),
        (camera, accuracy.CAMERA_AGREEMENT, accuracy.CAMERA_RANGE),
    ):
        assert re.search(rf"{row} \| {value:.2f} \({low:.2f}-{high:.2f}\)", published)
    assert re.search(rf"^\| French \| {accuracy.EUH_OF_PEOPLE} \|", published, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_figure_carries_its_range_and_ums_have_none(client: Client, language: str) -> None:
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    shown = page[page.index('<dl class="figures">') :].split("</section>")[0]
    meanings = re.findall(r"<dd>(.*?)</dd>", shown)
    assert len(meanings) == 2
    assert all(meaning.count("%") == 2 for meaning in meanings)
    with override(language):
        assert accuracy.fillers_note(language) in html.unescape(shown)
