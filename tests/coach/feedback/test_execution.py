"""A run from its first stage to a draft, with the real models, and what happens when parts fail."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from analysis import pipeline
from analysis.results import Note
from coach.accounts import purposes
from coach.accounts.models import Purpose
from coach.accounts.services import give_consent, withdraw_consent
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Run, Stage
from coach.feedback.runs import drafting, execution
from coach.feedback.runs.early import early_report_of
from coach.feedback.runs.execution import execute
from coach.feedback.services import start_run
from coach.lib.words.sentences import hint, sentence
from coach.lib.work.outages import retry_while_away
from coach.lib.work.queues import ALL_QUEUES
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.removals import remove_for_good
from coach.rehearsals.services import delete_rehearsal
from coach.storage import places
from tests.coach.factories import RehearsalFactory, folder_of, lies_at
from tests.coach.feedback.recordings import wav_bytes
from tests.coach.full_database import fill, make_room

pytestmark = pytest.mark.django_db(transaction=True)

queue_copies = import_module("coach.feedback.migrations.0022_copies_of_every_take").queue_copies


def make(content: bytes) -> Run:
    rehearsal = RehearsalFactory(
        content=content, duration=None, has_video=None, playback_type="", has_copy=False
    )
    return start_run(rehearsal=rehearsal, actor=rehearsal.owner)


def run_to_the_end(run: Run) -> Run:
    """What the workers do, one stage after the other; a wakeup that comes twice changes nothing."""
    waiting = list(run.stages.filter(state="queued").values_list("queue", flat=True))
    while waiting:
        waiting += [wakeup.queue for wakeup in execute(waiting.pop(0))]
    for queue in ALL_QUEUES:
        assert execute(queue) == []
    run.refresh_from_db()
    return run


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stages that really ran, in order."""
    ran: list[str] = []
    real = pipeline.run_stage

    def counted(name: str, **kwargs: object) -> object:
        ran.append(name)
        return real(name, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(execution.pipeline, "run_stage", counted)
    return ran


def test_a_recording_without_speech_still_becomes_a_report_that_says_so(
    models: Path, calls: list[str]
) -> None:
    run = run_to_the_end(make(wav_bytes(3)))
    assert run.state == "done"
    assert run.report.document["skipped"]["pace.words_per_minute"]["reason"] == "no_speech"
    assert run.report.document["skipped"]["gaze.camera_facing_share"]["reason"] == "no_video"
    assert Feedback.objects.get(run=run).items.count() == 0
    rehearsal = Rehearsal.objects.get(pk=run.rehearsal_id)
    assert rehearsal.duration == pytest.approx(3, abs=0.1)
    assert rehearsal.has_video is False
    assert (rehearsal.has_copy, rehearsal.playback_type) == (True, "audio/mp4")
    assert calls == ["prepare", "transcribe", "listen", "watch", "assemble"]
    assert not lies_at(places.run_place(run.rehearsal_id, run.pk)).exists()


def test_what_the_words_tell_is_kept_until_the_picture_has_been_watched(models: Path) -> None:
    run = make(wav_bytes(3))
    execute("media")
    execute("speech")
    early = early_report_of(Run.objects.get(pk=run.pk))
    assert early is not None
    assert early.media.duration == pytest.approx(3, abs=0.1)
    assert run_to_the_end(run).early_report is None


def test_a_take_of_before_there_were_copies_gets_one_after_all_other_work(models: Path) -> None:
    run = make(wav_bytes(1))
    run_to_the_end(run)
    rehearsal = Rehearsal.objects.get(pk=run.rehearsal_id)
    remove_for_good(places.copy_to_play(rehearsal.pk))
    Rehearsal.objects.update(has_copy=False)
    run.stages.filter(name="playback").update(state="skipped", queue="media")
    queue_copies(apps, None)
    copy = run.stages.get(name="playback")
    assert copy.state == "queued"
    assert copy.due_at > timezone.now() + timedelta(days=7)
    execute("media")
    rehearsal.refresh_from_db()
    assert rehearsal.has_copy
    assert lies_at(places.copy_to_play(rehearsal.pk)).exists()


def test_the_seconds_of_looking_into_the_lens_are_left_out(models: Path) -> None:
    rehearsal = RehearsalFactory(
        content=wav_bytes(5),
        duration=None,
        has_video=None,
        playback_type="",
        looks_into_lens_first=True,
    )
    run = run_to_the_end(start_run(rehearsal=rehearsal, actor=rehearsal.owner))
    assert run.report.document["stages"]["assemble"]["options"]["calibration"] == [0.0, 3.0]


@pytest.mark.parametrize(
    "content",
    [
        b"just some text, whatever its name says\n" * 50,
        b"#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n",
    ],
)
def test_a_file_that_is_no_recording_ends_with_a_sentence_and_is_kept(content: bytes) -> None:
    run = run_to_the_end(make(content))
    assert run.state == "failed"
    assert run.error_code.startswith("E1")
    assert sentence(Note.model_validate(run.problem)).endswith(".")
    assert "passwd" not in str(run.problem)
    assert lies_at(places.original(run.rehearsal.pk)).read_bytes() == content


def test_a_recording_over_the_limit_says_so() -> None:
    with override_settings(MAX_MINUTES=0.02):
        run = run_to_the_end(make(wav_bytes(3)))
    assert (run.state, run.error_code) == ("failed", "E106")


def failing(stage: str, times: int) -> Callable[..., object]:
    real = pipeline.run_stage
    left = [times]

    def sometimes(name: str, **kwargs: object) -> object:
        if name == stage and left[0] > 0:
            left[0] -= 1
            raise RuntimeError("a library gave up")
        return real(name, **kwargs)  # type: ignore[arg-type]

    return sometimes


def test_a_stage_that_fails_once_is_tried_again(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution.pipeline, "run_stage", failing("listen", 1))
    run = run_to_the_end_with_retries(make(wav_bytes(2)))
    assert run.state == "done"
    assert run.stages.get(name="listen").attempts == 2


def test_a_stage_that_fails_for_good_fails_alone_and_the_report_says_what_is_missing(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution.pipeline, "run_stage", failing("transcribe", 99))
    run = run_to_the_end_with_retries(make(wav_bytes(2)))
    assert run.state == "done"
    assert run.stages.get(name="transcribe").state == "failed"
    assert run.stages.get(name="listen").state == "done"
    assert Feedback.objects.filter(run=run).exists()


def test_a_run_that_cannot_even_open_the_file_gives_up_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(execution.pipeline, "run_stage", failing("prepare", 99))
    run = run_to_the_end_with_retries(make(wav_bytes(2)))
    assert (run.state, run.error_code) == ("failed", "E151")
    assert "kept" in hint(Note.model_validate(run.problem))


def test_rules_that_fail_on_the_report_are_tried_again_and_then_given_up_with_a_sentence(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(drafting.select, "draft", stumble)
    run = run_to_the_end_with_retries(make(wav_bytes(2)))
    assert (run.state, run.error_code) == ("failed", "E151")
    assert run.stages.get(name="draft").attempts == 4


def run_to_the_end_with_retries(run: Run) -> Run:
    waiting = list(run.stages.filter(state="queued").values_list("queue", flat=True))
    for _step in range(40):
        if not waiting:
            break
        waiting += [wakeup.queue for wakeup in execute(waiting.pop(0))]
    run.refresh_from_db()
    return run


def test_consent_withdrawn_in_the_middle_stops_the_run_and_keeps_the_recording(
    models: Path,
) -> None:
    run = make(wav_bytes(2))
    wakeups = execute("media")
    withdraw_consent(user=run.rehearsal.owner, purpose=Purpose.ANALYSIS)
    for wakeup in wakeups:
        execute(wakeup.queue)
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "E150")
    assert lies_at(places.original(run.rehearsal.pk)).exists()
    assert not Feedback.objects.exists()


def test_who_has_not_answered_a_wider_question_is_not_told_that_they_withdrew(
    models: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = make(wav_bytes(2)).rehearsal
    Run.objects.all().delete()
    words = purposes.WORDINGS[Purpose.ANALYSIS]
    wider = purposes.ConsentWording(text="More.", changed="More.", asks_more=True)
    other = {**purposes.WORDINGS, Purpose.ANALYSIS: (*words, wider)}
    monkeypatch.setattr(purposes, "WORDINGS", other)
    run = start_run(rehearsal=before, actor=before.owner)
    execute("media")
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "E153")
    client.force_login(before.owner)
    page = client.get(reverse("feedback:analysing", args=[before.pk])).content.decode()
    assert "The new wording on analysis asks for more than you agreed to" in page
    assert "withdrew" not in page
    assert page.count("Your recording is kept") == 1
    give_consent(user=before.owner, purpose=Purpose.ANALYSIS, is_answer=True)
    again = start_run(rehearsal=before, actor=before.owner)
    execute("media")
    again.refresh_from_db()
    assert again.state == "running"


def test_consent_withdrawn_while_two_stages_run_stops_both_and_is_told_once(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make(wav_bytes(2))
    wakeups = execute("media")
    began: list[str] = []

    def beginning(name: str, *, progress: Callable[[float], None], **_rest: object) -> None:
        began.append(name)
        if len(began) == 1:
            lies_at(places.run_place(run.rehearsal_id, run.pk)).mkdir(parents=True, exist_ok=True)
            for wakeup in wakeups[1:]:
                if wakeup.queue != "media":
                    execute(wakeup.queue)
            progress(0.2)
        else:
            withdraw_consent(user=run.rehearsal.owner, purpose=Purpose.ANALYSIS)
            progress(0.5)
        pytest.fail("it went on without consent")

    monkeypatch.setattr(execution.pipeline, "run_stage", beginning)
    execute(wakeups[0].queue)
    assert len(began) == 2
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "E150")
    assert Entry.objects.filter(action="feedback.run_failed").count() == 1
    assert not lies_at(places.run_place(run.rehearsal_id, run.pk)).exists()


def test_a_take_deleted_in_the_middle_leaves_nothing_behind(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make(wav_bytes(2))
    folder = folder_of(run.rehearsal)
    real = pipeline.run_stage

    def deleting(name: str, **kwargs: object) -> object:
        record = real(name, **kwargs)  # type: ignore[arg-type]
        delete_rehearsal(rehearsal=Rehearsal.objects.get(pk=run.rehearsal_id))
        run_dir = folder / "runs" / "late"
        run_dir.mkdir(parents=True)
        return record

    monkeypatch.setattr(execution.pipeline, "run_stage", deleting)
    assert execute("media") == []
    assert not Stage.objects.exists()
    assert not folder.exists()


def test_a_full_disk_ends_the_run_with_a_sentence_and_the_recording_stays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_arguments: object, **_named: object) -> object:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(execution.pipeline, "run_stage", full)
    run = run_to_the_end(make(wav_bytes(1)))
    assert (run.state, run.error_code) == (Run.State.FAILED, "E152")
    assert "The disk of this site was full" in sentence(Note.model_validate(run.problem))
    assert (folder_of(run.rehearsal) / "original").exists()
    assert "No space left" in caplog.text


def test_so_does_a_database_in_which_what_was_found_has_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(execution, "retry_while_away", partial(retry_while_away, patience=0.5))
    run = make(wav_bytes(1))
    fill(Stage._meta.db_table, event="UPDATE", when="NEW.state = 'done'")
    try:
        run = run_to_the_end(run)
    finally:
        make_room()
    assert (run.state, run.error_code) == (Run.State.FAILED, "E152")
    assert "The disk of this site was full" in sentence(Note.model_validate(run.problem))
    assert run.stages.get(name="prepare").attempts == 1


@pytest.fixture
def copied_later(models: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run with a report, whose copy to play found no room a while ago."""

    def full(**_named: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    run = make(wav_bytes(1, width=4))
    with monkeypatch.context() as patch:
        patch.setattr(execution.pipeline, "run_playback", full)
        run_to_the_end(run)
    copy = run.stages.get(name="playback")
    assert (copy.state, copy.attempts, copy.problem["code"]) == ("queued", 0, "disk_full")
    assert copy.queued_at > timezone.now()
    run.stages.filter(pk=copy.pk).update(queued_at=timezone.now() - timedelta(minutes=1))
    return run


def test_a_copy_to_play_waits_for_room_and_takes_no_report_away(copied_later: Run) -> None:
    assert copied_later.state == Run.State.DONE
    run_to_the_end(copied_later)
    assert copied_later.stages.get(name="playback").state == "done"
    assert lies_at(places.copy_to_play(copied_later.rehearsal_id)).exists()


def test_consent_withdrawn_before_a_copy_is_made_leaves_the_report_that_is_there(
    copied_later: Run,
) -> None:
    withdraw_consent(user=copied_later.rehearsal.owner, purpose=Purpose.ANALYSIS)
    assert run_to_the_end(copied_later).state == Run.State.DONE
    assert copied_later.stages.get(name="playback").state == "failed"
    assert not lies_at(places.copy_to_play(copied_later.rehearsal_id)).exists()
    assert not lies_at(places.run_place(copied_later.rehearsal_id, copied_later.pk)).exists()
