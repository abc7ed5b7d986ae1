"""What may not leave does not: each break is planted, and each is named with its place."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import IO

import pytest
from django.core.management import CommandError, call_command

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.models import Item, Verdict
from coach.research.coding.interviews.redaction.deciding import decide, propose_redactions
from coach.research.coding.interviews.redaction.locking import lock_interview
from coach.research.coding.interviews.transcript_text import SpokenTurn, lay_text
from coach.research.coding.models import Code, Coding, Interview, Memo, Redaction, Speaker, Text
from coach.research.exports import command_export
from coach.research.exports.bundle.build import ExportRefused, known_problems
from coach.research.exports.bundle.guard import problems_in
from coach.research.exports.command_export import export_to
from coach.research.exports.models import Export
from coach.research.studies.models import Study
from tests.coach.research.breaks import IN_PROJECT
from tests.coach.research.conftest import included_in, lay_out
from tests.coach.research.making import agree, bundle_of, make_interview


def a_name_in_an_interview(study: Study) -> None:
    text = Text.objects.get(interview__study=study)
    text.text = text.text.replace("truly", "Ana's")
    text.save()


def an_address_in_a_memo(_study: Study) -> None:
    Memo.objects.update(body="Write to someone@example.net about it.")


def a_number_in_a_code(_study: Study) -> None:
    Code.objects.filter(name="helping").update(description="Call +33 1 23 45 67 89 first.")


def an_inner_state_in_an_item(_study: Study) -> None:
    item = Item.objects.get()
    item.document["claim"] = "You sounded nervous at the start."
    item.save()


def an_inner_state_in_a_verdict(_study: Study) -> None:
    Verdict.objects.update(note="She was anxious.")


def a_name_as_the_file_called_it(study: Study) -> None:
    Speaker.objects.filter(label="P").update(called="Truly Wonderling")
    Code.objects.filter(name="helping").update(include_when="As Wonderling says.")


PLANTED: list[tuple[Callable[[Study], None], str, str]] = [
    (a_name_in_an_interview, "known_name", "interviews/INT-01.txt, character"),
    (a_name_in_an_interview, "known_name", "qda/project.qdpx, sources/"),
    (an_address_in_a_memo, "e_mail", "data/memos.csv, line 2, body"),
    (an_address_in_a_memo, "e_mail", "qda/project.qdpx, sources/"),
    (a_number_in_a_code, "phone", "data/codes.csv"),
    (a_number_in_a_code, "phone", "qda/codebook.qdc"),
    (a_number_in_a_code, "phone", "qda/project.qdpx, project.qde"),
    (an_inner_state_in_an_item, "inner_state", "data/feedback_items.csv, line 2, body"),
    (an_inner_state_in_a_verdict, "inner_state", "data/coach_reviews.csv, line 2, reason_text"),
    (a_name_as_the_file_called_it, "known_name", "data/codes.csv"),
]


def test_what_names_somebody_or_says_what_they_feel_is_found(study: Study, tmp_path: Path) -> None:
    for plant in dict.fromkeys(plant for plant, _code, _place in PLANTED):
        plant(study)
    found = problems_in(lay_out(study, tmp_path), tmp_path)
    for _plant, code, place in PLANTED:
        assert any(each.code == code and each.place.startswith(place) for each in found), place
    assert all("Ana" not in each.what for each in found)


def test_a_sound_bundle_has_no_problem_and_a_word_may_be_let_through(
    study: Study, tmp_path: Path
) -> None:
    assert problems_in(lay_out(study, tmp_path / "a"), tmp_path / "a") == []
    a_name_in_an_interview(study)
    study.innocent_words = ["ana"]
    found = problems_in(lay_out(study, tmp_path / "b"), tmp_path / "b")
    assert {each.code for each in found} <= {"broken"}


def test_a_part_that_a_file_calls_somebody_by_is_nobodys_name(study: Study, tmp_path: Path) -> None:
    make_interview(study, [("I", None, "I asked each participant. Was the Moderator with you?")])
    asks = Speaker.objects.filter(label="I")
    asks.update(called="I")
    Speaker.objects.filter(label="P").update(called="Participant")
    assert problems_in(lay_out(study, tmp_path / "a"), tmp_path / "a") == []
    asks.update(
        called="Moderator Wonderling"
    )  # a name beside a part is one, the part alone is none
    assert problems_in(lay_out(study, tmp_path / "b"), tmp_path / "b") == []


def test_a_word_that_english_and_french_share_is_told_once(study: Study, tmp_path: Path) -> None:
    Verdict.objects.update(note="Gardez ce calme.")
    found = problems_in(lay_out(study, tmp_path), tmp_path)
    assert [(each.code, each.what) for each in found] == [("inner_state", "calme")]


def test_the_rest_of_an_address_that_a_token_tore_is_found(study: Study, tmp_path: Path) -> None:
    text = Text.objects.get(interview__study=study)
    text.text = text.text.replace("truly", "[NAME-1]@exemple.fr")
    text.save()
    found = problems_in(lay_out(study, tmp_path), tmp_path)
    assert ("e_mail", "@…") in {(each.code, each.what) for each in found}


def test_whoever_takes_part_is_found_by_a_name_that_is_also_a_part(
    study: Study, tmp_path: Path
) -> None:
    User.objects.filter(pseudonyms__study=study).update(name="Marie Expert")
    Code.objects.filter(name="helping").update(include_when="As Expert says.")
    found = problems_in(lay_out(study, tmp_path), tmp_path)
    assert any((each.code, each.place[:14]) == ("known_name", "data/codes.csv") for each in found)


def test_of_an_address_with_a_known_name_in_it_nothing_is_exported(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    interview = make_interview(study, [("P", study.participants.get(group="trainee"), "?")])
    speaker = interview.speakers.get()
    Speaker.objects.filter(pk=speaker.pk).update(called="Paul")
    interview.texts.all().delete()
    interview.state = Interview.State.IMPORTED
    interview.save()
    words = "Write to paul@exemple.fr, paul.dubois@laposte.net, www.paul-conseil.fr or Paul Durand."
    raw = lay_text(interview, [SpokenTurn(speaker=speaker, words=words)], Text.Kind.RAW)
    propose_redactions(text=raw)
    while row := raw.redactions.filter(state=Redaction.State.PROPOSED).first():
        said = {"state": "approved", "kind": row.kind, "same_as": "", "only_here": False}
        decide(redaction=row, actor=researcher, **said)
    lock_interview(interview=interview, actor=researcher)
    with bundle_of(study, tmp_path, "a") as archive:
        text = archive.read("interviews/INT-02.txt").decode()
        files = [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
    assert text == "P: Write to [CONTACT-1], [CONTACT-2], [CONTACT-3] or [NAME-1] [NAME-2]."
    for secret in ("exemple", "dubois", "laposte", "conseil", "Durand"):
        assert not any(secret in each for each in files)


def test_a_refused_export_leaves_nothing_behind(study: Study, tmp_path: Path) -> None:
    an_address_in_a_memo(study)
    target = tmp_path / "out.zip"
    with pytest.raises(ExportRefused):
        export_to(
            study=study,
            target=target,
            folder=tmp_path,
            formats=(),
            recipient="A",
            purpose="B",
            agreement="C",
        )
    assert not target.exists()
    assert not Export.objects.exists()


def test_a_bundle_that_could_not_be_written_has_not_left(study: Study, tmp_path: Path) -> None:
    def export(target: Path) -> None:
        call_command("export_study", study.slug, "--out", str(target), stdout=StringIO())

    place = tmp_path / "files"
    place.mkdir()
    for nowhere in (place, place / "nowhere" / "out.zip"):
        with pytest.raises(CommandError, match="was not written"):
            export(nowhere)
    assert not Export.objects.exists()
    export(place / "out.zip")
    assert Export.objects.count() == 1
    assert [each.name for each in place.iterdir()] == ["out.zip"]
    assert (place / "out.zip").stat().st_mode & 0o077 == 0


class Killed(BaseException):
    """As by a signal that nobody catches: nothing runs after it."""


def test_no_copy_leaves_that_the_ledger_does_not_know_of(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.zip"
    seen: list[tuple[int, bytes]] = []

    def copied(_whole: IO[bytes], file: IO[bytes]) -> None:
        known = Export.objects.filter(downloaded_at__isnull=False).count()
        seen.append((known, (tmp_path / "out.zip.part").read_bytes()))
        file.write(b"PK")
        raise Killed

    monkeypatch.setattr(command_export, "shutil", SimpleNamespace(copyfileobj=copied))
    with pytest.raises(Killed):
        call_command("export_study", study.slug, "--out", str(target), stdout=StringIO())
    assert seen == [(1, b"")]
    # Ended in order after all, it takes its word back.
    assert [path.name for path in tmp_path.iterdir()] == []
    assert not Export.objects.exists()
    acts = list(Entry.objects.order_by("pk").values_list("action", flat=True))
    assert acts[-2:] == ["research.bundle_made", "research.bundle_removed"]


def early(study: Study, *formats: str, has_agreement: bool = True) -> list[tuple[str, str]]:
    found = known_problems(included_in(study, *formats), has_agreement=has_agreement)
    return [(each.code, each.place) for each in found]


def test_names_that_may_still_be_in_a_text_stop_it_or_stay_behind(study: Study) -> None:
    text = Text.objects.get(interview__study=study)
    raw = Text.objects.create(
        interview=text.interview, kind=Text.Kind.RAW, text="Ana", sha256="0", n_code_points=3
    )
    Redaction.objects.create(text=raw, start=0, end=3, kind="NAME", token="[NAME-1]")
    assert early(study) == [("redaction_pending", "INT-01")]
    Redaction.objects.all().delete()
    assert early(study) == []
    Interview.objects.update(state=Interview.State.IMPORTED)
    assert early(study) == [("redaction_pending", "INT-01")]
    assert early(study, Export.OnRequest.LEAVE_OUT_PENDING) == []


def test_a_mark_that_waits_for_another_lock_keeps_a_locked_text_in(study: Study) -> None:
    text = Text.objects.get(interview__study=study)
    Redaction.objects.create(
        text=text, start=3, end=6, kind="NAME", state="approved", token="[NAME-1]"
    )
    assert early(study) == [("redaction_pending", "INT-01")]
    asked = included_in(study, Export.OnRequest.LEAVE_OUT_PENDING)
    assert asked.conversations == ()
    assert asked.left_out["interviews", "redaction_pending"] == 1


def test_a_voice_of_whom_no_consent_is_known_stops_it(study: Study) -> None:
    Speaker.objects.filter(label="P").update(participant=None)
    assert early(study) == [("unnamed_voice", "INT-01")]


def test_small_groups_need_an_agreement(study: Study) -> None:
    assert early(study, has_agreement=False) == [("agreement_needed", "privacy.json")]


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8", newline="")


def a_bom(folder: Path) -> None:
    path = folder / "interviews" / "INT-01.txt"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def a_position_off_by_one(folder: Path) -> None:
    start = Coding.objects.order_by("guid")[0].start
    rewrite(
        folder / "data" / "codings.csv",
        lambda text: text.replace(f",{start},", f",{start + 1},", 1),
    )  # type: ignore[operator]


def a_dangling_key(folder: Path) -> None:
    rewrite(folder / "data" / "rehearsals.csv", lambda text: text.replace("R-", "X-"))


def a_key_twice(folder: Path) -> None:
    path = folder / "data" / "participants.csv"
    rewrite(path, lambda text: text + text.splitlines()[1] + "\n")


def a_film(folder: Path) -> None:
    (folder / "rehearsals" / "take.mp4").write_bytes(b"0")


def in_project(folder: Path, right: str, wrong: str) -> None:
    """Replace the first of these in project.qde."""
    path = folder / "qda" / "project.qdpx"
    with zipfile.ZipFile(path) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    assert right.encode() in kept["project.qde"], right
    kept["project.qde"] = kept["project.qde"].replace(right.encode(), wrong.encode(), 1)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in kept.items():
            archive.writestr(name, content)


def a_project_that_says_less(folder: Path) -> None:
    guid = str(Coding.objects.order_by("guid")[0].code.guid)
    in_project(folder, f'<CodeRef targetGUID="{guid}', '<CodeRef targetGUID="0')


def a_reference_to_nothing(folder: Path) -> None:
    guid = str(Coding.objects.order_by("guid")[0].code.guid)
    nobody = "00000000-0000-4000-8000-000000000000"
    in_project(folder, f'<CodeRef targetGUID="{guid}"', f'<CodeRef targetGUID="{nobody}"')


def a_guid_in_a_table_that_is_none(folder: Path) -> None:
    guid = str(Coding.objects.order_by("guid")[0].guid)
    rewrite(folder / "data" / "codings.csv", lambda text: text.replace(guid, f"x{guid[1:]}"))


def nan_in_a_number(folder: Path) -> None:
    rewrite(
        folder / "data" / "measurements.csv",
        lambda text: text.replace(",8,24,0.95,good,", ",NaN,24,0.95,good,"),
    )


def a_date_with_a_space_for_a_day(folder: Path) -> None:
    rewrite(
        folder / "data" / "interviews.csv",
        lambda text: text.replace(",in_person,,en,", ",in_person,,2026-03-02 09:00,"),
    )
    path = folder / "data" / "consents.csv"
    rewrite(path, lambda text: text.replace(",web_form,0\n", ",web_form,2026-03-02 09:00\n", 1))


def a_column_less(folder: Path) -> None:
    rewrite(folder / "data" / "codes.csv", lambda text: text.replace(",is_codable", "", 1))


def a_value_that_is_not_allowed(folder: Path) -> None:
    rewrite(folder / "data" / "codings.csv", lambda text: text.replace("independent", "certain", 1))


def a_value_and_a_reason(folder: Path) -> None:
    rewrite(
        folder / "data" / "measurements.csv",
        lambda text: text.replace(",8,24,0.95,good,6,10,", ",8,24,0.95,good,6,10,poor_signal"),
    )


BROKEN = [
    a_bom,
    a_position_off_by_one,
    a_dangling_key,
    a_key_twice,
    a_film,
    a_project_that_says_less,
    a_reference_to_nothing,
    a_value_and_a_reason,
    a_guid_in_a_table_that_is_none,
    nan_in_a_number,
    a_date_with_a_space_for_a_day,
    a_column_less,
    a_value_that_is_not_allowed,
]


def test_what_does_not_fit_together_is_found(study: Study, tmp_path: Path) -> None:
    included = lay_out(study, tmp_path / "sound")
    for spoil in BROKEN:
        folder = tmp_path / spoil.__name__
        shutil.copytree(tmp_path / "sound", folder)
        spoil(folder)
        found = {each.code for each in problems_in(included, folder)}
        assert "broken" in found, spoil.__name__


def test_what_refi_qda_forbids_is_refused_by_ourselves_whatever_parsers_say(
    study: Study, tmp_path: Path
) -> None:
    included = lay_out(study, tmp_path / "sound")
    for name, (right, wrong) in IN_PROJECT.items():
        folder = tmp_path / name
        shutil.copytree(tmp_path / "sound", folder)
        in_project(folder, right, wrong)
        found = [each for each in problems_in(included, folder) if each.code == "broken"]
        assert any(each.place == "qda/project.qdpx, project.qde" for each in found), name


def test_a_row_that_no_consent_covers_is_found(study: Study, tmp_path: Path) -> None:
    included = lay_out(study, tmp_path)
    rewrite(tmp_path / "data" / "consents.csv", lambda text: text.replace("granted", "withdrawn"))
    found = {(each.code, each.what) for each in problems_in(included, tmp_path)}
    assert {
        ("not_covered", "research_measurements"),
        ("not_covered", "research_transcript"),
    } <= found


def test_one_more_person_who_agreed_does_not_change_names_of_others(study: Study) -> None:
    before = [take.name for take in included_in(study).takes]
    interview = make_interview(study, [("I", None, "Hello.")])
    interview.delete()
    agree(study.participants.get(group="coach"), "research_quotes")
    assert [take.name for take in included_in(study).takes] == before
