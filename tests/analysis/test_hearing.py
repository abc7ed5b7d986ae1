"""What is said about ums that go unheard is what docs/accuracy.md publishes."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.hearing import BY_READER, hearing_of, least_found, reader_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
COLUMNS = {"tiny.en": "openai-whisper tiny.en", "whisper-base": "faster-whisper base"}


def published(measure: str, reader: str) -> float:
    """The figure of one of our engines on recorded speech."""
    rows = [line.strip("|").split("|") for line in PAGE.read_text().splitlines() if "|" in line]
    head = next(row for row in rows if row[0].strip() == "measure")
    column = next(n for n, name in enumerate(head) if COLUMNS[reader] in name)
    row = next(row for row in rows if row[0].strip() == measure)
    return float(row[column].split()[0])


@pytest.mark.parametrize("reader", BY_READER)
def test_the_figures_are_those_of_the_page(reader: str) -> None:
    assert BY_READER[reader].found == published("filled pauses, recall", reader)
    assert BY_READER[reader].true == published("filled pauses, precision", reader)


def test_nothing_is_claimed_for_french_or_for_an_engine_that_nobody_measured() -> None:
    assert hearing_of("fr", "whisper-base") is None
    assert hearing_of("en", "small.en") is None
    assert hearing_of("en", "tiny.en-int8") == BY_READER["tiny.en"]
    assert least_found("fr", "whisper-base") == BY_READER["whisper-base"].found


def test_the_model_that_only_listened_for_the_language_is_not_the_reader() -> None:
    assert reader_of({"tiny.en.pt": "0", "whisper-base": "1"}) == "tiny.en"
    assert reader_of({"face_landmarker.task": "0", "whisper-base": "1"}) == "whisper-base"
    assert reader_of({"tiny.en-int8": "0", "whisper-base": "1"}) == "tiny.en-int8"
    assert reader_of({}) == ""
