"""Coding a take: where its owner agrees to sound and picture, seen by them, unseen by others."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.rehearsals.models import Rehearsal, Viewing
from coach.research.coding.models import (
    Assignment,
    Code,
    Coding,
    Memo,
    Round,
)
from coach.research.coding.rounds.takes import codable_takes
from coach.research.studies.models import ConsentEvent, LeftOut, Participant, Scope, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree


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
    return client.post(url("mark_take", share.pk), fields, follow=True).content.decode()


def test_what_codes_mean_can_be_read_without_a_mouse(
    share: Assignment, researcher: User, sign_in: SignIn
) -> None:
    page = sign_in(researcher).get(url("coding_take", share.pk)).content.decode()
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
    page = client.get(url("coding_take", share.pk)).content.decode()
    assert share.rehearsal is not None
    assert share.rehearsal.title not in page
    assert trainee.name not in page
    assert "0:03–0:05" in mark(client, share, "0:03.240", "0:05.5")
    found = Coding.objects.get()
    assert (found.start_ms, found.end_ms, found.text) == (3240, 5500, None)
    mark(client, share, "0:03.240", "0:05.5")
    assert Coding.objects.count() == 1
    client.post(url("unmark_take", share.pk), {"coding": found.pk})
    assert not Coding.objects.exists()
    client.post(url("undo_take", share.pk))
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
    answer = client.get(url("take_media", share.pk))
    assert answer.getvalue()
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert [each.viewer for each in Viewing.objects.all()] == [researcher]
    agree(ana, Scope.AUDIO, kind=ConsentEvent.Kind.WITHDRAWN)
    for name in ("coding_take", "take_media"):
        assert client.get(url(name, share.pk)).status_code == 404
    assert "may no longer be used" in client.get(url("round", 1)).content.decode()


def test_nobody_else_opens_or_codes_a_take(
    share: Assignment, study_member: User, stranger: User, coach: User, sign_in: SignIn
) -> None:
    for user in (study_member, stranger, coach):
        client = sign_in(user)
        for name in ("coding_take", "take_media"):
            assert client.get(url(name, share.pk)).status_code == 404
        for name in ("mark_take", "unmark_take", "undo_take"):
            assert client.post(url(name, share.pk)).status_code == 404
    assert not Viewing.objects.exists()


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
    client.post(url("take_coding_memo", share.pk), {"coding": coding.pk, "memo": "Louder\0 here."})
    client.post(url("take_memo", share.pk), {"body": "A calm\0 take."})
    page = client.get(url("coding_take", share.pk)).content.decode()
    assert "Louder here." in page
    assert "A calm take." in page
    memo = Memo.objects.get()
    assert (memo.rehearsal, memo.interview, memo.coder) == (share.rehearsal, None, share.coder)
    client.post(url("take_memo", share.pk), {"body": ""})
    assert not Memo.objects.exists()
    client.post(url("finish_text", share.pk), {"finished": "yes"})
    client.post(url("take_memo", share.pk), {"body": "Too late."})
    assert not Memo.objects.exists()
    other = Coding.objects.exclude(pk=coding.pk).first()
    assert other is None
    assert client.post(url("take_coding_memo", share.pk), {"coding": "0"}).status_code == 404


def test_what_was_coded_stays_when_the_recording_is_deleted(
    share: Assignment, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    mark(client, share, "0:03", "0:05")
    Rehearsal.objects.update(media_removed_at=timezone.now())
    page = client.get(url("coding_take", share.pk)).content.decode()
    assert "The recording has been deleted. Your codings remain." in page
    assert "0:03–0:05" in page
    assert client.get(url("take_media", share.pk)).status_code == 404
    assert "data-take" not in page
