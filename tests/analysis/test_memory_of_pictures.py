"""Pictures that want more memory than a worker has are refused in a sentence, not by a kill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from analysis.backends.media import memory as media_memory
from analysis.backends.media.frames import sampled_frames
from analysis.backends.media.memory import (
    MOST_RESIDENT_BYTES,
    MemoryGuard,
    threads_for,
)
from analysis.backends.media.opening import open_media
from analysis.errors import MediaTooLarge
from tests.analysis.recordings import Picture, record

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("width", "height", "threads"),
    [(1280, 720, 0), (1080, 1920, 0), (3840, 2160, 2), (7680, 4320, 1), (5888, 5888, 1)],
)
def test_the_larger_the_picture_the_fewer_threads_hold_one(
    width: int, height: int, threads: int
) -> None:
    assert threads_for(width * height) == threads


def test_a_decoder_is_told_so(tmp_path: Path) -> None:
    large = Picture(width=3840, height=2160, times=(0.0, 0.04))
    path = record(tmp_path / "large.mp4", picture=large)
    with open_media(path) as opened:
        assert opened.video is not None
        assert opened.video.codec_context.thread_count == 2


def test_what_a_process_holds_is_seen_to_grow() -> None:
    """In one of its own: here others may give back as much in the same moment."""
    program = (
        "from analysis.backends.media.memory import resident_bytes as held\n"
        "before = held(); block = b'x' * (64 * 2**20); print(held() - before)"
    )
    grown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert 32 * 2**20 < int(grown.stdout) < 128 * 2**20


def test_decoding_stops_before_the_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record(tmp_path / "talk.mp4", picture=Picture())
    assert list(sampled_frames(path, per_second=5, max_side=100))
    monkeypatch.setattr(media_memory, "MOST_RESIDENT_BYTES", 0)
    monkeypatch.setattr(media_memory, "_LEAST_GROWTH_BYTES", -(2**20))
    with pytest.raises(MediaTooLarge, match="more memory") as refused:
        list(sampled_frames(path, per_second=5, max_side=100))
    assert "1080p" in refused.value.hint


def test_a_process_that_was_large_before_may_still_decode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_memory, "MOST_RESIDENT_BYTES", 0)
    MemoryGuard().check()


@pytest.mark.parametrize("name", ["media", "vision"])
def test_the_workers_that_decode_pictures_have_that_much(name: str) -> None:
    service = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"][name]
    assert int(service["mem_limit"].removesuffix("g")) * 2**30 > MOST_RESIDENT_BYTES
