"""What sounds apart from the rest: nobody reads there, yet an *uh* may stand alone.

Somebody who looks for words says *uh*, and is silent for seconds before and after it, also before
the first word and after the last. The voice detector takes such a sound for a tone, so that no
window of the recogniser holds it. To read there would invite invented words; the ear for filled
pauses may listen.

It hears them with the seconds around: of 42 such alone in silences the networks called 32 a filled
pause with half a second to either side, 41 with four. So it is with windows that hold no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.backends.speech.filler_head import FillerHead
from analysis.backends.speech.voice_activity import find_sounds
from analysis.backends.speech.windows import LONGEST_WINDOW_SECONDS, MARGIN_SECONDS
from analysis.ports import EVERYTHING, SAMPLE_RATE_HZ, FillerSound, FloatArray, Span
from analysis.talk import spans

_AROUND_SECONDS = 4.0
_SEEN_SECONDS = 0.5
"""As far as the networks see to either side."""
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.1, 2.0
"""A filled pause lasts 0.15 to 1.5 s, and contrast moves its edges; what goes on for longer is a
chair, a door, applause (rule of thumb)."""
_LONGEST_ALONE_SECONDS = _LONGEST_SECONDS + 2 * MARGIN_SECONDS
"""A window that holds no more than such a sound, between the margins that windows have."""


@dataclass(frozen=True, slots=True)
class Place:
    """A window of at most 30 s that is listened to, and where what is heard in it counts."""

    window: Span
    inside: tuple[Span, ...]


def is_short(window: Span) -> bool:
    """Whether the recogniser is given a short sound and nothing of what is around."""
    return window[1] - window[0] <= _LONGEST_ALONE_SECONDS


def heard_apart(
    cut: Sequence[Span], audio: FloatArray, parts: Sequence[Span] = EVERYTHING
) -> tuple[Place, ...]:
    """Short windows and short sounds in the gaps that the windows leave, in their surroundings.

    In no other part of the recording: where others speak nobody listens. Nor where nobody speaks
    at all.
    """
    if not cut:
        return ()
    seconds = len(audio) / SAMPLE_RATE_HZ
    found: list[Place] = []
    for part in parts:
        within = (max(part[0], 0.0), min(part[1], seconds))
        targets = [window for window in cut if is_short(window) and _lies_in(window, [part])]
        for gap in spans.without([within], cut):
            if gap[1] - gap[0] >= _SHORTEST_SECONDS:
                targets += _sounds(gap, find_sounds(audio, gap))
        found += (_place(group, within) for group in _groups(sorted(targets)))
    return tuple(found)


def heard_in(head: FillerHead, frames: FloatArray, place: Place) -> tuple[FillerSound, ...]:
    """What sounds like a filled pause in a window, on the clock of the recording."""
    start, _ = place.window
    sounds = (
        replace(sound, start=round(sound.start + start, 3), end=round(sound.end + start, 3))
        for sound in head.hear(frames)
    )
    return tuple(each for each in sounds if _lies_in((each.start, each.end), place.inside))


def _lies_in(span: Span, several: Sequence[Span]) -> bool:
    middle = (span[0] + span[1]) / 2
    return any(start <= middle <= end for start, end in several)


def _sounds(gap: Span, sounds: Sequence[Span]) -> Iterator[Span]:
    """The short ones, each with what a network sees around it."""
    for start, end in sounds:
        if _SHORTEST_SECONDS <= end - start <= _LONGEST_SECONDS:
            first, last = max(start - _SEEN_SECONDS, gap[0]), min(end + _SEEN_SECONDS, gap[1])
            yield round(first, 3), round(last, 3)


def _groups(targets: Sequence[Span]) -> list[list[Span]]:
    """Near ones together, with their surroundings no longer than a window."""
    groups: list[list[Span]] = []
    for target in targets:
        if groups and target[1] - groups[-1][0][0] <= LONGEST_WINDOW_SECONDS - 2 * _AROUND_SECONDS:
            groups[-1].append(target)
        else:
            groups.append([target])
    return groups


def _place(group: Sequence[Span], within: Span) -> Place:
    start = max(group[0][0] - _AROUND_SECONDS, within[0])
    end = min(group[-1][1] + _AROUND_SECONDS, within[1])
    return Place((round(start, 3), round(end, 3)), tuple(group))
