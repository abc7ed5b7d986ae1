"""Benchmark `slides`: how often the right slide is named first, and what a deck costs in time.

The decks in `bench/slide_decks.yml` are ours. `--notes FOLDER` adds decks of others, counted apart:
text files in which a line that begins with `# ` is a slide, and the next line what is said with it;
the name begins with the language (`fr_….txt`).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from reportlab.pdfgen.canvas import Canvas

from analysis.backends.pdf_pages import open_pdf
from analysis.results import Word
from analysis.similarity import shared_words, similarities
from analysis.slides import SlideChange, SlidesBesideTalk, compare

DECKS = Path(__file__).with_name("slide_decks.yml")
_WORDS_PER_SECOND = 2.5
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class SpokenDeck:
    """Slides, and what is said with each."""

    source: str
    language: str
    shown: tuple[str, ...]
    said: tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    """Measure all decks and print two tables; return 0."""
    parser = argparse.ArgumentParser(prog="python -m bench slides", description=__doc__)
    parser.add_argument("--notes", type=Path, help="a folder with decks of others")
    given = parser.parse_args(arguments)
    decks = [*_ours(), *(_others(given.notes) if given.notes else ())]
    counts: dict[str, Counter[str]] = {}
    for deck in decks:
        counts.setdefault(f"{deck.source}, {deck.language}", Counter()).update(_counts(deck))
    for group, count in counts.items():
        print(f"\n{group}")
        for name, value in count.items():
            print(f"  {name:<48} {value}")
    _time(max(decks, key=lambda deck: len(deck.shown)))
    return 0


def _ours() -> Iterator[SpokenDeck]:
    for deck in yaml.safe_load(DECKS.read_text(encoding="utf-8")):
        slides = deck["slides"]
        yield SpokenDeck(
            source="ours",
            language=deck["language"],
            shown=tuple(slide["shown"] for slide in slides),
            said=tuple(slide["said"] for slide in slides),
        )


def _others(folder: Path) -> Iterator[SpokenDeck]:
    for path in sorted(folder.glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        shown = tuple(line.removeprefix("# ") for line in lines[::2])
        yield SpokenDeck("others", path.name[:2], shown, tuple(lines[1::2]))


def _counts(deck: SpokenDeck) -> Counter[str]:
    asked = (deck.said, deck.shown, deck.language)
    words, starts = _spoken(deck)
    end = words[-1].end
    right = [SlideChange(at, slide) for slide, at in enumerate(starts)]
    last = len(starts) - 1
    moved = [SlideChange(at, (slide + 1) % len(starts)) for slide, at in enumerate(starts)]
    guessed = compare(words, deck.shown, language=deck.language, duration=end, changes=None)
    told = compare(words, deck.shown, language=deck.language, duration=end, changes=right)
    wrong = compare(words, deck.shown, language=deck.language, duration=end, changes=moved)
    return Counter(
        {
            "slides": last + 1,
            "right slide first, shared words": _first(shared_words(*asked)),
            "right slide first, as used": _first(similarities(*asked)),
            "seconds": round(end),
            "seconds with the right slide, estimated": round(_overlap(guessed, right, end)),
            "right slide shown: another one named": _named(told),
            "next slide shown: another one named": _named(wrong),
            "next slide shown: the right one named": _named_right(wrong, len(starts)),
        }
    )


def _spoken(deck: SpokenDeck) -> tuple[list[Word], list[float]]:
    """Return the words with times, and the second at which each slide begins."""
    words: list[Word] = []
    starts: list[float] = []
    now = 0.0
    for said in deck.said:
        starts.append(now)
        for text in said.split():
            end = now + 0.9 / _WORDS_PER_SECOND
            words.append(Word(text=text, start=now, end=end, probability=0.9))
            now += 1 / _WORDS_PER_SECOND
        now += _PAUSE_SECONDS
    return words, starts


def _first(rows: Sequence[Sequence[float]]) -> int:
    return sum(row[at] > 0 and max(row) == row[at] for at, row in enumerate(rows))


def _overlap(
    found: SlidesBesideTalk | None, right: Sequence[SlideChange], duration: float
) -> float:
    ends = [change.seconds for change in right[1:]] + [duration]
    return sum(
        max(0.0, min(visit.end, end) - max(visit.start, change.seconds))
        for change, end in zip(right, ends, strict=True)
        for visit in (found.visits if found else ())
        if visit.slide == change.slide
    )


def _named(found: SlidesBesideTalk | None) -> int:
    return sum(visit.fits_better is not None for visit in (found.visits if found else ()))


def _named_right(found: SlidesBesideTalk | None, slides: int) -> int:
    visits = found.visits if found else ()
    return sum(visit.fits_better == (visit.slide - 1) % slides for visit in visits)


def _time(deck: SpokenDeck) -> None:
    """Print the seconds for a PDF file of 30 pages, and for one comparison."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "deck.pdf"
        canvas = Canvas(str(path), pagesize=(960, 540))
        for number in range(30):
            for line, text in enumerate(deck.shown[number % len(deck.shown)].splitlines()):
                canvas.drawString(60, 480 - 30 * line, text)
            canvas.showPage()
        canvas.save()
        began = time.perf_counter()
        open_pdf(path, Path(name))
        print(f"\n30 pages opened in {time.perf_counter() - began:.1f} s")
    words, starts = _spoken(deck)
    changes = [SlideChange(at, slide) for slide, at in enumerate(starts)]
    began = time.perf_counter()
    compare(words, deck.shown, language=deck.language, duration=words[-1].end, changes=changes)
    print(f"{len(deck.shown)} slides compared in {time.perf_counter() - began:.1f} s")
