"""A span of a take goes through the real pipeline, reads the take's recording, drafts nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from coach.feedback.models import Feedback
from coach.feedback.reports import measured_by
from coach.feedback.runs.execution import execute
from coach.practice.redo.services import begin_span
from coach.storage import places
from tests.coach.factories import RehearsalFactory, lies_at
from tests.coach.feedback.recordings import wav_bytes

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_span_as_it_was_is_measured_in_the_takes_own_recording(models: Path) -> None:
    take = RehearsalFactory(
        content=wav_bytes(20), duration=20.0, has_video=False, playback_type="audio/wav"
    )
    span = begin_span(take=take, start=2.0, end=18.0, metric="pitch.sd_semitones")
    run = span.before.runs.get()
    waiting = list(run.stages.filter(state="queued").values_list("queue", flat=True))
    while waiting:
        waiting += [wakeup.queue for wakeup in execute(waiting.pop(0))]
    run.refresh_from_db()
    assert run.state == "done"
    measured = measured_by(run, "pitch.sd_semitones")
    assert measured is not None
    assert measured.reason == "no_speech"
    other = measured_by(run, "pace.words_per_minute")
    assert other is not None
    assert other.reason == "disabled_by_profile"
    assert not Feedback.objects.exists()
    assert lies_at(places.original(take.pk)).exists()
    assert not lies_at(places.run_place(take.pk, run.pk)).exists()
    assert not lies_at(places.take_place(span.before_id)).exists()
