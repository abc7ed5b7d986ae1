"""Sound source of a recording: the track and the channel with the voice.

Screen recorders write desktop and microphone as two tracks, cameras write one track per microphone,
and field recorders one channel per input. Only the sound shows which of them the speaker uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.error import FFmpegError

from analysis.backends.media.audio import channel_of
from analysis.backends.media.decode import PacketReader
from analysis.backends.media.opening import OpenRecording, open_media
from analysis.backends.speech.voice_activity import VOICE_PIECE, voiced_pieces
from analysis.ports import SAMPLE_RATE_HZ, FloatArray

_MIXED_CHANNELS = 2
"""Most channels that are mixed (`Downmix`); from more, one is chosen."""
_MOST_CHANNELS = 64
"""Most channels examined; no recorder has more inputs with a voice (rule of thumb), and each costs
memory.
"""
_EXCERPT_SECONDS, _EVERY_SECONDS, _WHOLE_SECONDS = 3.0, 12.0, 60.0
"""Excerpts: all of the first minute, then a quarter. A speaker talks most of the time (rules of
thumb).
"""
_LEAST_VOICE_SECONDS = 0.5
_AS_MUCH = 0.9
"""Share of the most voice from which tracks count as equal. Then the players' default track is
used, and of channels the one with the least noise (rules of thumb).
"""
_QUIETEST_POWER = 1e-9
"""Power below one step of 16 bits: digital silence is no better than a quiet room."""
_FLOOR_PERCENT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundSource:
    """Chosen sound: the track's index among the sound tracks (None for the players' default), and
    the channel (None for a mix of all).
    """

    track: int | None = None
    channel: int | None = None


@dataclass(slots=True)
class _ChannelVoice:
    """Voice statistics of one channel so far."""

    track: int
    channel: int
    voiced: list[bool] = field(default_factory=list)
    powers: list[float] = field(default_factory=list)

    @property
    def voice_seconds(self) -> float:
        return sum(self.voiced) * VOICE_PIECE / SAMPLE_RATE_HZ

    @property
    def loudest(self) -> float:
        return max(self.powers, default=0.0)

    @property
    def over_noise(self) -> float:
        """Return the power of the voice divided by that of the quietest blocks."""
        voice = np.array(self.powers)[np.array(self.voiced)].mean()
        return float(voice / max(np.percentile(self.powers, _FLOOR_PERCENT), _QUIETEST_POWER))

    def add(self, samples: FloatArray) -> None:
        """Add an excerpt."""
        pieces = samples[: len(samples) // VOICE_PIECE * VOICE_PIECE].reshape(-1, VOICE_PIECE)
        powers = np.square(pieces, dtype=np.float64).mean(axis=1)
        has_sound = bool(len(powers)) and float(powers.max()) > _QUIETEST_POWER
        voiced = voiced_pieces(pieces.reshape(-1)) if has_sound else np.zeros(len(powers), np.bool_)
        self.voiced += voiced.tolist()
        self.powers += powers.tolist()


class _TrackListener:
    """Listener to excerpts of one track, channel by channel."""

    def __init__(self, track: int) -> None:
        self._track = track
        self._seconds = 0.0
        self._excerpt: list[AudioFrame] = []
        self._excerpt_seconds = 0.0
        self.heard: list[_ChannelVoice] = []

    def add(self, frame: AudioFrame) -> None:
        """Buffer a frame if it belongs to an excerpt, and analyse the excerpt
        when it is complete.
        """
        at, seconds = self._seconds, frame.samples / max(frame.sample_rate, 1)
        self._seconds += seconds
        if at >= _WHOLE_SECONDS and at % _EVERY_SECONDS >= _EXCERPT_SECONDS:
            self.finish()
            return
        self._excerpt.append(frame)
        self._excerpt_seconds += seconds
        if self._excerpt_seconds >= _EXCERPT_SECONDS:
            self.finish()

    def finish(self) -> None:
        """Analyse the buffered excerpt."""
        frames, self._excerpt, self._excerpt_seconds = self._excerpt, [], 0.0
        if not frames:
            return
        for channel in range(min(frames[0].layout.nb_channels, _MOST_CHANNELS)):
            if channel == len(self.heard):
                self.heard.append(_ChannelVoice(self._track, channel))
            self.heard[channel].add(_samples(frames, channel))


def select_source(path: Path) -> SoundSource:
    """Return the track and the channel with the voice. Raises the errors of `open_media`."""
    with open_media(path) as opened:
        if not _has_a_choice(opened):
            return SoundSource()
        heard = _channel_voices(opened)
        players = opened.container.streams.audio.index(opened.audio) if opened.audio else None
    if not heard:
        return SoundSource()
    track = _track(heard, players)
    channels = [each for each in heard if each.track == track]
    is_mixed = len(channels) <= _MIXED_CHANNELS
    return SoundSource(track=track, channel=None if is_mixed else _clearest(channels).channel)


def _has_a_choice(opened: OpenRecording) -> bool:
    channels = max((stream.channels or 0 for stream in opened.sounds), default=0)
    return len(opened.sounds) > 1 or channels > _MIXED_CHANNELS


def _channel_voices(opened: OpenRecording) -> list[_ChannelVoice]:
    tracks = list(opened.container.streams.audio)
    listeners = {stream.index: _TrackListener(tracks.index(stream)) for stream in opened.sounds}
    reader = PacketReader(opened)
    for packet in reader.packets(*opened.sounds):
        if packet.has_sidedata("encryption_info"):
            continue
        for frame in reader.audio_frames(packet):
            listeners[packet.stream_index].add(frame)
    for listener in listeners.values():
        listener.finish()
    return [heard for listener in listeners.values() for heard in listener.heard]


def _track(heard: Sequence[_ChannelVoice], players: int | None) -> int:
    """Return the track with the most voice; without any voice, the players' default unless it is
    silent.
    """
    most = max(each.voice_seconds for each in heard)
    if most >= _LEAST_VOICE_SECONDS:
        near = [each for each in heard if each.voice_seconds >= _AS_MUCH * most]
    else:
        near = [each for each in heard if each.loudest > _QUIETEST_POWER] or list(heard)
    tracks = {each.track for each in near}
    return players if players in tracks else _clearest(near).track


def _clearest(heard: Iterable[_ChannelVoice]) -> _ChannelVoice:
    """Return the least noisy channel among those with the most voice; without any voice, the
    loudest.
    """
    among = list(heard)
    most = max(each.voice_seconds for each in among)
    if most < _LEAST_VOICE_SECONDS:
        return max(among, key=lambda each: each.loudest)
    near = [each for each in among if each.voice_seconds >= _AS_MUCH * most]
    return max(near, key=lambda each: each.over_noise)


def _samples(frames: Sequence[AudioFrame], channel: int) -> FloatArray:
    """Return one channel of an excerpt at SAMPLE_RATE_HZ; empty if the excerpt is damaged."""
    resampler = AudioResampler(format="fltp", layout="mono", rate=SAMPLE_RATE_HZ)
    found: list[FloatArray] = []
    try:
        for frame in frames:
            one = channel_of(frame, channel)
            one.pts = None
            found += [piece.to_ndarray()[0] for piece in resampler.resample(one)]
        found += [piece.to_ndarray()[0] for piece in resampler.resample(None)]
    except (FFmpegError, ValueError, IndexError):
        return np.zeros(0, dtype=np.float32)
    samples: FloatArray = np.nan_to_num(np.concatenate([*found, np.zeros(0, np.float32)]))
    return samples
