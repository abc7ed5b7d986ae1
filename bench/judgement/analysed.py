"""Cache of reports: a change of rules needs no analysis, and a change of measures only the last,
quick stage.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis import models
from analysis.metrics import complete
from analysis.pipeline import STAGES, PipelineStage, load_stage_report, run_stage, stage_key
from analysis.pipeline.work import media_sha256
from analysis.ports import Options
from analysis.results import Report, load_report

LONGEST_NAME = 32


@dataclass(frozen=True, slots=True)
class ReportCache:
    """Directory of reports. `recipe` identifies a recording without making it; reports are stored
    by the digest of its content.
    """

    folder: Path

    def report_of(self, recipe: str, options: Options) -> Report | None:
        """Return the cached report, or None if this recording or version is not cached."""
        known = self._known(recipe)
        if not known.is_file():
            return None
        sha256 = json.loads(known.read_text())["sha256"]
        place = self._place(sha256, options)
        parts = self._parts(sha256, options)
        if not place.is_file() and parts.is_dir():
            _write(place, _assembled(parts, options).as_json())
        return complete(load_report(place.read_bytes())) if place.is_file() else None

    def analyse(self, recipe: str, path: Path, options: Options) -> Report:
        """Return the report on a file, analysed in this process unless cached."""
        sha256 = media_sha256(path)
        place = self._place(sha256, options)
        if not place.is_file():
            _write(place, _analysed(path, options, self._parts(sha256, options)).as_json())
        _write(self._known(recipe), json.dumps({"recipe": recipe, "sha256": sha256}))
        return complete(load_report(place.read_bytes()))

    def report(self, recipe: str, write: Callable[[Path], None], options: Options) -> Report:
        """Return the report on a recording, written and analysed unless cached."""
        known = self.report_of(recipe, options)
        if known is not None:
            return known
        with tempfile.TemporaryDirectory() as work:
            path = Path(work) / "talk.wav"
            write(path)
            return self.analyse(recipe, path, options)

    def _known(self, recipe: str) -> Path:
        name = hashlib.sha256(recipe.encode()).hexdigest()[:LONGEST_NAME]
        return self.folder / "recipes" / f"{name}.json"

    def _place(self, sha256: str, options: Options) -> Path:
        return self.folder / "reports" / f"{_digest(sha256, options, STAGES)}.json"

    def _parts(self, sha256: str, options: Options) -> Path:
        return self.folder / "parts" / _digest(sha256, options, STAGES[:-1])


def folder() -> Path:
    """Return the cache directory of these benchmarks."""
    return models.models_dir().parent / "bench-judgement"


def _digest(sha256: str, options: Options, stages: Sequence[PipelineStage]) -> str:
    """Return the digest of the recording, the options and the version of these stages."""
    keys = [stage_key(sha256, stage.name, options) for stage in stages]
    return hashlib.sha256("".join(keys).encode()).hexdigest()[:LONGEST_NAME]


def _analysed(path: Path, options: Options, parts: Path) -> Report:
    """Run all stages; their artefacts are cached, except sound and picture."""
    with tempfile.TemporaryDirectory() as work:
        for stage in STAGES:
            run_stage(stage.name, media_path=path, workdir=Path(work), options=options)
        if not parts.is_dir():
            shutil.copytree(work, parts, ignore=shutil.ignore_patterns("*.f32", "*.jpg"))
        return load_stage_report(Path(work))


def _assembled(parts: Path, options: Options) -> Report:
    """Run the last stage alone, on the cached artefacts of the others."""
    with tempfile.TemporaryDirectory() as work:
        folder = shutil.copytree(parts, work, dirs_exist_ok=True)
        run_stage(STAGES[-1].name, media_path=Path(), workdir=Path(folder), options=options)
        return load_stage_report(Path(folder))


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False) as part:
        part.write(text)
    Path(part.name).replace(place)
