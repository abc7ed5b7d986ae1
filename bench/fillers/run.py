"""`python -m bench fillers`: filled pauses on held-out speakers, by condition, beside Whisper."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch

from bench.document import put
from bench.fillers import card, euh, rivals
from bench.fillers.intervals import hearing_lines, interval_lines, is_known
from bench.fillers.judge import Row, table
from bench.fillers.judged import judged
from bench.fillers.lessons import speak
from bench.fillers.matching import counted
from bench.fillers.systems import OURS, Held, cases, held_out, rival
from bench.media import ask_for_media

_HOW = (
    "Um, uh and *euh* count as found where they overlap within 0.25 s, one to one; where nobody "
    "timed them, by their number. Ours: the whole of the detector, each file judged by a head and "
    "by weights that learnt from none of its speakers (five parts of the speakers, each left out "
    "once). Beside it Whisper tiny.en, plain and prompted for fillers, both with a beam of 5 "
    "(faster-whisper with the same 8-bit weights as ours; French: the multilingual base model). "
    "Cells: precision / recall, F1, and in brackets its central 95% when files are drawn anew; "
    "last, by how much F1 of ours is better or worse, drawn over the same files at once."
)
_MEANING = (
    "The first line is the people's own fillers as they were recorded (calls among them). Of the "
    "two meetings the transcripts hold some of the people who are heard, so that a false one "
    "there may be a true one: the lines without them tell how much that is. Two *uh* of another "
    "person, which only the note beside one transcript quotes, count since they were seen there; "
    "F1 of people was 0.82 until then, and 0.79 of the prompted reading. Nobody timed that "
    "meeting: by the moments that its note names, one of ours is false and another is missed, "
    "which by number make one hit (F1 0.83). Paragraphs below that speak of 42 are older. The "
    "others' readings are no two times the same, since they draw lots where they hesitate: with a "
    "prompt F1 of people was 0.80 in one run and 0.76 in the next. The other lines hold the same "
    "recordings through a simulated telephone, with noise 8 dB under the voice and slowed to "
    "0.75, read talks with the fillers of others before and after phrases, alone in silences of "
    "0.8 to 2.5 s on either side, or 0.6 to 6 s before the first word and after the last, and "
    "synthetic voices with an accent or in French. Voices that speak fillers as part of a phrase "
    "are only judged, not learnt from: short ones between words that run on, which a recogniser "
    "writes down as words. Weights that learn from them, too, find 0.94 of them and lose what "
    "people say (0.79 instead of 0.82)."
)
_MISSES = (
    "What was missed: 23 of 268 in English, 6 of them of one speaker, hoarse with a cold and with "
    "noise 8 dB under the voice, in whom no speech is found (a report says so instead of a rate); "
    "and one of the 132 in the text of synthetic voices; in "
    "French 3 of 5 *euh* of people, the same as by the prompted reading, which invents none: "
    "nobody French taught that head, and the licences of the recordings at hand forbid it. False "
    "ones: ums of others in meetings, laughter."
)
_TRIED = (
    "Heads that saw the same lessons in another order (six) find people's own fillers with F1 "
    "0.78 to 0.84, all English ones with 0.90 to 0.91; the mean of three or six of them 0.81 and "
    "0.91. So three are shipped, and their mean counts: no luckier than most, and never an "
    "unlucky one. Lessons with fillers cut to 0.12 to 0.35 s and set inside phrases, 1.8 times as "
    "many talks in three conditions each: English 0.91, second language 0.94, telephone 0.87, "
    "French synthetic voices 0.86 and none of the five *euh* of people. Networks twice as wide "
    "(0.90) or lessons twice as long (0.91): no better. The primed reading searched with a beam "
    "of five, after the longer text of the prompted one, or both readings together: 0.88 to 0.90 "
    "of all English ones on material with shorter fillers, where the reading as it is reaches "
    "0.88 and 0.89. How near the primed reading came to a filler where it wrote none, as one more "
    "piece of evidence (the log odds that it gave one between these words): a weight of -0.1, and "
    "not one file of all is judged otherwise, in French neither. In French a beam of five for the "
    "primed reading, with our text or that of the prompted one: the same *euh* of people; that "
    "text alone: none. A second ear for English, the encoder of the multilingual model with a "
    "head of its own from the same lessons, three orders of them: as one more piece of evidence "
    "people's own 0.82, 0.79 and 0.84, where tiny.en alone reaches 0.81, 0.78 and 0.82 in the "
    "same run (all English ones 0.91, 0.90, 0.91 beside 0.91, 0.89, 0.90), the mean of both heads "
    "0.80, 0.76 and 0.82: no more than another order of lessons does. In these nine ways five of "
    "the 42 fillers are never found, two more hardly ever, and the false ones in meetings nearly "
    "always: what is left is in the recordings and their labels as much as in the ear. Fillers "
    "alone in silences of seconds, 53 of them, by three orders of lessons: 39 to 43 are found "
    "where nothing listens between windows, 44 to 48 where something does, 47 to 52 where lessons "
    "hold such, too, 52 by the mean of three, and 51 where notes of instruments stand in silences "
    "beside them: bowed ones had been taken for two, and are for one. Before the first word and "
    "after the last, 0.6 to 6 s of silence between: with half a second to either side the "
    "networks take 32 of 42 for a filler, with 1, 2, 4 and 8 s 36, 38, 41 and 41. So what stands "
    "alone is heard with four seconds to either side. Windows of up to 8 s likewise, which hold "
    "phrases: people's own 0.80 instead of 0.81, as many found. Voices that say in one breath "
    "what people say in conversation (*oh, I'm sorry*; *et ouais, mais*), a third of their talks "
    "beginning inside the first word: people's own 0.86 instead of 0.85, by one false one less in "
    "a meeting, telephone 0.90 instead of 0.92, a bowed note taken for one, and the *et ouais* of "
    "a French person surer (0.62 instead of 0.59)."
)
_SPREAD = (
    "Of what people said themselves, as recorded, meetings aside: mean over these files, and what "
    "nine talks of ten reach (beta distribution by its moments; chance within a talk taken off). "
    "Made speech is heard better (0.97 of its fillers found in English, 0.98 of what is marked "
    "true), and nobody rehearses in it; in French people said too few, so what is true of what is "
    "marked is that of synthetic voices, too. The cards and the interval of the rate use these "
    "figures."
)
_INTERVAL = (
    "Every talk and recording above whose fillers are counted exactly, speakers left out, meetings "
    "and what a report would skip aside; four of a condition joined make a longer talk. The "
    "interval is the product's own, central 80%, with the figures of the table above."
)
_OTHER_WORDS = (
    "The same people, where the multilingual base model reads the words (`faster-whisper`, 8 bits) "
    "and tiny.en listens beside it, as it does beside `base.en` and `small.en`; heads and weights "
    "as above, made while tiny.en read the words."
)
_MEETINGS = "ami_"
ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = (OURS, rivals.PLAIN, rivals.PROMPTED)


def main(arguments: Sequence[str]) -> int:
    """Print the section of docs/accuracy.md."""
    parser = argparse.ArgumentParser(prog="python -m bench fillers", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--quick", action="store_true", help="without the other systems")
    parser.add_argument("--write", action="store_true", help="update docs/accuracy.md")
    parser.add_argument("--each", action="store_true", help="also every file by itself")
    chosen = parser.parse_args(arguments)
    said = []
    for line in section(chosen.media, others=() if chosen.quick else SYSTEMS[1:]):
        print(line, flush=True)
        said.append(line)
    if chosen.each:
        for one in _found(chosen.media):
            print(one.judged.condition, one.judged.name, counted(one.judged, one.spans), _said(one))
    if chosen.write:
        put("fillers", "\n".join(said), heading="Filled pauses")
    return 0


def section(media: Path, others: Sequence[str] = SYSTEMS[1:]) -> Iterator[str]:
    """The part of docs/accuracy.md about filled pauses."""
    torch.set_num_threads(1)
    speak()
    known = cases(list(judged(media)), media)
    found = held_out(known)
    yield from (_HOW, "", "### By condition", "")
    yield from lines(found, others)
    yield from (
        "",
        _MEANING,
        "",
        _MISSES,
        "",
        "### Tried without gain",
        "",
        _TRIED,
        "",
        *euh.lines(),
        "",
        "### How hearing differs from talk to talk",
        "",
        _SPREAD,
        "",
    )
    yield from hearing_lines(found)
    yield from ("", "### Is the interval of the rate true?", "", _INTERVAL, "")
    yield from interval_lines([one for one in found if is_known(one)])
    yield from ("", "### Words by another model", "", _OTHER_WORDS, "")
    own = [one.judged for one in found if _is_own(one)]
    yield from people_lines(held_out(cases(own, media, engine="faster-whisper"), known), ())
    yield from ("", "### The heads that hear them", "")
    yield from card.lines(media)


def _found(media: Path) -> list[Held]:
    return held_out(cases(list(judged(media)), media))


def lines(found: Sequence[Held], others: Sequence[str]) -> Iterator[str]:
    """The table by condition."""
    of_each = {
        condition: [one for one in found if one.judged.condition == condition]
        for condition in dict.fromkeys(one.judged.condition for one in found)
    }
    yield from _table({**_people(found), **of_each}, others)


def people_lines(found: Sequence[Held], others: Sequence[str]) -> Iterator[str]:
    """The same of people's own fillers alone."""
    yield from _table(_people(found), others)


def _people(found: Sequence[Held]) -> dict[str, list[Held]]:
    return {"people, their own fillers, as recorded": [one for one in found if _is_own(one)]}


def _table(parts: Mapping[str, Sequence[Held]], others: Sequence[str]) -> Iterator[str]:
    rows: list[Row] = []
    for name, some in parts.items():
        rows.append(_row(name, some, others))
        apart = [one for one in some if not one.judged.name.startswith(_MEETINGS)]
        if len(apart) < len(some):
            rows.append(_row(f"{name.split(',')[0]}, without the meetings", apart, others))
    yield from table(rows, (OURS, *others))


def _is_own(one: Held) -> bool:
    return one.judged.is_unchanged and one.judged.language == "en"


def _row(name: str, some: Sequence[Held], others: Sequence[str]) -> Row:
    counts = {OURS: [counted(one.judged, one.spans) for one in some]}
    for system in others:
        counts[system] = [counted(one.judged, rival(one.judged, system)) for one in some]
    return Row(name, counts, sum(one.judged.seconds for one in some) / 60)


def _said(one: Held) -> str:
    found = ", ".join(
        f"{start:.1f}-{end:.1f} ({chance:.2f})"
        for (start, end), chance in zip(one.spans, one.probabilities, strict=True)
    )
    there = ", ".join(f"{filler.start:.1f}-{filler.end:.1f}" for filler in one.judged.fillers)
    return f"found {found} of {there}"
