"""Every page of the studio answers a curator, and nobody else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from coach.accounts.models import User
from coach.lib.words.rule_words import LocalisedText, why_believed
from tests.coach.conftest import SignIn
from tests.coach.curation.addresses import ACTS, DECISIONS, PAGES
from tests.coach.curation.steps import proposed

pytestmark = pytest.mark.usefixtures("release")


STRANGERS = pytest.mark.parametrize("who", ["trainee", "coach", "researcher", "stranger"])


def test_a_curator_opens_every_page(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    for name, args in PAGES:
        assert client.get(reverse(f"curation:{name}", args=args)).status_code == 200, name


@STRANGERS
def test_everybody_else_learns_that_there_is_no_such_page(
    who: str, curator: User, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    proposal = proposed(curator)
    client = sign_in(request.getfixturevalue(who))
    for name, args in (*PAGES, ("proposal", (proposal.pk,))):
        assert client.get(reverse(f"curation:{name}", args=args)).status_code == 404, name
    for name, args in (*ACTS, *((name, (proposal.pk,)) for name in DECISIONS)):
        assert client.post(reverse(f"curation:{name}", args=args)).status_code == 404, name
    proposal.refresh_from_db()
    assert proposal.state == "open"


def test_who_is_not_signed_in_is_asked_to(curator: User) -> None:
    client, proposal = Client(), proposed(curator)
    for name, args in (*PAGES, *ACTS, *((name, (proposal.pk,)) for name in DECISIONS)):
        act = client.get if (name, args) in PAGES else client.post
        response = act(reverse(f"curation:{name}", args=args))
        assert response.headers["Location"].startswith("/accounts/login/"), name


def test_a_proposal_shows_what_changes_and_who_may_not_approve_it(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    url = reverse("curation:proposal", args=[proposed(curator).pk])
    own = sign_in(curator).get(url).content.decode()
    assert "another curator has to approve it" in own
    assert "Ask an administrator to add another curator" not in own
    other = sign_in(second_curator).get(url).content.decode()
    assert "Another title" in other
    assert "Approve" in other


def test_the_only_curator_is_told_whom_to_ask_for_another(curator: User, sign_in: SignIn) -> None:
    url = reverse("curation:proposal", args=[proposed(curator).pk])
    assert (
        "Ask an administrator to add another curator" in sign_in(curator).get(url).content.decode()
    )


def test_a_rule_that_nobody_wrote_is_not_there(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    assert client.get(reverse("curation:rule", args=["XXX999"])).status_code == 404
    assert client.get(reverse("curation:edit", args=["XXX999"])).status_code == 404


def test_the_list_is_narrowed_by_words_and_by_lists(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    page = client.get(reverse("curation:rules"), {"search": "filled pauses clear"})
    rows = page.context["rows"]
    assert [row.rule for row in rows] == ["FIL001"]
    for words in ("UM  uh silence", "euh silence", "Laske 2024 clear"):
        page = client.get(reverse("curation:rules"), {"search": words})
        assert "FIL001" in [row.rule for row in page.context["rows"]], words
    assert not client.get(reverse("curation:rules"), {"search": "um zzz"}).context["rows"]
    page = client.get(reverse("curation:rules"), {"tone": "strength", "quality": "structure"})
    assert {(row.tone, row.quality) for row in page.context["rows"]} == {("Strength", "Structure")}
    proposed(curator)
    page = client.get(reverse("curation:rules"), {"state": "open"})
    assert [row.rule for row in page.context["rows"]] == ["FIL001"]


def test_why_a_rule_is_believed_is_read_in_french_and_what_has_no_french_says_so(
    curator: User, sign_in: SignIn
) -> None:
    curator.language = "fr"
    curator.save()
    page = sign_in(curator).get(reverse("curation:rule", args=["FIL001"])).content.decode()
    assert '<p lang="fr">Douze sons d’hésitation par minute' in page
    assert '<span lang="fr">Les hésitations d’une autre voix dans la pièce.</span>' in page
    with translation.override("fr"):
        assert why_believed("A curator's own reason.") == LocalisedText(
            "A curator's own reason.", "en"
        )
