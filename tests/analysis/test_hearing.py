"""What is said about ums that go unheard is what docs/lab/fillers.md publishes."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.filler_accuracy import (
    FIGURES,
    FillerAccuracy,
    filler_accuracy,
    lowest_accuracy,
    reader_of,
)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "lab" / "fillers.md"
NAMES = {"en": "English", "fr": "French"}


def published(language: str) -> FillerAccuracy:
    """The figures of the page: found, at least, true, at least."""
    _, table = PAGE.read_text().split("### How hearing differs from talk to talk")
    [line] = [line for line in table.splitlines() if line.startswith(f"| {NAMES[language]} |")]
    cells = [float(cell) for cell in line.strip("| ").split("|")[1:]]
    _said, found, found_low, _marked, true, true_low = cells
    return FillerAccuracy(found, true, found_low, true_low)


@pytest.mark.parametrize(("language", "reader"), FIGURES)
def test_the_figures_are_those_of_the_page(language: str, reader: str) -> None:
    assert FIGURES[language, reader] == published(language)


def test_nothing_is_claimed_for_an_engine_that_nobody_measured() -> None:
    assert filler_accuracy("en", "small.en") is None
    assert filler_accuracy("de", "whisper-base") is None
    assert lowest_accuracy("en", "small.en").found < lowest_accuracy("en", "").found


def test_eight_bits_hear_as_the_exact_weights_do() -> None:
    assert filler_accuracy("en", "tiny.en-int8") == filler_accuracy("en", "tiny.en")
    assert filler_accuracy("en", "") == filler_accuracy("en", "tiny.en")


def test_the_model_that_only_listened_for_the_language_is_not_the_reader() -> None:
    assert reader_of({"tiny.en.pt": "0", "whisper-base": "1"}) == "tiny.en"
    assert reader_of({"face_landmarker.task": "0", "whisper-base": "1"}) == "whisper-base"
    assert reader_of({"tiny.en-int8": "0", "whisper-base": "1"}) == "tiny.en-int8"
    assert reader_of({}) == ""


def test_beside_a_larger_english_model_the_smallest_is_who_listened_for_fillers() -> None:
    assert reader_of({"base.en-int8": "0", "tiny.en-int8": "1"}) == "tiny.en-int8"
    assert reader_of({"base.en.pt": "0", "whisper-base": "1"}) == "base.en"
