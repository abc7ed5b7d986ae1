"""Talks of a synthetic voice with the fillers in the text, as part of their phrase."""

from __future__ import annotations

import re

import numpy as np
from scipy.signal import resample_poly

from analysis.ports import SAMPLE_RATE_HZ
from bench.demonstration.make import phrases_of
from bench.demonstration.talks import LIBRARY
from bench.demonstration.talks import DemoTalk as Script
from bench.fillers.talks import Filler, FillerTalk
from bench.judgement.speaking import said
from bench.voices import RATE_HZ

VOICES = ("af_bella", "af_nova", "am_adam", "am_fenrir", "bf_emma", "bm_lewis")
_LEAD_SECONDS = 0.6
_FILLER = re.compile(r"\b(um|uh)\b", re.IGNORECASE)


def fluent_talk(voice: str) -> FillerTalk:
    """Return at least 82 s with 22 fillers, short ones between words; only the line of each is
    known.
    """
    script = Script(f"fluent {voice}", voice, "en", 1.0, LIBRARY)
    at = _LEAD_SECONDS
    parts = [np.zeros(round(at * RATE_HZ), np.float32)]
    fillers: list[Filler] = []
    for phrase in phrases_of(script):
        sound = said(phrase, voice=voice, language="en")
        end = at + len(sound) / RATE_HZ
        fillers += [Filler(word.lower(), at, end) for word in _FILLER.findall(phrase.text)]
        parts += [sound, np.zeros(round(phrase.pause * RATE_HZ), np.float32)]
        at = end + phrase.pause
    sound = resample_poly(np.concatenate(parts), SAMPLE_RATE_HZ, RATE_HZ).astype(np.float32)
    return FillerTalk(script.name, "fluent", "en", frozenset({voice}), sound, tuple(fillers))
