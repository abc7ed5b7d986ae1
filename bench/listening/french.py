"""French accuracy: known words of a synthetic voice at known times, read
by the multilingual model.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import jiwer

from analysis.ports import SAMPLE_RATE_HZ
from analysis.talk.languages import plain
from analysis.talk.syllables import syllables_of
from bench.listening.scores import COLLAR_SECONDS
from bench.listening.synthetic_voice import say
from bench.listening.systems import ours
from bench.sounds import write_wave

_PAUSE = 0.8
_PAUSE_TOLERANCE = 0.15
PHRASES = (
    "Bonjour à tous, et merci d'être venus ce matin.",
    "Je voudrais vous parler de trois choses importantes.",
    "euh",
    "D'abord, nous avons mesuré la température de l'eau pendant deux ans.",
    "euh",
    "Ensuite, les élèves de l'école ont compté les oiseaux dans le parc.",
    "Du coup, nous avons beaucoup appris sur leur façon de vivre.",
    "euh",
    "Enfin, je vous montrerai les résultats de notre travail.",
    "Nous avons aussi demandé aux habitants du village ce qu'ils en pensent.",
    "euh",
    "La plupart des gens sont contents de ce projet.",
)
# Counted by hand, as in careful speech, without mute e at the end of a word.
SYLLABLES = {
    "bonjour": 2,
    "merci": 2,
    "venus": 2,
    "matin": 2,
    "voudrais": 2,
    "parler": 2,
    "trois": 1,
    "choses": 1,
    "importantes": 3,
    "mesuré": 3,
    "température": 4,
    "eau": 1,
    "pendant": 2,
    "ensuite": 2,
    "élèves": 2,
    "école": 2,
    "compté": 2,
    "oiseaux": 2,
    "parc": 1,
    "coup": 1,
    "beaucoup": 2,
    "appris": 2,
    "façon": 2,
    "vivre": 1,
    "enfin": 2,
    "montrerai": 3,
    "résultats": 3,
    "travail": 2,
    "demandé": 3,
    "habitants": 3,
    "village": 2,
    "pensent": 1,
    "plupart": 2,
    "gens": 1,
    "contents": 2,
    "projet": 2,
}


def lines() -> Iterator[str]:
    """Yield the section of docs/lab/words.md."""
    said = say(PHRASES, voice="fr", pause=_PAUSE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "french.wav"
        write_wave(path, 0.8 * said.audio, SAMPLE_RATE_HZ)
        heard = ours(path, language="fr").heard
    onsets = [
        start for phrase, (start, _) in zip(PHRASES, said.phrases, strict=True) if phrase == "euh"
    ]
    hits = sum(
        any(abs(at - start) <= COLLAR_SECONDS for start, _ in heard.fillers) for at in onsets
    )
    pauses = sum(abs(end - start - _PAUSE) <= _PAUSE_TOLERANCE for start, end in heard.pauses)
    right = sum(syllables_of(word, "fr") == count for word, count in SYLLABLES.items())
    yield from (
        "### French",
        "",
        (
            "No labelled French recording was at hand. A synthetic voice (eSpeak NG) says "
            f'{len(PHRASES) - len(onsets)} sentences and {len(onsets)} "euh" with {_PAUSE} s of '
            "silence between them; its sound is unlike a person's, so the word errors say more "
            "about it than about French. No figure here stands for French speakers."
        ),
        "",
        f"- word errors, fillers left out: {_word_errors([word.text for word in heard.words]):.2f}",
        (
            f"- euh found within {COLLAR_SECONDS} s: {hits} of {len(onsets)}, "
            f"{len(heard.fillers) - hits} more"
        ),
        f"- silences found to within {_PAUSE_TOLERANCE} s: {pauses} of {len(PHRASES) - 1}",
        f"- syllables as counted by hand: {right} of {len(SYLLABLES)} words",
        "",
    )


def _word_errors(heard: list[str]) -> float:
    fillers = {"euh", "hum"}
    spoken, said = (
        " ".join(word for word in map(plain, " ".join(texts).split()) if word not in fillers)
        for texts in (heard, PHRASES)
    )
    return float(jiwer.wer(said, spoken or "-"))
