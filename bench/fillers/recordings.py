"""Labelled recordings of people: speaker, filler times, and whether the licence allows training."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from analysis.backends.media.audio import read_audio
from analysis.backends.media.probe import read_media
from analysis.backends.speech.voice_activity import find_speech
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Limits, Span
from bench.fillers.pieces import folder as kept_folder
from bench.fillers.talks import Filler, FillerTalk, LooseFiller
from bench.listening.truth import FILLED_PAUSES, Truth, load
from bench.media import manifest
from bench.sounds import kept

FOLDERS = ("1_speech", "2_fillers", "2_fillers_more")
_ALLOWED = re.compile(r"MIT|Apache|CC BY 4\.0|public domain|CMU ARCTIC|BSD")
_FORBIDDEN = re.compile(r"BY-NC|GPL|research|copyright of|BY-SA|quotation", re.IGNORECASE)
_SAME_SPEAKER = (
    (r"mfa_acoustic|noise_snr15_mfa_acoustic", "mfa_acoustic"),
    (r"mfa_cold", "mfa_cold"),
    (r"^(mfa_\w+|falsetto2)", "mfa_words"),
    (r"asterisk", "asterisk"),
    (r"librivox|pauses_a", "librivox"),
    (r"two_cities|tempo_0", "two_cities"),
    (r"sep28k_HeStutters", "sep28k"),
    (r"sb_spk(\d)", "sb_spk"),
)
_OTHERS_SAY = {"ami_EN2009b_trn09": 2}
"""Files with more fillers than are counted for the speaker: the note quotes two *uh* of another
person.
"""
_LONGEST_SECONDS = 27.0
_WITH_OTHERS = re.compile(r"^ami_")


@dataclass(frozen=True, slots=True)
class LabelledRecording:
    """Labelled recording. `most` is None if its fillers were not counted."""

    truth: Truth
    language: str
    speaker: str
    licence: str
    may_teach: bool
    fillers: tuple[Filler, ...]
    """Fillers timed by hand or by an aligner."""
    roughly: tuple[Filler, ...]
    """Fillers known only to be somewhere in this span."""
    least: int | None
    most: int | None

    @property
    def name(self) -> str:
        return self.truth.name

    @property
    def is_timed(self) -> bool:
        """Return whether each filler has a time, or there is none."""
        return self.most is not None and self.most == len(self.fillers) + len(self.roughly)

    def sound(self) -> FloatArray:
        """Return the sound in mono at SAMPLE_RATE_HZ, decoded once."""
        return decoded(self.truth.path)


def decoded(path: Path) -> FloatArray:
    """Return the file in mono at SAMPLE_RATE_HZ, decoded once."""
    place = kept_folder() / "recordings" / f"{path.stem}.npy"
    return kept(place, lambda: _read(path))


def _read(path: Path) -> FloatArray:
    with TemporaryDirectory() as work:
        audio = Path(work) / "audio.f32"
        read_media(path, audio_path=audio, limits=Limits(), progress=lambda _share: None)
        return np.array(read_audio(audio))


def recordings(media: Path) -> list[LabelledRecording]:
    """Return the recordings of the manifest, in its order."""
    rows = {row["path"]: row for row in manifest(media)}
    return [
        _recording(truth, rows[truth.path.relative_to(media).as_posix()])
        for truth in load(media, FOLDERS)
    ]


def _recording(truth: Truth, row: dict[str, str]) -> LabelledRecording:
    sidecar = truth.path.with_suffix(".truth.json")
    data: dict[str, Any] = {}
    if sidecar.is_file():
        data = json.loads(sidecar.read_text(encoding="utf-8"))
    words = data.get("words") if isinstance(data.get("words"), list) else []
    rough = {
        (word["start"], word["end"])
        for word in words or []
        if "segment" in str(word.get("timing", ""))
    }
    said = [Filler(word.text, word.start, word.end) for word in truth.fillers]
    least = data.get("filler_count_min", truth.filler_count)
    most = data.get("filler_count_max", truth.filler_count)
    if truth.words and truth.filler_count is None:
        least = most = len(said)
    least, most = (
        None if count is None else count + _OTHERS_SAY.get(truth.name, 0) for count in (least, most)
    )
    return LabelledRecording(
        truth=truth,
        language=str(data.get("language", "en")),
        speaker=str(data.get("speaker") or _speaker(truth.name)),
        licence=row["licence"].split(" (")[0],
        may_teach=bool(_ALLOWED.search(row["licence"])) and not _FORBIDDEN.search(row["licence"]),
        fillers=tuple(one for one in said if (one.start, one.end) not in rough),
        roughly=tuple(one for one in said if (one.start, one.end) in rough),
        least=least,
        most=most,
    )


def _speaker(name: str) -> str:
    for pattern, speaker in _SAME_SPEAKER:
        found = re.search(pattern, name)
        if found:
            return speaker + (found[1] if speaker == "sb_spk" else "")
    return name


def lessons(recording: LabelledRecording) -> Iterator[FillerTalk]:
    """Yield windows of a recording for training, if its licence allows it and its fillers are
    known.
    """
    if not recording.may_teach or recording.most is None or _WITH_OTHERS.match(recording.name):
        return
    known = len(recording.fillers) + len(recording.roughly)
    if recording.most > known:
        return
    sound = recording.sound()
    speech = find_speech(sound, progress=lambda _share: None)
    for number, (start, end) in enumerate(_windows(speech, len(sound) / SAMPLE_RATE_HZ)):
        yield FillerTalk(
            name=f"{recording.name}_{number}",
            kind="recorded",
            language=recording.language,
            groups=frozenset({recording.speaker}),
            sound=sound[int(start * SAMPLE_RATE_HZ) : int(end * SAMPLE_RATE_HZ)],
            fillers=tuple(
                Filler(one.word, one.start - start, one.end - start)
                for one in recording.fillers
                if start <= one.start and one.end <= end
            ),
            unsure=tuple(
                (max(one.start, start) - start, min(one.end, end) - start)
                for one in recording.roughly
                if one.end > start and one.start < end
            ),
        )


def _windows(speech: Sequence[Span], duration: float) -> Iterator[Span]:
    """Yield spans of speech of at most a window, cut between stretches of speech."""
    if not speech:
        return
    first = last = speech[0]
    for piece in speech[1:]:
        if piece[1] - first[0] > _LONGEST_SECONDS or piece[0] - last[1] > 4.0:
            yield max(first[0] - 0.4, 0.0), min(last[1] + 0.4, duration)
            first = piece
        last = piece
    yield max(first[0] - 0.4, 0.0), min(last[1] + 0.4, duration)


def loose_fillers(recordings_: Sequence[LabelledRecording]) -> list[LooseFiller]:
    """Return fillers cut out of recordings that may be used for training."""
    return [
        LooseFiller(one.word, recording.speaker, _cut(recording.sound(), (one.start, one.end)))
        for recording in recordings_
        if recording.may_teach and "noise" not in recording.name
        for one in recording.fillers
        if one.word in FILLED_PAUSES
    ]


def _cut(sound: FloatArray, span: Span) -> FloatArray:
    return sound[int(span[0] * SAMPLE_RATE_HZ) : int(span[1] * SAMPLE_RATE_HZ)]
