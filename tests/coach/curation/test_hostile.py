"""What no page of ours sends: refused or left out, never an error of the server."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.exchange import import_rules
from coach.curation.models import Mute, Proposal
from feedback_rules.loader import rule_to_yaml
from tests.coach.conftest import SignIn
from tests.coach.curation.test_editor import EDIT, opened
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
    assert imported.problems == ("a.yml:3: A null character is no text.",)


@pytest.mark.parametrize("odd", ["ABC１２３", "abc", "ABC1234", "ÀBC123", "AB\0C12"])
def test_a_new_rule_needs_a_plain_id(curator: User, sign_in: SignIn, odd: str) -> None:
    url = reverse("curation:begin", args=["FIL001"])
    assert sign_in(curator).post(url, {"id": odd}).status_code == 302
    assert not Proposal.objects.exists()
