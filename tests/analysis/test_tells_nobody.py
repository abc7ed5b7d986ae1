"""The libraries that look and listen report to nobody how they are used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis import weights
from analysis.models import models_dir

ROOT = Path(__file__).resolve().parents[2]
_LISTEN = "from analysis.backends.speech import second_opinion as s; s.session()"


@pytest.mark.usefixtures("models")
def test_listening_keeps_no_number_of_this_machine_to_report_with(tmp_path: Path) -> None:
    """ONNX Runtime draws one in the home as soon as it means to report; with CI it never does."""
    told = {
        name: value for name, value in os.environ.items() if name not in {"CI", "GITHUB_ACTIONS"}
    }
    subprocess.run(
        [sys.executable, "-c", _LISTEN],
        cwd=ROOT,
        env={**told, "HOME": str(tmp_path), "ROSTRUM_MODELS_DIR": str(models_dir())},
        check=True,
    )
    assert list(tmp_path.rglob("*onnxruntime*")) == []


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize("name", [weights.FACE_LANDMARKER, weights.POSE_LANDMARKER])
def test_watching_is_given_no_certificate_with_which_it_could_report(name: str) -> None:
    from analysis.backends.sight.landmarkers import _weights  # noqa: PLC0415  # needs libraries

    given = _weights(name).to_ctypes()
    assert given.ca_bundle_path == os.devnull.encode()
