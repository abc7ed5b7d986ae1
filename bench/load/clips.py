"""Real recordings of any length: the demonstration's and a reading, cut or repeated."""

from __future__ import annotations

import wave
from pathlib import Path

import av

from bench.load.trace import TraceTake
from demo.recording import build

_GAP_SECONDS = 0.5
"""Gap between two rounds: pictures are stored before they are shown, and must not overlap."""


class Clips:
    """Files for takes, a different one for each, since identical files count as one recording."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._video = build(folder / "source", say=print)
        self._sound = next((folder / "source").rglob("two_cities.wav"))

    def make(self, take: TraceTake) -> Path:
        """Return the recording of a take."""
        path = self._folder / name_of(take)
        if not path.exists():
            (self._cut_video if take.has_picture else self._cut_sound)(path, take.seconds)
        return path

    def _cut_video(self, path: Path, seconds: float) -> None:
        """Write the packets repeatedly, without encoding."""
        with av.open(str(path), "w") as target:
            copies: dict[int, av.stream.Stream] = {}
            begun = 0.0
            while begun < seconds:
                with av.open(str(self._video)) as source:
                    length = (source.duration or 0) / av.time_base
                    for each in source.streams:
                        if each.index not in copies:
                            copies[each.index] = target.add_stream_from_template(each)
                    for packet in source.demux():
                        if packet.pts is None or packet.time_base is None:
                            continue
                        if begun + float(packet.pts * packet.time_base) >= seconds:
                            continue
                        later = round(begun / packet.time_base)
                        packet.pts += later
                        packet.dts = (packet.dts or 0) + later
                        packet.stream = copies[packet.stream.index]
                        target.mux(packet)
                begun += length + _GAP_SECONDS

    def _cut_sound(self, path: Path, seconds: float) -> None:
        with wave.open(str(self._sound)) as source, wave.open(str(path), "wb") as target:
            target.setparams(source.getparams())
            left = round(seconds * source.getframerate())
            while left > 0:
                source.rewind()
                frames = source.readframes(left)
                target.writeframes(frames)
                left -= len(frames) // (source.getnchannels() * source.getsampwidth())


def name_of(take: TraceTake) -> str:
    """Return a name with the length to the millisecond.

    A replay finds existing clips by it, and a take of almost the same length is a different one.
    """
    suffix = "mp4" if take.has_picture else "wav"
    return f"{take.group}-{take.number}-{take.seconds:.3f}.{suffix}"
