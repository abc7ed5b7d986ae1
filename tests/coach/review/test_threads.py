"""Trainee and coach write under a card or a note, tick it off, and nobody else does."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.items import items_for_reading
from coach.feedback.models import Feedback, TimedNote
from coach.feedback.notes import NoteWords, write_note
from coach.feedback.releases import begin_correction, release_feedback
from coach.feedback.verdicts import CoachItem, add_coach_item, decide_on_item
from coach.notices.models import Kind, Notice
from coach.portal.personal.erasure import erase_person
from coach.review.threads.models import ThreadEntry
from coach.review.threads.selectors import entries_on
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db


@pytest.fixture
def note(draft: Feedback, coach: User) -> TimedNote:
    """A note of Bea in released feedback."""
    written = write_note(
        feedback=draft, coach=coach, words=NoteWords(text="Breathe here.", start=1.0)
    )
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(item=item, coach=coach, kind="accept")
    release_feedback(feedback=draft, coach=coach)
    return written


def own(note: TimedNote, key: object = None) -> str:
    return reverse("review:thread_of_owner", args=[note.feedback.rehearsal_id, key or note.pk])


def coachs(note: TimedNote, key: object = None) -> str:
    return reverse("review:thread", args=[note.feedback.rehearsal_id, key or note.pk])


def open_notices(person: User, kind: Kind) -> int:
    return Notice.objects.filter(person=person, kind=kind, settled_at=None).count()


def test_both_write_under_a_note_and_it_is_ticked_off(
    note: TimedNote, trainee: User, coach: User, sign_in: SignIn
) -> None:
    ana, bea = sign_in(trainee), sign_in(coach)
    report = reverse("feedback:report", args=[note.feedback.rehearsal_id])
    desk = reverse("review:desk", args=[note.feedback.rehearsal_id])
    ana.post(own(note), {"text": "Before or after the number?"})
    assert open_notices(coach, Kind.QUESTION) == 1
    assert "Before or after the number?" in bea.get(desk).content.decode()
    bea.post(coachs(note), {"text": "After it."})
    assert open_notices(coach, Kind.QUESTION) == 0
    assert open_notices(trainee, Kind.ANSWER) == 1
    for _twice in range(2):
        ana.post(own(note), {"wish": "done"})
    page = ana.get(report).content.decode()
    assert "After it." in page
    assert "Open again" in page
    assert [each.kind for each in ThreadEntry.objects.all()] == ["message", "message", "done"]
    erase_person(user=coach, actor=coach)
    assert ThreadEntry.objects.get(text="After it.").author is None


def test_a_card_keeps_its_thread_in_a_corrected_version(
    note: TimedNote, trainee: User, coach: User, sign_in: SignIn
) -> None:
    item = items_for_reading(note.feedback)[0].item
    sign_in(trainee).post(own(note, item.pk), {"text": "Why this one?"})
    sign_in(trainee).post(own(note), {"text": "And here?"})
    fresh = begin_correction(feedback=note.feedback, coach=coach)
    later, again = fresh.items.get(former=item), fresh.notes.get()
    entries = entries_on(note.feedback.rehearsal)
    assert [each.text for each in entries[later.pk]] == ["Why this one?"]
    assert [each.text for each in entries[again.pk]] == ["And here?"]
    # Under a card that its trainee has not read nobody writes.
    words = CoachItem(
        tone="improvement", quality="clarity", claim="New.", suggestion="", clips=((0.0, 1.0),)
    )
    new = add_coach_item(feedback=fresh, coach=coach, words=words)
    assert sign_in(coach).post(coachs(note, new.pk), {"text": "x"}).status_code == 404
    assert sign_in(coach).post(coachs(note, later.pk), {"text": "It is late."}).status_code == 302
    assert len(entries_on(note.feedback.rehearsal)[item.pk]) == 2


def test_a_stranger_and_an_unreleased_note_get_nothing(
    draft: Feedback, stranger: User, trainee: User, coach: User, sign_in: SignIn
) -> None:
    waiting = write_note(feedback=draft, coach=coach, words=NoteWords(text="Wait.", start=1.0))
    clients: list[tuple[Client, str]] = [
        (sign_in(stranger), own(waiting)),
        (sign_in(stranger), coachs(waiting)),
        (sign_in(trainee), own(waiting)),
        (sign_in(trainee), coachs(waiting)),
        (sign_in(coach), own(waiting)),
        (sign_in(coach), coachs(waiting)),
    ]
    for client, url in clients:
        assert client.post(url, {"text": "Hello"}).status_code == 404, url
    assert not ThreadEntry.objects.exists()
