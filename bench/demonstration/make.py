"""Command `demonstration`: make the recordings in `demo/talks` again."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import av
import numpy as np
from av.audio.stream import AudioStream

from analysis.ports import FloatArray
from bench.demonstration.talks import TALKS, DemoTalk
from bench.sounds import in_a_room
from bench.voices import RATE_HZ, Phrase, speak

FILE_RATE_HZ = 48_000
BIT_RATE = 20_000
_LINE = re.compile(r"(?P<text>.+?)\s+(?P<pause>\d+\.\d)(?P<fades>\s+fading)?$", re.DOTALL)
_SPECIAL = {"{euh}": "ˈøːː"}


def main(arguments: list[str]) -> int:
    """Write one Ogg file per talk; the sound is deterministic."""
    parser = argparse.ArgumentParser(prog="python -m bench demonstration", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("demo/talks"))
    parser.add_argument("--only", help="the name of one talk")
    chosen = parser.parse_args(arguments)
    for parts in TALKS:
        name = parts[0].name
        if chosen.only in (None, name):
            sound = np.concatenate([_spoken(part, first=part is parts[0]) for part in parts])
            path = chosen.folder / f"{name}.ogg"
            write_sound(path, in_a_room(sound), container="ogg", codec="libopus", bit_rate=BIT_RATE)
            print(f"{path}  {len(sound) / RATE_HZ:.0f} s  {path.stat().st_size // 1000} kB")
    return 0


def phrases_of(talk: DemoTalk) -> list[Phrase]:
    """Return the lines of a talk as phrases. Raises ValueError for a line without a silence."""
    found: list[Phrase] = []
    pending = ""
    for line in talk.lines.strip().splitlines():
        pending = f"{pending} {line}".strip()
        if (parsed := _LINE.match(pending)) is None:
            continue
        text = parsed["text"]
        special = _SPECIAL.get(text)
        found.append(
            Phrase(
                special or text,
                float(parsed["pause"]),
                phonemes=special is not None,
                speed=talk.speed,
                fades=parsed["fades"] is not None,
            )
        )
        pending = ""
    if pending:
        raise ValueError(f"No silence is named after: {pending}")
    return found


def _spoken(talk: DemoTalk, *, first: bool) -> FloatArray:
    lead = 0.6 if first else 0.0
    return speak(phrases_of(talk), voice=talk.voice, language=talk.language, lead=lead).audio


def write_sound(
    path: Path,
    sound: FloatArray,
    *,
    container: str,
    codec: str,
    bit_rate: int,
    options: dict[str, str] | None = None,
) -> None:
    """Write one mono file with this codec and container."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", format=container, options=options or {}) as file:
        stream = cast("AudioStream", file.add_stream(codec, FILE_RATE_HZ, layout="mono"))
        stream.bit_rate = bit_rate
        for chunk in _frames_of(sound):
            file.mux(stream.encode(chunk))
        file.mux(stream.encode())


def _frames_of(sound: FloatArray) -> Sequence[av.AudioFrame]:
    """Return the sound as encoder frames at FILE_RATE_HZ."""
    resampler = av.AudioResampler("flt", "mono", FILE_RATE_HZ)
    frame = av.AudioFrame.from_ndarray(sound.reshape(1, -1), "flt", "mono")
    frame.rate = RATE_HZ
    return [*resampler.resample(frame), *resampler.resample(None)]
