"""Search for known names: in any accents and, as far as it is wanted, in any case."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from coach.research.coding.interviews.redaction.folding import fold, folded

LEAST_PART: Final = 3
"""Shorter parts of a name (de, El, Li) occur in too many words to be looked for in any case."""
_WORD: Final = re.compile(r"\w+")
_BETWEEN: Final = r"[\s\-]+"
UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3130-\u318f"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts where a name stands inside other letters: Thai, Lao, Burmese, Khmer, Chinese and
Japanese, which write no spaces, and Korean, which adds particles to a name."""
_IS_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_IS_UNSPACED_NAME: Final = re.compile(f"[{UNSPACED}]+")
_PREFIXED: Final = {"\u0590-\u05ff": "והבלמשכ", "\u0600-\u06ff": "وفبلك"}
"""Words of one letter that Hebrew and Arabic write together with the next word: and, to, in."""
_MORE: Final = r"\w\u0900-\u0963\u0966-\u0dff"
"""Letters, and the vowel signs of Indian scripts, which are not in `\\w`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNames:
    """Known names: whole names match in any case, parts with a capital (if the script has any)."""

    whole: frozenset[str] = field(default_factory=frozenset)
    parts: frozenset[str] = field(default_factory=frozenset)

    def standing_in(self, text: str) -> KnownNames:
        """Return the names whose first word is in the text, few of those of a large site."""
        words = fold(text)
        there = set(_WORD.findall(words))

        def may_stand(name: str) -> bool:
            name = fold(name)
            if _IS_UNSPACED.search(name) or not name.isascii():
                return name.split()[0] in words if name.split() else False
            return there.issuperset(_WORD.findall(name)[:1])

        return KnownNames(
            whole=frozenset(filter(may_stand, self.whole)),
            parts=frozenset(filter(may_stand, self.parts)),
        )

    def replaced_in(self, text: str, by: str) -> str:
        """Return the text with each name replaced."""
        pieces, at = [], 0
        for start, end in NameFinder(self.standing_in(text)).places(text):
            pieces += [text[at:start], by]
            at = end
        return "".join([*pieces, text[at:]])


class NameFinder:
    """A search for names. Names of two letters match with their capital only.

    With `any_case`, parts of names match in any case too; `are_chosen` names do in any length.
    """

    def __init__(
        self, known: KnownNames, *, any_case: bool = False, are_chosen: bool = False
    ) -> None:
        whole, parts = set(map(plain, known.whole)), set(map(plain, known.parts))
        self._names = (whole | parts) - {""}
        loose = whole | parts if any_case else whole
        self._strict = self._names - {n for n in loose if are_chosen or _may_be_small(n)}

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        groups: dict[tuple[str, str], list[str]] = defaultdict(list)
        # Longest first, so that a whole name matches before its beginning.
        for name in sorted(self._names, key=lambda each: (-len(each), each)):
            groups[_before(name[0]), _behind(name[-1])].append(_written(name))
        written = [f"{a}(?:{'|'.join(names)}){z}" for (a, z), names in groups.items()]
        return re.compile("|".join(written)) if written else None

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of names in order; none overlap."""
        if self._pattern is None:
            return
        there, at = folded(text), 0
        while found := self._pattern.search(there.text, at):
            span = there.span(*found.span())
            if span is None or not self._fits(found.group(), text[span[0] : span[1]]):
                at = found.start() + 1
                continue
            at = found.end()
            yield span

    def _fits(self, name: str, words: str) -> bool:
        if plain(name) not in self._strict:
            return True
        first = next((letter for letter in words if letter.isalpha()), "")
        return not first.islower()


def parts_of(names: Iterable[str]) -> set[str]:
    """Return the parts of names that may identify a person, as written."""
    return {
        part
        for name in names
        for part in _parted(name)
        if not part[0].islower()
        and len(part) >= (2 if _IS_UNSPACED_NAME.fullmatch(part) else LEAST_PART)
    }


def short_parts_of(names: Iterable[str]) -> set[str]:
    """Return the parts of two letters, such as Li; words like “de” and “Le” are none."""
    parts = {part for name in names for part in _parted(name)}
    return {
        part for part in parts if len(part) == 2 and part[0].isupper() and not is_usual_word(part)
    }


def is_usual_word(part: str) -> bool:
    """Return whether two letters are a usual word of English or French, or a link in names."""
    return fold(part) in _USUAL


def _parted(name: str) -> Iterator[str]:
    for written in re.split(r"[\s\-.·・,]+", name):
        # O'Brien is one part, and of d'Arc only Arc names somebody.
        if part := re.sub(r"^[a-z]['’]", "", written):
            yield part
            yield from _given(part)


def _given(part: str) -> Iterator[str]:
    """Yield the given name of a Chinese or Korean name, both names of a Japanese one.

    Three letters are one for the family and two for the person, four are two and two (rule of
    thumb).
    """
    if not re.fullmatch("[\u4e00-\u9fff]{3,4}|[\uac00-\ud7af]{3}", part):
        return
    if len(part) == 3:
        yield part[1:]
    else:
        yield from (part[:2], part[2:])


def is_part_of(one: str, other: str) -> bool:
    """Return whether one name is a part of the other, however they are written."""
    one, other = sorted((plain(one), plain(other)), key=len)
    if _IS_UNSPACED_NAME.fullmatch(one):
        return one in other
    parts, whole = _words_of(one), _words_of(other)
    return bool(parts) and parts <= whole


def _words_of(name: str) -> set[str]:
    return set(re.split(r"[\s\-.]+", re.sub(r"'s?\b(?=\s|$)", "", name))) - {""}


def same_words(one: str, other: str) -> bool:
    """Return whether two spans say the same words, however they are written."""
    return plain(one) == plain(other)


def places_of(words: str, text: str) -> list[tuple[int, int]]:
    """Return every occurrence of these words as whole words: in any case, with or without
    accents and invisible characters.
    """
    return list(NameFinder(KnownNames(whole=frozenset({words})), are_chosen=True).places(text))


def plain(name: str) -> str:
    """Return a name folded, on one line."""
    return " ".join(fold(name).split())


def _may_be_small(name: str) -> bool:
    """Return whether a folded name can be told from other words without its capital."""
    return len(name) >= LEAST_PART or name == name.upper()


def _written(name: str) -> str:
    return _BETWEEN.join(re.escape(each) for each in re.split(r"[\s\-]+", name) if each)


def _before(first: str) -> str:
    if _IS_UNSPACED.fullmatch(first):
        return ""
    for script, letters in _PREFIXED.items():
        if re.fullmatch(f"[{script}]", first):
            one = rf"(?<![{_MORE}])[{letters}]"
            return rf"(?:(?<![{_MORE}])|(?<={one})|(?<={one}[{letters}]))"
    return rf"(?<![{_MORE}])" if re.fullmatch(r"\w", first) else ""


def _behind(last: str) -> str:
    is_open = _IS_UNSPACED.fullmatch(last) or not re.fullmatch(rf"[{_MORE}]", last)
    return "" if is_open else rf"(?![{_MORE}])"


_USUAL: Final = frozenset(
    {
        *("ad", "ai", "al", "am", "an", "as", "at", "au", "be", "by", "ca", "ce", "da", "de"),
        *("di", "do", "du", "el", "en", "es", "et", "eu", "go", "he", "if", "il", "in", "is"),
        *("it", "je", "la", "le", "ma", "me", "mr", "ms", "my", "ne", "no", "nu", "of", "oh"),
        *("ok", "on", "or", "os", "ou", "pm", "sa", "se", "si", "so", "su", "ta", "te", "to"),
        *("tu", "tv", "un", "up", "us", "va", "vu", "we"),
    }
)
