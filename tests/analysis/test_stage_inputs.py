"""A stage that is given only what it declares makes what it makes beside everything."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from analysis.errors import AnalysisError
from analysis.pipeline import (
    Inputs,
    first_inputs,
    further_inputs,
    load_stage_report,
    record_skipped,
    run_playback,
    run_stage,
)
from analysis.ports import Options
from analysis.results import Reason, Skipped
from tests.analysis.recordings import Picture, Tone, record

OPTIONS = Options()
NOBODY = Path("/nowhere/talk.mp4")


def somebody_speaks(workdir: Path) -> None:
    """As if speech had been found: what hears then has something to do."""
    described = workdir / "prepared.json"
    document = json.loads(described.read_text())
    document["speech"] = [[0.0, document["media"]["duration"]]]
    described.write_text(json.dumps(document))


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone())


@pytest.fixture
def prepared(film: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    run_stage("prepare", media_path=film, workdir=folder, options=OPTIONS)
    return folder


def bring(name: str, shared: Path, elsewhere: Path) -> Inputs:
    """What a worker on another machine does; returns what it took in the second round."""
    elsewhere.mkdir(exist_ok=True)
    first = first_inputs(name)
    copy(first, shared, elsewhere)
    further = further_inputs(name, elsewhere, OPTIONS)
    copy(further, shared, elsewhere)
    return further


def copy(inputs: Inputs, shared: Path, elsewhere: Path) -> None:
    for each in inputs.artefacts:
        if (shared / each).exists():
            shutil.copyfile(shared / each, elsewhere / each)


def test_what_listens_takes_the_sound_and_not_the_recording(prepared: Path, tmp_path: Path) -> None:
    somebody_speaks(prepared)
    further = bring("listen", prepared, tmp_path / "elsewhere")
    assert further == Inputs(artefacts=("audio.f32",))
    run_stage("listen", media_path=NOBODY, workdir=tmp_path / "elsewhere", options=OPTIONS)
    assert (tmp_path / "elsewhere" / "sound.npz").exists()
    run_stage("listen", media_path=NOBODY, workdir=prepared, options=OPTIONS)
    # What is done is brought instead of what it was made from.
    assert bring("listen", prepared, tmp_path / "third") == Inputs(artefacts=("sound.npz",))


@pytest.mark.parametrize("stage", ["transcribe", "listen"])
def test_where_nobody_speaks_no_sound_is_taken(prepared: Path, tmp_path: Path, stage: str) -> None:
    assert bring(stage, prepared, tmp_path / "elsewhere") == Inputs()
    run_stage(stage, media_path=NOBODY, workdir=tmp_path / "elsewhere", options=OPTIONS)
    assert (tmp_path / "elsewhere" / f"{stage}.skipped.json").exists()


def test_what_watches_takes_the_recording_and_no_sound(prepared: Path, tmp_path: Path) -> None:
    assert bring("watch", prepared, tmp_path / "elsewhere") == Inputs(recording=True)
    assert not (tmp_path / "elsewhere" / "audio.f32").exists()


def test_nothing_is_taken_to_watch_where_it_is_switched_off(prepared: Path) -> None:
    faceless = Options(skip=frozenset({"gaze", "head", "posture", "gesture"}))
    assert further_inputs("watch", prepared, faceless) == Inputs()


def test_the_report_is_put_together_without_recording_and_sound(
    prepared: Path, tmp_path: Path
) -> None:
    for stage in ("transcribe", "listen"):
        run_stage(stage, media_path=NOBODY, workdir=prepared, options=OPTIONS)
    record_skipped(prepared, "watch", Skipped.because(Reason.STAGE_FAILED, "gave_up"))
    bring("assemble", prepared, tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere" / "audio.f32").exists()
    run_stage("assemble", media_path=NOBODY, workdir=tmp_path / "elsewhere", options=OPTIONS)
    run_stage("assemble", media_path=NOBODY, workdir=prepared, options=OPTIONS)
    here, there = (load_stage_report(each) for each in (prepared, tmp_path / "elsewhere"))
    assert here.model_copy(update={"stages": {}}) == there.model_copy(update={"stages": {}})


def test_the_copy_for_playback_reads_the_recording(prepared: Path, tmp_path: Path) -> None:
    assert bring("playback", prepared, tmp_path / "elsewhere").recording
    with pytest.raises(AnalysisError):
        run_playback(media_path=NOBODY, workdir=tmp_path / "elsewhere")
