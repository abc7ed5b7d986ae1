"""`python -m bench demonstration`: make the recordings in `demo/talks` anew."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

import av
import numpy as np

from analysis.ports import FloatArray
from bench.demonstration.talks import TALKS, Talk
from bench.voices import RATE_HZ, Phrase, speak

OPUS_RATE_HZ = 48_000
BIT_RATE = 20_000
PEAK = 0.5
ROOM_DB = -62.0
"""A quiet room: without any noise a recording sounds switched off between two words."""
_LINE = re.compile(r"(?P<text>.+?)\s+(?P<pause>\d+\.\d)$", re.DOTALL)
_SPECIAL = {"{euh}": "ˈøːː"}


def main(arguments: list[str]) -> int:
    """Write one Ogg file for each talk; the sound of a talk is the same each time."""
    parser = argparse.ArgumentParser(prog="python -m bench demonstration", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("demo/talks"))
    parser.add_argument("--only", help="the name of one talk")
    chosen = parser.parse_args(arguments)
    for parts in TALKS:
        name = parts[0].name
        if chosen.only in (None, name):
            sound = np.concatenate([_spoken(part, first=part is parts[0]) for part in parts])
            path = chosen.folder / f"{name}.ogg"
            write_opus(path, in_a_room(sound))
            print(f"{path}  {len(sound) / RATE_HZ:.0f} s  {path.stat().st_size // 1000} kB")
    return 0


def phrases_of(talk: Talk) -> list[Phrase]:
    """The lines of a talk as phrases. Raises ValueError for a line that names no silence."""
    found: list[Phrase] = []
    pending = ""
    for line in talk.lines.strip().splitlines():
        pending = f"{pending} {line}".strip()
        if (parsed := _LINE.match(pending)) is None:
            continue
        text = parsed["text"]
        special = _SPECIAL.get(text)
        found.append(
            Phrase(special or text, float(parsed["pause"]), special is not None, talk.speed)
        )
        pending = ""
    if pending:
        raise ValueError(f"No silence is named after: {pending}")
    return found


def _spoken(talk: Talk, *, first: bool) -> FloatArray:
    lead = 0.6 if first else 0.0
    return speak(phrases_of(talk), voice=talk.voice, language=talk.language, lead=lead).audio


def in_a_room(sound: FloatArray) -> FloatArray:
    """The same sound, as loud as a good recording, in a quiet room."""
    noise = np.random.default_rng(1).standard_normal(len(sound)).astype(np.float32)
    loud = sound * np.float32(PEAK / np.abs(sound).max())
    room: FloatArray = loud + noise * np.float32(10 ** (ROOM_DB / 20))
    return room


def write_opus(path: Path, sound: FloatArray) -> None:
    """One mono Ogg Opus file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", format="ogg") as container:
        stream = container.add_stream("libopus", OPUS_RATE_HZ, layout="mono")
        stream.bit_rate = BIT_RATE
        for chunk in frames_of(sound):
            container.mux(stream.encode(chunk))
        container.mux(stream.encode())


def frames_of(sound: FloatArray) -> Sequence[av.AudioFrame]:
    """What an encoder takes, at OPUS_RATE_HZ."""
    resampler = av.AudioResampler("flt", "mono", OPUS_RATE_HZ)
    frame = av.AudioFrame.from_ndarray(sound.reshape(1, -1), "flt", "mono")
    frame.rate = RATE_HZ
    return [*resampler.resample(frame), *resampler.resample(None)]
