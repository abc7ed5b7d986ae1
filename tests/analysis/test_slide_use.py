"""Measures of slides that the recorder timed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from analysis.analysers.slide_use import BURSTS, LONGEST, MOST_READ, SlideUse
from analysis.pipeline import store_slides
from analysis.pipeline.artefacts import load_slides
from analysis.ports import Measured, SlideChange, TimedSlides
from analysis.results import Reason
from analysis.talk.talk import Talk
from tests.analysis import spoken

READ = "the roof and the windows lose most of the heat in every winter that we have had"
PLAIN = "we want something else and nobody knows what it will be in the end of all this"


def _talk(*parts: str) -> Talk:
    return spoken.talk_of(spoken.words(" | ".join(parts)))


def _measured(talk: Talk, texts: list[str], starts: list[float]) -> Measured:
    changes = tuple(SlideChange(at, slide) for slide, at in enumerate(starts))
    slides = TimedSlides(texts=tuple(texts), changes=changes)
    return SlideUse().measure(replace(talk, slides=slides))


def test_a_talk_without_timed_slides_is_not_measured() -> None:
    found = SlideUse().measure(_talk(*[PLAIN] * 8))
    assert not found.measurements
    assert {each.code for each in found.skipped.values()} == {"no_slides_timed"}
    assert {each.reason for each in found.skipped.values()} == {Reason.MISSING_CONTEXT}


def test_words_said_as_written_count_on_the_slide_that_was_shown() -> None:
    talk = _talk(PLAIN, PLAIN, PLAIN, READ, PLAIN, PLAIN, PLAIN, PLAIN)
    begins = next(word.start for word in talk.words if word.text == "roof") - 1
    shown = _measured(talk, [PLAIN.upper() + " x", READ.capitalize()], [0.0, begins])
    assert shown.measurements[MOST_READ].value > 0.9
    read = [each for each in shown.events if each.kind == "slide_read_aloud"]
    assert [each.detail["slide"] for each in read] == [1, 2]
    assert read[1].detail["share"] == 1
    assert not any(each.label for each in read)
    other = _measured(talk, [READ, "Heating"], [0.0, begins - 0.1])
    assert other.measurements[MOST_READ].value == 0


def test_short_slides_are_not_said_to_be_read() -> None:
    found = _measured(_talk(*[PLAIN] * 8), ["we want something else and nobody knows"], [0.0])
    assert found.skipped[MOST_READ].code == "slides_with_few_words"


def test_one_slide_is_long_beside_the_others() -> None:
    talk = _talk(*[PLAIN] * 14)
    end = talk.window[1]
    starts = [0.0, 4.0, 8.0, 12.0, end - 4.0]
    found = _measured(talk, ["a", "b", "c", "d", "e"], starts)
    assert found.measurements[LONGEST].value > 3
    (long,) = [each for each in found.events if each.kind == "long_slide"]
    assert long.detail["slide"] == 4
    few = _measured(talk, ["a", "b"], [0.0, 4.0])
    assert few.skipped[LONGEST].code == "few_slides_timed"


def test_five_slides_with_text_within_a_minute_are_a_burst() -> None:
    talk = _talk(*[PLAIN] * 10)
    texts = [READ + f" {n}" for n in range(6)]
    quick = _measured(talk, texts, [0.0, 5.0, 10.0, 15.0, 20.0, 25.0])
    assert quick.measurements[BURSTS].value > 0
    assert [each.kind for each in quick.events if each.kind == "slide_burst"] == ["slide_burst"]
    titles = _measured(talk, ["Heating"] * 6, [0.0, 5.0, 10.0, 15.0, 20.0, 25.0])
    assert titles.measurements[BURSTS].value == 0
    passed = _measured(talk, texts, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    assert passed.measurements[BURSTS].value == 0


def test_slides_wait_for_the_report_in_the_work_directory(tmp_path: Path) -> None:
    slides = TimedSlides(texts=("a", ""), changes=(SlideChange(0.0, 0), SlideChange(2.5, 1)))
    assert load_slides(tmp_path) is None
    store_slides(tmp_path, slides)
    assert load_slides(tmp_path) == slides
