"""A recorded exercise goes through the real pipeline: planted ums are counted, a clean take has
none.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from bench.listening.synthetic_voice import say
from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.feedback.runs.execution import execute
from coach.practice.exercises.catalogue import exercises
from coach.practice.exercises.listening.services import hand_in_exercise, note_facts_of
from coach.rehearsals.models import Upload
from coach.uploads.services import finish_upload
from tests.analysis.spoken import PIECES, UMS, cut, decoded, in_a_room
from tests.coach.factories import UserFactory, arrived

pytestmark = pytest.mark.django_db(transaction=True)

SAID = (
    "We tested the method in three schools of the town.",
    "In two of them the children learned to read faster.",
    "The third school is the most interesting one for us.",
    "Nobody there had changed the way of teaching before.",
    "They wanted to see the same children grow and read.",
)
PLANTED = 3


def with_ums(ums: list[FloatArray]) -> FloatArray:
    """The sentences, with one um in each of the first silences."""
    spoken = say(SAID, voice="en-us", pause=0.8, words_a_minute=120)
    audio, parts, last = 0.5 * spoken.audio, [], 0.0
    for (_start, end), um in zip(spoken.phrases, ums, strict=False):
        loud = 0.7 * float(np.abs(audio).max()) / float(np.abs(um).max())
        parts += [cut(audio, (last, end + 0.4)), (loud * um).astype(np.float32)]
        last = end + 0.4
    return in_a_room(np.concatenate([*parts, cut(audio, (last, len(audio) / SAMPLE_RATE_HZ))]))


def counted(owner: User, sound: FloatArray) -> dict[str, float]:
    """The counts of the exercise about ums, by the real stages."""
    file = io.BytesIO()
    wavfile.write(file, SAMPLE_RATE_HZ, (np.clip(sound, -1, 1) * 32767).astype(np.int16))
    upload = Upload.objects.create(owner=owner, name="a.wav", expected_bytes=len(file.getvalue()))
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(file.getvalue())
    finish_upload(
        upload=upload, received_bytes=len(file.getvalue()), sha256="ef" * 32, complete=True
    )
    done = hand_in_exercise(user=owner, exercise=exercises()["breathe_instead"], upload=upload)
    assert done.recording is not None
    waiting = list(
        done.recording.runs.get().stages.filter(state="queued").values_list("queue", flat=True)
    )
    while waiting:
        waiting += [wakeup.queue for wakeup in execute(waiting.pop(0))]
    note_facts_of(recording=done.recording)
    done.refresh_from_db()
    return {each["id"]: each["value"] for each in done.facts}


def test_planted_ums_are_counted_and_a_clean_take_has_none(models: Path, tmp_path: Path) -> None:
    owner = UserFactory()
    whole = decoded(UMS, tmp_path)
    clean = counted(owner, with_ums([]))
    faulty = counted(owner, with_ums([cut(whole, piece) for piece in PIECES[:PLANTED]]))
    assert clean["ums"] == 0
    assert PLANTED - 1 <= faulty["ums"] <= PLANTED
    assert faulty["spoken_seconds"] > clean["spoken_seconds"]
    assert not Feedback.objects.exists()
