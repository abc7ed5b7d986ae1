"""A rule that is retired or muted while a take waits: its coach is told, and nothing is changed."""

from __future__ import annotations

from django.urls import reverse

from coach.accounts.models import Role, User
from coach.curation.releases import mute_rule, publish_approved
from coach.curation.services import approve_proposal, propose_change
from coach.feedback.models import Feedback
from coach.feedback.releases import release_feedback
from coach.rehearsals.models import Rehearsal
from coach.rulesets.models import Pin
from coach.rulesets.selectors import rule_of
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import newest, tried
from tests.coach.factories import UserFactory
from tests.coach.review.deciding import settle

TOLD = "The rule for this card is no longer in use (since rule set 2)."


def published(**changes: object) -> None:
    """FIL001 with this changed speaks, or is silent, from now on."""
    curator, second = (UserFactory(roles=[Role.CURATOR]) for _each in range(2))
    base = newest("FIL001")
    rule = rule_of(base).model_copy(update=changes)
    proposal = propose_change(rule=rule, base=base, author=curator, why="Coaches overrule it.")
    approve_proposal(proposal=proposal, curator=second)
    tried(curator)
    publish_approved(curator=second, seen=(proposal.version_id,))


def desk(take: Rehearsal, coach: User, sign_in: SignIn) -> str:
    return sign_in(coach).get(reverse("review:desk", args=[take.pk])).content.decode()


def test_the_desk_says_that_the_rule_of_an_item_was_retired_since(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert "no longer in use" not in desk(sent, coach, sign_in)
    published(status="retired")
    assert desk(sent, coach, sign_in).count(TOLD) == 1


def test_the_desk_says_that_the_rule_of_an_item_was_muted_since(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    mute_rule(rule="FIL001", curator=UserFactory(roles=[Role.CURATOR]), why="It counts coughs.")
    html = desk(sent, coach, sign_in)
    assert TOLD in html
    assert "coughs" not in html


def test_a_rule_that_only_reads_otherwise_is_in_use(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    published(title="Another title")
    assert "no longer in use" not in desk(sent, coach, sign_in)


def test_who_is_held_to_the_set_of_before_is_judged_by_it(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    held = Feedback.objects.get(rehearsal=sent).rule_set
    Pin.objects.create(user=sent.owner, cohort=sent.cohort, release=held, holder="study:one")
    published(status="retired")
    assert "no longer in use" not in desk(sent, coach, sign_in)


def test_what_was_released_and_what_its_trainee_reads_say_nothing_of_it(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    published(status="retired")
    report = sign_in(sent.owner).get(reverse("feedback:report", args=[sent.pk]))
    assert "You often said" in report.content.decode()
    assert "no longer in use" not in report.content.decode()
    draft = Feedback.objects.get(rehearsal=sent)
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    assert "no longer in use" not in desk(sent, coach, sign_in)


def test_a_stranger_reads_nothing_of_it(sent: Rehearsal, stranger: User, sign_in: SignIn) -> None:
    mute_rule(rule="FIL001", curator=UserFactory(roles=[Role.CURATOR]), why="It counts coughs.")
    url = reverse("review:desk", args=[sent.pk])
    assert sign_in(stranger).get(url).status_code == 404
