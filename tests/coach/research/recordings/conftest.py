"""A conversation that Rui records with Ana, who agreed to it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from analysis.results import Word
from coach.accounts.models import Role, User
from coach.rehearsals.models import Upload
from coach.research.coding.models import Recording
from coach.research.coding.recordings.passages import lay_out, propose
from coach.research.coding.recordings.services import Plan, hand_in, plan_recording
from coach.research.studies.models import Participant, Scope, Study
from coach.uploads.services import keep_file
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, make_study, take_part

SAID = (
    ("How", 0.0),
    ("was", 0.3),
    ("it?", 0.6),
    ("I", 1.0),
    ("met", 1.3),
    ("Bea", 1.6),
    ("Martin.", 1.9),
    ("Then", 5.0),
    ("I", 5.3),
    ("spoke.", 5.6),
)


@pytest.fixture
def study(researcher: User) -> Study:
    """Rui leads it."""
    return make_study(researcher)


@pytest.fixture
def ana(study: Study, trainee: User) -> Participant:
    """She takes part, and agrees to being recorded."""
    made = take_part(study, trainee)
    agree(made, Scope.RECORDING, Scope.TRANSCRIPT)
    return made


def planned(study: Study, person: Participant, actor: User) -> Recording:
    """One that is awaited: somebody asks, one person answers."""
    plan = Plan(
        mode="in_person", language="en", held_on=date(2026, 3, 3), people=[person], n_voices=2
    )
    return plan_recording(study=study, plan=plan, actor=actor)


@pytest.fixture
def awaited(study: Study, ana: Participant, researcher: User) -> Recording:
    """Nothing came yet."""
    return planned(study, ana, researcher)


def sent(recording: Recording, owner: User, content: Path) -> Upload:
    """What arrived for it."""
    upload = Upload(owner=owner, name="talk.ogg", meant_for=recording.upload_key)
    keep_file(upload=upload, path=content)
    upload.save()
    return upload


@pytest.fixture
def arrived(awaited: Recording, researcher: User, tmp_path: Path) -> Recording:
    """Some bytes are here; nobody has opened them."""
    file = tmp_path / "talk.ogg"
    file.write_bytes(b"OggS" + bytes(5000))
    hand_in(recording=awaited, upload=sent(awaited, researcher, file), actor=researcher)
    awaited.refresh_from_db()
    return awaited


@pytest.fixture
def written(arrived: Recording) -> Recording:
    """Written down, with words that somebody said."""
    words = [
        Word(text=text, start=at, end=at + 0.25, probability=0.3 if text == "met" else 0.9)
        for text, at in SAID
    ]
    lay_out(arrived, propose(words))
    Recording.objects.filter(pk=arrived.pk).update(
        state=Recording.State.DONE, duration_ms=6000, has_video=False, playback_type="audio/ogg"
    )
    arrived.refresh_from_db()
    return arrived


@pytest.fixture
def coder(study: Study) -> User:
    """Cem codes in the study and reads no names."""
    person = UserFactory(email="cem@example.org", name="Cem", roles=[Role.RESEARCHER])
    study.members.create(user=person, role="coder")
    return person
