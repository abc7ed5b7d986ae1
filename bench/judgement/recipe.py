"""Recipes of the constructed talks: how each is made from a clean one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from analysis.ports import FloatArray, Span
from bench.judgement import faults as f
from bench.judgement.melody import faster, levelled, melody_of
from bench.judgement.planting import (
    RATE_HZ,
    SpokenPiece,
    joined,
    spread,
    tail_of,
    usual_pauses,
    with_pauses_of,
    with_quiet_ends,
)
from bench.judgement.rehearsal import ConstructedTalk
from bench.judgement.speaking import said
from bench.judgement.texts import TALKS, ScriptSentence, sentences_of
from bench.voices import Phrase

VERSION = 2
"""Version of the recipe; reports are cached by it."""

_EUH = "ˈøːː"
_BESIDE_EUH = 0.25
_UMS_A_MINUTE = (8.0, 11.0, 14.0)
_MELODY_SEMITONES = (1.6, 1.2, 0.8)
# A rush shortens the passage it is planted into: three tenths become the last fifth of the result.
_RUSHED_SHARE, _RUSHED = 0.3, (1.3, 1.45, 1.6)
_SILENCES_A_MINUTE, _SILENCE_SECONDS = (1.5, 2.5, 4.0), (2.4, 2.7, 3.0)
_QUIET_DB, _QUIET_SHARE = (12.0, 16.0, 20.0), (0.7, 0.85, 1.0)
_OPENERS = {
    "en": frozenset(
        [
            *("the", "a", "an", "of", "in", "on", "to", "for", "with", "by", "from", "at"),
            *("that", "and", "about", "until"),
        ]
    ),
    "fr": frozenset(
        [
            *("le", "la", "les", "de", "du", "des", "à", "au", "un", "une", "dans", "par"),
            *("pour", "sur", "avec", "en", "et", "que"),
        ]
    ),
}
_NO_PAUSE_SECONDS = (0.25, 0.15, 0.08)
_UNMARKED_SECONDS = (155.0, 185.0, 215.0)
_OVER_TIME = (1.2, 1.35, 1.6)


@dataclass(frozen=True, slots=True)
class TalkInProgress:
    """Talk during the planting of faults."""

    rehearsal: ConstructedTalk
    sentences: tuple[ScriptSentence, ...]
    pieces: list[SpokenPiece]
    """Pieces, one per sentence until a fault splits them."""

    def say(self, text: str, *, phonemes: bool = False) -> FloatArray:
        phrase = Phrase(text, phonemes=phonemes)
        who = self.rehearsal
        return said(phrase, voice=who.voice, language=who.language)

    @property
    def minutes(self) -> float:
        return sum(piece.seconds + piece.pause for piece in self.pieces) / 60


def sound_of(rehearsal: ConstructedTalk) -> tuple[FloatArray, tuple[Span, ...]]:
    """Return the whole recording and the span of each piece."""
    take = clean(rehearsal)
    for fault in rehearsal.faults:
        take = replace(take, pieces=_PLANTED[fault](take, rehearsal.strength))
    return joined(take.pieces)


def limit_of(rehearsal: ConstructedTalk, seconds: float) -> float | None:
    """Return the time limit if the fault is to exceed it, otherwise None."""
    if f.OVER_TIME.name not in rehearsal.faults:
        return None
    return round(seconds / _OVER_TIME[rehearsal.strength])


def clean(rehearsal: ConstructedTalk) -> TalkInProgress:
    """Return the talk without a fault, or without signposts and of the required length."""
    first, second = _texts(rehearsal)
    is_unmarked = f.NO_SIGNPOSTS.name in rehearsal.faults
    chosen = (*first, *second[1:]) if is_unmarked else first
    pauses = usual_pauses(len(chosen), name=rehearsal.voice)
    take = TalkInProgress(rehearsal, chosen, [])
    at = 0.0
    for sentence, pause in zip(chosen, pauses, strict=True):
        if is_unmarked and at >= _UNMARKED_SECONDS[rehearsal.strength]:
            break
        text = " ".join(sentence.unmarked) if is_unmarked else sentence.text
        take.pieces.append(SpokenPiece(take.say(text), pause))
        at += take.pieces[-1].seconds + pause
    return replace(take, sentences=chosen[: len(take.pieces)])


def _texts(
    rehearsal: ConstructedTalk,
) -> tuple[tuple[ScriptSentence, ...], tuple[ScriptSentence, ...]]:
    """Return the two talks of the language; every other voice begins with the second."""
    talks = [sentences_of(text) for text in TALKS[rehearsal.language]]
    first = rehearsal.talk % len(talks)
    return talks[first], talks[1 - first]


def _fillers(take: TalkInProgress, strength: int) -> list[SpokenPiece]:
    count = round(_UMS_A_MINUTE[strength] * take.minutes)
    places = spread(count, len(take.pieces))
    made: list[SpokenPiece] = []
    for index, (piece, sentence) in enumerate(zip(take.pieces, take.sentences, strict=True)):
        if index not in places:
            made.append(piece)
        elif take.rehearsal.language == "fr":
            made += _with_euh(take, piece, sentence, inside=index % 2 == 1)
        else:
            um = "um" if index % 3 else "uh"
            made.append(replace(piece, audio=take.say(_with_um(sentence, um))))
    return made


def _with_um(sentence: ScriptSentence, um: str) -> str:
    """Return the sentence with the filler within the phrase, as people say it."""
    if len(sentence.parts) == 1:
        return f"{um.capitalize()}, {sentence.text}"
    first, *rest = sentence.parts
    return f"{first.rstrip(',')}, {um}, {' '.join(rest)}"


def _with_euh(
    take: TalkInProgress, piece: SpokenPiece, sentence: ScriptSentence, *, inside: bool
) -> list[SpokenPiece]:
    """Return the pieces with a filler synthesised from phonemes, since no spelling produces it."""
    euh = SpokenPiece(take.say(_EUH, phonemes=True), _BESIDE_EUH, ends_sentence=False)
    if not inside or len(sentence.parts) == 1:
        return [euh, piece]
    before, after = _halves(take, piece, sentence, _BESIDE_EUH)
    return [before, euh, after]


def _halves(
    take: TalkInProgress,
    piece: SpokenPiece,
    sentence: ScriptSentence,
    pause: float,
    *,
    after: str = "",
) -> list[SpokenPiece]:
    """Return a sentence in two halves, split after this word of the second part, or before that
    part.
    """
    first, *rest = sentence.parts
    text = " ".join(rest)
    before = f"{first.rstrip(',')} {after}".strip()
    return [
        # A comma keeps the voice up, as of a speaker who will continue.
        SpokenPiece(take.say(f"{before},"), pause, ends_sentence=False),
        SpokenPiece(take.say(text.removeprefix(after).strip()), piece.pause),
    ]


def _level_pitch(take: TalkInProgress, strength: int) -> list[SpokenPiece]:
    whole, _ = joined(take.pieces)
    median, usual = melody_of(whole, RATE_HZ)
    kept = min(1.0, _MELODY_SEMITONES[strength] / usual)
    return [
        replace(piece, audio=levelled(piece.audio, RATE_HZ, kept=kept, around_hz=median))
        for piece in take.pieces
    ]


def _rushed_end(take: TalkInProgress, strength: int) -> list[SpokenPiece]:
    by = _RUSHED[strength]
    first = tail_of(take.pieces, _RUSHED_SHARE)
    return [
        piece
        if index < first
        else replace(piece, audio=faster(piece.audio, RATE_HZ, by=by), pause=piece.pause / by)
        for index, piece in enumerate(take.pieces)
    ]


def _long_silences(take: TalkInProgress, strength: int) -> list[SpokenPiece]:
    """Plant silences after a word that needs another one, so that no full
    stop is recognised there.
    """
    openers = {index: _opener(take, each) for index, each in enumerate(take.sentences)}
    can_break = [index for index, opener in openers.items() if opener]
    count = round(_SILENCES_A_MINUTE[strength] * take.minutes)
    places = {can_break[place] for place in spread(count, len(can_break))}
    made: list[SpokenPiece] = []
    for index, (piece, sentence) in enumerate(zip(take.pieces, take.sentences, strict=True)):
        silent = _SILENCE_SECONDS[strength]
        broken = index in places
        made += _halves(take, piece, sentence, silent, after=openers[index]) if broken else [piece]
    return made


def _opener(take: TalkInProgress, sentence: ScriptSentence) -> str:
    """Return the small word that begins the second part, if other words follow it, otherwise an
    empty string.
    """
    words = sentence.parts[1].split() if len(sentence.parts) > 1 else []
    return words[0] if len(words) > 1 and words[0] in _OPENERS[take.rehearsal.language] else ""


def _quiet_ends(take: TalkInProgress, strength: int) -> list[SpokenPiece]:
    return with_quiet_ends(take.pieces, decibels=_QUIET_DB[strength], share=_QUIET_SHARE[strength])


def _no_pauses(take: TalkInProgress, strength: int) -> list[SpokenPiece]:
    return with_pauses_of(take.pieces, _NO_PAUSE_SECONDS[strength])


def _as_it_is(take: TalkInProgress, _strength: int) -> list[SpokenPiece]:
    """Return the pieces unchanged: the fault is in the text, the time limit or the picture."""
    return take.pieces


_PLANTED: dict[str, Callable[[TalkInProgress, int], list[SpokenPiece]]] = {
    f.FILLERS.name: _fillers,
    f.LEVEL_PITCH.name: _level_pitch,
    f.RUSHED_END.name: _rushed_end,
    f.LONG_SILENCES.name: _long_silences,
    f.QUIET_ENDS.name: _quiet_ends,
    f.NO_PAUSES.name: _no_pauses,
    f.NO_SIGNPOSTS.name: _as_it_is,
    f.OVER_TIME.name: _as_it_is,
    f.LOOKING_DOWN.name: _as_it_is,
    f.LOOKING_ASIDE.name: _as_it_is,
    f.NO_FACE.name: _as_it_is,
}
