"""The web process stays light: it loads none of the libraries that listen and watch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    *("torch", "whisper", "faster_whisper", "ctranslate2"),
    *("mediapipe", "librosa", "av", "numba", "cv2"),
}
CODE = """
import json, sys
from importlib import import_module
for entrance in sys.argv[1:]:
    import_module(entrance)
from django.urls import get_resolver
get_resolver().url_patterns
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def test_the_web_process_loads_no_heavy_library() -> None:
    """Neither entrance does where one process takes both."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, "coach.wsgi", "coach.asgi"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "coach.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(json.loads(done.stdout))
    assert "django" in loaded
    assert loaded & HEAVY == set()
