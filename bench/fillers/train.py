"""Command `train_fillers`: train the filler heads and fit the weights that the product ships.

Slow results are cached, so that a second run takes seconds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch

from analysis.backends.speech import filler_head
from analysis.talk import filler_evidence
from bench.fillers import combine
from bench.fillers.head import save
from bench.fillers.heads import EVERYBODY, LANGUAGES, HeadTrainer
from bench.fillers.judged import judged
from bench.fillers.lessons import speak
from bench.fillers.systems import cases
from bench.media import ask_for_media, is_there

ROOT = Path(__file__).resolve().parents[2]
HEADS = Path(filler_head.__file__).with_name("filler_heads")
WEIGHTS = Path(filler_evidence.__file__).with_name("filler_weights.json")


def main(arguments: Sequence[str]) -> int:
    """Synthesise, encode, train, fit and write."""
    parser = argparse.ArgumentParser(prog="python -m bench train_fillers", description=__doc__)
    ask_for_media(parser)
    chosen = parser.parse_args(arguments)
    if not is_there(chosen.media):
        return 1
    torch.set_num_threads(1)
    speak()
    by_reader = cases(list(judged(chosen.media)), chosen.media)
    weights = combine.fit_all(by_reader)
    for encoder in LANGUAGES:
        teacher = HeadTrainer(chosen.media, encoder)
        save(teacher.head(EVERYBODY), HEADS / f"{encoder}.npz")
        count, hours, positive = teacher.numbers()
        print(f"{encoder}: {count} windows, {hours:.2f} h, {positive * 0.02:.0f} s of fillers")
        print(json.dumps(weights[encoder]))
    WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
    return 0
