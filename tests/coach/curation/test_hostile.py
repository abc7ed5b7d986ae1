"""What no page of ours sends: refused or left out, never an error of the server."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.import_export import import_rules
from coach.curation.models import DryRun, Mute, Proposal
from coach.curation.services import propose_change
from coach.rulesets.selectors import rule_of
from feedback_rules.loader import rule_to_yaml
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import EDIT, newest, opened
from tests.feedback_rules.reports import rule

pytestmark = pytest.mark.usefixtures("release")

ODD_NUMBERS = ["²", "9" * 5000, "9" * 25, "-1", "1 ", "１", ""]


@pytest.mark.parametrize("odd", ODD_NUMBERS)
def test_odd_numbers_name_nothing(curator: User, sign_in: SignIn, odd: str) -> None:
    client = sign_in(curator)
    form = opened(client)
    assert client.post(EDIT, {**form, "base": odd}).status_code == 404
    assert client.post(EDIT, {**form, "do": f"remove|cases|{odd}x"}).status_code == 400
    assert client.post(EDIT, {**form, "do": f"adapt|{odd}"}).status_code == 200
    assert client.get(EDIT, {"from": odd}).status_code == (404 if odd else 200)
    assert client.post(reverse("curation:publish"), {"seen": odd}).status_code == 302
    assert (
        client.post(reverse("curation:start_dry_run"), {"proposal": f"{odd}x"}).status_code == 404
    )


def test_null_characters_are_left_out(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    form = {**opened(client), "title": ["A\0 title"], "why": ["Be\0cause."], "do": ["save"]}
    assert client.post(EDIT, form).status_code == 302
    version = Proposal.objects.get().version
    assert (version.document["title"], version.why) == ("A title", "Because.")
    client.post(reverse("curation:mute", args=["FIL002"]), {"why": "No\0isy."})
    assert Mute.objects.get().why == "Noisy."
    hidden = opened(client)["document"][0].replace('"title": "', '"title": "\\u0000')
    assert client.post(EDIT, {**form, "document": [hidden]}).status_code == 400


def test_a_file_with_a_null_character_is_refused_with_its_line(curator: User) -> None:
    text = rule_to_yaml(rule("FIL001")).replace("title: Filled", 'title: "Fil\\0led" #', 1)
    imported = import_rules(name="a.yml", content=text.encode(), curator=curator)
    assert imported.problems == ("a.yml:3: Text cannot contain a null character.",)


def test_half_a_character_in_the_hidden_document_is_refused(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    form = opened(client)
    broken = form["document"][0].replace('"source": "', '"source": "\\ud800')
    assert broken != form["document"][0]
    given = {**form, "document": [broken]}
    given.pop("source", None)
    assert client.post(EDIT, given).status_code == 400


@pytest.mark.parametrize("odd", ["{nope}", "{value.__class__}", "{value:>9999999}", "{0}", "{"])
def test_a_placeholder_that_nothing_fills_is_shown_and_never_tried(
    odd: str, curator: User, sign_in: SignIn
) -> None:
    base = newest("FIL001")
    read = rule_of(base)
    english = read.message.en.model_copy(update={"suggestion": f"Try {odd} now."})
    words = read.message.model_copy(update={"en": english})
    changed = read.model_copy(update={"message": words})
    proposal = propose_change(rule=changed, base=base, author=curator, why="x")
    client = sign_in(curator)
    page = client.get(reverse("curation:proposal", args=[proposal.pk])).content.decode()
    assert "cannot be filled in, so there is no card." in page
    start = reverse("curation:start_dry_run")
    page = client.post(start, {"proposal": proposal.pk}, follow=True).content.decode()
    assert "cannot be filled in, so there is no card to compare." in page
    assert not DryRun.objects.exists()


@pytest.mark.parametrize("odd", ["ABC１２３", "abc", "ABC1234", "ÀBC123", "AB\0C12"])
def test_a_new_rule_needs_a_plain_id(curator: User, sign_in: SignIn, odd: str) -> None:
    url = reverse("curation:begin", args=["FIL001"])
    assert sign_in(curator).post(url, {"id": odd}).status_code == 302
    assert not Proposal.objects.exists()
