"""Two French treebanks as words with labels and times; their files are not part of the project.

SUD_French-Rhapsodie (words in milliseconds, syllables, talks of several kinds) and
SUD_French-ParisStories (spontaneous stories, words in order), both CC BY-SA 4.0: figures about
them go into documents, their texts do not.
"""

from __future__ import annotations

import lzma
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.results import Word
from bench.media import ROOT

RHAPSODIE, PARIS_STORIES = "rhapsodie", "paris_stories"
GROUPS = {
    "M0": "spontaneous monologues",
    "M2": "planned public talks",
    "D": "dialogues and broadcasts",
}
"""Groups of Rhapsodie by the first letters of a talk's name."""
_FILLED_PAUSE = re.compile(r"(?:euh|heu|hum|hm|mh|euhm)[.~]*")
_REPAIRS = ("repair", "conj:dicto", "reparandum")
_MARKS = '.,;:!?…"«» '
_UNTIMED_SECONDS = 0.2
_FIELDS = 10
_INTERVAL = re.compile(r'xmin = ([\d.]+)\s*xmax = ([\d.]+)\s*text = "(.*?)"', re.DOTALL)
_NO_SPEECH = ("", "_", "#", "*", "***")


@dataclass(frozen=True, slots=True)
class Token:
    """Word of a treebank. Elided words are joined to the next, as a recogniser writes them."""

    text: str
    """Text with its punctuation."""
    start: float
    end: float
    relation: str
    """Syntactic relation; of joined words that of the first."""
    repairs: bool
    """Whether it is the head of a labelled repair (`repair`, `conj:dicto` or `reparandum`)."""
    sentence: int
    speaker: str

    @property
    def plain(self) -> str:
        return self.text.lower().strip(_MARKS)

    @property
    def is_filled_pause(self) -> bool:
        return bool(_FILLED_PAUSE.fullmatch(self.plain))


@dataclass(frozen=True, slots=True)
class Tier:
    """Tier of a TextGrid: labelled intervals."""

    pieces: tuple[tuple[float, float, str], ...]


def folder() -> Path:
    """Return ROSTRUM_BENCH_FRENCH, or the folder next to the project."""
    return Path(os.environ.get("ROSTRUM_BENCH_FRENCH", str(ROOT.parent / "shared/french")))


def is_there(corpora: Path) -> bool:
    """Return whether both corpora are here."""
    return all((corpora / name).is_dir() for name in (RHAPSODIE, PARIS_STORIES))


def talks(corpora: Path, corpus: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
    """Yield the name and the words of each talk."""
    for path in sorted((corpora / corpus).glob("*.conllu")):
        yield path.stem.removeprefix("Rhap_"), tokens(path.read_text(encoding="utf-8"))


def group_of(talk: str) -> str:
    """Return the group of a talk of Rhapsodie; empty for others."""
    return next((group for group in GROUPS if talk.startswith(group)), "")


def tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a treebank file in order, punctuation attached."""
    found: list[Token] = []
    clock = 0.0
    for number, sentence in enumerate(text.split("\n\n")):
        speaker = re.search(r"^# speaker = (.+)$", sentence, re.MULTILINE)
        rows = [line.split("\t") for line in sentence.splitlines() if re.match(r"\d+\t", line)]
        for fields in rows:
            if len(fields) != _FIELDS:
                continue
            if fields[3] == "PUNCT":
                if found:
                    found[-1] = _joined(found[-1], fields[1])
                continue
            start, end = _times(fields[9], clock)
            clock = end
            one = Token(
                text=fields[1],
                start=start,
                end=end,
                relation=fields[7],
                repairs=fields[7].startswith(_REPAIRS),
                sentence=number,
                speaker=speaker[1] if speaker else "",
            )
            if found and found[-1].text.endswith(("'", "’")):
                one = _joined(found.pop(), one.text, end=end, repairs=one.repairs)
            found.append(one)
    return tuple(found)


def words(said: Sequence[Token], *, punctuated: bool = True) -> list[Word]:
    """Return the words as a recogniser would, in time order; cut-off ones end in a hyphen."""
    found = []
    last = 0.0
    for one in said:
        text = one.text if punctuated else one.text.rstrip(".,;:!?…")
        start = max(one.start, last)
        last = max(one.end, start + 0.01)
        found.append(Word(text=text.replace("~", "-"), start=start, end=last, probability=0.9))
    return found


def prosody(corpora: Path) -> Iterator[tuple[str, dict[str, Tier]]]:
    """Yield the name and the tiers of each talk with syllables by hand."""
    for path in sorted((corpora / RHAPSODIE).glob("*.TextGrid.xz")):
        yield path.name.partition(".")[0], _tiers(_decoded(lzma.decompress(path.read_bytes())))


def _joined(one: Token, text: str, *, end: float | None = None, repairs: bool = False) -> Token:
    return Token(
        text=one.text + text,
        start=one.start,
        end=one.end if end is None else end,
        relation=one.relation,
        repairs=one.repairs or repairs,
        sentence=one.sentence,
        speaker=one.speaker,
    )


def _times(details: str, clock: float) -> tuple[float, float]:
    """Return the times in seconds; 0.2 s after the last word if there are none."""
    found = dict(pair.split("=", 1) for pair in details.split("|") if "=" in pair)
    if "AlignBegin" not in found:
        return clock, clock + _UNTIMED_SECONDS
    start = float(found["AlignBegin"]) / 1000
    return start, float(found.get("AlignEnd", found["AlignBegin"])) / 1000


def _decoded(raw: bytes) -> str:
    """Return the text of a TextGrid in any of the three encodings of the corpus."""
    for encoding in ("utf-8", "utf-16", "latin-1"):
        try:
            text = raw.decode(encoding)
        except UnicodeError:
            continue
        if "xmin" in text:
            return text
    return ""


def _tiers(text: str) -> dict[str, Tier]:
    found = {}
    for block in re.split(r"item \[\d+\]:", text)[1:]:
        name = re.search(r'name = "(.*?)"', block)
        pieces = (
            (float(start), float(end), label.strip())
            for start, end, label in _INTERVAL.findall(block)
        )
        if name:
            found[name[1]] = Tier(tuple(one for one in pieces if one[2] not in _NO_SPEECH))
    return found


def is_filled_pause(label: str) -> bool:
    """Return whether the label of a word is a filled pause."""
    return bool(_FILLED_PAUSE.fullmatch(label.lower()))
