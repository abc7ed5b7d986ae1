"""Who was erased stands nowhere any more: looked for in every row of every table."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.drafts.models import FormDraft
from coach.drafts.services import autosave_draft, save_submitted_draft
from coach.guests.services import make_link
from coach.portal.personal.erasure import erase_person
from coach.portal.receipts.services import delete_take
from coach.rehearsals.models import Rehearsal
from coach.review.services import claim_rehearsal, enqueue_sent, hand_over
from tests.coach.factories import UserFactory, join
from tests.coach.stored_rows import rows_that_say


def test_a_sign_in_on_another_machine_goes_with_the_account_and_its_address(
    trainee: User, coach: User
) -> None:
    for person in (trainee, coach):
        person.set_password("rehearse-with-me")
        person.save()
        form = {"login": person.email, "password": "rehearse-with-me"}
        assert Client().post(reverse("account_login"), form).status_code == 302
    assert any(trainee.email in str(each.get_decoded()) for each in Session.objects.all())
    erase_person(user=trainee)
    assert rows_that_say(trainee.email) == []
    assert Session.objects.count() == 1


def test_coaches_between_whom_a_take_went_are_named_by_no_log(
    sent: Rehearsal, cohort: Cohort
) -> None:
    people = [UserFactory(name=name, roles=[Role.COACH]) for name in ("Quillanda", "Zephyrine")]
    for person in people:
        join(cohort, person, Role.COACH)
    first, second = people
    enqueue_sent()
    claim_rehearsal(rehearsal=sent, coach=first)
    hand_over(rehearsal=sent, coach=first, to=second, note="The ending is yours.")
    assert Entry.objects.get(action="review.handed_over").detail == {"person": second.pk}
    for person in people:
        erase_person(user=person)
    assert rows_that_say("Quillanda", "Zephyrine") == []


def test_the_log_of_before_forgets_between_whom_a_take_went(coach: User) -> None:
    old = Entry.objects.create(
        action="review.handed_over", actor=coach, detail={"before": "Bea", "after": "Bo"}
    )
    new = Entry.objects.create(action="review.handed_over", actor=coach, detail={"person": 7})
    loader = MigrationExecutor(connection).loader
    node = ("audit", "0007_handed_over_without_names")
    loader.get_migration(*node).operations[-1].code(loader.project_state([node]).apps, None)
    for entry, detail in ((old, {}), (new, {"person": 7})):
        entry.refresh_from_db()
        assert entry.detail == detail


def test_what_others_were_typing_about_a_take_goes_with_it(
    sent: Rehearsal, trainee: User, coach: User
) -> None:
    desk, queue = reverse("review:desk", args=[sent.pk]), reverse("review:queue")
    link, _token = make_link(
        rehearsal=sent, maker=trainee, meant_for="Bea", days=7, shows_findings=False
    )
    for page in (desk, reverse("guests:visit", args=[link.pk]), queue):
        autosave_draft(user=coach, page=page, form="#0", fields={"why": f"Zephyrine on {page}"})
    ask = reverse("review:ask", args=[sent.pk])
    save_submitted_draft(
        user=coach, url=ask, page="/", fields=[("text", "Zephyrine, why?")], files=[]
    )
    delete_take(rehearsal=sent)
    # A desk that is still open somewhere tells what is typed on it.
    autosave_draft(user=coach, page=desk, form="#0", fields={"why": "Zephyrine again"})
    assert list(FormDraft.objects.values_list("page", flat=True)) == [queue]
    assert len(rows_that_say("Zephyrine")) == 1
