"""The card of the heads: what they learnt from, how large they are, how to make them again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from bench.fillers.heads import LANGUAGES, Teacher
from bench.fillers.lessons import SEED, voices_of
from bench.fillers.recordings import lessons, recordings
from bench.fillers.train import HEADS

_NETWORK = (
    "Three networks, and the mean of what they say. Each: a projection of each frame of the "
    "encoder (20 ms) to 32 numbers, three convolutions over "
    "time that see half a second to either side, one number out: the log odds that a filled pause "
    "is heard. NumPy runs it; half precision in the file."
)
_CHANGED = (
    "Each talk is heard twice, through two of: a quiet room at another level, a telephone (300 to "
    "3400 Hz, 8 kHz, G.711), noise 5 to 20 dB under the voice, a room that rings, another tempo "
    "(0.8 to 1.15), another voice (played 0.84 to 1.19 times as fast). Traps without a filler: "
    "drawn-out and short words (*the*, *her*, *of*, *deux*, *le*), repeated and prolonged sounds, "
    "hums of agreement, notes of instruments, words broken off after 0.12 to 0.35 s and begun "
    "again. Some fillers stand alone, with 0.8 to 2.5 s of silence on either side. Each voice "
    "also says one talk in which fillers, half of them short, stand in one breath with the words "
    "around them, so that they run on; in French half of its sentences are full of words that "
    "sound like one (*heure*, *leur*, *deux*). With these talks 131 of 132 fillers in the text of"
    " voices that were left out are found, 120 without, and of people's own, meetings aside, as "
    "many, fewer falsely (F1 0.87 and 0.85); of those alone in silences and before or after a "
    "talk fewer (0.95 and 0.92 for 0.98 and 0.95)."
)
_NOT = (
    "No head ever learnt from these, since their licences forbid it or do not say: ALLSSTAR "
    "(second-language speech), SPPAS and CID (French conversation), SEP-28k (stammered speech), "
    "Lucier, Asterisk prompts, a quotation of Beckett. So no head has heard a French person; that "
    "of the multilingual model learns from synthetic French voices and from each third English "
    "talk, and its weights lean on those of English. The seventeen numbers of each reader that "
    "join the evidence keep to the same recordings; in the tables above each file is judged by "
    "numbers that were fitted without its speakers, too."
)


def lines(media: Path) -> Iterator[str]:
    """A section of docs/accuracy.md."""
    yield from (_NETWORK, "", _CHANGED, "", _NOT, "")
    yield "| head | talks, hours | seconds of fillers | synthetic voices | file |"
    yield "| --- | --- | --- | --- | --- |"
    for encoder, languages in LANGUAGES.items():
        count, hours, frames = Teacher(media, encoder).numbers()
        voices = ", ".join(f"{len(voices_of(one))} {one}" for one in languages)
        size = (HEADS / f"{encoder}.npz").stat().st_size / 1000
        talks = f"{count}, {hours:.1f} | {frames * 0.02:.0f}"
        yield f"| {encoder} | {talks} | {voices} | {size:.0f} kB |"
    taught = sorted(
        {(one.licence, one.speaker) for one in recordings(media) if next(lessons(one), None)}
    )
    by_licence = itertools.groupby(taught, key=lambda pair: pair[0])
    said = "; ".join(f"{name}: {', '.join(who for _, who in some)}" for name, some in by_licence)
    yield from ("", f"People in the English lessons, by licence. {said}.")
    yield from ("", f"Seed {SEED}. Made by `python -m bench train_fillers`.")
