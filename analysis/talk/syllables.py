"""Syllable counts of written words: a dictionary for English, vowel nuclei for French."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import syllapy

from analysis.results import Word
from analysis.talk.languages import plain
from analysis.talk.spoken_numbers import spoken_form

_ENGLISH_EXCEPTIONS = {
    "every": 2, "everyone": 3, "everything": 3, "everybody": 4, "different": 2, "difference": 2,
    "interesting": 3, "actually": 4, "family": 2, "business": 2, "evening": 2, "several": 2,
    "favorite": 2, "chocolate": 2, "camera": 2, "separate": 2, "comfortable": 3, "vegetable": 3,
    "being": 2, "doing": 2, "going": 2, "seeing": 2, "ai": 2, "tv": 2, "uk": 2, "us": 1, "eu": 2,
    "ok": 2, "okay": 2, "www": 9, "mr": 2, "mrs": 2, "dr": 2, "yknow": 2, "rhythm": 2, "y'know": 2,
    "hour": 1, "hours": 1, "our": 1, "ours": 1, "fire": 1, "idea": 3, "ideas": 3, "area": 3,
    "i'm": 1, "we're": 1, "you're": 2, "they're": 1, "didn't": 2, "couldn't": 2, "wouldn't": 2,
    "shouldn't": 2, "isn't": 2, "wasn't": 2, "doesn't": 2, "hasn't": 2, "haven't": 2, "aren't": 1,
    "weren't": 1, "it'll": 2, "that'll": 2, "there'll": 2, "could've": 2, "would've": 2,
}  # fmt: skip
"""Words missing from the dictionary, or counted there as spelled rather than as spoken."""
_ENGLISH_CLITICS = ("'s", "'ll", "'re", "'ve", "'d", "'m")
_SIBILANT_ENDS = ("s", "z", "x", "ch", "sh", "ce", "ge", "se", "ze")
_VOWELS = "aeiouyàâäéèêëîïôöùûüÿœæ"
_FRENCH_EXCEPTIONS = {"pays": 2, "paysage": 3, "paysages": 3, "abbaye": 3, "août": 1, "est": 1}
_FRENCH_ELIDED = re.compile(r"(?:[cdjlmnst]|(?:jus|lors|puis)?qu)'")
"""Words that lost their vowel to the next one, where they stand alone: "l' école" has two."""
_QUOTES = ' «»“”"'
_FRENCH_STEPS = (
    (re.compile(r"(?<=[gq])u(?=[aeiéèêîoâô])"), ""),
    (re.compile(r"(?<=g)e(?=[aoâô])"), ""),
    (re.compile(r"(?<=[aeouœ])ill?(?=[" + _VOWELS + r"]|s?$)"), "j"),
    (re.compile(r"y(?=[" + _VOWELS + r"])(?<![" + _VOWELS + r"]y)"), "j"),
    (re.compile(r"(?<=[^" + _VOWELS + r"])es?$"), ""),
    (re.compile(r"(?<=[éiuû])es?$"), ""),
    (re.compile(r"(?<![bcdfgkptv][lr])(?<![aeou])i(?=[aeoéèêôuâ])"), "j"),
    (re.compile(r"u(?=[iî])(?<![aeo]u)|(?:^|(?<=h))ou(?=[aeiéè])"), "w"),
)
"""Letters that are silent or glide into the next vowel, in the order of removal."""
_MUTE_INSIDE = re.compile(
    rf"([{_VOWELS}](?:[nm](?=[^{_VOWELS}nm]))?(?:[cpt]h|gn|([b-df-hj-np-tv-z])\2?))e"
    rf"(?!(?:[cpt]h|[lmnr])i[aeoéè])(?=(?:[cpt]h|gn|[bcdfgpt][lr]|[b-df-hj-np-tvz])[{_VOWELS}])"
)
"""Letter e inside a word after one sounded consonant and before one: "mainte|nant", "samedi". It is
not spoken there, but stays after two consonants ("parlement"), in the first syllable and before a
glide ("atelier"): the law of three consonants (Grammont 1914; Dell 1973, "Les règles et les sons").
"""
_FRENCH_NUCLEUS = re.compile(
    r"eau|oeu|œu|aient$|ou|oû|où|oi|oî|oy|ai|aî|ay|ei|eî|ey|eu|eû|au|[" + _VOWELS + r"]"
)
_MUTE_VERB_ENDING = re.compile(r"(?<=[" + _VOWELS + r"])([^" + _VOWELS + r"]+)ent$")
_SPOKEN_ENT = re.compile(
    r"(?:m|(?:^|con)t|acc|cid|rg|(?:^|sou|a|con|par|é)v|c|tal|sci|quoti|abs|pr[ée]s|fér|fréqu|réc|id|ud"
    r"|gag|li|^d|^l|^r)ent$"
)


@lru_cache(maxsize=20_000)
def syllables_of(text: str, language: str) -> int:
    """Return the syllables of one written word, figures as spoken; 0 without letters or digits."""
    if language == "fr" and _FRENCH_ELIDED.fullmatch(text.strip(_QUOTES).replace("’", "'").lower()):
        return int("squ" in text.lower())
    return sum(
        _of_part(part, language)
        for word in spoken_form(text, language) or (plain(text),)
        for part in re.split(r"[-\s]+", word)
        if part
    )


def count_syllables(words: Iterable[Word], language: str) -> int:
    """Return the syllables of several words."""
    return sum(syllables_of(word.text, language) for word in words)


def count_words(words: Iterable[Word], language: str) -> int:
    """Return the number of words with figures as spoken: "1998" is two, in French four."""
    return sum(len(spoken_form(word.text, language)) or 1 for word in words)


def _of_part(part: str, language: str) -> int:
    if language == "fr":
        return _of_french(part)
    return _of_english(part)


def _of_english(word: str) -> int:
    if word in _ENGLISH_EXCEPTIONS:
        return _ENGLISH_EXCEPTIONS[word]
    for clitic in _ENGLISH_CLITICS:
        if word.endswith(clitic) and len(word) > len(clitic):
            stem = word.removesuffix(clitic)
            adds = clitic == "'s" and stem.endswith(_SIBILANT_ENDS)
            adds |= clitic in ("'ll", "'ve", "'d") and stem[-1] not in "aeiouy"
            return _of_english(stem) + int(adds)
    bare = word.replace("'", "")
    letters = [character for character in bare if character.isalpha()]
    return max(int(syllapy.count(bare)), 1) if letters else 0


def _of_french(word: str) -> int:
    """Return the number of vowel nuclei without mute endings ("quatre" has one, "école" two,
    "ouvrier" three).
    """
    if word in _FRENCH_EXCEPTIONS:
        return _FRENCH_EXCEPTIONS[word]
    spoken = word.replace("qu'", "q").replace("'", "")
    if not any(character.isalpha() for character in spoken):
        return 0
    if not _SPOKEN_ENT.search(spoken):
        spoken = _MUTE_VERB_ENDING.sub(r"\1", spoken)
    for pattern, replacement in _FRENCH_STEPS:
        spoken = pattern.sub(replacement, spoken)
    return max(len(_FRENCH_NUCLEUS.findall(_MUTE_INSIDE.sub(r"\1", spoken))), 1)
