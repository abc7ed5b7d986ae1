"""Before a live session a coach reads an agenda; afterwards both read the coach's notes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Question
from coach.practice.coaching_sessions.page import agenda_for
from coach.practice.coaching_sessions.services import keep_session
from coach.practice.models import CoachingSession
from coach.practice.personal_data import PERSONAL_DATA
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from tests.coach.conftest import SignIn

NOTES = {"notes": "We slowed the first minute down."}


def test_the_agenda_names_takes_since_the_last_session_with_their_questions(
    sent: Rehearsal, trainee: User, coach: User
) -> None:
    feedback = sent.feedback.get()
    Question.objects.create(
        rehearsal=sent,
        feedback=feedback,
        item=feedback.items.get(),
        asker=trainee,
        asker_name=str(trainee),
        text="Where should I breathe?",
    )
    page = agenda_for(coach, sent)
    assert [each.title for each in page.takes] == [sent.title]
    assert [each.text for each in page.takes[0].asked] == ["Where should I breathe?"]
    assert not page.takes[0].is_answered
    tomorrow = timezone.localdate() + timedelta(days=1)
    keep_session(person=trainee, coach=coach, held_on=tomorrow, **NOTES)
    assert agenda_for(coach, sent).takes == ()


def test_a_coach_keeps_notes_that_the_trainee_reads(
    sent: Rehearsal, trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    url = reverse("practice:agenda", args=[sent.pk])
    client, today = sign_in(coach), timezone.localdate()
    for _press in range(2):
        client.post(url, {**NOTES, "held_on": today.isoformat()})
    session = CoachingSession.objects.get()
    assert (session.person, session.coach, session.held_on) == (trainee, coach, today)
    own = sign_in(trainee)
    assert NOTES["notes"] in own.get(reverse("practice:sessions")).content.decode()
    assert reverse("practice:sessions") in own.get(reverse("practice:plan")).content.decode()
    assert (
        NOTES["notes"] not in sign_in(stranger).get(reverse("practice:sessions")).content.decode()
    )


def test_only_the_coach_who_wrote_notes_changes_and_deletes_them(
    sent: Rehearsal, trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    today = timezone.localdate()
    session = keep_session(person=trainee, coach=coach, held_on=today, **NOTES)
    url = reverse("practice:session", args=[session.pk])
    changed = {"notes": "Another plan.", "held_on": today.isoformat()}
    for other in (trainee, stranger):
        assert sign_in(other).post(url, changed).status_code == 404
    client = sign_in(coach)
    client.post(url, changed)
    session.refresh_from_db()
    assert session.notes == "Another plan."
    later = (today + timedelta(days=2)).isoformat()
    page = client.post(url, {**changed, "held_on": later})
    assert page.status_code == 200
    assert "held_on" in page.context["form"].errors
    client.post(url, {"delete": "yes"})
    assert not CoachingSession.objects.exists()


def test_a_take_that_was_taken_back_closes_the_agenda(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    url = reverse("practice:agenda", args=[sent.pk])
    withdraw_from_coach(rehearsal=sent)
    assert sign_in(coach).get(url).status_code == 404
    posted = {**NOTES, "held_on": timezone.localdate().isoformat()}
    assert sign_in(coach).post(url, posted).status_code == 404
    assert not CoachingSession.objects.exists()


@pytest.mark.parametrize("key", ["coaching_sessions", "coaching_sessions_noted"])
def test_notes_are_among_the_own_data_and_lose_an_erased_coach(
    key: str, sent: Rehearsal, trainee: User, coach: User
) -> None:
    session = keep_session(person=trainee, coach=coach, held_on=timezone.localdate(), **NOTES)
    person = trainee if key == "coaching_sessions" else coach
    assert PERSONAL_DATA.export(person)[key][0]["notes"] == NOTES["notes"]
    PERSONAL_DATA.erase(coach)
    session.refresh_from_db()
    assert (session.coach, session.coach_name) == (None, "A former coach")
