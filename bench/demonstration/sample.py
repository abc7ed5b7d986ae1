"""`python -m bench sample`: speak and analyse anew what visitors see before they have an account.

Writes `static/sample/LANGUAGE.m4a` (ours: a synthetic voice reads what was written for it) and
`coach/portal/home/samples/LANGUAGE.json`, the report of the real analysis of that very file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import av

from analysis.pipeline import analyse
from analysis.ports import FloatArray, Options
from bench.demonstration.make import OPUS_RATE_HZ, frames_of, in_a_room, phrases_of
from bench.demonstration.talks import LIBRARY, LIBRARY_FR, Talk
from bench.voices import speak

BIT_RATE = 48_000
SOUNDS, REPORTS = Path("static/sample"), Path("coach/portal/home/samples")


@dataclass(frozen=True, slots=True)
class Sample:
    """One talk and its language."""

    language: str
    talk: Talk


SAMPLES = (
    Sample("en", Talk("library", "bf_emma", "en", 1.0, LIBRARY)),
    Sample("fr", Talk("library", "ff_siwis", "fr", 1.0, LIBRARY_FR)),
)


def main(arguments: Sequence[str]) -> int:
    """Write both files of each language, or of the one that was named."""
    parser = argparse.ArgumentParser(prog="python -m bench sample", description=__doc__)
    parser.add_argument("--only", choices=[each.language for each in SAMPLES])
    parser.add_argument("--spoken", action="store_true", help="keep the sound that is there")
    chosen = parser.parse_args(arguments)
    for sample in SAMPLES:
        if chosen.only in (None, sample.language):
            if not chosen.spoken:
                _speak(sample)
            _analyse(sample)
    return 0


def _sound_of(sample: Sample) -> Path:
    return SOUNDS / f"{sample.language}.m4a"


def _speak(sample: Sample) -> None:
    talk = sample.talk
    spoken = speak(phrases_of(talk), voice=talk.voice, language=talk.language, lead=0.6)
    write_aac(_sound_of(sample), in_a_room(spoken.audio))


def _analyse(sample: Sample) -> None:
    sound = _sound_of(sample)
    report = analyse(sound, options=Options(language=sample.language))
    path = REPORTS / f"{sample.language}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report.model_dump_json() + "\n", encoding="utf-8")
    kilobytes = (sound.stat().st_size // 1000, path.stat().st_size // 1000)
    print(f"{sound} {kilobytes[0]} kB, {path} {kilobytes[1]} kB, {report.media.duration:.0f} s")


def write_aac(path: Path, sound: FloatArray) -> None:
    """One mono AAC file whose index comes first, so that it plays while it arrives."""
    path.parent.mkdir(parents=True, exist_ok=True)
    options = {"movflags": "+faststart"}
    with av.open(str(path), "w", format="mp4", options=options) as container:
        stream = container.add_stream("aac", OPUS_RATE_HZ, layout="mono")
        stream.bit_rate = BIT_RATE
        for chunk in frames_of(sound):
            container.mux(stream.encode(chunk))
        container.mux(stream.encode())
