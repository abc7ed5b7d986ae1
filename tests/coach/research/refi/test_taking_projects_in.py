"""Who takes a project in, and what they read of it."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.research.coding.agreement import agreement_rows
from coach.research.coding.interviews.redaction.deciding import decide
from coach.research.coding.interviews.redaction.locking import (
    delete_old_originals,
    lock_interview,
)
from coach.research.coding.judges import judgements
from coach.research.coding.models import (
    Coder,
    Interview,
    Redaction,
    Round,
)
from coach.research.exports.import_execution import execute_import
from coach.research.exports.importing.refi import is_refi, load_refi
from coach.research.exports.models import BundleImport
from coach.research.exports.sentences import problem_words
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.refi.making import (
    pack,
    project,
    quotes,
    selection,
)


def test_a_lead_takes_a_project_into_their_study_and_locks_its_texts(
    study: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    words = "Interviewer: Who?\nMarie: Bea Marsh helped.\nInterviewer: How?\nMarie: With pauses."
    start = words.index("pauses")
    path = pack(tmp_path, project(selection(start, start + 6)), sources__t_txt=words.encode())
    client = sign_in(researcher)
    file = SimpleUploadedFile("theirs.qdpx", path.read_bytes())
    said = {"file": file, "language": "es"}
    answer = client.post(reverse("research:load_into", args=[study.slug]), said)
    asked = BundleImport.objects.get()
    assert (asked.study, asked.state) == (study, BundleImport.State.QUEUED)
    execute_import(asked.pk)
    page = client.get(answer.headers["Location"]).content.decode()
    assert '<tr><th scope="row">codings</th><td>1</td><td>1</td></tr>' in page
    assert f"<td>{len(words)}</td><td>{len(words)}</td>" in page
    assert "INT-01 was called “First” in the file." in page
    interview = Interview.objects.get()
    assert (interview.state, interview.language) == (Interview.State.IMPORTED, "es")
    assert [each.label for each in interview.speakers.all()] == ["S1", "S2"]
    while row := Redaction.objects.filter(state=Redaction.State.PROPOSED).first():
        given: dict[str, Any] = {"kind": row.kind, "same_as": "", "only_here": False}
        decide(redaction=row, state=Redaction.State.APPROVED, actor=researcher, **given)
    text = lock_interview(interview=interview, actor=researcher)
    assert "Marie" not in text.text
    assert "Bea" not in text.text
    assert quotes() == ["pauses"]
    assert Round.objects.get().state == Round.State.CLOSED
    interview.refresh_from_db()
    assert interview.speakers.filter(called="Marie").exists()  # so that an export finds it
    page = client.get(reverse("research:interview", args=[study.slug, 1])).content.decode()
    assert "Its speaker names are kept until" in page
    Interview.objects.update(original_until=timezone.now() - timedelta(days=1))
    assert delete_old_originals() == 1
    assert not interview.speakers.exclude(called="").exists()


def test_who_is_called_like_a_model_is_one_until_somebody_says_otherwise(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    words = "I like pauses."
    content = project(selection(7, 13)).replace('name="Somebody"', 'name="AI Coding beta"')
    _counts, told = load_refi(
        study=study, path=pack(tmp_path, content, sources__t_txt=words.encode()), actor=researcher
    )
    made = Coder.objects.get()
    assert (made.kind, made.model) == ("model", "AI Coding beta")
    assert ["refi_model", "C1", "AI Coding beta"] in told
    assert "is treated as a model" in problem_words("refi_model", "C1", made.model)
    assert list(judgements(Round.objects.get())) == []
    assert {row["coder_a"] for row in agreement_rows(Round.objects.get(), [])} == set()


@pytest.mark.parametrize("role", ["coder", "analyst", "redactor", None])
def test_only_who_leads_takes_a_project_in(study: Study, sign_in: SignIn, role: str | None) -> None:
    other = UserFactory(roles=[Role.RESEARCHER])
    if role:
        Member.objects.create(study=study, user=other, role=role)
    url = reverse("research:load_into", args=[study.slug])
    assert sign_in(other).get(url).status_code == 404


def test_the_language_of_a_project_is_nobodys_and_is_said_of_each_interview(
    study: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    User.objects.filter(pk=researcher.pk).update(language="fr")
    path = pack(tmp_path, project(selection(0, 4)), sources__t_txt=b"Some words.")
    file = SimpleUploadedFile("theirs.qdpx", path.read_bytes())
    client = sign_in(researcher)
    client.post(reverse("research:load_into", args=[study.slug]), {"file": file})
    execute_import(BundleImport.objects.get().pk)
    interview = Interview.objects.get()
    assert interview.language == "und"
    page = reverse("research:interview", args=[study.slug, interview.number])
    assert '<option value="und" selected>' in client.get(page).content.decode()
    speakers = reverse("research:speakers", args=[study.slug, interview.number])
    roles = {f"role_{each.pk}": each.role for each in interview.speakers.all()}
    client.post(speakers, roles | {"language": "en"})
    interview.refresh_from_db()
    assert interview.language == "en"
    client.post(speakers, roles | {"language": "klingon"})
    client.post(speakers, roles)
    interview.refresh_from_db()
    assert interview.language == "en"


def test_the_command_says_what_came_in(researcher: User, tmp_path: Path) -> None:
    path = pack(tmp_path, project(selection(0, 4)), sources__t_txt=b"Some words.")
    assert is_refi(path)
    out = StringIO()
    said = ("--lead", researcher.email, "--language", "fr")
    call_command("import_study", str(path), *said, stdout=out)
    lines = out.getvalue().splitlines()
    assert "codings: 1 in the file, 1 here" in lines
    assert lines[-1] == Study.objects.get().slug
    assert Interview.objects.get().language == "fr"


def test_many_texts_are_told_in_a_few_lines_and_a_name_that_stayed_in_none(
    study: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    texts = "".join(
        f'<TextSource guid="{UUID(int=n)}" name="{name}">'
        "<PlainTextContent>Words.</PlainTextContent></TextSource>"
        for n, name in enumerate(["INT-01", *(f"Talk {n}" for n in range(2, 31)), ""], start=1)
    )
    case = f'</Sources><Cases><Case guid="{UUID(int=99)}" name="Ana"/></Cases>'
    qde = re.sub("<TextSource.*</Sources>", f"{texts}{case}", project())
    load = reverse("research:load_into", args=[study.slug])
    file = SimpleUploadedFile("theirs.qdpx", pack(tmp_path, qde).read_bytes())
    client = sign_in(researcher)
    answer = client.post(load, {"file": file})
    execute_import(BundleImport.objects.get().pk)
    page = client.get(answer.headers["Location"]).content.decode()
    in_sight, folded = page.split("<details>")
    assert in_sight.index("Case: 1 in the file") < in_sight.index(
        "INT-02 was called “Talk 2” in the file."
    )
    assert in_sight.count(" was called “") == 10
    assert "and 19 more" in folded
    assert folded.count(" was called “") == 19
    assert "“INT-01”" not in page
    assert "INT-31" not in page  # it had no name there
    assert "These texts may still contain names" in page
