"""Recording comes first: answers are those of the last take, notes and edges go with the take."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.pages.about_take import facts_of
from coach.feedback.runs.drafting import context_of
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, TalkFactory
from tests.coach.uploads.handing_in import waiting

pytestmark = pytest.mark.usefixtures("no_broker")
RECORD = reverse("feedback:record")


def use(user: User, sign_in: SignIn, query: str = "", **answers: str) -> Rehearsal:
    """Use a take with what the page of the recorder knows, as its script does."""
    client = sign_in(user)
    known = client.get(RECORD + query).context["known"]
    upload = waiting(user, complete=True)
    client.post(reverse("feedback:use_take", args=[upload.pk]), {**known, **answers})
    upload.refresh_from_db()
    assert upload.rehearsal is not None
    return upload.rehearsal


def test_a_first_take_needs_no_answers(trainee: User, sign_in: SignIn) -> None:
    take = use(trainee, sign_in)
    assert (take.aim, take.audience, take.setting, take.language) == (
        "inform",
        "mixed",
        "camera",
        "auto",
    )


def test_another_talk_begins_with_the_answers_about_the_last_one(
    trainee: User, stranger: User, sign_in: SignIn
) -> None:
    RehearsalFactory(owner=stranger, aim="pitch", setting="seated")
    talk = TalkFactory(owner=trainee, title="Thesis", key_words="One")
    last = RehearsalFactory(
        owner=trainee, talk=talk, title="Thesis", aim="teach", setting="stage", goal="clarity"
    )
    take = use(trainee, sign_in)
    assert (take.aim, take.setting, take.goal) == ("teach", "stage", "clarity")
    assert (take.talk == talk, take.title == "Thesis", take.talk.key_words) == (False, False, "")
    again = use(trainee, sign_in, f"?again={last.pk}", title="Thesis")
    assert (again.talk, again.talk.key_words) == (talk, "One")


def test_notes_and_edges_go_with_the_take(trainee: User, sign_in: SignIn) -> None:
    edges = {"part_start": "3.5", "part_end": "62"}
    take = use(trainee, sign_in, key_words="One\r\nTwo", notes="scrolling", **edges)
    assert (take.talk.key_words, take.part_start, take.part_end) == ("One\nTwo", 3.5, 62.0)
    assert take.runs.get().options["start"] == 3.5
    assert context_of(take).notes == "scrolling"
    assert "Scrolling text" in [fact.value for fact in facts_of(take)]
    (exported,) = own_data(trainee)["rehearsals"]
    assert (exported["notes_on_screen"], exported["key_words"]) == ("scrolling", "One\nTwo")


@pytest.mark.parametrize("edges", [("5", "9"), ("50", "20")])
def test_edges_that_leave_nothing_to_measure_are_dropped(
    trainee: User, sign_in: SignIn, edges: tuple[str, str]
) -> None:
    take = use(trainee, sign_in, part_start=edges[0], part_end=edges[1])
    assert (take.part_start, take.part_end) == (None, None)
