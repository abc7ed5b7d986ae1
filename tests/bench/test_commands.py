"""Commands of the benchmarks: which options go together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

import pytest

from bench.__main__ import BENCHMARKS

# Whisper's normaliser leaves a file of its own open when it is imported.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

PARTS = (
    ("fillers", "--quick"),
    ("judgement", "--only", "fillers"),
    ("listening", "--only", "jfk"),
    ("listening", "--quick"),
    ("load", "--quick"),
    ("watching", "--quick"),
)


def main_of(name: str) -> Callable[[Sequence[str]], int]:
    """Return the command, if the libraries that only `make bench` installs are there."""
    try:
        found: Callable[[Sequence[str]], int] = import_module(BENCHMARKS[name]).main
    except ModuleNotFoundError as error:
        pytest.skip(f"{error.name} is there after make bench")
    return found


@pytest.mark.parametrize("asked", PARTS, ids=" ".join)
def test_a_part_is_never_written_in_the_place_of_the_whole(
    asked: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *options = asked
    with pytest.raises(SystemExit) as ended:
        main_of(name)(["--write", *options])
    assert ended.value.code == 2
    assert "--write" in capsys.readouterr().err


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_command_says_what_it_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main_of(name)(["--help"])
    assert ended.value.code == 0
    assert f"bench {name}" in capsys.readouterr().out
