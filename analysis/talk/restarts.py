"""What is said again at once, or cut off: neither is part of what was meant to be said."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.results import Word
from analysis.talk.languages import LanguageData, plain
from analysis.talk.sentences import ends_sentence

_AT_ONCE_SECONDS = 1.0
"""Identical words at once are disfluent, later ones rhetorical (rule of thumb)."""


def restarts(words: Sequence[Word], data: LanguageData) -> tuple[tuple[int, int], ...]:
    """Ranges of words that are said again at once, or cut off: half-open index ranges.

    The range holds what was abandoned, not its repetition. One to three words, again within 1 s;
    words that are rightly doubled ("had had") do not count, nor the end of a sentence said again at
    the start of the next ("for it. It is").
    """
    texts = [plain(word.text) for word in words]
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(words):
        width = _repeated_width(words, texts, index, data)
        if width:
            found.append((index, index + width))
            index += width
        else:
            if words[index].text.rstrip(".,").endswith("-") and len(texts[index]) > 0:
                found.append((index, index + 1))
            index += 1
    return tuple(found)


def _repeated_width(
    words: Sequence[Word], texts: Sequence[str], index: int, data: LanguageData
) -> int:
    for width in (3, 2, 1):
        first, second = texts[index : index + width], texts[index + width : index + 2 * width]
        if len(second) < width or first != second or not all(first):
            continue
        abandoned = words[index : index + width]
        if words[index + width].start - abandoned[-1].end > _AT_ONCE_SECONDS:
            continue
        if any(ends_sentence(word, data) for word in abandoned):
            continue
        if width == 1 and (first[0] in data.doubled_words or first[0].isdecimal()):
            continue
        return width
    return 0
