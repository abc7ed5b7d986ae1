"""Word alignment: times from the recogniser's attention, by the cheapest monotonic path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.results import Word

SECONDS_PER_FRAME = 0.02
_OPENING = "\"'“¿([{-«"
_CLOSING = "\"'.。,，!！?？:：”)]}、»…;"


def first_frames(cost: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return for each row (token) the first column (frame) of the cheapest monotonic path.

    Dynamic time warping (Sakoe & Chiba, 1978), one anti-diagonal at a time.
    """
    rows, columns = cost.shape
    moves = np.zeros((rows, columns), dtype=np.int8)  # 0 both, 1 next row, 2 next column
    before = np.full(rows + 1, np.inf)
    last = np.full(rows + 1, np.inf)
    last[1] = cost[0, 0]
    for diagonal in range(1, rows + columns - 1):
        low, high = max(0, diagonal - columns + 1), min(diagonal, rows - 1)
        row = np.arange(low, high + 1)
        choices = np.stack([before[row], last[row], last[row + 1]])
        move = choices.argmin(axis=0)
        moves[row, diagonal - row] = move
        now = np.full(rows + 1, np.inf)
        now[row + 1] = choices[move, np.arange(len(row))] + cost[row, diagonal - row]
        before, last = last, now
    return _first_columns(moves)


def _first_columns(moves: NDArray[np.int8]) -> NDArray[np.intp]:
    rows, columns = moves.shape
    first = np.zeros(rows, dtype=np.intp)
    row, column = rows - 1, columns - 1
    first[row] = column
    while row > 0 or column > 0:
        move = moves[row, column] if row and column else (1 if row else 2)
        row -= move in (0, 1)
        column -= move in (0, 2)
        first[row] = column
    return first


def assemble_words(
    pieces: Sequence[tuple[str, float, float, float]],
) -> tuple[Word, ...]:
    """Build words from pieces of (text, start, end, probability).

    Whisper's pieces break at apostrophes and hyphens ("aujourd" "'hui", "peut" "-être"); a piece
    without a leading space belongs to the previous word.
    """
    words: list[Word] = []
    opening = ""
    for text, start, end, probability in pieces:
        bare = text.strip()
        if not bare:
            continue
        if bare in _OPENING and text.startswith(" "):
            opening += bare
        elif words and not opening and not text.startswith(" "):
            words[-1] = _joined(words[-1], bare, end, probability)
        elif bare in _CLOSING and words and not opening:
            words[-1] = words[-1].model_copy(update={"text": words[-1].text + bare})
        else:
            words.append(
                Word(
                    text=opening + bare,
                    start=round(start, 3),
                    end=round(max(end, start), 3),
                    probability=min(max(probability, 0.0), 1.0),
                )
            )
            opening = ""
    return tuple(words)


def _joined(word: Word, bare: str, end: float, probability: float) -> Word:
    """Return the word with another piece; punctuation changes neither its
    time nor its probability.
    """
    if not any(character.isalnum() for character in bare):
        return word.model_copy(update={"text": word.text + bare})
    return word.model_copy(
        update={
            "text": word.text + bare,
            "end": round(max(end, word.end), 3),
            "probability": min(word.probability, max(probability, 0.0)),
        }
    )
