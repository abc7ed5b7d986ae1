"""Second voice detector: Silero 5, less strict, used where the newer one detects little.

Silero 6, which faster-whisper contains, is stricter with music and tones, and misses some hoarse,
narrow-band or slow voices.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from analysis import models, weights
from analysis.errors import ModelUnavailable
from analysis.ports import SAMPLE_RATE_HZ, FloatArray

_CHUNK, _CONTEXT = 512, 64
_STATE = (2, 1, 128)
_log = logging.getLogger(__name__)


def probabilities(audio: FloatArray, gain: np.float32) -> NDArray[np.float32]:
    """Return the speech probability of each 32 ms; empty if the model was never downloaded."""
    try:
        asked = session()
    except ModelUnavailable as error:
        _log.warning("No second opinion on where somebody speaks: %s", error)
        return np.zeros(0, dtype=np.float32)
    return np.array(list(_each(asked, audio, gain)), dtype=np.float32)


def _each(asked: Any, audio: FloatArray, gain: np.float32) -> Iterator[float]:
    state = np.zeros(_STATE, dtype=np.float32)
    context = np.zeros(_CONTEXT, dtype=np.float32)
    rate = np.array(SAMPLE_RATE_HZ, dtype=np.int64)
    for start in range(0, len(audio), _CHUNK):
        chunk = np.clip(np.asarray(audio[start : start + _CHUNK]) * gain, -1, 1)
        heard = np.concatenate([context, np.pad(chunk, (0, _CHUNK - len(chunk)))])
        found, state = asked.run(None, {"input": heard[None], "state": state, "sr": rate})
        context = heard[-_CONTEXT:]
        yield float(found[0, 0])


@lru_cache(maxsize=1)
def session() -> Any:
    """Return the detector's session. Raises ModelUnavailable if it was never downloaded."""
    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(
        str(models.path_of(weights.SILERO_5)), options, providers=["CPUExecutionProvider"]
    )
