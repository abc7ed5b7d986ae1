"""An exercise is recorded, answered with its counts, kept for a week, and only its owner's."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.results import Reason, Skipped
from coach.accounts.models import Cohort, Purpose, User
from coach.accounts.services import withdraw_consent
from coach.audit.models import Entry
from coach.feedback.models import Feedback
from coach.feedback.selectors import talks_for
from coach.portal.personal.archive import archive_of
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.own_data import own_data
from coach.portal.personal.retention import remove_exercises
from coach.practice.exercises.catalogue import exercise_for, exercises
from coach.practice.exercises.listening.services import hand_in_exercise, obstacle_to_listening
from coach.practice.models import ExerciseDone
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Talk, Upload
from coach.rehearsals.services import delete_rehearsal
from coach.rehearsals.sweeping import reconcile_storage
from coach.uploads.services import finish_upload
from tests.coach.conftest import SignIn
from tests.coach.factories import arrived, folder_of, make_report
from tests.coach.feedback.recordings import wav_bytes
from tests.coach.practice.takes import finish

UMS = exercises()["breathe_instead"]
PAGE = reverse("practice:exercise", args=[UMS.id])
USE = reverse("practice:use_exercise", args=[UMS.id])
SEND = reverse("practice:send_exercise", args=[UMS.id])


def recorded(owner: User, name: str = "exercise.webm") -> Upload:
    upload = Upload.objects.create(owner=owner, name=name, expected_bytes=5)
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(b"aloud")
    finish_upload(upload=upload, received_bytes=5, sha256="ab" * 32, complete=True)
    return upload


def recording_of(done: ExerciseDone) -> Rehearsal:
    assert done.recording is not None
    return done.recording


def heard_at(done: ExerciseDone) -> str:
    return reverse("practice:exercise_heard", args=[done.recording_id])


@pytest.fixture
def done(trainee: User, no_broker: None) -> ExerciseDone:
    return hand_in_exercise(user=trainee, exercise=UMS, upload=recorded(trainee))


@pytest.fixture
def of_card(take: Rehearsal, trainee: User) -> ExerciseDone:
    item = take.feedback.get().items.get()
    found = exercise_for(rule=item.rule, quality=item.quality)
    assert found is not None
    return hand_in_exercise(user=trainee, exercise=found, upload=recorded(trainee), item=item)


def test_it_is_measured_for_one_thing_is_no_take_and_counts_as_done(
    done: ExerciseDone, trainee: User
) -> None:
    recording = recording_of(done)
    assert recording.kind == Kind.EXERCISE
    assert recording.part_end == 120
    off = recording.runs.get().options["disabled_families"]
    assert "fillers" not in off
    assert {"pitch", "gaze", "wording", "posture"} <= set(off)
    assert not Rehearsal.objects.exists()
    assert not talks_for(trainee, takes=9)
    assert own_data(trainee)["exercises_done"][0]["exercise"] == UMS.id


def test_the_recorder_leads_to_the_answer_and_pressed_twice_to_the_same(
    trainee: User, sign_in: SignIn, no_broker: None
) -> None:
    client = sign_in(trainee)
    assert reverse("practice:record_exercise", args=[UMS.id]) in client.get(PAGE).content.decode()
    page = client.get(reverse("practice:record_exercise", args=[UMS.id]))
    assert "camera=(self)" in page.headers["Permissions-Policy"]
    assert USE in page.content.decode()
    upload = recorded(trainee)
    first, second = (client.post(USE, {"upload": upload.pk}) for _press in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    [made] = ExerciseDone.objects.all()
    assert first.headers["Location"] == heard_at(made)
    assert 'hx-trigger="every' in client.get(heard_at(made)).content.decode()
    polled = client.get(f"{heard_at(made)}now/", headers={"HX-Request": "true"})
    assert 'id="running"' in polled.content.decode()
    assert Entry.objects.filter(action="practice.exercise_recorded").count() == 1


def test_a_file_is_sent_without_a_script(trainee: User, sign_in: SignIn, no_broker: None) -> None:
    client = sign_in(trainee)
    file = SimpleUploadedFile("aloud.wav", wav_bytes(2), content_type="audio/wav")
    answer = client.post(SEND, {"recording": file})
    assert answer.headers["Location"] == heard_at(ExerciseDone.objects.get())
    text = SimpleUploadedFile("aloud.wav", b"these are only words, and no sound at all " * 9)
    refused = client.post(SEND, {"recording": text}, follow=True)
    assert "recording" in refused.content.decode()
    assert client.post(SEND).status_code == 302
    assert ExerciseDone.objects.count() == 1


def test_the_answer_counts_plays_and_stands_beside_the_recording_before(
    done: ExerciseDone, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    finish(recording_of(done), 7)
    page = client.get(heard_at(done)).content.decode()
    media = reverse("rehearsals:media", args=[done.recording_id])
    assert page.count(f'href="{media}#t=') == 7
    assert b"".join(client.get(media)) == b"aloud"  # type: ignore[arg-type]
    done.refresh_from_db()
    assert {"id": "ums", "value": 7, "unit": "count"} in done.facts
    later = hand_in_exercise(user=trainee, exercise=UMS, upload=recorded(trainee))
    finish(recording_of(later), 4)
    both = client.get(heard_at(later)).content.decode()
    assert "<td>7</td><td>4</td>" in both
    assert both.count("data-excerpts") == 2
    assert "Ums and uhs heard: 7" in unescape(client.get(PAGE).content.decode())
    assert own_data(trainee)["exercises_done"][1]["counted"] == done.facts


def test_without_an_earlier_one_the_moment_of_the_card_is_before(
    of_card: ExerciseDone, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    finish(recording_of(of_card), 4)
    client = sign_in(trainee)
    take_media = reverse("rehearsals:media", args=[take.pk])
    assert f'src="{take_media}"' in client.get(heard_at(of_card)).content.decode()
    page = client.get(
        reverse("practice:exercise", args=[of_card.exercise]), {"card": of_card.item_id}
    )
    assert f'href="{take_media}#t=' in page.content.decode()
    delete_rehearsal(rehearsal=take)
    assert not Rehearsal.any_kind.exists()
    assert not ExerciseDone.objects.exists()


def test_what_could_not_be_measured_is_told_in_words(
    done: ExerciseDone, trainee: User, sign_in: SignIn
) -> None:
    silent = make_report(duration=60.0)
    nobody = Skipped.because(Reason.NO_SPEECH, "in_words", words="Made for a test.")
    without = silent.model_copy(
        update={
            "speech": (),
            "events": (),
            "measurements": {},
            "skipped": dict.fromkeys([*silent.skipped, *silent.measurements], nobody),
        }
    )
    finish(recording_of(done), 0, without)
    page = sign_in(trainee).get(heard_at(done)).content.decode()
    assert "We heard no speech in this recording." in page
    assert "<td>" not in page


def test_a_recording_that_cannot_be_opened_says_why_and_offers_another(
    done: ExerciseDone, trainee: User, sign_in: SignIn
) -> None:
    problem = {"code": "media_unreadable", "values": {}}
    recording_of(done).runs.update(state="failed", error_code="E101", problem=problem)
    page = sign_in(trainee).get(heard_at(done)).content.decode()
    assert "notice--error" in page
    assert reverse("practice:record_exercise", args=[UMS.id]) in page


def test_what_the_profile_leaves_out_is_not_listened_for(
    trainee: User, sign_in: SignIn, no_broker: None
) -> None:
    trainee.disabled_families = ["fillers"]
    trainee.save()
    client = sign_in(trainee)
    assert (
        reverse("practice:record_exercise", args=[UMS.id]) not in client.get(PAGE).content.decode()
    )
    client.post(USE, {"upload": recorded(trainee).pk})
    assert not ExerciseDone.objects.exists()
    trainee.disabled_families = ["wording"]
    assert not obstacle_to_listening(trainee, UMS)
    assert obstacle_to_listening(trainee, exercises()["mark_the_breaths"])


def test_a_withdrawn_consent_is_not_given_again_in_passing(
    done: ExerciseDone, trainee: User, sign_in: SignIn
) -> None:
    withdraw_consent(user=trainee, purpose=Purpose.ANALYSIS)
    client = sign_in(trainee)
    client.post(USE, {"upload": recorded(trainee).pk})
    assert ExerciseDone.objects.count() == 1
    assert "withdrew" in client.get(PAGE).content.decode()


def test_after_a_week_the_recording_goes_and_its_counts_stay(
    done: ExerciseDone, cohort: Cohort, trainee: User
) -> None:
    finish(recording_of(done), 5)
    key, folder = recording_of(done).pk, folder_of(recording_of(done))
    assert folder.exists()
    assert remove_exercises() == 0
    Rehearsal.any_kind.filter(pk=key).update(created_at=timezone.now() - timedelta(days=8))
    assert remove_exercises() == 1
    done.refresh_from_db()
    assert done.recording is None
    assert {"id": "ums", "value": 5, "unit": "count"} in done.facts
    assert not Rehearsal.any_kind.exists()
    assert not Talk.objects.exists()
    assert not Feedback.objects.exists()
    cohort.keep_media_days = 2
    cohort.save()
    again = hand_in_exercise(user=trainee, exercise=UMS, upload=recorded(trainee))
    Rehearsal.any_kind.update(created_at=timezone.now() - timedelta(days=3))
    assert remove_exercises() == 1
    again.refresh_from_db()
    assert again.recording is None


def test_it_is_handed_out_deleted_and_erased_with_its_owner(
    done: ExerciseDone, trainee: User, sign_in: SignIn
) -> None:
    finish(recording_of(done), 5)
    with ZipFile(BytesIO(b"".join(archive_of(trainee)))) as archive:
        names = archive.namelist()
    assert any(name.startswith("exercises/") and "recording." in name for name in names)
    assert any(name.startswith("exercises/") and name.endswith("report.json") for name in names)
    client = sign_in(trainee)
    assert client.post(f"{heard_at(done)}delete/").headers["Location"] == PAGE
    assert not ExerciseDone.objects.exists()
    assert not Rehearsal.any_kind.exists()
    hand_in_exercise(user=trainee, exercise=UMS, upload=recorded(trainee))
    erase_person(user=trainee)
    assert not Rehearsal.any_kind.exists()
    assert not ExerciseDone.objects.exists()
    reconcile_storage()


def test_a_stranger_reads_hears_and_deletes_nothing(
    done: ExerciseDone, of_card: ExerciseDone, stranger: User, coach: User, sign_in: SignIn
) -> None:
    finish(recording_of(done), 5)
    for person in (stranger, coach):
        client = sign_in(person)
        for path in (heard_at(done), f"{heard_at(done)}now/"):
            assert client.get(path).status_code in {403, 404}
        assert client.post(f"{heard_at(done)}delete/").status_code in {403, 404}
        media = reverse("rehearsals:media", args=[done.recording_id])
        assert client.get(media).status_code == 404
    client = sign_in(stranger)
    card = {"card": of_card.item_id}
    assert client.get(reverse("practice:record_exercise", args=[UMS.id]), card).status_code == 404
    theirs = recorded(done.user)
    assert client.post(USE, {"upload": theirs.pk}).status_code == 404
    assert (
        client.post(f"{USE}?card={of_card.item_id}", {"upload": recorded(stranger).pk}).status_code
        == 404
    )
    assert Client().get(heard_at(done)).headers["Location"].startswith("/accounts/login/")
    assert ExerciseDone.objects.count() == 2


def test_an_exercise_that_does_not_listen_has_no_recorder(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    assert client.get(reverse("practice:record_exercise", args=["two_places"])).status_code == 404
    page = client.get(reverse("practice:exercise", args=["two_places"])).content.decode()
    assert "We do not record or measure anything here." in page
