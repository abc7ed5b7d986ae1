"""Captions: WebVTT and SubRip, read alike. Other lines are reported with their number.

webvtt-py drops lines that it does not understand and keeps `&amp;` undecoded (0.6), so this is our
own.
"""

from __future__ import annotations

import html
import re

from coach.research.coding.interviews.reading.lines import (
    ANOTHER_VOICE,
    MOST_MS,
    Line,
    NotATranscript,
    ParsedFile,
    ReadingProblem,
)

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMES = re.compile(rf"^\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?$")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*+)?\s++([^>]{1,120})>")
"""Possessive, so that matched classes and blanks are not given back: otherwise a line of `<v.`
would be searched for each end, again and again."""
_TAG = re.compile(r"</?[A-Za-z0-9:._-][^<>]{0,200}>|\{\\[^{}]{0,40}\}")
_DASH = re.compile(r"^\s*[-\N{EN DASH}\N{EM DASH}]\s*(?=\S)")
_QUIET = re.compile(r"^(?:WEBVTT.*|NOTE(?:\s.*)?|STYLE|REGION|\d+|)$")
"""Headers, comments and numbers of captions: known lines without speech."""


def read_cues(text: str, kind: str) -> ParsedFile:
    """Read captions. Raises NotATranscript if there are none."""
    lines: list[Line] = []
    odd: list[ReadingProblem] = []
    blocks = _blocks(text)
    for number, block in blocks:
        place = next((n for n, line in enumerate(block) if _TIMES.match(line)), None)
        if place is None:
            odd += _told(number, block)
            continue
        if place > 1:
            odd += _told(number, block[: place - 1])
        lines += _caption(number + place, block[place], block[place + 1 :], odd)
    if not lines:
        raise NotATranscript("no_captions")
    return ParsedFile(kind=kind, lines=lines, odd=odd)


def _blocks(text: str) -> list[tuple[int, list[str]]]:
    """Return blocks of lines between empty ones, with the number of their first line."""
    blocks: list[tuple[int, list[str]]] = []
    is_inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            is_inside = False
        elif is_inside:
            blocks[-1][1].append(line)
        else:
            blocks.append((number, [line]))
            is_inside = True
    return blocks


def _told(number: int, block: list[str]) -> list[ReadingProblem]:
    if re.match(r"^(?:WEBVTT|NOTE|STYLE|REGION)", block[0]):
        return []
    return [
        ReadingProblem(number + place, "no_caption", line)
        for place, line in enumerate(block)
        if not _QUIET.match(line)
    ]


def _caption(number: int, times: str, words: list[str], odd: list[ReadingProblem]) -> list[Line]:
    """Return one line for each voice that the caption names."""
    found = _TIMES.match(times)
    parts = found.groups() if found else ()
    start, end = _times(number, _ms(parts[:4]), _ms(parts[4:]), times, odd)
    text = "\n".join(words)
    pieces = _VOICE.split(text)
    voices = [("", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
    return [
        Line(number, said, start, end, html.unescape(voice).strip())
        for voice, piece in voices
        for said in _goes(html.unescape(_TAG.sub("", piece)))
    ]


def _goes(piece: str) -> list[str]:
    """Split one voice's caption where a mark says that another speaker begins.

    Two lines with a dash are two speakers, as usual in subtitles; a single one may be anything.
    """
    lines = [" ".join(line.split()) for line in piece.split("\n") if line.strip()]
    if sum(bool(_DASH.match(line)) for line in lines) > 1:
        lines = [_DASH.sub(f"{ANOTHER_VOICE} ", line) for line in lines]
    goes: list[str] = []
    for line in lines:
        if goes and not line.startswith(ANOTHER_VOICE):
            goes[-1] += f" {line}"
        else:
            goes.append(line)
    return goes


def _times(
    number: int, start: int, end: int, said: str, odd: list[ReadingProblem]
) -> tuple[int | None, int | None]:
    if max(start, end) >= MOST_MS:
        odd.append(ReadingProblem(number, "too_late", said.strip()))
        return None, None
    if end < start:
        odd.append(ReadingProblem(number, "ends_early", said.strip()))
        return start, start
    return start, end


def _ms(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int(fraction.ljust(3, "0"))
