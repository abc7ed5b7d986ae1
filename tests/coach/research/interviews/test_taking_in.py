"""Interviews come in: a file is read, somebody says who is who; and nobody else sees any of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.research.coding.interviews.services import drop_old_transcripts, drop_transcript
from coach.research.coding.models import Interview, Text, Transcript
from coach.research.exports.import_execution import execute_import, forget_documents
from coach.research.exports.models import BundleImport
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.interviews.files import PLAIN, body, docx, run
from tests.coach.research.making import make_study, take_part


@pytest.fixture
def study(researcher: User) -> Study:
    """Rui's."""
    return make_study(researcher)


def send(client: Client, study: Study, content: bytes, name: str = "talk.txt") -> Any:
    url = reverse("research:new_interview", args=[study.slug])
    return client.post(url, {"file": SimpleUploadedFile(name, content)})


def places(study: Study, **changes: str) -> dict[str, str]:
    """A form about PLAIN: nobody (0), Interviewer (1), Marie (2)."""
    return {
        "step": "take",
        "mode": "phone",
        "language": "en",
        "held_on": "2026-03-03",
        "role_0": "other",
        "role_1": "interviewer",
        "role_2": "participant",
        "turn_0": "1",
        **changes,
    }


def test_a_file_is_read_shown_and_taken_in(study: Study, researcher: User, sign_in: SignIn) -> None:
    person = take_part(study, UserFactory())
    client = sign_in(researcher)
    client.post(reverse("research:guide", args=[study.slug]), {"text": "1. How?"})
    preview = send(client, study, PLAIN.encode()).headers["Location"]
    page = client.get(preview).content.decode()
    assert "No speaker is named here: “Interview of 3 March”" in page
    assert "I read it aloud 🎤." in page
    assert '<details class="drawer" open>' in page  # since a line was odd
    form = places(study, person_2=str(person.pk), guide=str(study.guides.get().pk))
    client.post(preview, form)
    interview = Interview.objects.get()
    assert (interview.label, interview.kind, interview.mode) == ("INT-01", "interview", "phone")
    assert interview.participant == person
    assert interview.guide == study.guides.get()
    text = interview.texts.get()
    assert text.kind == Text.Kind.RAW
    assert text.text.startswith("I: Interview of 3 March\nHow do you prepare?\nP: I read")
    assert [text.text[t.start : t.end][:2] for t in text.turns.all()] == ["I:", "P:", "I:", "P:"]
    assert text.n_code_points == len(text.text)
    assert not Transcript.objects.exists()
    listed = client.get(reverse("research:interviews", args=[study.slug])).content.decode()
    assert "INT-01" in listed
    assert person.pseudonym in listed
    assert "Marie" not in listed
    acts = set(Entry.objects.values_list("action", flat=True))
    assert {"research.transcript_read", "research.interview_taken_in"} <= acts


def test_a_word_document_is_read_by_a_worker_and_its_page_waits(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    content = docx(body(run("I: How?"), run("Marie: Aloud."), run("I: Why?")))
    page = send(client, study, content, "Marie.docx").headers["Location"]
    assert not Transcript.objects.exists()
    waiting = client.get(page).content.decode()
    assert "Your file is being read" in waiting
    assert "every 1s" in waiting
    form = reverse("research:new_interview", args=[study.slug])
    assert page in client.get(form).content.decode()
    execute_import(BundleImport.objects.get().pk)
    polled = client.get(page, headers={"HX-Request": "true"})
    assert polled.headers["HX-Refresh"] == "true"
    shown = client.get(page, follow=True).content.decode()
    assert "Name the speakers" in shown
    assert "Aloud." in shown
    drop_transcript(transcript=Transcript.objects.get(), actor=researcher)
    again = client.get(page).headers["Location"]
    assert again == reverse("research:interviews", args=[study.slug])


def test_a_document_that_is_refused_says_why_and_where_to_choose_another(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    bomb = docx("<w:p " + "".join(f'a{n}="" ' for n in range(100_000)) + "/>")
    page = send(client, study, bomb, "Marie.docx").headers["Location"]
    execute_import(BundleImport.objects.get().pk)
    told = client.get(page).content.decode()
    assert "This file is too large for an interview." in told
    assert reverse("research:new_interview", args=[study.slug]) in told
    stopped = client.get(page, headers={"HX-Request": "true"})
    assert stopped.status_code == 286
    assert not Transcript.objects.exists()
    colleague = UserFactory(roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=colleague, role=Member.Role.LEAD)
    assert sign_in(colleague).get(page).status_code == 404
    # Refused at once: its kind and its size are known without opening it.
    assert "Save the transcript as one" in send(client, study, b"x", "a.pages").content.decode()
    large = send(client, study, b"x" * (20 * 1024**2 + 1), "a.docx").content.decode()
    assert "too large for an interview" in large
    BundleImport.objects.update(finished_at=timezone.now() - timedelta(days=8))
    assert forget_documents() == 1
    assert not BundleImport.objects.exists()


def test_names_are_merged_and_several_who_take_part_make_a_focus_group(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    lines = (
        "Mod: Well?\nMarie: Yes.\nM. Curie: No.\nMod: So?\nMarie: Ja.\nM. Curie: Oui.\nTom: I.\n"
    )
    preview = send(client, study, lines.encode()).headers["Location"]
    assert (
        "“Tom:” occurs once and was read as a speaker’s name."
        in client.get(preview).content.decode()
    )
    form = {
        "step": "take",
        "mode": "in_person",
        "language": "fr",
        "held_on": "2026-03-03",
        "role_0": "interviewer",
        "role_1": "participant",
        "role_2": "participant",
        "role_3": "participant",
        "same_2": "1",
    }
    client.post(preview, form)
    interview = Interview.objects.get()
    assert interview.kind == Interview.Kind.FOCUS_GROUP
    called = list(interview.speakers.values_list("label", "called"))
    assert called == [("I", "Mod"), ("P1", "Marie"), ("P2", "Tom")]
    assert interview.texts.get().text == "I: Well?\nP1: Yes.\nNo.\nI: So?\nP1: Ja.\nOui.\nP2: I."


def test_somebody_new_without_an_account_gets_a_pseudonym_on_taking_in(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    preview = send(client, study, PLAIN.encode()).headers["Location"]
    assert "new participant without an account" in client.get(preview).content.decode()
    refused = client.post(preview, places(study, person_2="new")).content.decode()
    assert "Choose this person’s role in the study." in refused
    assert not study.participants.exists()
    client.post(preview, places(study, person_2="new", group_2="expert"))
    [person] = study.participants.all()
    assert person.group == "expert"
    interview = Interview.objects.get()
    assert interview.participant == person
    assert interview.speakers.get(role="participant").participant == person


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"person_1": "new", "group_1": "coach"}, "Only participants have a pseudonym"),
        ({"group_2": "coach"}, "Only needed for a new participant"),
    ],
)
def test_nothing_that_was_chosen_is_left_out_in_silence(
    chosen: dict[str, str], told: str, study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    preview = send(client, study, PLAIN.encode()).headers["Location"]
    assert told in client.post(preview, places(study, **chosen)).content.decode()
    assert not Interview.objects.exists()
    assert not study.participants.exists()


def test_a_form_that_names_nobody_who_takes_part_is_refused_and_nothing_is_lost(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    preview = send(client, study, PLAIN.encode()).headers["Location"]
    answer = client.post(preview, places(study, role_2="other"))
    assert "Choose a participant" in answer.content.decode()
    assert Transcript.objects.exists()
    client.post(preview, {"step": "never", "names": "Marie"})
    assert "Marie: I read it aloud" in client.get(preview).content.decode()
    client.post(preview, {"step": "also", "names": "Marie, Interview of 3 March"})
    assert client.post(preview, {"step": "drop"}).status_code == 302
    assert not Transcript.objects.exists()
    assert client.get(preview).status_code == 404


def test_a_refused_file_leaves_nothing(study: Study, researcher: User, sign_in: SignIn) -> None:
    answer = send(sign_in(researcher), study, b"no zip", "talk.docx")
    assert "We cannot open this Word document" in answer.content.decode()
    assert not Transcript.objects.exists()


def test_a_file_that_nobody_takes_in_goes(study: Study, researcher: User, sign_in: SignIn) -> None:
    send(sign_in(researcher), study, PLAIN.encode())
    assert drop_old_transcripts() == 0
    Transcript.objects.update(uploaded_at=timezone.now() - timedelta(days=8))
    assert drop_old_transcripts() == 1


def test_the_guide_has_versions_and_the_same_words_are_no_new_one(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    for words in ("1. How?", "1. How?  \n", "1. How?\n2. Why?"):
        client.post(reverse("research:guide", args=[study.slug]), {"text": words})
    assert [each.text for each in study.guides.all()] == ["1. How?\n2. Why?", "1. How?"]


@pytest.mark.parametrize("role", ["coder", "analyst", "allocator", "redactor", None])
def test_names_are_read_by_those_who_take_them_out(
    study: Study, researcher: User, sign_in: SignIn, role: str | None
) -> None:
    preview = send(sign_in(researcher), study, PLAIN.encode()).headers["Location"]
    other = UserFactory(roles=[Role.RESEARCHER])
    if role:
        Member.objects.create(study=study, user=other, role=role)
    client = sign_in(other)
    expected = 200 if role == "redactor" else 404
    assert client.get(preview).status_code == expected
    assert client.get(reverse("research:new_interview", args=[study.slug])).status_code == expected
    listed = client.get(reverse("research:interviews", args=[study.slug]))
    assert listed.status_code == (200 if role else 404)
    assert client.get(reverse("research:guide", args=[study.slug])).status_code == 404
    assert (role == "redactor") is ("1 file is not imported yet." in listed.content.decode())


def test_a_file_in_which_hundreds_would_speak_is_refused(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client, times = sign_in(researcher), "00:01.000 --> 00:02.000"
    crowd = "\n\n".join(f"{times}\n<v Person {n}>Yes" for n in range(20_000))
    answer = send(client, study, f"WEBVTT\n\n{crowd}".encode(), "talk.vtt")
    assert "This would give more than 150 speakers." in answer.content.decode()
    assert not Transcript.objects.exists()


def test_the_language_of_the_words_is_proposed_and_no_day_is(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    """Nobody corrects what stands there already, and the day cannot be put right later."""
    french = "I: Et la carte ?\nP: Je ne sais pas, c’est que le retour était dans les temps.\n"
    english = "I: Was it the card?\nP: It was not what you said, and the end of it did help.\n"
    both = "I: What was it?\nP: Une carte, et pas la note.\n"
    spanish = "I: La verdad, de la que la gente habla?\nP: De la que digo que es la de la calle.\n"
    german = "I: Was war das?\nP: Was ich will, was das war, was wir sagen, was noch.\n"
    client = sign_in(researcher)

    def proposed(lines: str, of: str) -> tuple[str, str | None]:
        User.objects.filter(pk=researcher.pk).update(language=of)
        form = client.get(send(client, study, lines.encode()).headers["Location"]).context["form"]
        return form["language"].value(), form["held_on"].value()

    assert proposed(french, "en") == ("fr", None)
    assert proposed(english, "fr") == ("en", None)
    for unclear in (both, spanish, german):
        assert [proposed(unclear, each)[0] for each in ("en", "fr")] == ["en", "fr"]
