"""Who changes what a stage rests on raises its version: else a run that goes on, or a kept report,
takes what the former one made for its own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from analysis import weights
from analysis.pipeline.stages import stage_named

PACKAGE = Path(weights.__file__).parent
HEADS = ("tiny.en.npz", "whisper-base.npz")

# A stage's version, and the digest of the weights that decide what it makes.
VERSIONS = {
    "prepare": ("5", "e9444400e8a4f901"),
    "transcribe": ("18", "7015e04a799628d3"),
    "assemble": ("42", "d80274b0aa606882"),
}


def _published(*names: str) -> Iterable[bytes]:
    """The fingerprints of weights that are fetched, in the order of the table."""
    for known in (*weights.CATALOGUE, *weights.BY_CHOICE):
        if known.name in names:
            yield from (file.sha256.encode() for file in known.files)


def _rests_on(stage: str) -> Iterable[bytes]:
    if stage == "prepare":
        yield from _published(weights.SILERO_5)
    if stage == "transcribe":
        folder = PACKAGE / "backends" / "speech" / "filler_heads"
        yield from ((folder / name).read_bytes() for name in HEADS)
    if stage == "assemble":
        yield (PACKAGE / "talk" / "filler_weights.json").read_bytes()


@pytest.mark.parametrize("stage", VERSIONS)
def test_new_weights_are_a_new_version_of_their_stage(stage: str) -> None:
    digest = hashlib.sha256(b"".join(_rests_on(stage))).hexdigest()[:16]
    assert (stage_named(stage).version, digest) == VERSIONS[stage]
