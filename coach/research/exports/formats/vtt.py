"""WebVTT (W3C): cues with words or data, in milliseconds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_SECOND, _MINUTE, _HOUR = 1000, 60_000, 3_600_000


class Cue(NamedTuple):
    """One cue: a voice with its words, or a document."""

    start_ms: int
    end_ms: int
    voice: str = ""
    words: str = ""
    document: dict[str, Any] | None = None


def write_vtt(cues: Iterable[Cue], path: Path, *, kind: str) -> None:
    """Write cues in time order. An empty one lasts a millisecond."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"WEBVTT\n\nNOTE kind: {kind}\n")
        for cue in sorted(cues, key=lambda cue: (cue.start_ms, cue.end_ms)):
            end = max(cue.end_ms, cue.start_ms + 1)
            file.write(f"\n{_time(cue.start_ms)} --> {_time(end)}\n{_payload(cue)}\n")


def _payload(cue: Cue) -> str:
    if cue.document is not None:
        # An arrow in the payload would begin another cue.
        return json.dumps(cue.document, ensure_ascii=False).replace("-->", "--\\u003e")
    words = " ".join(cue.words.split()).translate(_ESCAPES)
    voice = cue.voice.translate(_ESCAPES)
    return f"<v {voice}>{words}</v>" if voice else words


def _time(milliseconds: int) -> str:
    hours, rest = divmod(milliseconds, _HOUR)
    minutes, rest = divmod(rest, _MINUTE)
    return f"{hours:02d}:{minutes:02d}:{rest // _SECOND:02d}.{rest % _SECOND:03d}"
