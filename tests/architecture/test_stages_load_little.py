"""What a stage loads, it loads before it can begin: each only what it works with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import json, sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(json.dumps(sorted({*sys.modules})))
"""
# Half a second of processor time each, or more.
HEAVY = frozenset({"torch", "whisper", "numba", "scipy.stats", "scipy.signal", "sklearn"})
STAGES = {
    "prepare": ("analysis.backends.media.probe", "analysis.backends.speech.voice_activity"),
    "transcribe": ("analysis.backends.speech.engines",),
    "listen": ("analysis.backends.sound.listening",),
    "watch": ("analysis.backends.sight.watching",),
    "assemble": ("analysis.pipeline.assembly",),
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_loads_no_heavy_library_that_it_does_not_need(stage: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, *STAGES[stage]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert HEAVY.intersection(json.loads(done.stdout)) == set()
