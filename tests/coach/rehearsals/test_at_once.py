"""A take that its owner deletes or takes back while its coach is at work on it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.messages import ask_trainee
from coach.feedback.models import Feedback
from coach.feedback.notes import NoteWords, write_note
from coach.feedback.releases import release_feedback
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import delete_rehearsal, withdraw_from_coach
from tests.coach.crossing import in_the_middle_of, on_its_own, waits
from tests.coach.review.deciding import settle

pytestmark = pytest.mark.django_db(transaction=True)


def ask(feedback: Feedback, coach: User) -> None:
    ask_trainee(feedback=feedback, coach=coach, text="Why?")


def note(feedback: Feedback, coach: User) -> None:
    write_note(feedback=feedback, coach=coach, words=NoteWords(text="Here", start=1.0))


@pytest.mark.parametrize("act", [ask, note])
def test_what_a_coach_does_meanwhile_keeps_no_take(
    sent: Rehearsal, coach: User, act: Callable[[Feedback, User], None]
) -> None:
    take = Rehearsal.objects.select_related("owner").get(pk=sent.pk)
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(partial(act, Feedback.objects.get(rehearsal=take), coach), pool):
            deleting = pool.submit(on_its_own(partial(delete_rehearsal, rehearsal=take)))
            assert waits(deleting)
        deleting.result(timeout=30)
    assert not Rehearsal.any_kind.filter(pk=sent.pk).exists()
    assert Entry.objects.filter(action="rehearsals.deleted").count() == 1


def test_what_is_taken_back_at_this_moment_is_not_released(sent: Rehearsal, coach: User) -> None:
    feedback = Feedback.objects.get(rehearsal=sent)
    settle(feedback, coach)
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(partial(withdraw_from_coach, rehearsal=sent), pool):
            late = pool.submit(on_its_own(lambda: release_feedback(feedback=feedback, coach=coach)))
            assert waits(late)
        with pytest.raises(ValidationError, match="withdrawn in the meantime"):
            late.result(timeout=30)
    feedback.refresh_from_db()
    assert feedback.state == Feedback.State.DRAFT
