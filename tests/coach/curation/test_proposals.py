"""Proposing, approving, sending back: who may, and that nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.curation.models import Proposal
from coach.curation.releases import mute_rule
from coach.curation.selectors import next_rule_set, working_rule, working_rules
from coach.curation.services import (
    EditedMeanwhile,
    approval_obstacle,
    approve_proposal,
    propose_change,
    send_back,
    take_up_builtin_rules,
    withdraw_proposal,
)
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.rulesets.selectors import rule_of, versions_of
from coach.rulesets.services import store_version
from feedback_rules.loader import load_rules, rule_to_yaml
from feedback_rules.model import Rule, RuleSet
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import newest, proposed
from tests.feedback_rules.reports import shipped

pytestmark = pytest.mark.usefixtures("release")


def test_stored_documents_are_byte_for_byte_the_files(release: RuleSetRelease) -> None:
    versions = versions_of(release)
    for rule in load_rules():
        assert versions[rule.id].text == rule_to_yaml(rule)


def test_a_change_is_a_new_version_and_the_old_one_stays(curator: User) -> None:
    before = newest("FIL001")
    proposal = proposed(curator)
    assert proposal.version.number == before.number + 1
    assert proposal.version.base == before
    assert "Another title" in proposal.version.text
    assert "Another title" not in RuleVersion.objects.get(pk=before.pk).text


def test_one_rule_by_itself_is_what_it_is_among_all(curator: User, second_curator: User) -> None:
    approve_proposal(proposal=proposed(curator), curator=second_curator)
    proposed(curator, title="A third title")
    mute_rule(rule="PAC001", curator=curator, why="Too many.")
    every = working_rules()
    for rule in ("FIL001", "PAC001", "PIT001"):
        assert working_rule(rule) == every[rule]
    assert working_rule("XXX999") is None


def test_nothing_changed_is_nothing_proposed(curator: User) -> None:
    base = newest("FIL001")
    with pytest.raises(ValidationError, match="Nothing was changed"):
        propose_change(rule=rule_of(base), base=base, author=curator, why="")


def test_an_edit_of_what_is_no_longer_the_newest_is_refused_and_names_it(
    curator: User, second_curator: User
) -> None:
    base = newest("FIL001")
    theirs = proposed(second_curator)
    mine = rule_of(base).model_copy(update={"title": "Mine"})
    with pytest.raises(EditedMeanwhile) as caught:
        propose_change(rule=mine, base=base, author=curator, why="")
    assert caught.value.newest == theirs.version
    assert not RuleVersion.objects.filter(text__contains="title: Mine").exists()


def test_the_author_cannot_approve_their_own(curator: User, second_curator: User) -> None:
    proposal = proposed(curator)
    with pytest.raises(ValidationError, match="another curator"):
        approve_proposal(proposal=proposal, curator=curator)
    assert approve_proposal(proposal=proposal, curator=second_curator).state == "approved"


@override_settings(SINGLE_CURATOR_WAIT_HOURS=24)
def test_a_single_curator_waits_for_the_hours_that_the_site_named(curator: User) -> None:
    proposal = proposed(curator)
    with pytest.raises(ValidationError, match="only curator"):
        approve_proposal(proposal=proposal, curator=curator)
    Proposal.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert approve_proposal(proposal=proposal, curator=curator).state == "approved"


@override_settings(SINGLE_CURATOR_WAIT_HOURS=24)
@pytest.mark.usefixtures("second_curator")
def test_where_there_are_two_curators_waiting_does_not_replace_the_second(curator: User) -> None:
    proposal = proposed(curator)
    Proposal.objects.update(created_at=timezone.now() - timedelta(hours=25))
    with pytest.raises(ValidationError, match="another curator"):
        approve_proposal(proposal=proposal, curator=curator)


def test_a_rule_whose_cases_fail_is_not_approved(curator: User, second_curator: User) -> None:
    base = newest("FIL001")
    rule = rule_of(base)
    raised = rule.when.all[0].model_copy(update={"value": 7.0})
    when = rule.when.model_copy(update={"all": (raised,)})
    proposal = propose_change(
        rule=rule.model_copy(update={"when": when}), base=base, author=curator, why=""
    )
    with pytest.raises(ValidationError, match="cases and texts pass"):
        approve_proposal(proposal=proposal, curator=second_curator)


def test_sending_back_needs_a_reason_and_ends_the_proposal(
    curator: User, second_curator: User
) -> None:
    proposal = proposed(curator)
    with pytest.raises(ValidationError, match="Say what"):
        send_back(proposal=proposal, curator=second_curator, reason="  ")
    assert send_back(proposal=proposal, curator=second_curator, reason="Name a source.").reason
    with pytest.raises(ValidationError, match="already"):
        approve_proposal(proposal=proposal, curator=second_curator)
    assert newest("FIL001").number == shipped("FIL001")


def test_only_the_author_takes_a_change_back(curator: User, second_curator: User) -> None:
    proposal = proposed(curator)
    with pytest.raises(ValidationError, match="Only the author"):
        withdraw_proposal(proposal=proposal, curator=second_curator)
    assert withdraw_proposal(proposal=proposal, curator=curator).state == "withdrawn"


def test_a_newer_change_replaces_the_open_one_but_not_the_approved_one(
    curator: User, second_curator: User
) -> None:
    first = approve_proposal(proposal=proposed(curator), curator=second_curator)
    second = proposed(curator, title="Second")
    third = proposed(second_curator, title="Third")
    for each in (first, second, third):
        each.refresh_from_db()
    assert [first.state, second.state, third.state] == ["approved", "replaced", "open"]
    titles = {rule.id: rule.title for rule in next_rule_set().rules}
    assert titles["FIL001"] == "Another title"


def test_an_upgrade_replaces_only_what_nobody_changed_and_proposes_the_rest(
    curator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    RuleSetRelease.objects.all().delete()
    RuleVersion.objects.all().delete()
    newer = {rule.id: rule for rule in load_rules()}
    older = {name: newer[name].model_copy(update={"title": "Older"}) for name in newer}
    monkeypatch.setattr(
        "coach.rulesets.services.builtin_rule_set",
        lambda: RuleSet(number=1, rules=tuple(older.values())),
    )
    take_up_builtin_rules()
    base = newest("PAC001")
    ours = rule_of(base).model_copy(update={"title": "Ours"})
    store_version(rule=ours, origin=RuleVersion.Origin.STUDIO, author=curator, base=base)
    active = RuleSetRelease.objects.get(is_active=True)
    documents = [
        {**each, "title": "Ours", "version": base.number + 1} if each["id"] == "PAC001" else each
        for each in active.documents
    ]
    rules = tuple(Rule.model_validate(each) for each in documents)
    digest = RuleSet(number=active.number, rules=rules).digest
    RuleSetRelease.objects.filter(pk=active.pk).update(documents=documents, digest=digest)
    monkeypatch.undo()
    made = take_up_builtin_rules()
    assert [(each.rule, each.version.number) for each in made] == [("PAC001", base.number + 2)]
    speaking = versions_of(RuleSetRelease.objects.get(is_active=True))
    assert speaking["FIL001"].text.startswith(f"id: FIL001\nversion: {shipped('FIL001') + 1}\n")
    assert "Ours" in speaking["PAC001"].text
    assert take_up_builtin_rules() == []


class TestRetiring:
    """From the page of a rule into a proposal, which a second curator decides on."""

    def press(self, client: Client, **sent: str) -> str:
        form = {"why": "Nobody keeps it.", "base": str(newest("FIL001").number), **sent}
        url = reverse("curation:retire", args=["FIL001"])
        return client.post(url, form, follow=True).content.decode()

    def test_it_is_a_proposal_that_changes_the_status_alone(
        self, curator: User, second_curator: User, sign_in: SignIn
    ) -> None:
        client = sign_in(curator)
        page = client.get(reverse("curation:rule", args=["FIL001"])).content.decode()
        assert "Propose to retire the rule" in page
        before = newest("FIL001").document
        assert "The rule stays in use until a second curator agrees" in self.press(client)
        proposal = Proposal.objects.get(state="open")
        assert proposal.version.document == {
            **before,
            "status": "retired",
            "version": proposal.version.number,
        }
        assert proposal.version.why == "Nobody keeps it."
        assert approval_obstacle(proposal, curator=second_curator) == ""
        approve_proposal(proposal=proposal, curator=second_curator)
        page = client.get(reverse("curation:rule", args=["FIL001"])).content.decode()
        assert "Propose to retire the rule" not in page
        assert "This rule is already retired." in self.press(client)

    def test_a_change_that_is_proposed_is_decided_on_first(
        self, curator: User, sign_in: SignIn
    ) -> None:
        mine = proposed(curator)
        client = sign_in(curator)
        page = client.get(reverse("curation:rule", args=["FIL001"])).content.decode()
        assert "Propose to retire the rule" not in page
        assert "Decide on it first" in self.press(client)
        mine.refresh_from_db()
        assert mine.state == "open"

    @pytest.mark.parametrize(
        ("sent", "told"),
        [({"why": " "}, "why you retire this rule"), ({"base": "0"}, "changed in the meantime")],
    )
    def test_without_a_reason_or_from_an_old_page_nothing_is_proposed(
        self, sent: dict[str, str], told: str, curator: User, sign_in: SignIn
    ) -> None:
        assert told in self.press(sign_in(curator), **sent)
        assert not Proposal.objects.exists()
