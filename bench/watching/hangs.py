"""Benchmark `hangs`: detection of a frozen picture in browsers' and other encodings."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import av
import numpy as np
from av.video.stream import VideoStream
from numpy.typing import NDArray

from analysis.backends.sight.watching import watch_file
from analysis.talk.visual_samples import frozen
from bench.document import publish
from bench.media import ask_for_media, is_there

FILMS = ("webcam_man_expressions_53s.mp4", "hdtf_AOC.mp4", "lp_s18.mp4")
FPS, HEIGHT = 25, 480
BEFORE, HANGS, BEHIND = 8.0, 12.0, 6.0
"""Seconds of a live picture, of its repeated last frame, and of a live one again."""
_EDGE_SECONDS = 0.5
_LIVE = {"deadline": "realtime", "error-resilient": "1", "lag-in-frames": "0"}

Pictures = list[NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class _Coder:
    """FFmpeg encoder with the settings of a live recording."""

    codec: str
    suffix: str
    bits: int
    options: dict[str, str]


CODERS = {
    "VP8, 2.5 Mbit/s (our recorder's)": _Coder(
        "libvpx", ".webm", 2_500_000, {**_LIVE, "cpu-used": "6", "static-thresh": "1"}
    ),
    "VP8, 1 Mbit/s": _Coder(
        "libvpx", ".webm", 1_000_000, {**_LIVE, "cpu-used": "6", "static-thresh": "1"}
    ),
    "VP9, 1 Mbit/s": _Coder(
        "libvpx-vp9", ".webm", 1_000_000, {**_LIVE, "cpu-used": "7", "aq-mode": "3"}
    ),
    "H.264, 1 Mbit/s": _Coder(
        "libx264", ".mp4", 1_000_000, {"preset": "ultrafast", "tune": "zerolatency"}
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Encode, watch and count; `--write` puts the table into docs/lab/films.md."""
    parser = argparse.ArgumentParser(prog="python -m bench hangs", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--write", action="store_true", help="update docs/lab/films.md")
    chosen = parser.parse_args(arguments)
    if not is_there(chosen.media):
        return 1
    publish("hangs", lines(chosen.media / "3_video"), is_written=chosen.write)
    return 0


def lines(folder: Path) -> Iterator[str]:
    """Yield a row for each encoder."""
    yield (
        f"{len(FILMS)} real films of one person, {HEIGHT} px high, {FPS} pictures a second: "
        f"{BEFORE:.0f} s, then the last picture for {HANGS:.0f} s, then {BEHIND:.0f} s more. Share "
        f"of the looks that count as a picture which stands still; half a second beside the two "
        "moments at which it begins and ends is left out."
    )
    yield ""
    yield "| coded by | in the hang | outside it |"
    yield "| --- | --- | --- |"
    films = [_hanging(folder / name) for name in FILMS]
    for name, coder in CODERS.items():
        shares = [_shares(film, coder) for film in films]
        inside, outside = (
            ", ".join(f"{one:.2f}" for one in each) for each in zip(*shares, strict=True)
        )
        yield f"| {name} | {inside} | {outside} |"


def _hanging(path: Path) -> Pictures:
    """Return the pictures of a video that freezes; a short one is played forwards and backwards."""
    live = _pictures(path, round((BEFORE + BEHIND) * FPS))
    first = round(BEFORE * FPS)
    return [*live[:first], *[live[first - 1]] * round(HANGS * FPS), *live[first:]]


def _pictures(path: Path, count: int) -> Pictures:
    found: Pictures = []
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        rate = float(stream.average_rate or FPS)
        wide = 2 * round(HEIGHT * stream.width / stream.height / 2)
        for index, frame in enumerate(container.decode(stream)):
            if len(found) < count and index / rate >= len(found) / FPS:
                picture = frame.reformat(wide, HEIGHT, "rgb24").to_ndarray()
                found.append(picture.astype(np.uint8))
    while len(found) < count:
        found += found[-2::-1]
    return found[:count]


def _shares(film: Pictures, coder: _Coder) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / f"film{coder.suffix}"
        _code(film, coder, path)
        sight = watch_file(path, duration=len(film) / FPS)
    times, stands = sight.times, frozen(sight)
    end = BEFORE + HANGS
    inside = (times >= BEFORE + _EDGE_SECONDS) & (times < end - _EDGE_SECONDS)
    outside = (times < BEFORE - _EDGE_SECONDS) | (times >= end + _EDGE_SECONDS)
    return float(stands[inside].mean()), float(stands[outside].mean())


def _code(film: Pictures, coder: _Coder, path: Path) -> None:
    with av.open(str(path), "w") as container:
        stream = cast("VideoStream", container.add_stream(coder.codec, FPS, coder.options))
        stream.height, stream.width = film[0].shape[:2]
        stream.pix_fmt, stream.bit_rate = "yuv420p", coder.bits
        for picture in film:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
