"""Signal quality: noise, clipping and the amount of speech."""

from __future__ import annotations

from analysis.ports import Measured, Span
from analysis.results import Event, Measurement, Quality, Reason, Skipped, in_time_order
from analysis.talk import spans
from analysis.talk.speakers import find_second_voice
from analysis.talk.talk import Talk
from analysis.talk.unmeasurable import LOWEST_SNR_DB, clipping_share, signal_over_noise_db

NOISE = "signal.snr_db"
CLIPPING = "signal.clipping_share"
SPEECH = "signal.speech_seconds"
TALK = "signal.talk_seconds"

_EDGE_SECONDS = 10.0
_LEAST_FOR_EDGES_SECONDS = 20.0
_LEAST_GAP_SECONDS = 0.5


class Signal:
    """Analyser of signal quality and the amount of speech."""

    name = "signal"
    provides: tuple[str, ...] = (NOISE, CLIPPING, SPEECH, TALK)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_speech
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        found = _lengths(talk)
        skipped: dict[str, Skipped] = {}
        sound_reason = talk.no_sound
        if sound_reason is not None:
            skipped = dict.fromkeys((NOISE, CLIPPING), sound_reason)
        else:
            noise = _noise(talk)
            if isinstance(noise, Skipped):
                skipped[NOISE] = noise
            else:
                found[NOISE] = noise
            found[CLIPPING] = _clipping(talk)
        events = in_time_order([*_edges(talk), *_other_voice(talk)])
        return Measured(measurements=found, skipped=skipped, events=events)


def _lengths(talk: Talk) -> dict[str, Measurement]:
    return {
        metric: Measurement.of(seconds, "s", n=len(talk.speech), coverage=1.0, quality=Quality.GOOD)
        for metric, seconds in (
            (SPEECH, talk.speech_seconds),
            (TALK, talk.seconds),
        )
    }


def _noise(talk: Talk) -> Measurement | Skipped:
    value = None if talk.sound is None else signal_over_noise_db(talk.speech, talk.sound)
    gap_seconds = spans.total(spans.gaps(talk.speech, at_least=0.25))
    crowd = talk.caution("crowd")
    if crowd is not None and (value is None or value >= LOWEST_SNR_DB):
        return crowd  # measured while the other voices are silent too
    if value is None or gap_seconds < _LEAST_GAP_SECONDS:
        return Skipped.because(Reason.LOW_COVERAGE, "silence_short_for_noise")
    quality = Quality.GOOD if gap_seconds >= 2.0 else Quality.FAIR
    gaps = len(spans.gaps(talk.speech, at_least=0.25))
    return Measurement.of(value, "dB", n=gaps, coverage=1.0, quality=quality)


def _clipping(talk: Talk) -> Measurement:
    share = 0.0 if talk.sound is None else clipping_share(talk.speech, talk.sound)
    frames = 0 if talk.sound is None else round(talk.speech_seconds / talk.sound.step)
    return Measurement.of(share, "share", n=frames, coverage=1.0, quality=Quality.GOOD)


def _other_voice(talk: Talk) -> tuple[Event, ...]:
    """Return events where a second voice is heard, so that people can find its passages."""
    if talk.sound is None or talk.caution("speakers") is None:
        return tuple(
            Event(kind="other_voice", start=start, end=end) for start, end in _first_and_last(talk)
        )
    second = find_second_voice(talk.speech, talk.sound)
    stretches = () if second is None else second.stretches
    return tuple(Event(kind="other_voice", start=start, end=end) for start, end in stretches)


def _first_and_last(talk: Talk) -> list[Span]:
    start, end = talk.window
    found = []
    if first := talk.caution("first_voice"):
        found.append((start, float(first.values["until"])))
    if last := talk.caution("last_voice"):
        found.append((float(last.values["since"]), end))
    return found


def _edges(talk: Talk) -> tuple[Event, ...]:
    """Return the first and last 10 s of speech; empty if there are less than 20 s."""
    if talk.speech_seconds < _LEAST_FOR_EDGES_SECONDS:
        return ()
    first = _reach(talk.speech, _EDGE_SECONDS)
    backwards = tuple((-end, -start) for start, end in reversed(talk.speech))
    last = -_reach(backwards, _EDGE_SECONDS)
    start, end = talk.window
    return (
        Event(kind="opening", start=start, end=first),
        Event(kind="closing", start=last, end=end),
    )


def _reach(speech: tuple[Span, ...], seconds: float) -> float:
    """Return the time at which this many seconds of speech have passed."""
    left = seconds
    for start, end in speech:
        if end - start >= left:
            return start + left
        left -= end - start
    return speech[-1][1]
