"""Which real recordings make a take, and how firing is counted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bench.firing import RuleFiringCounts, lines
from bench.firing_reasons import OFTEN_BECAUSE, RARE_BECAUSE
from bench.judgement.planting import RATE_HZ
from bench.judgement.recordings import JoinedRecording, recordings, without_listening
from bench.judgement.rehearsal import ConstructedTalk
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Outcome


def _row(path: str, seconds: str, notes: str = "") -> dict[str, str]:
    return {"path": path, "duration_s": seconds, "notes": notes}


def test_files_of_one_speaker_make_one_take_and_short_ones_of_others_none() -> None:
    spoken = "language en; speaker HVB_44; telephone"
    takes = recordings(
        [
            _row("2_fillers_more/b.flac", "15.0", spoken),
            _row("2_fillers_more/a.flac", "12.5", spoken),
            _row("2_fillers_more/c.flac", "7.0", "language fr; speaker CID_AG; conversation"),
            _row("1_speech/long.wav", "44.4"),
            _row("1_speech/short.wav", "3.0"),
            _row("1_speech/truth.json", "unknown"),
            _row("2_fillers/derived_long.wav", "59.0"),
            _row("5_hostile/long.mp4", "36000.0"),
        ]
    )
    assert takes == [
        JoinedRecording("HVB_44", "en", ("2_fillers_more/a.flac", "2_fillers_more/b.flac"), 27.5),
        JoinedRecording("long.wav", "en", ("1_speech/long.wav",), 44.4),
    ]


def test_a_take_of_many_files_ends_before_it_gets_too_long() -> None:
    rows = [_row(f"1_speech/asterisk_{number}.wav", "100") for number in range(4)]
    assert [take.seconds for take in recordings(rows)] == [200.0]


def _draft(**outcomes: Outcome) -> Any:
    findings = [
        SimpleNamespace(rule=rule, outcome=outcome, fired=outcome is Outcome.FIRED)
        for rule, outcome in outcomes.items()
    ]
    return SimpleNamespace(findings=findings)


def test_firing_is_counted_apart_where_the_fault_was_planted() -> None:
    firing = RuleFiringCounts()
    planted = ConstructedTalk(
        name="fillers", faults=("fillers",), strength=1, voice="a", language="en", talk=0
    )
    firing.add(planted, _draft(FIL001=Outcome.FIRED, PAC002=Outcome.IN_BAND))
    take = (JoinedRecording("x", "en", ("1_speech/x.wav",), 100.0), Path("media"))
    firing.add(take, _draft(FIL001=Outcome.TOO_SHORT, PAC002=Outcome.FIRED))

    said = "\n".join(lines(firing, builtin_rule_set()))

    row = next(line for line in said.splitlines() if line.startswith("| FIL001"))
    assert row.endswith("| – | 1 of 1 | – |")
    row = next(line for line in said.splitlines() if line.startswith("| PAC002"))
    assert row.endswith("| 1 of 1 | – | 0 of 1 |")


def test_a_repeated_recording_says_nothing_about_beginnings_ends_and_structure() -> None:
    firing = RuleFiringCounts()
    take = (JoinedRecording("x", "en", ("1_speech/x.wav",), 30.0), Path("media"))
    firing.add(take, _draft(FIL001=Outcome.FIRED, PAC002=Outcome.FIRED, WRD003=Outcome.FIRED))

    assert take[0].is_repeated
    assert set(firing.real.fired) == {"FIL001"}


def test_what_one_side_of_a_call_listens_to_is_cut_to_a_rest() -> None:
    voice = np.sin(np.linspace(0, 400 * np.pi, RATE_HZ)).astype(np.float32)
    rest, turn = np.zeros(RATE_HZ, np.float32), np.zeros(6 * RATE_HZ, np.float32)

    found = without_listening(np.concatenate([voice, rest, voice, turn, voice]))

    assert len(found) / RATE_HZ == pytest.approx(3 + 1 + 0.8, abs=0.2)


def test_rules_that_never_and_always_speak_are_listed_with_their_reason() -> None:
    firing = RuleFiringCounts()
    take = (JoinedRecording("x", "en", ("1_speech/x.wav",), 100.0), Path("media"))
    for _ in range(5):
        firing.add(
            take, _draft(FIL001=Outcome.FIRED, PAC002=Outcome.IN_BAND, GAZ001=Outcome.NO_MEDIA)
        )

    said = "\n".join(lines(firing, builtin_rule_set()))

    never, _, rest = said.partition("Spoke in under 1%, planted or not")
    rare, _, often = rest.partition("Spoke in over 60%")
    assert f"- GAZ001: {RARE_BECAUSE['GAZ001']}" in never
    assert f"- PAC002: {RARE_BECAUSE['PAC002']}" in rare
    assert "- FIL001: NO REASON KNOWN" in often


def test_reasons_are_given_for_rules_that_there_are() -> None:
    ids = {rule.id for rule in builtin_rule_set().rules}
    assert {*RARE_BECAUSE, *OFTEN_BECAUSE} <= ids
