"""A recording goes where somebody took the consent back, and not before that; never while held."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from analysis.errors import AnalysisError
from coach.accounts.models import LegalHold, User
from coach.accounts.services import lift_hold, set_hold
from coach.drafts.models import FormDraft
from coach.drafts.services import autosave_draft
from coach.portal.personal.erasure import erase_person
from coach.portal.receipts.services import objects_now
from coach.research.coding.interviews.recording_consent import everybody_agrees
from coach.research.coding.interviews.speakers import SpeakerAnswer, save_speakers
from coach.research.coding.models import Interview, Recording
from coach.research.coding.recordings import execution
from coach.research.coding.recordings.execution import execute_recording
from coach.research.coding.recordings.retention import remove_withdrawn_recordings
from coach.research.coding.recordings.services import delete
from coach.research.coding.recordings.transcript_import import take_in
from coach.research.personal_data import PERSONAL_DATA
from coach.research.studies.models import ConsentEvent, Participant, Scope, Study
from coach.research.studies.taking_part import leave_study
from coach.storage import WorkDirectory, places, storage
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, ask_again, take_part

pytestmark = pytest.mark.django_db
commits = pytest.mark.django_db(transaction=True)


def hold(user: User, actor: User) -> LegalHold:
    made = LegalHold(user=user, reason="Case 7 at court.")
    set_hold(hold=made, actor=actor)
    return made


def taken_in(recording: Recording, actor: User) -> Interview:
    numbers = zip(recording.passages.all(), (1, 2, 2), strict=True)
    for passage, number in numbers:
        passage.voice = recording.voices.get(number=number)
        passage.save()
    return take_in(recording=recording, marks_pauses=False, language="en", actor=actor)


@pytest.fixture
def bea(study: Study) -> Participant:
    """She is heard too; nobody knew it before."""
    made = take_part(study, UserFactory(email="bea@example.org"))
    agree(made, Scope.RECORDING)
    return made


@pytest.fixture
def named(written: Recording, bea: Participant, researcher: User) -> Recording:
    """Bea stands in the interview alone: whoever asked turned out to be her."""
    made = taken_in(written, researcher)
    speaker = made.speakers.get(label="I")
    save_speakers(
        interview=made,
        said={speaker.pk: SpeakerAnswer("participant", str(bea.pk))},
        actor=researcher,
    )
    return Recording.objects.get(pk=written.pk)


def test_a_new_sheet_closes_a_recording_and_deletes_nothing(
    study: Study, written: Recording, ana: Participant, researcher: User
) -> None:
    ask_again(study, researcher)
    assert not everybody_agrees(written)
    assert remove_withdrawn_recordings() == 0
    assert written.passages.count() == 3
    newest = study.documents.get(scope=Scope.RECORDING, version=2)
    last = ana.consents.filter(scope=Scope.RECORDING).last()
    assert last is not None
    ana.consents.create(
        scope=Scope.RECORDING, kind=ConsentEvent.Kind.RENEWED, document=newest, at=last.at
    )
    assert everybody_agrees(written)
    page = reverse("research:recording", args=[written.study.slug, written.pk])
    autosave_draft(user=researcher, page=page, form="passages", fields={"words": "I hid"})
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.DECLINED)
    assert remove_withdrawn_recordings() == 1
    assert not FormDraft.objects.exists()


def test_what_waits_for_a_consent_is_read_on_once_it_is_given(
    study: Study, arrived: Recording, researcher: User
) -> None:
    ask_again(study, researcher)
    for _each in range(5):
        assert execute_recording(arrived.pk) is None
    arrived.refresh_from_db()
    assert (arrived.state, arrived.step, arrived.attempts) == ("queued", "prepare", 0)
    study.documents.filter(version=2).update(is_material=False)
    execute_recording(arrived.pk)
    arrived.refresh_from_db()
    assert arrived.state == "failed"  # it was read, and is no recording


@pytest.mark.parametrize("how", ["consent", "leaves"])
def test_who_is_named_later_takes_it_back_as_well(
    how: str, named: Recording, bea: Participant
) -> None:
    assert everybody_agrees(named)
    user = bea.link.user
    (row,) = PERSONAL_DATA.export(user)["recorded_interviews"]
    assert row["held_on"] == named.held_on
    if how == "consent":
        agree(bea, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    else:
        leave_study(participant=bea, actor=user)
    assert not everybody_agrees(named)
    assert remove_withdrawn_recordings() == 1


@commits
def test_who_is_named_later_is_erased_with_proof(named: Recording, bea: Participant) -> None:
    receipt = erase_person(user=bea.link.user)
    assert receipt.interviews == [named.media_key]
    assert objects_now(receipt) == 0
    named.refresh_from_db()
    assert named.state == "removed"


def test_what_is_held_stays_closed_until_the_hold_is_lifted(
    written: Recording, ana: Participant, trainee: User, researcher: User
) -> None:
    held = hold(trainee, researcher)
    with pytest.raises(ValidationError, match="a legal hold applies"):
        delete(recording=written, actor=researcher)
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    assert remove_withdrawn_recordings() == 0
    assert not everybody_agrees(written)
    assert written.passages.count() == 3
    lift_hold(hold=held, actor=researcher)
    assert remove_withdrawn_recordings() == 1


@commits
def test_what_is_held_for_somebody_else_waits_after_an_erasure(
    named: Recording, bea: Participant, trainee: User, researcher: User
) -> None:
    held = hold(trainee, researcher)
    erase_person(user=bea.link.user)
    named.refresh_from_db()
    assert named.is_here
    assert not everybody_agrees(named)
    assert remove_withdrawn_recordings() == 0
    lift_hold(hold=held, actor=researcher)
    assert remove_withdrawn_recordings() == 1


@commits
@pytest.mark.parametrize("ends", ["well", "badly"])
def test_what_is_deleted_in_the_middle_of_the_work_leaves_no_file(
    ends: str,
    arrived: Recording,
    researcher: User,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = arrived.media_key
    assert key is not None
    late = tmp_path / "late"
    late.write_bytes(b"a copy to play")

    def step(recording: Recording, _lease: object, _bench: WorkDirectory) -> None:
        delete(recording=recording, actor=researcher)
        storage().keep(late, places.copy_to_play(key))
        if ends == "badly":
            raise AnalysisError("no_such_thing")

    monkeypatch.setitem(execution._STEPS, Recording.Step.PREPARE, step)
    assert execute_recording(arrived.pk) is None
    assert list(storage().names(places.take_place(key))) == []
    arrived.refresh_from_db()
    assert arrived.state == "removed"
