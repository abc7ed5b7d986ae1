"""Every shared hostile file is read in bounded time or refused with a sentence."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from analysis.backends.media.frames import sampled_frames
from analysis.errors import AnalysisError
from tests.analysis.recordings import read

pytestmark = pytest.mark.slow

# What the manifest says that FFmpeg reads to the end.
READABLE = {
    "generated/audio_only.webm": 8.0,
    "generated/audio_starts_2.5s_late.mkv": 10.5,
    "generated/black_video_with_speech.mp4": 8.0,
    "generated/fps_240.mp4": 3.0,
    "generated/fragmented.mp4": 8.1,
    "generated/hevc10_hdr.mp4": 8.0,
    "generated/metadata_injection.mp4": 8.0,
    "generated/mjpeg.avi": 8.0,
    "generated/no_audio.mp4": 8.0,
    "generated/one_frame.mp4": 0.04,
    "generated/rotated_matrix_180.mp4": 8.0,
    "generated/truncated_faststart.mp4": 3.5,
    "generated/vp9.webm": 8.0,
    "generated/wav_8k_u8.wav": 3.0,
    "generated/wav_streaming_sizes.wav": 3.0,
    "generated/zip_appended.mp4": 8.0,
    "mediarecorder/chrome57.webm": 7.6,
    "mediarecorder/firefox55nightly.webm": 8.7,
    "moviepy/-video-with-dash-.mp4": 5.0,
    "moviepy/no_duration.webm": 4.9,
}
REFUSED = {
    "generated/hls_file_passwd.m3u8": "E104",
    "generated/hls_metadata_ssrf.webm": "E104",
    "generated/subtitles_concat.mkv": "E104",
    "generated/zero_byte.mp4": "E102",
    "generated/png_renamed.mp4": "E103",
    "generated/bitflips_in_header.mp4": "E103",
    "generated/ten_hours_64px.mp4": "E106",
    "fuzz/mp4_mozilla_short-cenc.mp4": "E108",
    "ssrf/read_shadow.avi": "E105",
    "ssrf/read_shadow_bypass.mp4": "E105",
}


def _copied(shared_media: Path, name: str, folder: Path) -> Path:
    return Path(shutil.copy(shared_media / "5_hostile" / name, folder))


@pytest.mark.parametrize(("name", "seconds"), READABLE.items())
def test_it_is_read(shared_media: Path, tmp_path: Path, name: str, seconds: float) -> None:
    media, _ = read(_copied(shared_media, name, tmp_path))
    assert media.duration == pytest.approx(seconds, abs=0.2)


@pytest.mark.parametrize(("name", "code"), REFUSED.items())
def test_it_is_refused(shared_media: Path, tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(AnalysisError) as caught:
        read(_copied(shared_media, name, tmp_path))
    assert caught.value.code == code


def test_nothing_in_the_folder_raises_anything_but_our_errors(
    shared_media: Path, tmp_path: Path
) -> None:
    files = [path for path in sorted((shared_media / "5_hostile").rglob("*")) if path.is_file()]
    assert len(files) > 50
    for path in files:
        with suppress(AnalysisError):
            media, _ = read(_copied(shared_media, str(path), tmp_path))
            assert media.duration > 0
            assert media.audio or media.video
            frames = list(sampled_frames(path, per_second=1, max_side=64))
            assert all(0 <= frame.time <= media.duration + 0.1 for frame in frames)
