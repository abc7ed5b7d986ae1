"""One clock and one reader of times for everything that is written in Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.clock import clock, seconds_of
from feedback_rules.select.numbers import in_words, times_in_words

ROOT = Path(__file__).resolve().parents[2]
SAID = [(0.0, "0:00"), (75.4, "1:15"), (59.9999999, "1:00"), (3723.0, "1:02:03"), (-1.0, "0:00")]


@pytest.mark.parametrize(("seconds", "words"), SAID)
def test_a_time_is_said_in_minutes_and_from_an_hour_in_hours(seconds: float, words: str) -> None:
    assert clock(seconds) == words


def test_a_card_says_a_time_as_the_chip_beside_it_does() -> None:
    assert in_words(3723.0, "clock", "en") == in_words(3723.0, "clock", "fr") == clock(3723.0)
    assert times_in_words((62.0, 3723.0)) == "1:02, 1:02:03"


@pytest.mark.parametrize("seconds", [0, 59, 60, 3599, 3600, 3723, 35999])
def test_what_is_said_is_read_again(seconds: int) -> None:
    assert seconds_of(clock(seconds)) == seconds


@pytest.mark.parametrize("text", ["9" * 400, "1:99999999", "١٢", "1:60", ":5", "nan"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        seconds_of(text)


def test_nobody_else_makes_a_clock() -> None:
    """Minutes, colon, seconds of two digits are one: WebVTT has its own, bytes in hex are none."""
    ours = ROOT / "analysis" / "clock.py"
    captions = ROOT / "coach" / "feedback" / "pages" / "transcript.py"
    webvtt = ROOT / "coach" / "research" / "exports" / "formats" / "vtt.py"
    padded = re.compile(r":\{[^}]*:02d?}|:\$\{[^}]*padStart\(2|const two = |zfill\(2\)")
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("analysis", "feedback_rules", "coach", "static/js")
        for path in (ROOT / folder).rglob("*.[pj][ys]")
        if path not in {ours, captions, webvtt}
        and padded.search(text := path.read_text(encoding="utf-8"))
        and "60" in text
    }
    assert found == {"static/js/clock.js"}
