"""The version of Rostrum, where people and programs look for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from analysis import __version__

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("path", ["/", "/about/"])
def test_the_foot_of_a_page_shows_it(db: None, path: str) -> None:
    assert f"Rostrum {__version__}" in Client().get(path).text.partition("<footer")[2]


def test_a_command_prints_it_without_a_database() -> None:
    command = [sys.executable, "manage.py", "version"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == __version__
