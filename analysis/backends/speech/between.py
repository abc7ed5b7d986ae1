"""What sounds in the silences between windows: nobody reads there, yet an *uh* may stand alone.

Somebody who looks for words says *uh*, and is silent for seconds before and after it. The voice
detector takes such a sound for a tone, so that no window of the recogniser holds it. To read there
would invite invented words; the ear for filled pauses may listen.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from analysis.backends.speech.voice_activity import find_sounds
from analysis.backends.speech.windows import LONGEST_WINDOW_SECONDS
from analysis.ports import EVERYTHING, FloatArray, Span
from analysis.talk import spans

_MARGIN_SECONDS = 0.5
"""As far as the ear for filled pauses sees to either side."""
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.1, 2.0
"""A filled pause lasts 0.15 to 1.5 s, and contrast moves its edges; what goes on for longer is a
chair, a door, applause (rule of thumb)."""


def heard_between(
    cut: Sequence[Span], audio: FloatArray, parts: Sequence[Span] = EVERYTHING
) -> tuple[Span, ...]:
    """Windows around short sounds in the gaps that these windows leave, each at most 30 s.

    In no other part of the recording: where others speak nobody listens.
    """
    found: list[Span] = []
    for (_, before), (after, _) in itertools.pairwise(cut):
        for part in parts:
            for start, end in spans.clipped([(before, after)], part):
                if end - start >= _SHORTEST_SECONDS:
                    found += _windows((start, end), find_sounds(audio, (start, end)))
    return tuple(found)


def _windows(gap: Span, sounds: Sequence[Span]) -> list[Span]:
    """The short ones, near ones together."""
    joined: list[Span] = []
    for start, end in sounds:
        if not _SHORTEST_SECONDS <= end - start <= _LONGEST_SECONDS:
            continue
        first = round(max(start - _MARGIN_SECONDS, gap[0]), 3)
        last = round(min(end + _MARGIN_SECONDS, gap[1]), 3)
        if joined and last - joined[-1][0] <= LONGEST_WINDOW_SECONDS:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined
