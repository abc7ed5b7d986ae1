"""Stages run one by one, in any process, and never twice for the same input."""

from __future__ import annotations

import shutil
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from analysis.errors import AnalysisError, MediaUnreadable, StageArtefactMissing
from analysis.metrics import METRICS
from analysis.pipeline import (
    load_prepared,
    load_skipped,
    load_stage_report,
    load_transcript,
    record_skipped,
    run_playback,
    run_stage,
    stage_key,
)
from analysis.pipeline.artefacts import (
    FILES,
    load_sight,
    load_sound,
    marks_of,
    store_sight,
    store_sound,
    store_transcript,
)
from analysis.ports import Options, Segment, Sight, Sound, Transcript
from analysis.results import Language, Reason, Report, Skipped, Word, load_report
from tests.analysis.recordings import Picture, Tone, record

FACE = frozenset({"gaze", "head", "posture", "gesture"})


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone())


@pytest.fixture
def workdir(tmp_path: Path) -> Path:
    return tmp_path / "work"


def run(name: str, film: Path, workdir: Path, options: Options | None = None) -> None:
    run_stage(name, media_path=film, workdir=workdir, options=options or Options())


def report_of(film: Path, workdir: Path, options: Options | None = None) -> Report:
    for name in ("prepare", "transcribe", "listen", "watch", "assemble"):
        run(name, film, workdir, options)
    return load_stage_report(workdir)


def test_prepare_leaves_sound_a_poster_and_a_description(film: Path, workdir: Path) -> None:
    run("prepare", film, workdir)
    prepared = load_prepared(workdir)
    assert prepared.media.duration == pytest.approx(2.0, abs=0.1)
    assert prepared.audio_path is not None
    assert prepared.audio_path.stat().st_size == pytest.approx(2 * 16_000 * 4, rel=0.1)
    assert prepared.poster_path is not None


@pytest.mark.usefixtures("faces")
def test_what_needs_no_speech_may_run_as_soon_as_a_recording_is_open(
    film: Path, workdir: Path
) -> None:
    def watch_early() -> None:
        assert load_prepared(workdir).poster_path is None
        run("watch", film, workdir)

    run_stage("prepare", media_path=film, workdir=workdir, options=Options(), opened=watch_early)
    early = load_sight(workdir)
    (workdir / marks_of("watch")[0]).unlink()
    run("watch", film, workdir)
    late = load_sight(workdir)
    assert load_prepared(workdir).poster_path is not None
    for item in fields(Sight):
        np.testing.assert_array_equal(getattr(early, item.name), getattr(late, item.name))


def test_nothing_is_described_early_where_nobody_asks_for_it(film: Path, workdir: Path) -> None:
    """A worker that lost its stage would lay it over what another has finished."""
    looks: list[tuple[float, bool]] = []

    def look(share: float) -> None:
        looks.append((share, (workdir / FILES["prepare"]).exists()))

    run_stage("prepare", media_path=film, workdir=workdir, options=Options(), progress=look)
    assert max(share for share, _there in looks) > 0.9  # speech was being looked for
    assert not any(there for _share, there in looks)
    assert load_prepared(workdir).poster_path is not None


def test_the_work_folder_may_be_moved(film: Path, workdir: Path, tmp_path: Path) -> None:
    run("prepare", film, workdir)
    moved = tmp_path / "elsewhere"
    shutil.move(workdir, moved)
    prepared = load_prepared(moved)
    assert prepared.audio_path is not None
    assert prepared.audio_path.is_file()


def test_a_finished_stage_is_not_done_again(film: Path, workdir: Path) -> None:
    run("prepare", film, workdir)
    before = (workdir / FILES["prepare"]).stat().st_mtime_ns
    run("prepare", film, workdir)
    assert (workdir / FILES["prepare"]).stat().st_mtime_ns == before


def test_another_recording_is_prepared_anew(film: Path, workdir: Path, tmp_path: Path) -> None:
    run("prepare", film, workdir)
    other = record(tmp_path / "other.mp4", picture=Picture(times=[0.0, 0.04]))
    record_skipped(workdir, "watch", Skipped(reason=Reason.STAGE_FAILED))
    run("prepare", other, workdir)
    assert load_prepared(workdir).audio_path is None
    assert load_skipped(workdir, "watch") is None


@pytest.mark.parametrize("stage", ["transcribe", "listen", "watch", "assemble"])
def test_nothing_runs_before_prepare(film: Path, workdir: Path, stage: str) -> None:
    with pytest.raises(StageArtefactMissing):
        run(stage, film, workdir)


def test_what_is_wrong_with_the_file_is_raised_and_leaves_nothing(
    tmp_path: Path, workdir: Path
) -> None:
    path = tmp_path / "talk.mp4"
    path.write_text("not a film")
    with pytest.raises(MediaUnreadable):
        run("prepare", path, workdir)
    assert not (workdir / FILES["prepare"]).exists()


@pytest.mark.parametrize(
    ("stage", "picture", "tone", "reason"),
    [
        ("transcribe", Picture(), None, Reason.NO_AUDIO),
        ("listen", Picture(), None, Reason.NO_AUDIO),
        ("transcribe", None, Tone(level=0.0), Reason.NO_SPEECH),
        ("listen", None, Tone(level=0.0), Reason.NO_SPEECH),
        ("watch", None, Tone(), Reason.NO_VIDEO),
    ],
)
def test_a_stage_with_nothing_to_work_on_says_why(
    tmp_path: Path,
    workdir: Path,
    stage: str,
    picture: Picture | None,
    tone: Tone | None,
    reason: Reason,
) -> None:
    path = record(tmp_path / "talk.mkv", picture=picture, tone=tone)
    run("prepare", path, workdir)
    run(stage, path, workdir)
    skipped = load_skipped(workdir, stage)
    assert skipped is not None
    assert skipped.reason is reason
    assert skipped.detail
    assert not (workdir / FILES[stage]).exists()


def test_a_stage_that_only_feeds_what_is_switched_off_does_not_run(
    film: Path, workdir: Path
) -> None:
    run("prepare", film, workdir)
    run("watch", film, workdir, Options(skip=FACE))
    skipped = load_skipped(workdir, "watch")
    assert skipped is not None
    assert skipped.reason is Reason.DISABLED_BY_PROFILE


def test_missing_weights_skip_the_stage_and_are_an_error_in_the_log(
    film: Path,
    workdir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    run("prepare", film, workdir)
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path / "no models"))
    run("watch", film, workdir)
    skipped = load_skipped(workdir, "watch")
    assert skipped is not None
    assert skipped.reason is Reason.MODEL_MISSING
    assert "python -m analysis models" in skipped.detail
    [told] = [each for each in caplog.records if each.levelname == "ERROR"]
    assert "watch is left out of a report: The model file" in told.getMessage()
    assert "Run: python -m analysis models" in told.getMessage()


def test_a_report_comes_out_of_prepare_alone(film: Path, workdir: Path) -> None:
    run("prepare", film, workdir)
    run("assemble", film, workdir)
    report = load_stage_report(workdir)
    assert {skipped.reason for skipped in report.skipped.values()} <= {
        Reason.NO_SPEECH,
        Reason.STAGE_FAILED,
        Reason.TOO_SHORT,
    }
    assert set(report.stages) == {"prepare", "assemble"}


def test_a_failure_recorded_from_outside_reaches_the_report(film: Path, workdir: Path) -> None:
    run("prepare", film, workdir)
    record_skipped(
        workdir,
        "watch",
        Skipped.because(Reason.STAGE_FAILED, "in_words", words="It stopped three times."),
    )
    run("assemble", film, workdir)
    gaze = load_stage_report(workdir).skipped["gaze.camera_facing_share"]
    assert gaze.reason in {Reason.STAGE_FAILED, Reason.NO_SPEECH}


@pytest.mark.usefixtures("models")
def test_each_metric_ends_in_exactly_one_place_and_again_in_the_same(
    film: Path, workdir: Path
) -> None:
    report = report_of(film, workdir)
    measured, skipped = set(report.measurements), set(report.skipped)
    assert measured | skipped == {metric.id for metric in METRICS}
    assert not measured & skipped
    run("assemble", film, workdir)
    assert without_seconds(load_stage_report(workdir)) == without_seconds(report)


def without_seconds(report: Report) -> str:
    stages = {
        name: record.model_copy(update={"seconds": 0.0}) for name, record in report.stages.items()
    }
    return report.model_copy(update={"stages": stages}).as_json()


@pytest.mark.parametrize("family", ["pace", "gaze", "pitch", "signal"])
def test_families_that_are_switched_off_are_not_in_the_report(
    film: Path, workdir: Path, family: str
) -> None:
    options = Options(skip=frozenset({family}))
    run("prepare", film, workdir, options)
    run("assemble", film, workdir, options)
    report = load_stage_report(workdir)
    reasons = {
        skipped.reason for name, skipped in report.skipped.items() if name.startswith(f"{family}.")
    }
    assert reasons == {Reason.DISABLED_BY_PROFILE}


def test_the_key_changes_with_what_matters_and_only_with_that() -> None:
    plain = Options()
    french = replace(plain, language="fr")
    assert stage_key("a", "transcribe", plain) != stage_key("a", "transcribe", french)
    assert stage_key("a", "watch", plain) == stage_key("a", "watch", french)
    assert stage_key("a", "watch", plain) != stage_key("b", "watch", plain)
    assert stage_key("a", "watch", plain) != stage_key("a", "listen", plain)


def test_keys_do_not_depend_on_the_order_of_switches() -> None:
    one = Options(skip=frozenset(["gaze", "head", "pace"]))
    other = Options(skip=frozenset(["pace", "gaze", "head"]))
    assert stage_key("a", "watch", one) == stage_key("a", "watch", other)


def test_a_corrected_setting_only_assembles_again() -> None:
    plain, stage = Options(), Options(setting="stage", camera_position="below", mirrored=True)
    for name in ("prepare", "transcribe", "listen", "watch"):
        assert stage_key("a", name, plain) == stage_key("a", name, stage)
    assert stage_key("a", "assemble", plain) != stage_key("a", "assemble", stage)


def test_looking_into_the_lens_is_heard_and_watched_anew() -> None:
    calibrated = Options(calibration=(0.0, 3.0))
    for name in ("transcribe", "listen", "watch", "assemble"):
        assert stage_key("a", name, Options()) != stage_key("a", name, calibrated)
    assert stage_key("a", "prepare", Options()) == stage_key("a", "prepare", calibrated)


def test_another_part_of_the_recording_is_heard_and_watched_anew() -> None:
    for name in ("transcribe", "listen", "watch", "assemble"):
        assert stage_key("a", name, Options()) != stage_key("a", name, Options(start=10.0))


def test_a_transcript_comes_back_as_it_was(tmp_path: Path) -> None:
    word = Word(text="um", start=0.5, end=0.7, probability=0.9)
    segment = Segment(
        start=0.0,
        end=1.0,
        text="um",
        no_speech_probability=0.1,
        average_log_probability=-0.2,
        compression_ratio=1.1,
        words=(word,),
    )
    transcript = Transcript(
        language=Language(code="en", source="given"), segments=(segment,), model="tiny.en"
    )
    store_transcript(tmp_path, transcript)
    assert load_transcript(tmp_path) == transcript


def test_series_come_back_as_they_were(tmp_path: Path) -> None:
    numbers = np.array([1.5, np.nan, 3.0], dtype=np.float32)
    sound = Sound(step=0.01, f0_hz=numbers, level_db=numbers, flux=numbers, clipped=numbers)
    sight = Sight(
        **{
            item.name: numbers
            for item in fields(Sight)
            if item.name not in {"source_step", "watched"}
        },
        watched=("face",),
    )
    store_sound(tmp_path, sound)
    store_sight(tmp_path, sight)
    for stored, loaded in ((sound, load_sound(tmp_path)), (sight, load_sight(tmp_path))):
        for item in fields(stored):
            np.testing.assert_array_equal(getattr(loaded, item.name), getattr(stored, item.name))
    assert load_sight(tmp_path).watched == ("face",)


def test_a_copy_for_playback_is_remembered(film: Path, workdir: Path) -> None:
    run("prepare", film, workdir)
    copy = run_playback(media_path=film, workdir=workdir)
    assert copy == workdir / "playback.mp4"
    assert load_prepared(workdir).playback_path == copy
    assert run_playback(media_path=film, workdir=workdir) == copy


def test_the_report_is_a_document_that_loads(film: Path, workdir: Path) -> None:
    run("prepare", film, workdir)
    run("assemble", film, workdir)
    document = (workdir / "report.json").read_text()
    assert "NaN" not in document
    assert load_report(document).as_json() == document


def test_progress_may_stop_a_stage(film: Path, workdir: Path) -> None:
    class Stop(AnalysisError):
        """The person pressed cancel."""

    def stop(_share: float) -> None:
        raise Stop("Stopped.")

    with pytest.raises(Stop):
        run_stage("prepare", media_path=film, workdir=workdir, options=Options(), progress=stop)
    assert not (workdir / FILES["prepare"]).exists()
