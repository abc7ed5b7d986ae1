"""Benchmark `slides`: how often the right slide is named first, and what a deck costs in time.

The decks in `bench/slide_decks.yml` are ours. Each is compared as written, with a word every 0.4 s,
and with `--voices` also as recognised from a synthetic voice.

Decks of others are counted apart. `--decks FOLDER` reads each `*.yml` in the format of
`slide_decks.yml`; `said_by: author` in a deck separates the notes of authors from our own words.
`--notes FOLDER` reads text files in which a line that begins with `# ` is a slide, and the next
line what is said with it; the name begins with the language (`fr_….txt`).
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

from analysis import pipeline
from analysis.backends.pdf_pages import open_pdf
from analysis.ports import SAMPLE_RATE_HZ, Options, SlideChange
from analysis.results import Word
from analysis.similarity import shared_words, similarities
from analysis.slides import SlidesBesideTalk, compare
from bench.intervals import share_in_words
from bench.listening.synthetic_voice import say
from bench.sounds import write_wave

DECKS = Path(__file__).with_name("slide_decks.yml")
_WORDS_PER_SECOND = 2.5
_PAUSE_SECONDS = 1.0
_VOICES = {"en": "en-us", "fr": "fr"}
_OF = {
    "right slide first, shared words": "slides",
    "right slide first, as used": "slides",
    "seconds with the right slide, estimated": "seconds",
    "right slide shown: another one named": "slides",
    "next slide shown: another one named": "slides",
    "next slide shown: the right one named": "slides",
}
"""Total of each count."""


@dataclass(frozen=True, slots=True)
class SpokenDeck:
    """Slides, and what is said with each."""

    source: str
    language: str
    shown: tuple[str, ...]
    said: tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    """Measure all decks and print the counts of each group; return 0."""
    parser = argparse.ArgumentParser(prog="python -m bench slides", description=__doc__)
    parser.add_argument("--decks", type=Path, help="a folder with decks of others, as YAML")
    parser.add_argument("--notes", type=Path, help="a folder with decks of others, as text")
    parser.add_argument("--voices", action="store_true", help="also recognise synthetic voices")
    given = parser.parse_args(arguments)
    decks = [*_described(DECKS)]
    for path in sorted(given.decks.glob("*.yml")) if given.decks else ():
        decks += _described(path)
    decks += _others(given.notes) if given.notes else ()
    ways = {"as written": _written} | ({"as heard": _heard} if given.voices else {})
    for source, language in dict.fromkeys((deck.source, deck.language) for deck in decks):
        group = [deck for deck in decks if (deck.source, deck.language) == (source, language)]
        for way, spoken in ways.items():
            count = sum((_counts(deck, spoken(deck)) for deck in group), Counter[str]())
            print(f"\n{source}, {language}, {way}: {len(group)} decks, {count['slides']} slides")
            for name, of in _OF.items():
                print(f"  {name:<44} {share_in_words(count[name], count[of])}", flush=True)
    _time(max(decks, key=lambda deck: len(deck.shown)))
    return 0


def _described(path: Path) -> Iterator[SpokenDeck]:
    """Yield the decks of one YAML file: ours, or those of others by whose words are said."""
    for deck in yaml.safe_load(path.read_text(encoding="utf-8")):
        slides = deck["slides"]
        words = "their authors' notes" if deck.get("said_by") == "author" else "our words"
        yield SpokenDeck(
            source="ours" if path == DECKS else f"others with {words}",
            language=deck["language"],
            shown=tuple(slide["shown"] for slide in slides),
            said=tuple(slide["said"] for slide in slides),
        )


def _others(folder: Path) -> Iterator[SpokenDeck]:
    for path in sorted(folder.glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        shown = tuple(line.removeprefix("# ") for line in lines[::2])
        yield SpokenDeck("others with notes", path.name[:2], shown, tuple(lines[1::2]))


@dataclass(frozen=True, slots=True)
class DeckWords:
    """Words of a deck as a report has them, and the second at which each slide begins."""

    words: tuple[Word, ...]
    starts: tuple[float, ...]
    end: float

    def said(self) -> list[str]:
        """Return what was said with each slide."""
        ends = (*self.starts[1:], self.end)
        return [
            " ".join(word.text for word in self.words if start <= word.start < end)
            for start, end in zip(self.starts, ends, strict=True)
        ]


def _counts(deck: SpokenDeck, spoken: DeckWords) -> Counter[str]:
    asked = (spoken.said(), deck.shown, deck.language)
    starts, end = spoken.starts, spoken.end
    right = [SlideChange(at, slide) for slide, at in enumerate(starts)]
    moved = [SlideChange(at, (slide + 1) % len(starts)) for slide, at in enumerate(starts)]

    def found(changes: Sequence[SlideChange] | None) -> SlidesBesideTalk | None:
        return compare(
            spoken.words, deck.shown, language=deck.language, duration=end, changes=changes
        )

    told, wrong = found(right), found(moved)
    return Counter(
        {
            "slides": len(starts),
            "right slide first, shared words": _first(shared_words(*asked)),
            "right slide first, as used": _first(similarities(*asked)),
            "seconds": round(end),
            "seconds with the right slide, estimated": round(_overlap(found(None), right, end)),
            "right slide shown: another one named": _named(told),
            "next slide shown: another one named": _named(wrong),
            "next slide shown: the right one named": _named_right(wrong, len(starts)),
        }
    )


def _written(deck: SpokenDeck) -> DeckWords:
    """Return the words at an even pace."""
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
    return DeckWords(tuple(words), tuple(starts), now)


def _heard(deck: SpokenDeck) -> DeckWords:
    """Return the words that the site recognises from a synthetic voice."""
    spoken = say(deck.said, voice=_VOICES[deck.language], pause=_PAUSE_SECONDS)
    with tempfile.TemporaryDirectory() as name:
        path, workdir = Path(name) / "talk.wav", Path(name) / "work"
        write_wave(path, spoken.audio, SAMPLE_RATE_HZ)
        for stage in ("prepare", "transcribe"):
            options = Options(language=deck.language)
            pipeline.run_stage(stage, media_path=path, workdir=workdir, options=options)
        words = pipeline.spoken_words(workdir).words
    starts = [start - _PAUSE_SECONDS / 2 for start, _end in spoken.phrases]
    return DeckWords(words, (0.0, *starts[1:]), len(spoken.audio) / SAMPLE_RATE_HZ)


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
    spoken = _written(deck)
    changes = [SlideChange(at, slide) for slide, at in enumerate(spoken.starts)]
    began = time.perf_counter()
    compare(spoken.words, deck.shown, language=deck.language, duration=spoken.end, changes=changes)
    spent = time.perf_counter() - began
    print(
        f"{len(deck.shown)} slides compared with {spoken.end:.0f} s of speech in {spent:.2f} s "
        f"({spent / spoken.end:.4f} x)"
    )
