"""What coders wrote down leaves in a bundle without the words of people who are not in it."""

from __future__ import annotations

from pathlib import Path

from coach.accounts.models import User
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.interviews.redaction.names import known_names
from coach.research.coding.models import (
    Code,
    Coding,
    Interview,
    Memo,
    Redaction,
    Speaker,
    Text,
    Turn,
)
from coach.research.exports.models import Export
from coach.research.studies.models import Study
from tests.coach.factories import UserFactory
from tests.coach.research.conftest import included_in, lay_out
from tests.coach.research.making import make_interview, take_part

ASKED = "How do you begin a talk, then?"
OF_NOBODY = "Well, I count to three, then I breathe."
WAITING = "My aunt Berta taught me all of it."
RAW = "When Carla Weiss stops, we listen."
SAFE = "When [NAME-1] stops, we listen, and so does everybody."


def test_what_is_quoted_of_people_who_are_not_in_a_bundle_is_not_in_it_either(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    """Who agreed to nothing, names that still stand in a text, and the original of a locked one."""
    ana, silent = study.participants.exclude(group="coach").get(), take_part(study, UserFactory())
    make_interview(study, [("I", None, ASKED), ("P", silent, OF_NOBODY)])
    waiting = make_interview(study, [("P", ana, WAITING)])
    Interview.objects.filter(pk=waiting.pk).update(state=Interview.State.IMPORTED)
    waiting.texts.update(kind=Text.Kind.RAW)
    there = make_interview(study, [("P", ana, SAFE)])
    original = Text.objects.create(
        interview=there, kind=Text.Kind.RAW, text=RAW, sha256="0", n_code_points=len(RAW)
    )
    speaker = Speaker.objects.get(interview=there)
    Turn.objects.create(text=original, number=1, speaker=speaker, start=0, end=len(RAW))
    quoted = "\n".join([ASKED, OF_NOBODY, WAITING, RAW, SAFE])
    for each in (Code.objects.first(), Memo.objects.get(), Coding.objects.exclude(memo="").get()):
        name = {Code: "examples", Memo: "body", Coding: "memo"}[type(each)]
        setattr(each, name, quoted)
        each.save()
    keep_version(study=study, note="", actor=researcher)

    lay_out(study, tmp_path, "refi_qda", Export.OnRequest.LEAVE_OUT_PENDING)

    left = f"{ASKED}\n[…].\n[…].\n[…].\n{SAFE}"
    files = [path for path in tmp_path.rglob("*") if path.suffix in {".csv", ".qde", ".qdc"}]
    told = {path.name: path.read_text(encoding="utf-8") for path in files}
    for name in ("codes.csv", "codebook_versions.csv", "memos.csv", "codings.csv"):
        assert left in told[name], name
    for name, text in told.items():
        assert not [each for each in ("count to three", "Berta", "Weiss") if each in text], name


def test_a_name_that_was_taken_out_of_a_text_leaves_in_no_memo_either(
    study: Study, tmp_path: Path
) -> None:
    """While it is known, that is; what the lead let through names nobody. Titles are no names."""
    ana = study.participants.exclude(group="coach").get()
    there = make_interview(study, [("P", ana, "Then [NAME-1], [NAME-2], [NAME-3] stop.")])
    words = "Then Mrs. Carla Weiss, Rose, Tempo, Jo and ben okafor stop."
    original = Text.objects.create(
        interview=there, kind=Text.Kind.RAW, text=words, sha256="0", n_code_points=len(words)
    )
    for token, name in enumerate(
        ("Mrs. Carla Weiss", "Rose", "Tempo", "Jo", "ben okafor"), start=1
    ):
        start = words.index(name)
        Redaction.objects.create(
            text=original,
            start=start,
            end=start + len(name),
            kind=Redaction.Kind.NAME,
            token=f"[NAME-{token}]",
            state=Redaction.State.APPROVED,
        )
    study.innocent_words = ["tempo"]
    study.save()
    noted = "Mrs. CARLA weiss, so Weiss; Rose saw a rose. Tempo! Jo is no job, says Okafor."
    Coding.objects.exclude(memo="").update(memo=noted)
    assert {"Carla Weiss"} <= known_names(study).whole
    assert {"Rose", "Weiss"} <= known_names(study).parts

    lay_out(study, tmp_path)

    told = (tmp_path / "data" / "codings.csv").read_text(encoding="utf-8")
    assert "Mrs. […], so […]; […] saw a rose. Tempo! […] is no job, says […]." in told
    original.delete()
    assert included_in(study).noted(noted) == noted
