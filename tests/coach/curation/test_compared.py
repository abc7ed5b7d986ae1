"""A proposal shows the card as it reads now beside the card that it makes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.models import Proposal
from coach.curation.pages.preview import compared_previews, sample_previews
from coach.curation.pages.sentences import when_it_speaks
from coach.curation.services import propose_change, withdraw_proposal
from coach.rulesets.selectors import rule_of
from feedback_rules.model import Rule
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import newest, proposed

pytestmark = pytest.mark.usefixtures("release")

NAMES_IT = "These texts still state the old number."


def changed(author: User, **changes: object) -> Proposal:
    """Another threshold, other words or another status of the rule about ums."""
    base = newest("FIL001")
    rule = rule_of(base)
    threshold = changes.pop("threshold", None)
    if threshold is not None:
        first, *rest = rule.when.all
        moved = first.model_copy(update={"value": threshold})
        changes["when"] = rule.when.model_copy(update={"all": (moved, *rest)})
        changes["severity"] = rule.severity.model_copy(update={"edge": threshold})
    made = rule.model_copy(update=changes)
    return propose_change(rule=made, base=base, author=author, why="As coaches say.")


def read(proposal: Proposal, curator: User, sign_in: SignIn) -> str:
    url = reverse("curation:proposal", args=[proposal.pk])
    return sign_in(curator).get(url).content.decode()


def both(proposal: Proposal) -> tuple[Rule, Rule]:
    base = proposal.version.base
    assert base is not None
    return rule_of(proposal.version), rule_of(base)


def test_with_another_threshold_a_case_stands_there_on_which_only_one_of_them_speaks(
    curator: User, sign_in: SignIn
) -> None:
    proposal = changed(curator, threshold=4.0)
    english, french = compared_previews(*both(proposal))
    assert english.now.card is None
    assert english.now.silent
    assert english.proposed.card is not None
    assert french.title.endswith("in French")
    html = read(proposal, curator, sign_in)
    assert html.count("Current card") == 2
    line = "“Um and uh” is above {} per minute (the lower end of its range)."
    assert f"<del>{line.format(5)}</del>" in html
    assert f"<ins>{line.format(4)}</ins>" in html
    assert html.count("<li>the talk lasts 1:00 or longer\n</li>") == 2, "what both say is unmarked"


def test_what_was_decided_on_is_compared_with_nothing_that_reads_so_now(
    curator: User, sign_in: SignIn
) -> None:
    proposal = changed(curator, threshold=4.0)
    withdraw_proposal(proposal=proposal, curator=curator)
    html = read(proposal, curator, sign_in)
    assert "Current card" not in html
    assert "Current version" not in html
    assert NAMES_IT not in html
    assert "On its case" in html


def test_where_only_the_title_differs_the_card_stands_there_once_folded(
    curator: User, sign_in: SignIn
) -> None:
    html = read(proposed(curator), curator, sign_in)
    assert html.count("<summary>The card does not change</summary>") == 2
    assert "As proposed" not in html
    assert "Current version" not in html


def test_of_a_rule_that_is_retired_the_card_that_nobody_reads_any_more_stands_there(
    curator: User, sign_in: SignIn
) -> None:
    proposal = changed(curator, status="retired")
    english, _french = compared_previews(*both(proposal))
    assert english.now.card is not None
    assert english.proposed.card is None
    assert english.proposed.silent
    html = read(proposal, curator, sign_in)
    assert "None of its cases gives a card." not in html


def test_nobody_but_curators_reads_it(
    curator: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    url = reverse("curation:proposal", args=[changed(curator, threshold=4.0).pk])
    for person in (coach, stranger):
        assert sign_in(person).get(url).status_code == 404


@pytest.mark.parametrize(
    ("status", "told"), [("retired", "This rule is retired"), ("draft", "is a draft")]
)
def test_how_a_rule_speaks_that_never_does_begins_with_that(status: str, told: str) -> None:
    rule = rule_of(newest("FIL001"))
    assert told not in when_it_speaks(rule)[0].lead
    silent = rule.model_copy(update={"status": status})
    assert told in when_it_speaks(silent)[0].lead
    assert when_it_speaks(silent)[1:] == when_it_speaks(rule)


def test_the_page_of_a_retired_rule_shows_the_card_that_it_made(curator: User) -> None:
    retired = rule_of(newest("FIL001")).model_copy(update={"status": "retired"})
    shown = sample_previews(retired)
    assert [each.card is not None for each in shown] == [True, True]


def test_the_words_that_still_name_the_old_number_stand_above_the_card(
    curator: User, sign_in: SignIn
) -> None:
    html = read(changed(curator, threshold=4.0, cites_study=False), curator, sign_in)
    assert NAMES_IT in html
    assert "did not lower perceived effectiveness" in html.split(NAMES_IT)[1].split("</ul>")[0]


def test_where_no_number_was_moved_no_words_are_named(curator: User, sign_in: SignIn) -> None:
    assert NAMES_IT not in read(proposed(curator, title="Clearer"), curator, sign_in)
