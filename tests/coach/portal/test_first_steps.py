"""First steps: ticked by what is really there, gone once all is done or once they are put away."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.html import escape

from coach.accounts.models import Cohort, Membership, Policy, Role, User
from coach.feedback.models import Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.portal.home.first_steps import STEPS, steps_for
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import note_opened
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join

FIRST_PAGES = {
    "practise": ("feedback:takes", {"roles": [Role.TRAINEE]}),
    "review": ("review:queue", {"roles": [Role.COACH]}),
    "rules": ("curation:rules", {"roles": [Role.CURATOR]}),
    "research": ("research:home", {"roles": [Role.RESEARCHER]}),
    "administration": ("portal:administration", {"is_staff": True, "is_superuser": True}),
}


@pytest.mark.django_db
@pytest.mark.parametrize("part", STEPS)
def test_each_part_begins_with_its_steps_until_they_are_put_away(
    part: str, sign_in: SignIn
) -> None:
    name, what = FIRST_PAGES[part]
    person = UserFactory(email="new@example.org", name="New", **what)
    client = sign_in(person)
    page = client.get(reverse(name)).content.decode()
    assert "First steps" in page
    for step in steps_for(person, part):
        words, is_here = escape(step.words), step.url == reverse(name)
        assert words in page
        assert step.is_done or (f'<a href="{step.url}">{words}' in page) is not is_here
    answer = client.post(reverse("portal:hide_steps", args=[part]), {"next": reverse(name)})
    assert answer.headers["Location"] == reverse(name)
    assert "First steps" not in client.get(reverse(name)).content.decode()
    assert steps_for(UserFactory(email="other@example.org", **what), part)


def test_a_trainees_steps_tick_themselves_and_go_once_all_is_done(
    sent: Rehearsal, trainee: User
) -> None:
    def done() -> list[bool]:
        return [step.is_done for step in steps_for(trainee, "practise")]

    assert done() == [True, False, True, False]
    note_opened(rehearsal=sent)
    assert done() == [True, True, True, False]
    again = Rehearsal.objects.get(pk=sent.pk)
    again.pk, again.form_token = uuid4(), uuid4()
    again.save(force_insert=True)
    assert done() == []


def test_where_a_coach_reads_first_nothing_counts_as_read_before_they_have_answered(
    sent: Rehearsal, trainee: User, coach: User, cohort: Cohort
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    note_opened(rehearsal=sent)
    assert [step.is_done for step in steps_for(trainee, "practise")] == [True, False, True, False]
    draft = sent.feedback.get()
    for item in draft.items.all():
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    assert [step.is_done for step in steps_for(trainee, "practise")] == [True, True, True, False]


def test_who_has_no_coach_is_not_asked_to_send_anything(
    sent: Rehearsal, trainee: User, cohort: Cohort, coach: User
) -> None:
    def asked(user: User) -> list[str]:
        return [step.words for step in steps_for(user, "practise")]

    sending = "Send a take to your coach from its report"
    alone, waiting = UserFactory(email="alone@example.org"), UserFactory(email="wait@example.org")
    join(cohort, waiting, Role.TRAINEE)
    assert [sending in asked(user) for user in (alone, waiting, trainee)] == [False, True, True]
    Membership.objects.filter(user=coach).delete()
    # Who has sent one keeps what they have done.
    assert [sending in asked(user) for user in (alone, waiting, trainee)] == [False, False, True]


def test_a_part_that_does_not_exist_has_no_list(trainee: User, sign_in: SignIn) -> None:
    answer = sign_in(trainee).post(reverse("portal:hide_steps", args=["kitchen"]))
    assert answer.status_code == 404
