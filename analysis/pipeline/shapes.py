"""Shape of a recording, derived from `prepare`, for the plan of an analysis."""

from __future__ import annotations

from pathlib import Path

from analysis.pipeline import artefacts
from analysis.pipeline.stages import STAGES
from analysis.plan import Shape
from analysis.ports import Options, Span
from analysis.talk import spans


def shape_of(workdir: Path, options: Options) -> Shape:
    """Return the amount of work in the requested parts. Raises StageArtefactMissing."""
    prepared = artefacts.load_prepared(workdir)
    media = prepared.media
    whole: Span = (0.0, media.duration)
    seconds = sum(spans.total(spans.clipped((whole,), part)) for part in options.parts)
    speech = sum(spans.total(spans.clipped(prepared.speech, part)) for part in options.parts)
    return Shape(
        seconds=seconds,
        speech=speech,
        has_sound=prepared.audio_path is not None,
        has_picture=media.video is not None,
        encodes_copy=prepared.encodes_copy,
        pixels=media.video.width * media.video.height if media.video else 0,
        engine=options.engine,
        reader={"en": options.size, "auto": "auto"}.get(options.language, "base"),
        switched_off=frozenset(
            stage.name for stage in STAGES if stage.families and stage.families <= options.skip
        ),
    )
