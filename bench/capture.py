"""Benchmark `capture VIDEO`: response time of the check before recording, for picture and sound."""

from __future__ import annotations

import argparse
import io
import os
import statistics
import time
from itertools import islice
from pathlib import Path

import django
from PIL import Image

LIMIT_MS = 300.0


def main(arguments: list[str]) -> int:
    """Send a hundred pictures and sounds to the live check; print p50 and p95 in milliseconds."""
    parser = argparse.ArgumentParser(prog="python -m bench capture", description=__doc__)
    parser.add_argument("video", type=Path, help="a recording with a face and a voice")
    parser.add_argument("--times", type=int, default=100)
    parsed = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
    django.setup()
    from analysis.backends.media.audio import read_audio  # noqa: PLC0415 - after the settings
    from analysis.backends.media.frames import sampled_frames  # noqa: PLC0415
    from analysis.backends.media.probe import read_media  # noqa: PLC0415
    from analysis.backends.scratch import scratch_folder  # noqa: PLC0415
    from analysis.ports import Limits  # noqa: PLC0415
    from coach.uploads.device_check import looker  # noqa: PLC0415

    with scratch_folder() as folder:
        audio = folder / "audio.f32"
        read_media(parsed.video, audio_path=audio, limits=Limits(), progress=lambda _share: None)
        heard = (read_audio(audio)[:48_000] * 32767).astype("<i2").tobytes()
    frames = list(islice(sampled_frames(parsed.video, per_second=5, max_side=640), 20))
    pictures = []
    for frame in frames:
        picture = io.BytesIO()
        Image.fromarray(frame.rgb).save(picture, "JPEG", quality=75)
        pictures.append((picture.getvalue(), frame.rgb.shape[1] * 2, frame.rgb.shape[0] * 2))
    began = time.perf_counter()
    looker.ask("sound", heard)
    print(f"starting, once: {time.perf_counter() - began:.1f} s")
    seen, listened = [], []
    for turn in range(parsed.times):
        content, width, height = pictures[turn % len(pictures)]
        began = time.perf_counter()
        looker.ask("picture", content, width=width, height=height)
        seen.append(1000 * (time.perf_counter() - began))
        began = time.perf_counter()
        looker.ask("sound", heard)
        listened.append(1000 * (time.perf_counter() - began))
    looker.end()
    worst = 0.0
    for name, waits in (("a picture of 640 px", seen), ("three seconds of sound", listened)):
        late = statistics.quantiles(waits, n=20)[-1]
        worst = max(worst, late)
        print(
            f"{name}: median {statistics.median(waits):.0f} ms, p95 {late:.0f} ms, n={len(waits)}"
        )
    return int(worst > LIMIT_MS)
