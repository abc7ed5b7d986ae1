"""What holds wherever recordings lie: a folder, or a real S3 server."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

import psutil
import pytest
from django.db import transaction
from django.http import StreamingHttpResponse

from coach.storage import Gone, Storage, places

MEGABYTE = 1024 * 1024

pytestmark = pytest.mark.django_db


def recording_of(size: int) -> bytes:
    """So many bytes, none of which stands where a piece of usual length would repeat it."""
    return (bytes(range(251)) * (size // 251 + 1))[:size]


def receive(storage: Storage, content: bytes) -> uuid.UUID:
    upload = uuid.uuid4()
    writer = storage.resume(upload)
    for first in range(0, len(content), 64 * 1024):
        writer.write(content[first : first + 64 * 1024])
    writer.close()
    return upload


def taken_in(storage: Storage, content: bytes) -> uuid.UUID:
    upload = receive(storage, content)
    take = storage.name_take(upload)
    with transaction.atomic():
        storage.adopt(upload, take)
    return take


def read(storage: Storage, name: str, **which: int) -> bytes:
    return b"".join(storage.read(name, **which))


@pytest.mark.parametrize("size", [1, 100_000, 12 * MEGABYTE + 7])
def test_what_arrives_is_the_recording_of_the_take(either: Storage, size: int) -> None:
    content = bytes(range(256)) * (size // 256 + 1)
    content = content[:size]
    upload = receive(either, content)
    assert either.settle(upload) == size
    take = either.name_take(upload)
    either.adopt(upload, take)
    assert either.size(places.original(take)) == size
    assert read(either, places.original(take)) == content


@pytest.mark.parametrize(
    ("start", "length"), [(0, 1), (0, 300_000), (5_300_000, 1_000), (6_000_000, 1)]
)
def test_any_part_of_it_can_be_read(either: Storage, start: int, length: int) -> None:
    content = recording_of(6_000_001)
    name = places.original(taken_in(either, content))
    assert read(either, name, start=start, length=length) == content[start : start + length]


def test_what_nobody_reads_is_closed_with_its_answer(either: Storage) -> None:
    take = taken_in(either, b"x" * 2_000_000)
    process = psutil.Process()
    before = process.num_fds()
    answer = StreamingHttpResponse(either.read(places.original(take)))
    answer.close()
    assert process.num_fds() <= before


def test_what_is_not_there_is_said_before_an_answer_begins(either: Storage) -> None:
    nothing = places.original(uuid.uuid4())
    assert either.size(nothing) is None
    assert either.settle(uuid.uuid4()) is None
    with pytest.raises(Gone):
        either.read(nothing)


def test_a_file_is_kept_under_its_name_and_replaced(either: Storage, tmp_path: Path) -> None:
    name = places.poster(uuid.uuid4())
    for content in (b"a picture", b"another"):
        (tmp_path / "made").write_bytes(content)
        either.keep(tmp_path / "made", name)
        assert read(either, name) == content
    assert (tmp_path / "made").exists()


def test_stages_hand_on_what_they_made_and_leave_nothing_here(
    either: Storage, tmp_path: Path
) -> None:
    take, run = taken_in(either, b"a recording"), uuid.uuid4()
    with either.work_directory(take, run) as first:
        first.fetch_media()
        assert first.media_path.read_bytes() == b"a recording"
        (first.workdir / "sound.npz").write_bytes(b"sound")
        (first.workdir / "listen.skipped.json").write_text("{}")
        first.store()
    with either.work_directory(take, run) as second:
        second.fetch(["sound.npz", "listen.skipped.json", "never-made.json"])
        assert (second.workdir / "sound.npz").read_bytes() == b"sound"
        assert not (second.workdir / "never-made.json").exists()
        (second.workdir / "listen.skipped.json").unlink()
        (second.workdir / "sound.npz").write_bytes(b"sound, again")
        second.store()
    with either.work_directory(take, run) as third:
        third.fetch(["sound.npz", "listen.skipped.json"])
        assert (third.workdir / "sound.npz").read_bytes() == b"sound, again"
        assert not (third.workdir / "listen.skipped.json").exists()
    assert not (tmp_path / "scratch").exists() or list((tmp_path / "scratch").iterdir()) == []


def test_removing_a_take_leaves_the_neighbours_and_is_proven(
    either: Storage, tmp_path: Path
) -> None:
    take, other, run = taken_in(either, b"one"), taken_in(either, b"two"), uuid.uuid4()
    (tmp_path / "made").write_bytes(b"a picture")
    either.keep(tmp_path / "made", places.poster(take))
    with either.work_directory(take, run) as bench:
        (bench.workdir / "sound.npz").write_bytes(b"sound")
        bench.store()
    parts = either.remove(places.run_place(take, run))
    assert parts.is_proven
    assert parts.objects >= 1
    assert read(either, places.original(take)) == b"one"
    receipt = either.remove(places.take_place(take))
    assert (receipt.is_proven, receipt.objects >= 2) == (True, True)
    assert either.size(places.original(take)) is None
    assert read(either, places.original(other)) == b"two"
    again = either.remove(places.take_place(take))
    assert (again.is_proven, again.objects) == (True, 0)


def test_everything_is_found_by_whom_it_belongs_to(either: Storage, tmp_path: Path) -> None:
    take, upload, lost = taken_in(either, b"one"), receive(either, b"two"), uuid.uuid4()
    (tmp_path / "made").write_bytes(b"a picture")
    either.keep(tmp_path / "made", places.poster(lost))
    found = {holding.owner: holding for holding in either.holdings()}
    assert found[take].has_recording
    assert found[upload].has_recording
    assert not found[lost].has_recording
    for owner in (take, upload, lost):
        assert found[owner].changed_at == pytest.approx(time.time(), abs=30)
        either.remove(found[owner].place)
    assert {take, upload, lost}.isdisjoint(each.owner for each in either.holdings())


def test_a_place_that_works_has_nothing_to_say(either: Storage) -> None:
    assert either.check() == ""


@pytest.mark.parametrize("pieces", [[100_000, 1], [7 * MEGABYTE, 4 * MEGABYTE, 100_000]])
def test_what_paused_or_broke_off_is_gone_on_with(either: Storage, pieces: list[int]) -> None:
    upload, content = uuid.uuid4(), recording_of(sum(pieces))
    arrived = 0
    for size in pieces:
        assert either.kept(upload) == arrived
        writer = either.resume(upload)
        assert writer.kept == arrived
        for first in range(arrived, arrived + size, 64 * 1024):
            writer.write(content[first : min(first + 64 * 1024, arrived + size)])
        arrived += size
        # The last one ends it; a pause that nobody made is a process that died.
        (writer.close if arrived == len(content) else writer.pause)()
        assert writer.kept == arrived or arrived == len(content)
    assert either.settle(upload) == len(content)
    assert read(either, either.incoming(upload)) == content


def test_a_pause_without_a_byte_changes_nothing(either: Storage) -> None:
    upload = uuid.uuid4()
    for _again in range(2):
        writer = either.resume(upload)
        writer.pause()
    assert either.kept(upload) == 0
    writer = either.resume(upload)
    writer.write(b"something")
    writer.pause()
    either.resume(upload).pause()
    assert either.kept(upload) == 9
    assert either.settle(upload) == 9
