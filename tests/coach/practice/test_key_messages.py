"""Key messages: ranked by shared words, decided by the speaker."""

from __future__ import annotations

import pytest
from django.urls import reverse

from analysis.results import Report, Word
from coach.accounts.models import User
from coach.audit.models import Entry
from coach.portal.personal.own_data import own_data
from coach.practice.key_messages.matching import sentences_near, spoken_sentences
from coach.practice.key_messages.page import KeyMessageRow, key_messages_part
from coach.practice.key_messages.parts import while_waiting
from coach.practice.key_messages.services import decide_on_sentence, set_key_messages
from coach.practice.models import KeyMessage, KeyMessageVerdict
from coach.rehearsals.models import Rehearsal
from tests.coach import cast
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

SAID = (
    "Good morning and welcome. Reading aloud every evening helps children to learn. "
    "We asked forty families in Lyon. Our numbers are small. "
    "So read aloud to your children in the evening. Thank you."
)
HEARD = "Reading aloud in the evening helps children."
MISSING = "Libraries need longer opening hours."


def spoken(text: str, *, language: str = "en") -> Report:
    """A report of two minutes in which this was said at an even pace."""
    said = text.split()
    step = 120.0 / len(said)
    words = tuple(
        Word(text=word, start=n * step, end=n * step + step * 0.9, probability=0.9)
        for n, word in enumerate(said)
    )
    report = make_report(duration=120.0)
    known = report.language.model_copy(update={"code": language})
    return report.model_copy(update={"words": words, "language": known, "events": ()})


@pytest.fixture
def take(trainee: User, cohort: object) -> Rehearsal:
    """Ana's take with a real transcript."""
    made: Rehearsal = RehearsalFactory(owner=trainee, cohort=cohort, duration=120.0)
    finish_analysis(made, spoken(SAID))
    return made


def rows(take: Rehearsal) -> list[KeyMessageRow]:
    part = key_messages_part(take, spoken(SAID), is_owner=True)
    return list(part.rows) if part else []


def address(take: Rehearsal, name: str) -> str:
    return reverse(f"practice:{name}", args=[take.pk])


@pytest.mark.parametrize(
    ("message", "language", "text", "found"),
    [
        (HEARD, "en", SAID, 2),
        (MISSING, "en", SAID, 0),
        ("Lire le soir aide les élèves.", "fr", "Bonjour. La lecture du soir aide l'élève.", 1),
        ("Il faut dormir plus.", "fr", "Bonjour à tous. Merci de votre écoute.", 0),
        # Function words alone are no message.
        ("It is what it is.", "en", SAID, 0),
        # A sentence that the recogniser cut in two.
        ("Sleep protects memory in old age.", "en", "Sleep protects. Memory in old age.", 1),
        ("", "en", SAID, 0),
    ],
)
def test_a_sentence_counts_as_found_by_its_content_words(
    message: str, language: str, text: str, found: int
) -> None:
    sentences = spoken_sentences(spoken(text, language=language))
    assert sentences_near(message, sentences, language).found == found


def test_messages_are_written_with_the_talk_and_an_unchanged_one_keeps_its_answers(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    client.post(address(take, "key_messages"), {"message_1": HEARD, "message_3": f" {MISSING}\n"})
    assert [(each.place, each.text) for each in KeyMessage.objects.all()] == [
        (1, HEARD),
        (2, MISSING),
    ]
    first, second = KeyMessage.objects.all()
    for message in (first, second):
        decide_on_sentence(take=take, message=message, at_seconds=1.0, is_it=True)
    client.post(address(take, "key_messages"), {"message_1": "Another one.", "message_2": HEARD})
    assert [each.message_id for each in KeyMessageVerdict.objects.all()] == [first.pk]
    too_long = client.post(address(take, "key_messages"), {"message_1": "x" * 201})
    assert too_long.status_code == 422


def test_the_speaker_decides_sentence_by_sentence(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    set_key_messages(talk=take.talk, texts=[HEARD])
    client, message = sign_in(trainee), KeyMessage.objects.get()

    def answer(wish: str, *, at: float | None = None) -> None:
        values = {"message": str(message.pk), "wish": wish} | ({"at": at} if at else {})
        assert client.post(address(take, "decide_key_message"), values).status_code == 302

    [row] = rows(take)
    assert (row.state, row.is_found) == ("open", True)
    first = row.asked
    assert first is not None
    answer("no", at=first.clip.start)
    [row] = rows(take)
    assert row.asked is not None
    assert row.asked.clip.start != first.clip.start
    answer("yes", at=row.asked.clip.start)
    [row] = rows(take)
    assert (row.state, len(row.said), row.asked) == ("said", 1, None)
    answer("reopen")
    assert rows(take)[0].state == "open"
    answer("left_out")
    assert (rows(take)[0].state, rows(take)[0].asked) == ("left_out", None)
    card = f'aria-labelledby="left-out-{message.pk}"'
    assert card in client.get(reverse("feedback:report", args=[take.pk])).content.decode()
    answer("other_words")
    assert (rows(take)[0].state, rows(take)[0].said) == ("said", ())
    answer("yes")  # no sentence was named
    assert KeyMessageVerdict.objects.count() == 1


def test_the_report_shows_it_and_the_coach_reads_without_answering(
    take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    set_key_messages(talk=take.talk, texts=[HEARD, MISSING])
    decide = address(take, "decide_key_message")
    assert decide in sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).text
    cast.send(take)
    for name in ("feedback:report", "review:desk"):
        page = sign_in(coach).get(reverse(name, args=[take.pk])).text
        assert MISSING in page
        assert decide not in page


def test_messages_can_be_written_during_the_analysis(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    [part] = while_waiting(take)
    assert part.context["texts"] == []
    values = {"message_1": HEARD}
    page = sign_in(trainee).post(
        address(take, "key_messages"), values, headers={"HX-Request": "true"}
    )
    assert page.status_code == 200
    assert "<html" not in page.text
    [part] = while_waiting(take)
    assert part.context["texts"] == [HEARD]


def test_a_message_of_another_talk_is_not_found(
    take: Rehearsal, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    other: Rehearsal = RehearsalFactory(owner=stranger)
    set_key_messages(talk=other.talk, texts=[HEARD])
    values = {"message": str(KeyMessage.objects.get().pk), "wish": "left_out"}
    url = address(take, "decide_key_message")
    assert sign_in(trainee).post(url, values).status_code == 404
    assert sign_in(stranger).post(url, values).status_code == 404


def test_messages_are_exported_logged_and_deleted_with_the_talk(
    take: Rehearsal, trainee: User
) -> None:
    set_key_messages(talk=take.talk, texts=[HEARD])
    decide_on_sentence(take=take, message=KeyMessage.objects.get(), at_seconds=9, is_it=False)
    [found] = [each["key_messages"] for each in own_data(trainee)["rehearsals"]]
    assert found[0]["message"] == HEARD
    assert found[0]["answers"][0]["is_it"] is False
    assert Entry.objects.filter(action__startswith="practice.key_message").count() == 2
    take.talk.delete()
    assert not KeyMessage.objects.exists()
