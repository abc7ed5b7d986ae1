"""The recording of an interview lies in storage as a take does: in a folder, or an S3 server."""

from __future__ import annotations

from pathlib import Path

import pytest

from coach.accounts.models import User
from coach.rehearsals.models import Removal
from coach.rehearsals.sweeping import reconcile_storage
from coach.research.coding.recordings.services import delete, hand_in
from coach.research.studies.models import Scope
from coach.storage import Storage, places
from tests.coach.research.making import agree, make_study, take_part
from tests.coach.research.recordings.conftest import planned, sent

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_arrives_is_worked_on_and_goes_with_proof(
    either: Storage, researcher: User, trainee: User, tmp_path: Path
) -> None:
    study = make_study(researcher)
    ana = take_part(study, trainee)
    agree(ana, Scope.RECORDING)
    recording = planned(study, ana, researcher)
    file = tmp_path / "talk.ogg"
    file.write_bytes(b"OggS" + bytes(70_000))
    hand_in(recording=recording, upload=sent(recording, researcher, file), actor=researcher)
    recording.refresh_from_db()
    key = recording.media_key
    assert key is not None
    assert either.size(places.original(key)) == file.stat().st_size
    with either.work_directory(key, recording.pk) as bench:
        bench.fetch_media()
        assert bench.media_path.read_bytes() == file.read_bytes()
    assert reconcile_storage().missing == ()
    assert either.size(places.original(key)) is not None
    delete(recording=recording, actor=researcher)
    assert list(either.names(places.take_place(key))) == []
    assert Removal.objects.get(place=places.take_place(key)).proven_at is not None
