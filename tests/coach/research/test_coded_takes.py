"""Coding a take: where its owner agrees to sound and picture, seen by them, unseen by others."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.services import let_go
from coach.research.coding.models import (
    Assignment,
    Code,
    CodeChange,
    Coding,
    Memo,
    Round,
)
from coach.research.coding.quote_redaction import LEAST_WORDS
from coach.research.coding.rounds.takes import codable_takes
from coach.research.coding.takes.words import lines_of, words_between
from coach.research.exports.importing import load_bundle
from coach.research.studies.models import (
    ConsentEvent,
    LeftOut,
    Member,
    Participant,
    Scope,
    Study,
)
from coach.research.studies.taking_part import leave_study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, bundle_of, make_study


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


@pytest.fixture
def share(ana: Participant, researcher: User, sign_in: SignIn) -> Assignment:
    """Rui codes her take."""
    agree(ana, Scope.AUDIO, Scope.VIDEO)
    fields = {
        "codebook": ana.study.codebooks.get().pk,
        "coders": [researcher.pk],
        "takes": [str(Rehearsal.objects.get().pk)],
    }
    answer = sign_in(researcher).post(url("new_round"), fields)
    assert answer.status_code == 302, answer.content.decode()
    return Assignment.objects.get()


def mark(client: Client, share: Assignment, start: str, end: str) -> str:
    code = Code.objects.get().pk
    fields = {"code": code, "start": start, "end": end}
    return client.post(url("mark", share.pk), fields, follow=True).content.decode()


def test_what_codes_mean_can_be_read_without_a_mouse(
    share: Assignment, researcher: User, sign_in: SignIn
) -> None:
    page = sign_in(researcher).get(url("coding", share.pk)).content.decode()
    assert "<dt>opening</dt><dd>How it begins.</dd>" in page


def test_a_take_is_coded_only_where_its_owner_agrees_to_sound_and_picture(
    ana: Participant, trainee: User
) -> None:
    assert codable_takes(ana.study) == []
    agree(ana, Scope.AUDIO)
    assert codable_takes(ana.study) == []
    Rehearsal.objects.update(has_video=False)
    assert [take.label for take in codable_takes(ana.study)] == [f"{ana.pseudonym} · 1"]
    Rehearsal.objects.update(has_video=True)
    agree(ana, Scope.VIDEO)
    assert len(codable_takes(ana.study)) == 1
    left_out = LeftOut.objects.create(study=ana.study, rehearsal=Rehearsal.objects.get())
    assert codable_takes(ana.study) == []
    left_out.delete()
    agree(ana, Scope.VIDEO, kind=ConsentEvent.Kind.WITHDRAWN)
    assert codable_takes(ana.study) == []


def test_a_stretch_is_coded_played_and_taken_back(
    share: Assignment, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    page = client.get(url("coding", share.pk)).content.decode()
    assert share.rehearsal is not None
    assert share.rehearsal.title not in page
    assert trainee.name not in page
    assert "0:03–0:05" in mark(client, share, "0:03.240", "0:05.5")
    found = Coding.objects.get()
    assert (found.start_ms, found.end_ms, found.text) == (3240, 5500, None)
    mark(client, share, "0:03.240", "0:05.5")
    assert Coding.objects.count() == 1
    client.post(url("unmark", share.pk), {"coding": found.pk})
    assert not Coding.objects.exists()
    client.post(url("undo_coding", share.pk))
    assert Coding.objects.get().start_ms == 3240
    client.post(url("finish_text", share.pk), {"finished": "yes"})
    assert "You have marked this as finished" in mark(client, share, "0:10", "0:12")


@pytest.mark.parametrize(
    ("start", "end"), [("0:05", "0:03"), ("0:05", "9:00"), ("", "0:03"), ("x", "1"), ("5", "5")]
)
def test_what_is_no_stretch_of_the_recording_is_refused(
    start: str, end: str, share: Assignment, researcher: User, sign_in: SignIn
) -> None:
    page = mark(sign_in(researcher), share, start, end)
    assert "Mark the start and the end of the passage." in page
    assert not Coding.objects.exists()


def test_its_owner_sees_who_opened_it_and_closes_it_by_changing_their_mind(
    share: Assignment, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    recording = url("take_media", share.rehearsal_id)
    answer = client.get(recording)
    assert answer.getvalue()
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert [each.viewer for each in Viewing.objects.all()] == [researcher]
    agree(ana, Scope.AUDIO, kind=ConsentEvent.Kind.WITHDRAWN)
    for page in (url("coding", share.pk), recording):
        assert client.get(page).status_code == 404
    assert "may no longer be used" in client.get(url("round", 1)).content.decode()


def test_nobody_else_opens_or_codes_a_take(
    share: Assignment, study_member: User, stranger: User, coach: User, sign_in: SignIn
) -> None:
    recording = url("take_media", share.rehearsal_id)
    for user in (study_member, stranger, coach):
        client = sign_in(user)
        assert client.get(url("coding", share.pk)).status_code == 404
        for name in ("mark", "unmark", "undo_coding"):
            assert client.post(url(name, share.pk)).status_code == 404
    for user in (stranger, coach):
        assert sign_in(user).get(recording).status_code == 404
        assert sign_in(user).post(url("open_free_take", share.rehearsal_id)).status_code == 404
    Member.objects.filter(user=study_member).update(role=Member.Role.ALLOCATOR)
    assert sign_in(study_member).get(recording).status_code == 404
    assert sign_in(study_member).post(url("open_free_take", share.rehearsal_id)).status_code == 404
    assert not Viewing.objects.exists()
    assert Assignment.objects.count() == 1


@pytest.fixture
def study_member(share: Assignment) -> User:
    """Works on the study, and was not given this take."""
    ida = UserFactory(name="Ida", roles=[Role.RESEARCHER])
    study: Study = Round.objects.get().study
    study.members.create(user=ida, role="coder")
    return ida


def test_memos_on_a_stretch_and_on_the_take_are_kept(
    share: Assignment, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    mark(client, share, "0:03", "0:05")
    coding = Coding.objects.get()
    client.post(url("coding_memo", share.pk), {"coding": coding.pk, "memo": "Louder\0 here."})
    client.post(url("text_memo", share.pk), {"body": "A calm\0 take."})
    page = client.get(url("coding", share.pk)).content.decode()
    assert "Louder here." in page
    assert "A calm take." in page
    memo = Memo.objects.get()
    assert (memo.rehearsal, memo.interview, memo.coder) == (share.rehearsal, None, share.coder)
    client.post(url("text_memo", share.pk), {"body": ""})
    assert not Memo.objects.exists()
    client.post(url("finish_text", share.pk), {"finished": "yes"})
    client.post(url("text_memo", share.pk), {"body": "Too late."})
    assert not Memo.objects.exists()
    other = Coding.objects.exclude(pk=coding.pk).first()
    assert other is None
    assert client.post(url("coding_memo", share.pk), {"coding": "0"}).status_code == 404


def test_what_was_coded_stays_when_the_recording_is_deleted(
    share: Assignment, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    mark(client, share, "0:03", "0:05")
    Rehearsal.objects.update(media_removed_at=timezone.now())
    page = client.get(url("coding", share.pk)).content.decode()
    assert "The recording has been deleted. Your codings remain." in page
    assert "0:03–0:05" in page
    assert client.get(url("take_media", share.rehearsal_id)).status_code == 404
    assert "data-take" not in page


@pytest.fixture
def freely(ana: Participant, researcher: User, sign_in: SignIn) -> Assignment:
    """Rui codes her take without a round."""
    agree(ana, Scope.AUDIO, Scope.VIDEO, Scope.TRANSCRIPT, Scope.MEASUREMENTS)
    answer = sign_in(researcher).post(url("open_free_take", Rehearsal.objects.get().pk))
    share = Assignment.objects.get()
    assert answer.headers["Location"] == url("coding", share.pk)
    return share


def test_a_take_is_coded_freely_with_new_codes_that_are_replaced(
    freely: Assignment, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    take = freely.rehearsal
    assert take is not None
    assert "data-transcript" in client.get(url("coding", freely.pk)).content.decode()
    line = lines_of(freely.round.study, take)[0]
    first, last = line.words[0], line.words[2]
    times = {"start": str(first.start), "end": str(last.end)}
    headers = {"HX-Request": "true"}
    page = client.post(
        url("mark", freely.pk), times | {"new": "in-vivo"}, headers=headers
    ).content.decode()
    coding = Coding.objects.get()
    assert coding.code.name == " ".join(word.text for word in line.words[:3])
    assert 'id="take-codings"' in page
    more = {"new": "named", "name": "closing", "replace": coding.pk}
    client.post(url("mark", freely.pk), more, headers=headers)
    coding.refresh_from_db()
    assert (coding.code.name, coding.start_ms) == ("closing", round(first.start * 1000))
    change = CodeChange.objects.get(kind="recoded")
    assert (change.by, change.after["into"]) == (researcher, "closing")
    client.post(url("undo_coding", freely.pk))
    coding.refresh_from_db()
    assert coding.code.name != "closing"
    rounds = client.get(url("rounds")).content.decode()
    assert url("open_free_take", take.pk) in rounds


def test_free_codings_of_a_take_leave_in_a_bundle_and_come_back(
    freely: Assignment, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    fields = {"start": "1", "end": "2", "new": "named", "name": "opening"}
    sign_in(researcher).post(url("mark", freely.pk), fields, headers={"HX-Request": "true"})
    first = bundle_of(freely.round.study, tmp_path, "first")
    empty = make_study(researcher, "replication")
    load_bundle(study=empty, path=tmp_path / "first.zip", actor=researcher)
    empty.refresh_from_db()
    second = bundle_of(empty, tmp_path, "second")
    for name in ("take_codings", "take_shares", "rounds"):
        lines = first.read(f"data/{name}.csv").decode().splitlines()
        assert len(lines) == 2, name
        assert second.read(f"data/{name}.csv") == first.read(f"data/{name}.csv"), name


def test_the_transcript_of_a_take_needs_a_consent_of_its_own(
    freely: Assignment, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    agree(ana, Scope.TRANSCRIPT, kind=ConsentEvent.Kind.WITHDRAWN)
    client = sign_in(researcher)
    assert "data-transcript" not in client.get(url("coding", freely.pk)).content.decode()
    fields = {"start": "0", "end": "20", "new": "in-vivo"}
    page = client.post(url("mark", freely.pk), fields, headers={"HX-Request": "true"})
    assert "no transcribed words" in page.content.decode()
    assert not Coding.objects.exists()


@pytest.mark.parametrize("how", ["leaves the study", "deletes the take"])
def test_quotes_of_a_take_leave_with_it_or_its_owner(
    how: str, freely: Assignment, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    take = freely.rehearsal
    assert take is not None
    lines = lines_of(ana.study, take)
    end = lines[0].words[LEAST_WORDS].end
    words = words_between(lines, 0, round(1000 * end))
    client = sign_in(researcher)
    fields = {"start": "0", "end": str(end), "new": "in-vivo"}
    client.post(url("mark", freely.pk), fields, headers={"HX-Request": "true"})
    assert Code.objects.filter(name=words).exists()
    if how == "leaves the study":
        leave_study(participant=ana, actor=researcher)
    else:
        let_go(rehearsal=take, action="rehearsals.deleted", actor=take.owner)
        assert not Coding.objects.exists()
    assert words not in str(list(Code.objects.values_list("name")))
    assert client.get(url("coding", freely.pk)).status_code == 404
