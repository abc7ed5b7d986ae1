"""Slides of a talk: added, shown in a take, compared in its report, deleted with it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks
from reportlab.pdfgen.canvas import Canvas

from analysis.ports import SlideChange, TimedSlides
from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import delete_rehearsal
from coach.slides import execution, tasks
from coach.slides.models import Deck, ShownSlides, SlideComparison
from coach.slides.selectors import timed_slides_of, titles_of
from coach.slides.services import add_deck
from coach.storage import places
from tests.coach.conftest import SignIn
from tests.coach.factories import lies_at


def pdf(*lines: str) -> SimpleUploadedFile:
    """Return a deck with one line on each page."""
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(960, 540))
    for line in lines:
        canvas.drawString(60, 60, line)
        canvas.showPage()
    canvas.save()
    return SimpleUploadedFile("deck.pdf", written.getvalue(), content_type="application/pdf")


def opened(owner: User, *lines: str, take: Rehearsal | None = None) -> Deck:
    """Return a deck as a worker leaves it."""
    deck = add_deck(owner=owner, file=pdf(*lines), talk=take and take.talk)
    tasks.open_deck(str(deck.pk))
    deck.refresh_from_db()
    return deck


def uploaded(take: Rehearsal) -> Upload:
    return Upload.objects.create(
        owner=take.owner, name="take.webm", state=Upload.State.USED, rehearsal=take
    )


def test_a_deck_becomes_pictures_that_a_stranger_cannot_see(
    trainee: User, stranger: User, sign_in: SignIn
) -> None:
    deck = opened(trainee, "First", "Second")
    assert (deck.state, deck.texts) == (Deck.State.READY, ["First", "Second"])
    picture = reverse("slides:picture", args=[deck.pk, 1])
    shown = sign_in(trainee).get(picture)
    assert shown["Content-Type"] == "image/jpeg"
    assert b"".join(shown.streaming_content).startswith(b"\xff\xd8")
    other = sign_in(stranger)
    for url in (picture, reverse("slides:deck", args=[deck.pk])):
        assert other.get(url).status_code == 404
    assert other.post(reverse("slides:delete", args=[deck.pk])).status_code == 404
    assert sign_in(trainee).get(reverse("slides:picture", args=[deck.pk, 2])).status_code == 404


def test_a_file_that_is_no_pdf_is_refused_in_words(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    file = SimpleUploadedFile("deck.pdf", b"hello")
    answer = client.post(reverse("slides:add"), {"file": file})
    assert answer.status_code == 422
    assert answer.json()["message"]
    assert not Deck.objects.exists()


def test_a_refused_file_says_why_and_leaves_nothing(trainee: User, sign_in: SignIn) -> None:
    broken = SimpleUploadedFile("deck.pdf", b"%PDF-1.7 and nothing else")
    added = sign_in(trainee).post(reverse("slides:add"), {"file": broken}).json()
    tasks.open_deck(added["id"])
    now = sign_in(trainee).get(added["url"]).json()
    assert now["state"] == "refused"
    assert now["message"]
    assert now["pages"] == []


def test_changes_travel_with_the_take_and_its_report_shows_them(
    draft: Feedback,
    trainee: User,
    coach: User,
    stranger: User,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    take = draft.run.rehearsal
    deck = opened(trainee, "word1 word2 word3 word4 word5 word6", "Second", "Third")
    upload = uploaded(take)
    sent = {"deck": str(deck.pk), "changes": [[0, 0], [60, 1], [61, 2], ["x", 1], [9, 999]]}
    url = reverse("slides:shown", args=[upload.pk])
    kind = "application/json"
    assert sign_in(stranger).post(url, sent, content_type=kind).status_code == 404
    assert sign_in(trainee).post(url, sent, content_type=kind).status_code == 200
    assert ShownSlides.objects.get().changes == [[0, 0], [60, 1], [61, 2]]

    compare = reverse("slides:compare", args=[take.pk])
    report = reverse("feedback:report", args=[take.pk])
    assert "django_htmx/htmx" in sign_in(trainee).get(report).content.decode()
    assert sign_in(stranger).post(compare).status_code == 404
    unasked = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert f'hx-post="{compare}"' in unasked
    assert "htmx" in unasked.partition("<main")[2]  # the script that sends it
    assert sign_in(trainee).post(compare, headers={"hx-request": "true"}).status_code == 200
    asked = SlideComparison.objects.get()
    tasks.compare_take(str(asked.pk))
    asked.refresh_from_db()
    assert asked.found["slides"][1]["passed_over"]
    assert asked.found["slides"][0]["read"] == 6
    page = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert "word1 word2 word3 word4 word5 word6" in page
    picture = reverse("slides:picture", args=[deck.pk, 0])
    assert picture in page
    # The coach to whom the take is sent sees its slides; nobody else does.
    seen = sign_in(coach).get(picture)
    assert seen.status_code == 200
    assert b"".join(seen.streaming_content)
    assert sign_in(stranger).get(picture).status_code == 404
    deck.refresh_from_db()
    assert deck.talk == take.talk
    assert titles_of(take.talk)[1:] == ["Second", "Third"]


def test_only_slides_that_the_recorder_showed_are_measured(draft: Feedback, trainee: User) -> None:
    take = draft.run.rehearsal
    deck = opened(trainee, "First", "Second", take=take)
    assert timed_slides_of(take) is None
    ShownSlides.objects.create(upload=uploaded(take), deck=deck, changes=[[0, 0], [8.5, 1]])
    timed = timed_slides_of(take)
    assert timed == TimedSlides(
        texts=("First", "Second"), changes=(SlideChange(0, 0), SlideChange(8.5, 1))
    )


def test_slides_of_the_talk_are_added_and_deleted_on_a_page(
    draft: Feedback, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    talk = draft.run.rehearsal.talk
    url = reverse("slides:of_talk", args=[talk.pk])
    assert sign_in(stranger).get(url).status_code == 404
    client: Client = sign_in(trainee)
    client.post(url, {"file": pdf("First")})
    deck = Deck.objects.get(talk=talk)
    assert deck.name in client.get(url).content.decode()
    client.post(reverse("slides:delete", args=[deck.pk]))
    assert not Deck.objects.exists()


def test_slides_are_exported_and_deleted_with_the_talk(
    draft: Feedback,
    trainee: User,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    take = draft.run.rehearsal
    deck = opened(trainee, "First", take=take)
    assert [each["texts"] for each in own_data(trainee)["slides"]] == [["First"]]
    folder: Path = lies_at(places.deck_place(deck.pk))
    assert len(list(folder.iterdir())) == 2
    with django_capture_on_commit_callbacks(execute=True):
        delete_rehearsal(rehearsal=take)
    assert not Deck.objects.exists()
    assert not folder.exists()


def test_unused_slides_are_deleted_after_a_week(
    trainee: User, draft: Feedback, monkeypatch: pytest.MonkeyPatch
) -> None:
    unused, used = opened(trainee, "Unused"), opened(trainee, "Used")
    take = draft.run.rehearsal
    ShownSlides.objects.create(upload=uploaded(take), deck=used, changes=[[0, 0]])
    execution.tidy_decks()
    assert set(Deck.objects.values_list("pk", flat=True)) == {unused.pk, used.pk}
    Deck.objects.update(created_at="2020-01-01T00:00Z")
    execution.tidy_decks()
    assert [deck.talk for deck in Deck.objects.all()] == [take.talk]
