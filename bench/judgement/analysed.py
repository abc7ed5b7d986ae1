"""Reports of the whole analysis, kept by what was analysed: after a change of rules none is made
anew."""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from analysis import models
from analysis.metrics import complete
from analysis.pipeline import STAGES, load_stage_report, run_stage, stage_key
from analysis.pipeline.work import media_sha256
from analysis.ports import Options
from analysis.results import Report, load_report

LONGEST_NAME = 32


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder of reports. `recipe` says how a recording was made, so that it need not be made
    again only to be known again; its reports are under the digest of its content."""

    folder: Path

    def report_of(self, recipe: str, options: Options) -> Report | None:
        """None where that recording, or that version of the analysis, was not seen yet."""
        known = self._known(recipe)
        if not known.is_file():
            return None
        place = self._place(json.loads(known.read_text())["sha256"], options)
        return complete(load_report(place.read_bytes())) if place.is_file() else None

    def analyse(self, recipe: str, path: Path, options: Options) -> Report:
        """The report on a file, which is analysed in this process unless it has been before."""
        sha256 = media_sha256(path)
        place = self._place(sha256, options)
        if not place.is_file():
            _write(place, _analysed(path, options).as_json())
        _write(self._known(recipe), json.dumps({"recipe": recipe, "sha256": sha256}))
        return complete(load_report(place.read_bytes()))

    def _known(self, recipe: str) -> Path:
        name = hashlib.sha256(recipe.encode()).hexdigest()[:LONGEST_NAME]
        return self.folder / "recipes" / f"{name}.json"

    def _place(self, sha256: str, options: Options) -> Path:
        return self.folder / "reports" / f"{_digest(sha256, options)}.json"


def folder() -> Path:
    """What these benchmarks keep between runs."""
    return models.models_dir().parent / "bench-judgement"


def _digest(sha256: str, options: Options) -> str:
    """Of the recording, the options and the version of every stage."""
    keys = [stage_key(sha256, stage.name, options) for stage in STAGES]
    return hashlib.sha256("".join(keys).encode()).hexdigest()[:LONGEST_NAME]


def _analysed(path: Path, options: Options) -> Report:
    with tempfile.TemporaryDirectory() as work:
        for stage in STAGES:
            run_stage(stage.name, media_path=path, workdir=Path(work), options=options)
        return load_stage_report(Path(work))


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False) as part:
        part.write(text)
    Path(part.name).replace(place)
