"""Weights made on this machine: made once, checked against their input, whole or not there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from analysis import conversions
from analysis.errors import ModelUnavailable

_KILLED = """
import sys, time
from pathlib import Path
from analysis import conversions

def make(source, folder):
    (folder / "model.bin").write_bytes(b"half")
    print("begun", flush=True)
    time.sleep(60)

conversions.convert_once("tiny.en", make)
"""


def make(source: Path, folder: Path) -> None:
    """Stands for a conversion: quick."""
    (folder / "model.bin").write_bytes(source.read_bytes()[:100])
    (folder / "config.json").write_text("{}")


@pytest.fixture
def cache(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with the input and nothing made of it."""
    (tmp_path / "tiny.en.pt").symlink_to(models / "tiny.en.pt")
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    return tmp_path


def lies_in(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir()} - {"tiny.en.pt", ".making"}


def test_what_was_made_is_found_again_and_not_made_twice(cache: Path) -> None:
    made: list[Path] = []

    def counting(source: Path, folder: Path) -> None:
        time.sleep(0.05)
        make(source, folder)
        made.append(folder)

    with ThreadPoolExecutor() as pool:
        places = list(pool.map(lambda _: conversions.convert_once("tiny.en", counting), range(3)))
    assert len(made) == 1
    assert places == [conversions.path_of("tiny.en")] * 3
    assert lies_in(cache) == {"tiny.en-int8"}


def test_what_fails_its_own_test_leaves_nothing(cache: Path) -> None:
    def fails(source: Path, folder: Path) -> None:
        make(source, folder)
        raise ModelUnavailable("tokenizer_differs", file="tiny.en-int8")

    with pytest.raises(ModelUnavailable, match="otherwise"):
        conversions.convert_once("tiny.en", fails)
    assert lies_in(cache) == set()
    with pytest.raises(ModelUnavailable, match="missing or damaged"):
        conversions.path_of("tiny.en")


def test_a_killed_conversion_leaves_nothing_half_and_the_next_one_works(cache: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED], stdout=subprocess.PIPE, env=dict(os.environ)
    ) as begun:
        assert begun.stdout is not None
        assert begun.stdout.readline() == b"begun\n"
        begun.send_signal(signal.SIGKILL)
    with pytest.raises(ModelUnavailable):
        conversions.path_of("tiny.en")
    conversions.convert_once("tiny.en", make)
    assert lies_in(cache) == {"tiny.en-int8"}


@pytest.mark.parametrize(
    "harm",
    [
        lambda place: (place / "model.bin").write_bytes(b"other"),
        lambda place: (place / "config.json").unlink(),
        lambda place: (place / "conversion.json").write_text("{"),
        lambda place: (place / "conversion.json").write_text('{"files": {}, "recipe": "1"}'),
    ],
    ids=["changed", "a file missing", "no seal", "of other weights"],
)
def test_what_was_harmed_is_not_used_and_made_anew(cache: Path, harm: object) -> None:
    assert callable(harm)
    place = conversions.convert_once("tiny.en", make)
    harm(place)
    with pytest.raises(ModelUnavailable, match="damaged"):
        conversions.path_of("tiny.en")
    conversions.convert_once("tiny.en", make)
    assert conversions.path_of("tiny.en") == place
    assert lies_in(cache) == {"tiny.en-int8"}


def test_another_recipe_makes_them_anew(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conversions.convert_once("tiny.en", make)
    monkeypatch.setattr(conversions, "RECIPE", "other")
    with pytest.raises(ModelUnavailable):
        conversions.path_of("tiny.en")


def test_matrices_in_the_wrong_order_do_not_pass_the_proof(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # PyTorch takes a processor second to start, in each worker that collects this file.
    from analysis.backends.speech import conversion  # noqa: PLC0415

    monkeypatch.setattr(conversion, "_PARTS", ("query", "value", "key"))
    with pytest.raises(ModelUnavailable, match="read otherwise"):
        conversion.convert(models / "tiny.en.pt", tmp_path)


def test_a_report_names_them_by_what_was_made(models: Path) -> None:
    assert conversions.is_converted("tiny.en-int8")
    assert not conversions.is_converted("tiny.en.pt")
    assert len(conversions.sha256_of("tiny.en-int8")) == 64
