"""Many transcripts at once: one table and one press; what is not ready stays and says why."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.research.coding.models import Interview, Transcript
from coach.research.exports.import_execution import execute_import
from coach.research.exports.models import BundleImport
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.interviews.files import body, docx, run
from tests.coach.research.making import make_study, take_part

ADA = (
    "I: How do you prepare for it?\nAda: With the slides and it is what you do.\n"
    "I: And then?\nAda: To the end with you."
)
BOB = (
    "I: Et vous ?\nBob: Je les lis dans le train et je ne les ai pas.\n"
    "I: Et ?\nBob: Des notes, est-ce une aide."
)
CROWD = "\n".join(f"P{n}: Yes." for n in range(9))


@pytest.fixture
def study(researcher: User) -> Study:
    """Rui's."""
    return make_study(researcher)


def url(study: Study) -> str:
    return reverse("research:new_interview", args=[study.slug])


def upload(client: Client, study: Study, **files: bytes) -> Any:
    """Send files at once; `_` in a name stands for its full stop."""
    sent = [SimpleUploadedFile(n.replace("__", "."), words) for n, words in files.items()]
    return client.post(url(study), {"file": sent})


def line(name: str, **fields: str) -> dict[str, str]:
    """The fields of a file's line, as somebody ticks and fills them in."""
    key = Transcript.objects.get(name=name).pk
    said = {
        "shown": "yes",
        "take": "on",
        "language": "en",
        "held_on": "2026-03-03",
        "role_0": "interviewer",
        "role_1": "participant",
        **fields,
    }
    return {f"{key}-{field}": value for field, value in said.items() if value}


def test_one_press_imports_what_is_ready_and_keeps_the_rest_with_the_reason(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    person, client = take_part(study, UserFactory()), sign_in(researcher)
    answer = upload(
        client,
        study,
        **{
            "ada 2026-03-14__txt": ADA.encode(),
            "bob__txt": BOB.encode(),
            "crowd__txt": CROWD.encode(),
            "broken__docx": b"no zip",
            "empty__txt": b"",
            "cut__pages": b"x",
            "word__docx": docx(body(run("I: How?"), run("Cy: Aloud."), run("I: Why?"))),
        },
    )
    assert answer.headers["Location"] == url(study)
    page = client.get(url(study)).content.decode()
    for words in (
        "ada 2026-03-14.txt",
        'value="2026-03-14"',
        "9 speakers",
        "Name these speakers on the file’s own page.",
        "We cannot open this Word document.",
        "The file contains no text.",
        "Save the transcript as one",
        "1 file is being read:",
    ):
        assert words in page
    bob = Transcript.objects.get(name="bob.txt")
    assert f'name="{bob.pk}-take" id="id_{bob.pk}-take" checked' in page
    assert '<option value="fr" selected>' in page
    form = {"step": "take", "mode": "phone", "group": ""}
    ada = line("ada 2026-03-14.txt", person_1=str(person.pk))
    told = client.post(
        url(study), form | ada | line("bob.txt", language="fr", person_1="new")
    ).content.decode()
    assert "1 interview imported." in told
    assert "Choose the role of new participants above." in told
    assert Interview.objects.get().participant == person
    assert not study.participants.filter(group="expert").exists()
    nobody = line("bob.txt", role_1="other")
    assert "Choose a participant" in client.post(url(study), form | nobody).content.decode()
    no_day = line("bob.txt", held_on="")
    assert "This field is required." in client.post(url(study), form | no_day).content.decode()
    unticked = line("bob.txt", take="")
    assert "Tick the files" in client.post(url(study), form | unticked).content.decode()
    ready = line("bob.txt", language="fr", person_1="new")
    client.post(url(study), form | {"group": "expert"} | ready)
    made = Interview.objects.get(number=2)
    assert (made.language, made.mode, made.participant.group) == ("fr", "phone", "expert")
    assert set(Transcript.objects.values_list("name", flat=True)) == {"crowd.txt"}
    for asked in BundleImport.objects.filter(state=BundleImport.State.QUEUED):
        execute_import(asked.pk)
    polled = client.get(url(study), headers={"HX-Request": "true"}).content.decode()
    assert "All files are read." in polled
    assert "word.docx" in client.get(url(study)).content.decode()


def test_a_file_that_somebody_else_imported_meanwhile_is_not_imported_twice(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    upload(client, study, a__txt=ADA.encode(), b__txt=ADA.encode())
    form = {"step": "take", "mode": "phone"} | line("a.txt") | line("b.txt")
    client.post(url(study), form)
    client.post(url(study), form)
    assert Interview.objects.count() == 2


def test_the_speakers_of_several_interviews_are_named_at_once(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    person, client = take_part(study, UserFactory()), sign_in(researcher)
    upload(client, study, a__txt=ADA.encode(), b__txt=BOB.encode())
    both = line("a.txt") | line("b.txt", language="fr")
    client.post(url(study), {"step": "take", "mode": "phone"} | both)
    page = reverse("research:unnamed", args=[study.slug])
    listed = client.get(reverse("research:interviews", args=[study.slug])).content.decode()
    assert "2 interviews have participants without a pseudonym." in listed
    form = {}
    for interview in Interview.objects.all():
        for speaker in interview.speakers.all():
            form[f"{interview.number}-role_{speaker.pk}"] = speaker.role
    first, second = (each.speakers.get(role="participant") for each in Interview.objects.all())
    form |= {f"1-person_{first.pk}": str(person.pk), f"2-person_{second.pk}": "new"}
    refused = client.post(page, form).content.decode()
    assert "Choose this person’s role in the study." in refused
    assert "INT-01" not in refused
    first.refresh_from_db()
    assert first.participant == person
    client.post(page, form | {f"2-group_{second.pk}": "expert"})
    second.refresh_from_db()
    assert second.participant is not None
    assert second.participant.group == "expert"
    assert "Every participant has a pseudonym." in client.get(page).content.decode()


@pytest.mark.parametrize("role", ["coder", "analyst", None])
def test_who_takes_no_names_out_uploads_and_imports_nothing(
    study: Study, researcher: User, sign_in: SignIn, role: str | None
) -> None:
    upload(sign_in(researcher), study, a__txt=ADA.encode(), b__txt=BOB.encode())
    other = UserFactory(roles=[Role.RESEARCHER])
    if role:
        Member.objects.create(study=study, user=other, role=role)
    client = sign_in(other)
    form = {"step": "take", "mode": "phone"} | line("a.txt")
    assert client.post(url(study), form).status_code == 404
    assert upload(client, study, c__txt=ADA.encode()).status_code == 404
    assert client.get(reverse("research:unnamed", args=[study.slug])).status_code == 404
    assert Transcript.objects.count() == 2
    assert not Interview.objects.exists()
