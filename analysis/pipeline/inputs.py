"""Inputs of a stage, so that a remote worker transfers these and no more."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.pipeline import artefacts
from analysis.pipeline.artefacts import FILES, marks_of
from analysis.pipeline.stages import reason_to_skip, stage_key, stage_named
from analysis.ports import Options

_SOUND = "audio.f32"
_POSTER = "poster.jpg"

PLAYBACK = "playback"
"""Playback copy made after `prepare`; not a stage of a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Names of artefacts, and whether the recording itself is opened."""

    artefacts: tuple[str, ...] = ()
    recording: bool = False


def first_inputs(name: str) -> Inputs:
    """Return the small files a stage reads before it knows whether there is anything to do."""
    described = FILES["prepare"]
    if name == PLAYBACK:
        return Inputs(artefacts=(described,))
    if name == "prepare":
        return Inputs(artefacts=(described, _POSTER, *marks_of(name)), recording=True)
    if name == "assemble":
        parts = ("prepare", *stage_named(name).needs)
        files = [FILES[part] for part in parts]
        return Inputs(artefacts=(*files, *(mark for part in parts for mark in marks_of(part))))
    return Inputs(artefacts=(described, *marks_of(name)))


def further_inputs(name: str, workdir: Path, options: Options) -> Inputs:
    """Return the other inputs, given the first ones in `workdir`."""
    if name in {"prepare", "assemble"}:
        return Inputs()
    prepared = artefacts.load_prepared(workdir)
    if name == PLAYBACK:
        return Inputs(recording=True)
    stage = stage_named(name)
    done = artefacts.load_done(workdir, name)
    if done is not None and done.key == stage_key(prepared.media.sha256, name, options):
        return Inputs(artefacts=(FILES[name],))
    if reason_to_skip(stage, options, prepared) is not None:
        return Inputs()
    picture = stage.input == "picture"
    return Inputs(artefacts=() if picture else (_SOUND,), recording=picture)
