"""Pipeline: runs the stages of an analysis, one at a time for workers, all for the command line."""

from __future__ import annotations

from analysis.pipeline.artefacts import (
    load_prepared,
    load_skipped,
    load_stage_report,
    load_transcript,
    record_skipped,
    store_slides,
)
from analysis.pipeline.inputs import PLAYBACK, Inputs, first_inputs, further_inputs
from analysis.pipeline.run import DEBUG_VARIABLE, StageProgress, analyse
from analysis.pipeline.shapes import shape_of
from analysis.pipeline.stages import STAGES, PipelineStage, early_report, run_stage, stage_key
from analysis.pipeline.words import SpokenWords, spoken_words
from analysis.pipeline.work import (
    check_capture,
    copy_again,
    fetch_models,
    picture_lines,
    run_playback,
    serve_live_checks,
)

__all__ = [
    "DEBUG_VARIABLE",
    "PLAYBACK",
    "STAGES",
    "Inputs",
    "PipelineStage",
    "SpokenWords",
    "StageProgress",
    "analyse",
    "check_capture",
    "copy_again",
    "early_report",
    "fetch_models",
    "first_inputs",
    "further_inputs",
    "load_prepared",
    "load_skipped",
    "load_stage_report",
    "load_transcript",
    "picture_lines",
    "record_skipped",
    "run_playback",
    "run_stage",
    "serve_live_checks",
    "shape_of",
    "spoken_words",
    "stage_key",
    "store_slides",
]
