"""Lines to turns: speakers named before a colon, above a time, or by the format itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from coach.research.coding.interviews.reading.lines import ANOTHER_VOICE, Line, Odd, Read

_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_TIME_FIRST = re.compile(rf"^\s*[\[(#]?({_CLOCK})(?:-\d)?[\])#]?\s+(?=\S)")
_TIME_LAST = re.compile(r"#(\d{1,2}:\d{2}:\d{2})(?:-(\d))?#\s*$")
_TIME_ALONE = re.compile(rf"^\s*[\[(#]?({_CLOCK})(?:-\d)?[\])#]?\s*$")
_CHANGE = re.compile(rf"^\s*{ANOTHER_VOICE}+\s*(?=\S)")
_BLANKS = r"\s{0,40}"
"""Between a name and its colon; as many blanks as somebody likes would be tried from each of them
anew, for hours in a line of nothing else."""
_NAMED = re.compile(
    rf"^\s*(?P<name>[^\W_][^:：\n]{{0,59}}?){_BLANKS}(?:[\[(](?P<time>{_CLOCK})[\])]{_BLANKS})?[:：](?:\s+|$)"
)
_NAME_OVER_TIME = re.compile(
    rf"^\s*(?P<name>[^\W\d_][^:\n]{{0,59}}?)\s{_BLANKS}[\[(]?(?P<time>{_CLOCK})[\])]?\s*$"
)
_ROLE_WORD = re.compile(
    r"(?:i|r|q|a|m|e|p|s|f|int|mod|intervenant(?:e)?|interviewer|interviewee|interviewé(?:e)?|"
    r"moderator|facilitator|researcher|participant(?:e)?|speaker|respondent|expert|coach|"
    r"animateur|animatrice|enquêteur|enquêtrice|chercheur|chercheuse|modérateur|modératrice|"
    r"répondant(?:e)?|locuteur|locutrice)[\s.\-]?\d{0,2}",
    re.IGNORECASE,
)
_MOST_NAME_WORDS = 4
_GAP_MS = 2000
"""Captions of nobody with a longer silence between them are turns of their own (rule of thumb)."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One turn; `speaker` is empty if none is named."""

    number: int
    """Of its first line."""
    speaker: str
    words: str
    start_ms: int | None = None
    end_ms: int | None = None


@dataclass(slots=True)
class _Open:
    """A turn that may continue."""

    line: Line
    speaker: str
    pieces: list[str]
    start: int | None
    end: int | None


def is_word_for_a_part(name: str) -> bool:
    """Return whether a label is a role (I, P2, Moderator), which names no person."""
    return _ROLE_WORD.fullmatch(name) is not None


def turns_in(
    read: Read, *, also: Iterable[str] = (), never: Iterable[str] = ()
) -> tuple[list[Heard], list[Odd]]:
    """Return the turns and the problems. `also` adds speaker names, `never` excludes them.

    A name before a colon counts if it occurs twice or is a usual role; a colon after other words
    belongs to the speech, and is reported.
    """
    names, odd = _speakers(read, frozenset(also), frozenset(never))
    turns: list[_Open] = []
    start: int | None = None
    is_captions = read.kind in {"vtt", "srt"}
    for line in read.lines:
        if not line.words.strip():
            continue
        if alone := _TIME_ALONE.match(line.words):
            start = _ms(alone.group(1))
            continue
        speaker, words, at = _taken_apart(line, names)
        start = at if at is not None else start
        words, end = _without_last_time(words)
        end = end if end is not None else line.end_ms
        if not _goes_on(turns, speaker, line, is_captions):
            if not speaker and not is_captions:
                odd.append(Odd(line.number, "nobody_named", line.words))
            turns.append(_Open(line, speaker, [], start, None))
        if words:
            turns[-1].pieces.append(words)
        turns[-1].end = end if end is not None else turns[-1].end
        start = None
    glue = " " if is_captions else "\n"
    heard = [
        Heard(each.line.number, each.speaker, glue.join(each.pieces), each.start, each.end)
        for each in turns
        if each.pieces
    ]
    return heard, [*read.odd, *odd]


def named_lines(read: Read) -> dict[int, str]:
    """Return the speakers of lines that begin with one, by number: for texts that must not
    change.
    """
    names, _odd = _speakers(read, frozenset(), frozenset())
    said = {line.number: _taken_apart(line, names)[0] for line in read.lines}
    return {number: name for number, name in said.items() if name}


def _goes_on(turns: list[_Open], speaker: str, line: Line, is_captions: bool) -> bool:  # noqa: FBT001
    """Return whether the line continues the previous turn."""
    if not turns:
        return False
    last = turns[-1]
    if speaker:
        return is_captions and speaker == last.speaker
    if _CHANGE.match(_TIME_FIRST.sub("", line.words)):
        return False
    if is_captions and line.start_ms is not None and last.end is not None:
        return line.start_ms - last.end < _GAP_MS
    # In a text without any named speaker, each paragraph is a turn.
    return bool(last.speaker) or is_captions


def _taken_apart(line: Line, names: frozenset[str]) -> tuple[str, str, int | None]:
    """Return the speaker, words and start of a line."""
    if line.speaker:
        return line.speaker, line.words, line.start_ms
    words, start = _CHANGE.sub("", line.words.strip()), line.start_ms
    if first := _TIME_FIRST.match(words):
        words, start = _CHANGE.sub("", words[first.end() :]), _ms(first.group(1))
    for pattern in (_NAMED, _NAME_OVER_TIME):
        found = pattern.match(words)
        if found and _plain(found["name"]) in names:
            time = _ms(found["time"]) if found["time"] else start
            return _plain(found["name"]), words[found.end() :].strip(), time
    return "", words, start


def _speakers(
    read: Read, also: frozenset[str], never: frozenset[str]
) -> tuple[frozenset[str], list[Odd]]:
    """Return the names that begin turns, and the lines whose colon only looked like one."""
    counts: Counter[str] = Counter()
    first: dict[str, Line] = {}
    sure: set[str] = set(also)
    for line in read.lines:
        words = _TIME_FIRST.sub("", _CHANGE.sub("", line.words.strip()))
        words = _CHANGE.sub("", words)
        found = _NAMED.match(words)
        over = _NAME_OVER_TIME.match(words)
        if over and not found:
            sure.add(_plain(over["name"]))
        if found and _may_be_a_name(found["name"]):
            name = _plain(found["name"])
            counts[name] += 1
            first.setdefault(name, line)
    sure |= {name for name, count in counts.items() if count > 1 or is_word_for_a_part(name)}
    once = {name for name in first if name not in sure | never}
    # If others are named, a single occurrence may be a speaker; it is reported all the same.
    names = {name for name in once if len(sure) > 1 and _is_written_as_a_name(name)}
    odd = [
        Odd(first[name].number, "once_a_name" if name in names else "maybe_a_name", name)
        for name in first
        if name in once
    ]
    return frozenset((sure | names) - never), odd


def _is_written_as_a_name(name: str) -> bool:
    return all(not word[0].islower() for word in name.split())


def _may_be_a_name(name: str) -> bool:
    words = name.split()
    return len(words) <= _MOST_NAME_WORDS and not re.search(r"[,;?!«»\"“”]", name)


def _plain(name: str) -> str:
    return " ".join(name.split())


def _without_last_time(words: str) -> tuple[str, int | None]:
    """Return the words without a time at their end, as f4 and MAXQDA write it, and the time."""
    found = _TIME_LAST.search(words)
    if not found:
        return words, None
    tenths = int(found.group(2) or 0) * 100
    return words[: found.start()].rstrip(), (_ms(found.group(1)) or 0) + tenths


def _ms(clock: str) -> int:
    """Return a time such as `1:02:03.5` in milliseconds."""
    whole, _dot, fraction = clock.replace(",", ".").partition(".")
    seconds = 0
    for part in whole.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds * 1000 + int((fraction or "0").ljust(3, "0"))
