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
        takes = [RehearsalFactory(owner=trainee, has_copy=False) for _each in range(3)]
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


def test_who_goes_back_finds_the_name_of_each_recording_again(trainee: User) -> None:
    take = RehearsalFactory(owner=trainee)
    loader = MigrationExecutor(connection).loader
    removal = loader.get_migration("rehearsals", "0010_no_second_name_of_the_recording")
    connection.check_constraints()  # what the factory left for the end of its transaction
    with connection.schema_editor() as editor:
        removal.unapply(loader.project_state([NODE]), editor)
    with connection.cursor() as cursor:
        cursor.execute("SELECT media FROM rehearsals_rehearsal WHERE id = %s", [take.pk])
        assert cursor.fetchone() == (f"rehearsals/{take.pk}/original",)
