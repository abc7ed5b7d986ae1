"""Publishing, going back, muting: numbered sets that never change."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.curation.releases import (
    mute_rule,
    needs_second_curator,
    publish_approved,
    roll_back,
    unmute_rule,
)
from coach.curation.selectors import working_rule
from coach.curation.services import (
    approve_proposal,
    begin_rule,
    propose_change,
    take_up_builtin_rules,
)
from coach.feedback.models import Feedback
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import active_release, rule_of, versions_of
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import approved, proposed, tried
from tests.feedback_rules.reports import shipped


def in_use() -> RuleSetRelease:
    release = active_release()
    assert release is not None
    return release


def test_publishing_takes_what_is_approved_and_leaves_the_set_before_as_it_was(
    release: RuleSetRelease, curator: User, second_curator: User
) -> None:
    proposal = approved(curator, second_curator)
    with pytest.raises(ValidationError, match="Start a dry run first"):
        publish_approved(curator=curator, seen=(proposal.version_id,))
    tried(curator)
    made = publish_approved(curator=curator, seen=(proposal.version_id,), note="Clearer.")
    assert made.number == release.number + 1
    assert versions_of(made)["FIL001"] == proposal.version
    before = RuleSetRelease.objects.get(pk=release.pk)
    assert before.documents == release.documents
    assert not before.is_active
    proposal.refresh_from_db()
    assert (proposal.state, proposal.published_in) == ("published", made)


@pytest.mark.usefixtures("release")
def test_what_is_only_proposed_is_not_published(curator: User) -> None:
    proposal = proposed(curator)
    with pytest.raises(ValidationError, match="different from when this page was opened"):
        publish_approved(curator=curator, seen=(proposal.version_id,))
    with pytest.raises(ValidationError, match="There are no approved changes"):
        publish_approved(curator=curator, seen=())


@pytest.mark.usefixtures("release")
def test_nothing_is_published_that_the_page_did_not_show(
    curator: User, second_curator: User
) -> None:
    approved(curator, second_curator)
    with pytest.raises(ValidationError, match="check them again"):
        publish_approved(curator=curator, seen=())
    assert in_use().number == 1


def test_going_back_is_a_new_set_with_the_documents_of_the_old_one(
    release: RuleSetRelease, curator: User, second_curator: User
) -> None:
    proposal = approved(curator, second_curator)
    tried(curator)
    publish_approved(curator=curator, seen=(proposal.version_id,))
    made = roll_back(release=release, curator=second_curator, why="Too strict.")
    assert made.number == 3
    assert (made.documents, made.digest) == (release.documents, release.digest)
    assert (made.restores, made.note) == (release, "Too strict.")
    with pytest.raises(ValidationError, match="already"):
        roll_back(release=release, curator=curator, why="Too strict.")
    assert take_up_builtin_rules() == []
    assert in_use() == made


def test_going_back_needs_a_reason_and_coming_forward_again_somebody_else(
    release: RuleSetRelease, curator: User, second_curator: User
) -> None:
    proposal = approved(curator, second_curator)
    tried(curator)
    later = publish_approved(curator=curator, seen=(proposal.version_id,))
    with pytest.raises(ValidationError, match="reason"):
        roll_back(release=release, curator=curator, why=" ")
    roll_back(release=release, curator=curator, why="Too strict.")
    mute_rule(rule="PAU002", curator=curator, why="Wrong here.")
    with pytest.raises(ValidationError, match="Another curator"):
        roll_back(release=later, curator=curator, why="It was right.")
    made = roll_back(release=later, curator=second_curator, why="It was right.")
    assert made.restores == later
    roll_back(release=release, curator=second_curator, why="An emergency.")
    second_curator.is_active = False
    second_curator.save()
    assert not needs_second_curator(later, curator)


def test_one_curator_mutes_at_once_and_the_draft_that_stands_keeps_its_set(
    draft: Feedback, curator: User
) -> None:
    words = draft.draft
    made = mute_rule(rule="FIL001", curator=curator, why="It fires on music.")
    assert "FIL001" not in versions_of(made)
    assert len(made.documents) == len(draft.rule_set.documents) - 1
    draft.refresh_from_db()
    assert draft.draft == words
    assert draft.rule_set.number < made.number
    assert Entry.objects.filter(action="curation.muted", actor=curator).exists()


@pytest.mark.usefixtures("release")
def test_a_muted_rule_speaks_again_in_the_words_it_had(curator: User, second_curator: User) -> None:
    mute_rule(rule="FIL001", curator=curator, why="Wrong here.")
    with pytest.raises(ValidationError, match="nothing to mute"):
        mute_rule(rule="FIL001", curator=curator, why="Again.")
    made = unmute_rule(rule="FIL001", curator=second_curator)
    assert versions_of(made)["FIL001"].number == shipped("FIL001")
    with pytest.raises(ValidationError, match="not muted"):
        unmute_rule(rule="FIL001", curator=curator)


@pytest.mark.usefixtures("release")
def test_muting_needs_a_reason(curator: User) -> None:
    with pytest.raises(ValidationError, match="Give a reason"):
        mute_rule(rule="FIL001", curator=curator, why=" ")


def test_a_mute_outlasts_publishing_and_going_back(
    release: RuleSetRelease, curator: User, second_curator: User
) -> None:
    mute_rule(rule="FIL001", curator=curator, why="Wrong here.")
    proposal = approved(curator, second_curator)
    with pytest.raises(ValidationError, match="There are no approved changes"):
        publish_approved(curator=curator, seen=())
    with pytest.raises(ValidationError, match="except for muted rules"):
        roll_back(release=release, curator=curator, why="Too strict.")
    working = working_rule("FIL001")
    assert working is not None
    assert working.active is None
    assert working.newest == proposal.version


def test_an_upgrade_does_not_wake_a_muted_rule(curator: User, release: RuleSetRelease) -> None:
    mute_rule(rule="FIL001", curator=curator, why="Wrong here.")
    take_up_builtin_rules()
    assert "FIL001" not in versions_of(in_use())
    assert release.number == 1


def test_a_new_rule_that_went_out_of_use_can_be_taken_up_again(
    release: RuleSetRelease, curator: User, second_curator: User, sign_in: SignIn
) -> None:
    """Its number stays taken, so without its last version all of it would have to be typed anew."""
    version = versions_of(release)["FIL001"]
    proposal = begin_rule(version=version, rule_id="ABC123", author=curator)
    approve_proposal(proposal=proposal, curator=second_curator)
    tried(curator)
    made = publish_approved(curator=curator, seen=(proposal.version_id,))
    roll_back(release=release, curator=second_curator, why="Too strict.")
    client = sign_in(curator)

    told = client.get(reverse("curation:release", args=[made.number])).content.decode()
    page = reverse("curation:rule", args=["ABC123"])
    assert f'href="{page}"' in told
    last = client.get(page, follow=True)
    assert last.redirect_chain == [(reverse("curation:version", args=["ABC123", 1]), 302)]
    edit = reverse("curation:edit", args=["ABC123"])
    assert f'href="{edit}?from=1"' in last.content.decode()
    assert "Not in use" in last.content.decode()
    shown = client.get(edit, {"from": "1"})
    assert shown.status_code == 200
    base = shown.context["base"]
    assert base == proposal.version
    again = propose_change(rule=rule_of(base), base=base, author=curator, why="Once more.")
    approve_proposal(proposal=again, curator=second_curator)
    assert client.get(page).status_code == 200
    assert client.get(reverse("curation:rule", args=["XYZ999"])).status_code == 404
    assert client.get(reverse("curation:edit", args=["XYZ999"])).status_code == 404
