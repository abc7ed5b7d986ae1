"""Patterns of possible names in English and French: proposals for a person to decide on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from coach.research.coding.interviews.redaction.folding import MappedText, visible
from coach.research.coding.interviews.redaction.matching import (
    UNSPACED,
    KnownNames,
    NameFinder,
)
from coach.research.coding.models import Redaction

RULES_VERSION: Final = "5"
"""Changes with every pattern; stored with each locked text."""

_Kind = Redaction.Kind
_CAPITALS = "".join(filter(str.isupper, map(chr, range(0x2000))))
_CAP = rf"[{_CAPITALS}][\w'’\-]*"
"""A capitalised word; in scripts without capitals only known names are found."""
_LINK = r"(?:d[eu]|de la|van|von|la|le|el|al|bin)"
_NAME = rf"{_CAP}(?:[ \n]+(?:{_LINK} )?{_CAP}){{0,3}}"
_MONTH = (
    r"(?i:jan(?:uary|vier)|feb(?:ruary)?|février|mar(?:ch|s)|apr(?:il)?|avril|may|mai|june?|juin|"
    r"july?|juillet|aug(?:ust)?|août|sep(?:tember|tembre)|oct(?:ober|obre)|nov(?:ember|embre)|"
    r"dec(?:ember)?|décembre)"
)
_SHORT_MONTH = r"(?i:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|janv|févr|avr|juil|déc)\.?(?!\w)"
_DAY = r"\d{1,2}(?:er|st|nd|rd|th)?"
_YEAR = r"(?!\w)(?:,? \d{4}\b)?"
_SHORT = _CAP.replace("*", "{0,80}")
"""Limited where matches may start inside another, at each hyphen: in a text that is all one word,
unlimited matching would take hours."""
_ORGANISATION = (
    r"\b(?:[Uu]niversity of|[Uu]niversité(?: de| du| d['’])?|[Ll]ycée|[Cc]ollège|[Éé]cole|"
    rf"[Ii]nstitut(?:e of)?|[Hh]ôpital|CHU de) ?{_NAME}|"
    rf"\b{_SHORT}(?: {_SHORT}){{0,2}} (?:University|College|School|Hospital|Institute|"
    r"Academy|Ltd|Inc|GmbH|SARL|SAS)\b"
)
_STREET = (
    r"\b\d{1,4},? (?:rue|avenue|boulevard|place|chemin) [\w'’ \-]{2,40}|"
    rf"\b\d{{1,4}} {_CAP}(?: {_CAP})? (?:Street|Road|Avenue|Lane|Square|Drive)\b"
)
_TITLES = r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof(?:essor|esseur)?|Sir|Mme|Mlle|Madame|Monsieur|Me|Pr|M)\.?"
_TITLE = rf"{_TITLES}[ \n]{_NAME}"
_INTRODUCED = (
    rf"(?<=[Mm]y name is ){_NAME}|(?<=I am called ){_NAME}|(?<=[Jj]e m['’]appelle ){_NAME}|"
    rf"(?<=s['’]appelle ){_NAME}|(?<=[Mm]on nom est ){_NAME}"
)
_PLACED = (
    r"\b(?i:in|at|from|near|to|à|en|vers|près de|chez)[ \n]"
    rf"(?P<found>{_CAP}(?:[ -]{_CAP}){{0,2}})"
)
_INSIDE = (
    rf"(?<=[^\s.!?…][ \n])(?!I\b)(?P<found>{_CAP}(?: {_CAP}){{0,3}})|"
    rf"(?<=\b[dlDL]['’])(?P<elided>{_CAP})"
)
"""Capitalised words inside a sentence."""
_SITE = (
    r"(?<![\w.@-])[\w-]{2,63}(?:\.[\w-]{2,63}){0,4}"
    r"\.(?:com|org|net|info|edu|io|eu|fr|be|ch|lu|ca|uk|de)\b(?!\.\w)(?:/[^\s<>\"”»]*)?"
)
"""Addresses without `www`: endings that are usual where English and French are spoken (rule of
thumb)."""
_GAP = r"[ \u00a0\u202f().\-\u2010-\u2013\uff0d/]{0,2}"
_LETTER = rf"[^\W{UNSPACED}]"
"""A letter of a script with spaces: a number or address may stand right beside other letters."""
NUMBER: Final = rf"(?<!{_LETTER})(?<![.:/-])\+?\(?\d(?:{_GAP}\d){{8,22}}(?!{_LETTER})(?!:)"
"""Nine digits and more, with usual separators: telephone numbers (E.164 has fifteen at most), and
numbers of cards, insurance and accounts."""
_CALLED = (
    r"(?i:\b(?:t[eé]l(?:[eé]phone)?|phone|mobile|portable|fax|call|num[eé]ro|number)\b)\D{0,12}?"
    rf"(?P<found>\+?\d(?:{_GAP}\d){{5,22}})(?!{_LETTER})(?!:)"
)
"""Shorter numbers after a word for the telephone."""
_ACCOUNT = r"\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?\b"
"""International bank account numbers (ISO 13616)."""
_LOCAL, _LABEL = rf"(?:{_LETTER}|[.+-]){{1,64}}", rf"(?:{_LETTER}|-){{1,63}}"
_ADDRESSES: Final = (
    ("web", _Kind.CONTACT, r"(?:https?://|www\.)[^\s<>\"”»]+"),
    ("e_mail", _Kind.CONTACT, rf"(?<!{_LETTER})(?<![.+-]){_LOCAL}@{_LABEL}(?:\.{_LABEL}){{1,8}}"),
    ("web", _Kind.CONTACT, _SITE),
    ("handle", _Kind.CONTACT, r"(?<!\w)@\w[\w.]{1,29}\w"),
    ("phone", _Kind.CONTACT, NUMBER),
    ("phone", _Kind.CONTACT, _CALLED),
    ("number", _Kind.CONTACT, _ACCOUNT),
)
"""Matched before names: an address tells more than the name in it."""
_RULES: Final = (
    ("date", _Kind.DATE, r"\b\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})\b"),
    ("date", _Kind.DATE, r"\b\d{4}[./-]\d{1,2}[./-]\d{1,2}\b|\d{4}年\d{1,2}月\d{1,2}日"),
    ("date", _Kind.DATE, rf"\b{_DAY}(?: of| de)? (?:{_MONTH}|{_SHORT_MONTH}){_YEAR}"),
    ("date", _Kind.DATE, rf"\b(?:{_MONTH}|{_SHORT_MONTH}) {_DAY}{_YEAR}"),
    ("organisation", _Kind.ORG, _ORGANISATION),
    ("place", _Kind.PLACE, _STREET),
    ("title", _Kind.NAME, _TITLE),
    ("introduced", _Kind.NAME, _INTRODUCED),
    ("placed", _Kind.PLACE, _PLACED),
    ("capital", _Kind.NAME, _INSIDE),
)
"""More certain rules first."""
_FIRST: Final = tuple((rule, kind, re.compile(written)) for rule, kind, written in _ADDRESSES)
_PATTERNS: Final = tuple((rule, kind, re.compile(written)) for rule, kind, written in _RULES)
_BARE_TITLE: Final = re.compile(rf"{_TITLES}(?!\w)\s*")
_INNOCENT: Final = frozenset(
    {
        *("i", "i'm", "i’m", "i've", "i’ve", "i'd", "i’d", "i'll", "i’ll", "ok", "okay", "tv"),
        *("ai", "ia", "pdf", "powerpoint", "zoom", "teams", "english", "french", "german"),
        *("spanish", "italian", "chinese", "arabic", "european", "american", "british"),
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december", "christmas", "internet", "google"),
    }
)
"""Usual capitalised words; a name among them is found by other rules."""
_GUESSES: Final = frozenset({"placed", "capital"})
_MOST_ACRONYM = 4
_STAGED: Final = re.compile(r"(?:^|[\n.!?…][ \n]?)[(\[][^()\[\]\n]{1,60}[)\]][ \n]\Z")
"""A stage direction between sentences: the next one begins after it."""
_QUOTED: Final = re.compile(r"[.!?…][ \u00a0\u202f]?[»”\"][ \n]\Z")
"""The end of a quoted sentence: the next word begins one."""
_BEHIND = 70


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A place that may name a person, with the rule that found it."""

    start: int
    end: int
    kind: Redaction.Kind
    rule: str


def without_title(name: str) -> str:
    """Return a name without its title, on one line: “Okafor” for “Mrs. Okafor”."""
    title = _BARE_TITLE.match(name)
    return " ".join(name[title.end() if title else 0 :].split())


def proposals(
    text: str,
    known: KnownNames,
    turns: Iterable[tuple[int, int]],
    held: Iterable[tuple[int, int]] = (),
) -> list[NameMatch]:
    """Return non-overlapping places in order; more certain rules take precedence.

    If a place extends beyond an earlier one, the rest is proposed too: half a name or half an
    address still identifies a person. `turns` are the spans to search, without speaker labels.
    `held` spans are not proposed: they are decided, or tokens.
    """
    addresses = KnownNames(whole=frozenset(each for each in known.whole if "@" in each))
    names = KnownNames(whole=known.whole - addresses.whole, parts=known.parts)
    finders = ((_Kind.CONTACT, NameFinder(addresses)), (_Kind.NAME, NameFinder(names)))
    taken = bytearray(len(text))  # one for each code point that is not to be proposed (again)
    for start, end in held:
        taken[start:end] = b"\x01" * (end - start)
    found: list[NameMatch] = []
    for start, end in turns:
        for each in _all(text[start:end], finders):
            whole = NameMatch(each.start + start, each.end + start, each.kind, each.rule)
            for place in _left_of(whole, text, taken):
                taken[place.start : place.end] = b"\x01" * (place.end - place.start)
                found.append(place)
    return sorted(found, key=lambda each: each.start)


def _left_of(place: NameMatch, text: str, taken: bytearray) -> Iterator[NameMatch]:
    """Yield the parts of a place that are not taken."""
    if taken.find(1, place.start, place.end) == -1:
        yield place
        return
    at = place.start
    while at < place.end:
        if taken[at]:
            at += 1
            continue
        stop = taken.find(1, at, place.end)
        stop = place.end if stop == -1 else stop
        title = _BARE_TITLE.match(text, at, stop) if place.kind == _Kind.NAME else None
        start, end = _trimmed(text, title.end() if title else at, stop, place.kind)
        if start < end and (place.rule not in _GUESSES or _may_name(text[start:end])):
            yield NameMatch(start, end, place.kind, place.rule)
        at = stop


def _trimmed(text: str, start: int, end: int, kind: Redaction.Kind) -> tuple[int, int]:
    """Return a span without outer white space and punctuation; in an address all marks count."""
    if kind == _Kind.CONTACT:
        return (start, end) if any(map(str.isalnum, text[start:end])) else (start, start)
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end


def _all(words: str, finders: Iterable[tuple[Redaction.Kind, NameFinder]]) -> Iterator[NameMatch]:
    seen = visible(words)
    yield from _matched(seen, _FIRST)
    for kind, finder in finders:
        for start, end in finder.places(words):
            yield NameMatch(start, end, kind, "known")
    yield from _matched(seen, _PATTERNS)


def _matched(
    seen: MappedText, patterns: Sequence[tuple[str, Redaction.Kind, re.Pattern[str]]]
) -> Iterator[NameMatch]:
    """Yield the places of patterns, which look at what a reader sees."""
    words = seen.text
    for rule, kind, pattern in patterns:
        for match in pattern.finditer(words):
            start, end = match.span(match.lastgroup or 0)
            before = words[max(start - _BEHIND, 0) : start]
            if rule == "capital" and (_STAGED.search(before) or _QUOTED.search(before)):
                continue
            if rule in _GUESSES and not _may_name(words[start:end]):
                continue
            if (span := seen.span(start, end)) is not None:
                yield NameMatch(*span, kind, rule)


def _may_name(words: str) -> bool:
    if words.casefold() in _INNOCENT:
        return False
    return len(words) > 1 and not (words.isupper() and len(words) <= _MOST_ACRONYM)
