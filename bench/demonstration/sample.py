"""Command `sample`: speak and analyse the sample report of the landing page again.

Writes `static/sample/LANGUAGE.m4a` (ours: a synthetic voice reads a text written for it) and
`coach/portal/home/samples/LANGUAGE.json`, the report of the real analysis of that file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.pipeline import analyse
from analysis.ports import Options
from bench.demonstration.make import phrases_of, write_sound
from bench.demonstration.talks import SAMPLE_EN, SAMPLE_FR, DemoTalk
from bench.sounds import in_a_room
from bench.voices import speak

BIT_RATE = 48_000
SOUNDS, REPORTS = Path("static/sample"), Path("coach/portal/home/samples")


@dataclass(frozen=True, slots=True)
class Sample:
    """Talk and its language."""

    language: str
    talk: DemoTalk


SAMPLES = (
    Sample("en", DemoTalk("library", "bf_emma", "en", 1.0, SAMPLE_EN)),
    Sample("fr", DemoTalk("library", "ff_siwis", "fr", 1.0, SAMPLE_FR)),
)


def main(arguments: Sequence[str]) -> int:
    """Write both files of each language, or of the one given."""
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
    write_sound(
        _sound_of(sample),
        in_a_room(spoken.audio),
        container="mp4",
        codec="aac",
        bit_rate=BIT_RATE,
        options={"movflags": "+faststart"},  # index first, so that it plays while it downloads
    )


def _analyse(sample: Sample) -> None:
    sound = _sound_of(sample)
    report = analyse(sound, options=Options(language=sample.language))
    path = REPORTS / f"{sample.language}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report.model_dump_json() + "\n", encoding="utf-8")
    kilobytes = (sound.stat().st_size // 1000, path.stat().st_size // 1000)
    print(f"{sound} {kilobytes[0]} kB, {path} {kilobytes[1]} kB, {report.media.duration:.0f} s")
