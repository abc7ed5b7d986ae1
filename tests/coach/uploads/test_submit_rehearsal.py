"""Handing a rehearsal in stores it, plans its run and enqueues it once the transaction stands."""

from __future__ import annotations

import uuid

import pytest
from django.core.exceptions import ValidationError
from django.test import override_settings
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from coach.accounts.models import Purpose, User
from coach.accounts.selectors import has_consent
from coach.audit.models import Entry
from coach.feedback import tasks
from coach.feedback.runs.stage_leases import Wakeup
from coach.feedback.services import start_run
from coach.rehearsals.models import Rehearsal, Upload
from coach.uploads.services import finish_upload
from coach.uploads.storing import submit_rehearsal
from tests.coach.factories import arrived as bytes_of
from tests.coach.factories import folder_of
from tests.coach.uploads.handing_in import CONTEXT


def arrived(owner: User, content: bytes = b"bytes") -> Upload:
    upload = Upload.objects.create(owner=owner, name="talk.mp4", expected_bytes=len(content))
    bytes_of(upload).parent.mkdir(parents=True, exist_ok=True)
    bytes_of(upload).write_bytes(content)
    finish_upload(upload=upload, received_bytes=len(content), sha256="ab" * 32, complete=True)
    return upload


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queues in which something was enqueued, in place of a broker."""
    queues: list[str] = []

    def send(_args: object, *, queue: str, retry: bool, time_limit: int) -> None:
        assert retry is False
        assert time_limit > 300
        queues.append(queue)

    monkeypatch.setattr(tasks.run_stage, "apply_async", send)
    return queues


def test_it_is_stored_with_its_run_and_rung_for_on_commit_only(
    trainee: User,
    enqueued: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        rehearsal = submit_rehearsal(
            owner=trainee, upload=arrived(trainee), context=CONTEXT, form_token=uuid.uuid4()
        )
    assert enqueued == []
    for callback in callbacks:
        callback()
    assert enqueued == ["media"]
    assert (folder_of(rehearsal) / "original").read_bytes() == b"bytes"
    assert rehearsal.runs.get().stages.count() == 7
    assert has_consent(trainee, purpose=Purpose.ANALYSIS)
    assert Entry.objects.filter(action="rehearsals.stored", actor=trainee).exists()


def test_a_double_click_makes_one_rehearsal(trainee: User, enqueued: list[str]) -> None:
    token = uuid.uuid4()
    first = submit_rehearsal(
        owner=trainee, upload=arrived(trainee), context=CONTEXT, form_token=token
    )
    second = submit_rehearsal(
        owner=trainee, upload=arrived(trainee), context=CONTEXT, form_token=token
    )
    assert first == second
    assert Rehearsal.objects.count() == 1
    assert first.runs.count() == 1


def test_a_second_run_waits_for_the_first(trainee: User, enqueued: list[str]) -> None:
    rehearsal = submit_rehearsal(
        owner=trainee, upload=arrived(trainee), context=CONTEXT, form_token=uuid.uuid4()
    )
    with pytest.raises(ValidationError, match="already being analysed"):
        start_run(rehearsal=rehearsal, actor=trainee)


def test_a_dead_broker_loses_nothing(
    trainee: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(tasks.run_stage, "apply_async", refuse)
    tasks.enqueue(
        [
            Wakeup(queue="media"),
            Wakeup(queue="speech"),
        ]
    )
    assert "waits for the sweeper" in caplog.text


def test_what_the_profile_turns_off_goes_with_the_take(trainee: User, enqueued: list[str]) -> None:
    trainee.disabled_families = ["face"]
    trainee.save()
    rehearsal = submit_rehearsal(
        owner=trainee, upload=arrived(trainee), context=CONTEXT, form_token=uuid.uuid4()
    )
    assert rehearsal.runs.get().options["disabled_families"] == ["face"]


@override_settings(SPEECH_ENGINE="openai-whisper", WHISPER_SIZE="base.en")
def test_the_sites_engine_and_size_stay_with_the_run(trainee: User, enqueued: list[str]) -> None:
    rehearsal = submit_rehearsal(
        owner=trainee, upload=arrived(trainee), context=CONTEXT, form_token=uuid.uuid4()
    )
    options = rehearsal.runs.get().options
    assert (options["engine"], options["size"]) == ("openai-whisper", "base.en")
