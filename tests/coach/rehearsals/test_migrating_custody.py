"""Takes of before pages stopped looking at the disk keep their pictures and copies."""

from __future__ import annotations

from pathlib import Path

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import override_settings

from coach.accounts.models import User
from tests.coach.factories import RehearsalFactory, place

NODE = ("rehearsals", "0009_look_for_posters_and_copies")


def test_pictures_and_copies_that_lie_there_are_known_afterwards(
    trainee: User, tmp_path: Path
) -> None:
    with override_settings(MEDIA_ROOT=tmp_path):
        takes = [RehearsalFactory(owner=trainee) for _each in range(3)]
        place(f"rehearsals/{takes[0].pk}/poster.jpg", b"a picture")
        place(f"rehearsals/{takes[1].pk}/playback", b"a copy")
        place("rehearsals/lost+found/poster.jpg", b"not ours")
        loader = MigrationExecutor(connection).loader
        look = loader.get_migration(*NODE).operations[0]
        look.code(loader.project_state([NODE]).apps, None)
    for take in takes:
        take.refresh_from_db()
    assert [take.has_poster for take in takes] == [True, False, False]
    assert [take.has_copy for take in takes] == [False, True, False]
