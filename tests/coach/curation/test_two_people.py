"""Nothing is published on one person's word: every way round that we could think of."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.curation.models import Proposal
from coach.curation.services import approve_proposal, propose_change
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_of
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import newest, proposed, tried

pytestmark = pytest.mark.usefixtures("release")


def approve(client: Client, proposal: Proposal) -> str:
    url = reverse("curation:approve", args=[proposal.pk])
    client.post(url)
    proposal.refresh_from_db()
    return str(proposal.state)


def test_an_author_who_posts_the_approval_directly_is_refused(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    assert approve(sign_in(curator), proposed(curator)) == "open"


def test_a_curator_who_was_demoted_meanwhile_decides_nothing(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    proposal, client = proposed(curator), sign_in(second_curator)
    assert client.get(reverse("curation:proposal", args=[proposal.pk])).status_code == 200
    User.objects.filter(pk=second_curator.pk).update(roles=[])
    assert approve(client, proposal) == "open"
    with pytest.raises(ValidationError, match="Only curators"):
        approve_proposal(proposal=proposal, curator=second_curator)


def test_a_locked_account_decides_nothing(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    proposal, client = proposed(curator), sign_in(second_curator)
    User.objects.filter(pk=second_curator.pk).update(is_active=False)
    assert approve(client, proposal) == "open"


def test_pressing_approve_twice_approves_once(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    proposal, client = proposed(curator), sign_in(second_curator)
    assert [approve(client, proposal), approve(client, proposal)] == ["approved", "approved"]
    assert Entry.objects.filter(action="curation.approved").count() == 1


def test_a_page_that_shows_an_older_version_approves_nothing(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    old, client = proposed(curator), sign_in(second_curator)
    new = proposed(curator, title="Yet another title")
    assert approve(client, old) == "replaced"
    new.refresh_from_db()
    assert new.state == "open"


def test_the_author_does_not_become_the_second_by_proposing_on_top(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    """What the second one changed is theirs; what both wrote has been read by both."""
    first = proposed(curator)
    changed = rule_of(first.version).model_copy(update={"title": "A third title"})
    mine = propose_change(rule=changed, base=newest("FIL001"), author=curator, why="More.")
    assert approve(sign_in(curator), mine) == "open"
    assert approve(sign_in(curator), first) == "replaced"


def test_who_proposes_publishes_nothing_that_waits(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    proposal = proposed(curator)
    tried(curator)
    sign_in(curator).post(reverse("curation:publish"), {"seen": [str(proposal.version_id)]})
    assert RuleSetRelease.objects.count() == 1


def test_an_import_needs_a_second_curator_as_well(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    text = newest("FIL001").text.replace("value: 5", "value: 9", 1)
    client = sign_in(curator)
    client.post(reverse("curation:import"), {"file": SimpleUploadedFile("a.yml", text.encode())})
    assert approve(client, Proposal.objects.get()) == "open"
