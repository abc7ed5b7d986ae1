"""A moved threshold is not published while the card names the old number and nobody answered."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.editor.adapting import adapted, stale_parts
from coach.curation.models import Proposal
from coach.curation.releases import planned_changes, publish_obstacle
from coach.curation.services import approve_proposal, propose_change
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_of
from feedback_rules.loader import rule_to_document
from feedback_rules.model import Rule
from tests.coach.conftest import SignIn
from tests.coach.curation.forms import form_on
from tests.coach.curation.steps import leaving_figures, newest, opened, pressed, tried

STUDY = "In one English study, 5 did not lower perceived effectiveness; 12 did."
PAU010 = "/rules/PAU010/edit/"


@pytest.fixture
def raised(release: RuleSetRelease, curator: User) -> Proposal:
    """FIL001 from 5 to 7, with its cases; its comparison still says 5, and cites no study."""
    base = newest("FIL001")
    document, before = rule_to_document(rule_of(base)), rule_of(base)
    document["when"]["all"][0]["value"] = 7
    document["cites_study"] = False
    rule = Rule.model_validate(document)
    stale = stale_parts(before, rule, frozenset(range(len(rule.cases))))
    moved = Rule.model_validate(adapted(document, before, rule, stale))
    return propose_change(rule=moved, base=base, author=curator, why="Fewer cards.")


def test_nobody_approves_or_publishes_a_number_of_before_that_nobody_answered_for(
    raised: Proposal, curator: User, second_curator: User, sign_in: SignIn
) -> None:
    with pytest.raises(ValidationError, match="still states the old number"):
        approve_proposal(proposal=raised, curator=second_curator)
    client, url = sign_in(second_curator), reverse("curation:proposal", args=[raised.pk])
    page = client.get(url).content.decode()
    assert STUDY in page
    answer = reverse("curation:keep_figures", args=[raised.pk])
    client.post(answer, {**leaving_figures(page), "other": ["x"]})
    assert STUDY not in client.get(url).content.decode().partition("The resulting card")[0]
    approve_proposal(proposal=raised, curator=second_curator)
    tried(curator)
    assert publish_obstacle(planned_changes()) == ""
    # Approved by a version before this one: it is asked for again where it is published.
    Proposal.objects.update(figures_kept=[])
    assert "still states the old number" in publish_obstacle(planned_changes())


def test_only_what_the_card_says_can_be_answered_for(
    raised: Proposal, second_curator: User, sign_in: SignIn
) -> None:
    answer = reverse("curation:keep_figures", args=[raised.pk])
    sign_in(second_curator).post(answer, {"kept_figure": ["Something else.", STUDY]})
    assert Proposal.objects.get(pk=raised.pk).figures_kept == [STUDY]


def test_the_editor_asks_for_an_answer_before_it_proposes(
    release: RuleSetRelease, curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    form = opened(client, PAU010) | {
        "when|all|0|value": ["0.6"],
        "message|en|comparison": ["Rule of thumb: at least 55%."],
        "message|fr|comparison": ["Repère empirique\u00a0: au moins 55\u00a0%."],
        "why": ["Clearer."],
    }
    form = form_on(pressed(client, form, "adapt", PAU010)) | {"why": ["Clearer."]}
    page = pressed(client, form, "save", PAU010)
    assert "The card still states the old number (listed above)." in page
    assert not Proposal.objects.exists()
    field = "message|en|comparison"
    assert "55%" in form[field][0]
    form = form_on(pressed(client, form, f"figure|{field}", PAU010))
    assert "60%" in form[field][0]
    assert "55%" not in form[field][0]
    page = pressed(client, form | {"why": ["Clearer."]}, "look", PAU010)
    form = form_on(page) | {"why": ["Clearer."]} | leaving_figures(page)
    assert "Saved as a proposal" in pressed(client, form, "save", PAU010)
    kept = Proposal.objects.get().figures_kept
    assert kept
    assert all("55" in text for text in kept)
