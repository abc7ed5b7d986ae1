"""Isolated sounds: filled pauses that stand alone between silences, where nothing is transcribed.

A speaker searching for words says *uh* with seconds of silence around it, also before the first
word and after the last. The voice detector takes such a sound for a tone, so no window of the
recogniser contains it. Transcribing it would invite invented words, but the filler detector may
examine it.

It examines such sounds with the seconds around them: of 42 alone in silence, the networks called 32
a filled pause with half a second on either side, and 41 with four. The same applies to windows that
contain nothing else.
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
"""Receptive field of the networks on either side."""
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.1, 2.0
"""Lengths considered: a filled pause lasts 0.15 to 1.5 s, and contrast moves its edges; longer
sounds are chairs, doors or applause (rule of thumb).
"""
_LONGEST_ALONE_SECONDS = _LONGEST_SECONDS + 2 * MARGIN_SECONDS
"""Longest window that contains only such a sound and its margins."""


@dataclass(frozen=True, slots=True)
class DetectionWindow:
    """Window of at most 30 s to examine, and the spans in which detections count."""

    window: Span
    inside: tuple[Span, ...]


def is_short(window: Span) -> bool:
    """Return whether the window contains only a short sound without its surroundings."""
    return window[1] - window[0] <= _LONGEST_ALONE_SECONDS


def isolated_windows(
    cut: Sequence[Span], audio: FloatArray, parts: Sequence[Span] = EVERYTHING
) -> tuple[DetectionWindow, ...]:
    """Return short windows, and short sounds between the windows, with their surroundings.

    Only within `parts`, so that passages of other speakers are ignored. Empty if nobody speaks at
    all.
    """
    if not cut:
        return ()
    seconds = len(audio) / SAMPLE_RATE_HZ
    found: list[DetectionWindow] = []
    for part in parts:
        within = (max(part[0], 0.0), min(part[1], seconds))
        targets = [window for window in cut if is_short(window) and _lies_in(window, [part])]
        for gap in spans.without([within], cut):
            if gap[1] - gap[0] >= _SHORTEST_SECONDS:
                targets += _sounds(gap, find_sounds(audio, gap))
        found += (_detection_window(group, within) for group in _window_groups(sorted(targets)))
    return tuple(found)


def detect_fillers(
    head: FillerHead, frames: FloatArray, place: DetectionWindow
) -> tuple[FillerSound, ...]:
    """Return sounds like a filled pause in a window, on the clock of the recording."""
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
    """Yield the short sounds of a gap, extended by the receptive field."""
    for start, end in sounds:
        if _SHORTEST_SECONDS <= end - start <= _LONGEST_SECONDS:
            first, last = max(start - _SEEN_SECONDS, gap[0]), min(end + _SEEN_SECONDS, gap[1])
            yield round(first, 3), round(last, 3)


def _window_groups(targets: Sequence[Span]) -> list[list[Span]]:
    """Group neighbouring targets whose surroundings fit in one window."""
    groups: list[list[Span]] = []
    for target in targets:
        if groups and target[1] - groups[-1][0][0] <= LONGEST_WINDOW_SECONDS - 2 * _AROUND_SECONDS:
            groups[-1].append(target)
        else:
            groups.append([target])
    return groups


def _detection_window(group: Sequence[Span], within: Span) -> DetectionWindow:
    start = max(group[0][0] - _AROUND_SECONDS, within[0])
    end = min(group[-1][1] + _AROUND_SECONDS, within[1])
    return DetectionWindow((round(start, 3), round(end, 3)), tuple(group))
