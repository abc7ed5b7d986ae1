"""From a recording to an interview: nothing without consent, and nothing longer than was said."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.lib.work import leases
from coach.lib.work.leases import LeaseLost
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.retention import remove_all
from coach.portal.receipts.services import objects_now, removals_of
from coach.rehearsals.models import Removal, Upload
from coach.rehearsals.sweeping import reconcile_storage
from coach.research.coding.interviews.redaction.deciding import decide
from coach.research.coding.interviews.redaction.locking import delete_original, lock_interview
from coach.research.coding.models import Interview, Recording, Redaction
from coach.research.coding.recordings.execution import _next, execute_recording, stale
from coach.research.coding.recordings.retention import (
    note_locked_texts,
    remove_withdrawn_recordings,
)
from coach.research.coding.recordings.services import (
    add_voice,
    delete,
    hand_in,
    stop,
    transcribe_again,
)
from coach.research.coding.recordings.transcript_import import take_in
from coach.research.studies.models import ConsentEvent, Participant, Scope, Study
from coach.research.studies.taking_part import leave_study
from coach.storage import places, storage
from coach.uploads.services import UploadGone
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, take_part
from tests.coach.research.recordings.conftest import planned, sent

pytestmark = pytest.mark.django_db
commits = pytest.mark.django_db(transaction=True)

TOAST = Path(__file__).parents[4] / "demo" / "talks" / "toast.ogg"


def give(recording: Recording, *numbers: int) -> None:
    for passage, number in zip(recording.passages.all(), numbers, strict=True):
        passage.voice = recording.voices.get(number=number)
        passage.save()


def proven(recording: Recording) -> bool:
    assert recording.media_key is not None
    place = places.take_place(recording.media_key)
    removal = Removal.objects.filter(place=place).first()
    return removal is not None and removal.proven_at is not None


def test_nobody_is_recorded_who_did_not_agree(
    study: Study, ana: Participant, researcher: User
) -> None:
    silent = take_part(study, UserFactory())
    agree(silent, Scope.TRANSCRIPT)
    with pytest.raises(ValidationError, match=silent.pseudonym):
        planned(study, silent, researcher)
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    with pytest.raises(ValidationError, match=ana.pseudonym):
        planned(study, ana, researcher)


def test_who_takes_part_has_the_number_after_who_asks(awaited: Recording) -> None:
    voices = [(each.number, each.role) for each in awaited.voices.all()]
    assert voices == [(1, "interviewer"), (2, "participant")]
    add_voice(recording=awaited, role="other")
    with pytest.raises(ValidationError):
        add_voice(recording=awaited, role="participant")


def test_what_was_sent_for_something_else_is_no_recording(
    awaited: Recording, study: Study, ana: Participant, researcher: User, tmp_path: Path
) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"OggS")
    other = sent(planned(study, ana, researcher), researcher, file)
    with pytest.raises(UploadGone):
        hand_in(recording=awaited, upload=other, actor=researcher)


@commits
def test_a_real_recording_is_written_down_by_the_pipeline(
    models: Path, awaited: Recording, researcher: User
) -> None:
    hand_in(recording=awaited, upload=sent(awaited, researcher, TOAST), actor=researcher)
    assert not Upload.objects.exists()
    steps = []
    while (waiting := execute_recording(awaited.pk)) and waiting.step != "transcribe":
        steps.append(waiting.step)
    assert steps == ["playback"]
    assert waiting is not None
    assert (waiting.state, waiting.attempts) == ("queued", 0)
    # A worker takes it and dies; its lease runs out, another one goes on with this very step.
    dead = leases.acquire(Recording.objects.all(), key=awaited.pk)
    assert dead is not None
    past = timezone.now() - timedelta(hours=1)
    Recording.objects.filter(pk=awaited.pk).update(lease_until=past, holder="")
    assert [each.pk for each in stale()] == [awaited.pk]
    assert execute_recording(awaited.pk) is None
    awaited.refresh_from_db()
    assert (awaited.state, awaited.language, awaited.read_by) == ("done", "en", "tiny.en-int8")
    with pytest.raises(LeaseLost):
        _next(dead, Recording.Step.PREPARE)
    passages = list(awaited.passages.all())
    assert len(passages) > 3
    times = [(each.start_ms, each.end_ms) for each in passages]
    assert times == sorted(times)
    assert times[-1][1] <= (awaited.duration_ms or 0)
    assert awaited.is_here
    assert awaited.media_key is not None
    run = places.run_place(awaited.media_key, awaited.pk)
    assert list(storage().names(run)) == []


def test_what_is_no_recording_says_why_and_is_kept(arrived: Recording, researcher: User) -> None:
    execute_recording(arrived.pk)
    arrived.refresh_from_db()
    assert (arrived.state, arrived.is_here) == ("failed", True)
    assert arrived.problem["code"]
    transcribe_again(recording=arrived, actor=researcher)
    arrived.refresh_from_db()
    assert (arrived.state, arrived.problem) == ("queued", {})


def test_who_stops_it_is_heard_by_the_worker(arrived: Recording, researcher: User) -> None:
    lease = leases.acquire(Recording.objects.all(), key=arrived.pk)
    assert lease is not None
    stop(recording=arrived, actor=researcher)
    assert not lease.row.exists()
    arrived.refresh_from_db()
    assert (arrived.state, arrived.is_here) == ("stopped", True)


def test_turns_have_their_times_and_pauses_where_they_are_wanted(
    written: Recording, researcher: User
) -> None:
    with pytest.raises(ValidationError, match="3 passages"):
        take_in(recording=written, marks_pauses=True, language="en", actor=researcher)
    give(written, 1, 2, 2)
    made = take_in(recording=written, marks_pauses=True, language="en", actor=researcher)
    text = made.texts.get()
    assert text.text == "I: How was it?\nP: I met Bea Martin. [pause 3 s] Then I spoke."
    turns = [(turn.speaker.label, turn.start_ms, turn.end_ms) for turn in text.turns.all()]
    assert turns == [("I", 0, 850), ("P", 1000, 5850)]
    assert (made.state, made.duration_ms) == ("imported", 6000)
    assert made.speakers.get(label="P").participant is not None
    assert not made.speakers.exclude(called="").exists()
    assert Redaction.objects.filter(text=text).exists()
    written.refresh_from_db()
    again = take_in(recording=written, marks_pauses=True, language="en", actor=researcher)
    assert again == made


@commits
def test_the_days_begin_with_the_lock_and_the_text_stays(
    written: Recording, researcher: User
) -> None:
    give(written, 1, 2, 2)
    made = take_in(recording=written, marks_pauses=False, language="en", actor=researcher)
    assert note_locked_texts() == 0
    for row in Redaction.objects.all():
        decide(
            redaction=row,
            state="approved",
            kind="NAME",
            same_as="",
            only_here=True,
            actor=researcher,
        )
    lock_interview(interview=made, actor=researcher)
    assert note_locked_texts() == 1
    written.refresh_from_db()
    assert written.remove_at is not None
    assert timedelta(29) < written.remove_at - timezone.now() < timedelta(31)
    assert remove_all()["interviews"] == 0
    Recording.objects.update(remove_at=timezone.now() - timedelta(hours=1))
    assert remove_all()["interviews"] == 1
    written.refresh_from_db()
    assert (written.state, written.passages.count()) == ("removed", 0)
    assert proven(written)
    assert Interview.objects.get(pk=made.pk).texts.filter(kind="locked").exists()


def test_the_words_go_with_the_original(written: Recording, researcher: User) -> None:
    give(written, 1, 2, 2)
    made = take_in(recording=written, marks_pauses=False, language="en", actor=researcher)
    Interview.objects.update(state="locked")
    assert delete_original(interview=made, actor=researcher)
    assert not written.passages.exists()


def test_it_is_read_again_in_another_language(written: Recording, researcher: User) -> None:
    transcribe_again(recording=written, actor=researcher, language="fr")
    written.refresh_from_db()
    assert (written.state, written.language, written.step) == ("queued", "fr", "prepare")


@commits
@pytest.mark.parametrize("how", ["consent", "leaves", "erased"])
def test_who_takes_it_back_is_gone_with_proof(
    how: str, written: Recording, ana: Participant, trainee: User
) -> None:
    assert remove_withdrawn_recordings() == 0
    if how == "consent":
        agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    elif how == "leaves":
        leave_study(participant=ana, actor=trainee)
    else:
        receipt = erase_person(user=trainee)
        assert receipt.interviews == [written.media_key]
        assert objects_now(receipt) == 0
        assert removals_of(receipt).filter(proven_at__isnull=False).exists()
    removed = 0 if how == "erased" else 1
    assert remove_withdrawn_recordings() == removed
    written.refresh_from_db()
    assert (written.state, written.original_name) == ("removed", "")
    assert written.passages.count() == 0
    assert proven(written)
    assert Entry.objects.filter(action="research.recording_withdrawn").exists()


@commits
def test_who_deletes_it_leaves_nothing_of_what_is_on_its_way(
    awaited: Recording, researcher: User, tmp_path: Path
) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"OggS")
    sent(awaited, researcher, file)
    delete(recording=awaited, actor=researcher)
    assert not Upload.objects.exists()
    assert not Recording.objects.exists()


def test_the_sweeper_knows_whose_the_bytes_are(written: Recording) -> None:
    found = reconcile_storage()
    assert found.missing == ()
    assert written.media_key is not None
    assert storage().size(places.original(written.media_key))
    lost = Recording.objects.filter(pk=written.pk)
    key = uuid4()
    lost.update(media_key=key)
    assert reconcile_storage().missing == (key,)
