"""Benchmark `firing_groups`: how often rules fire by range of voice and by language, and how far
pitch, gestures and phrase lengths of real speakers reach.

One real take per speaker, as in `bench firing`, and clean talks of synthetic voices, which say one
text in each language.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly
from scipy.stats import fisher_exact

from analysis.ports import SAMPLE_RATE_HZ
from analysis.results import Measurement, Quality, Report
from bench.document import publish
from bench.fillers.recordings import decoded
from bench.firing import COULD_NOT, of_moments
from bench.intervals import share_in_words
from bench.judgement.faults import CLEAN
from bench.judgement.making import Effort, Task, context_for, context_of, reports
from bench.judgement.planting import RATE_HZ
from bench.judgement.recipe import sound_of
from bench.judgement.recordings import recordings
from bench.judgement.rehearsal import ConstructedTalk, rehearsals
from bench.judgement.speaking import VOICES
from bench.listening.voice_range import voice_of
from bench.media import ask_for_media, is_there, manifest
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Draft, RuleSet
from feedback_rules.select import draft

_LEAST_FRENCH_SECONDS = 3.0
"""French takes are this short: each is repeated until it is long enough for the rules."""
_SAME = {"FIL004": "FIL001"}
"""Rules of one language, with the rule of the other that is the same card."""
_ALPHA = 0.05
_DRAWS = 10_000
_LEAST_HANDS = 0.4
_UPPER = (
    ("pitch.variation_quotient", 0.35, "PIT010, PIT011"),
    ("gesture.movement_share", 0.75, "GES010"),
    ("gesture.strokes_per_minute", 40.0, "GES010"),
    ("pauses.phrase_length_variation", None, "none, on trial"),
)
"""Measures with the upper end of the rules that praise them."""


@dataclass(frozen=True, slots=True)
class GroupedDraft:
    """Draft of one speaker with the groups that the speaker belongs to."""

    voice: str
    language: str
    is_made: bool
    outcomes: Mapping[str, bool]
    """Whether each rule fired, of those that could judge."""


@dataclass(slots=True)
class Comparison:
    """Firing of one rule by group, with the p-value of no difference."""

    rule: str
    kind: str
    counts: Mapping[str, tuple[int, int]]
    """Fired and judged, by group."""
    p: float
    adjusted: float = 1.0
    """The p-value after Holm's correction over all comparisons."""


def main(arguments: Sequence[str]) -> int:
    """Count by group, test, print, and with `--write` update docs/lab/voices.md."""
    parser = argparse.ArgumentParser(prog="python -m bench firing_groups", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--jobs", type=int, default=1, help="talks that are analysed side by side")
    parser.add_argument("--kept", action="store_true", help="only what has been analysed before")
    parser.add_argument("--write", action="store_true", help="update docs/lab/voices.md")
    chosen = parser.parse_args(arguments)
    if not is_there(chosen.media):
        return 1
    rows = manifest(chosen.media)
    short = recordings(rows, least_seconds=_LEAST_FRENCH_SECONDS)
    takes = [*recordings(rows), *(one for one in short if one.language == "fr")]
    real = list(
        reports(
            [(one, chosen.media) for one in dict.fromkeys(takes)],
            Effort(jobs=chosen.jobs, is_only_kept=chosen.kept),
        )
    )
    made = list(
        reports(
            [one for one in rehearsals(VOICES) if one.name == CLEAN],
            Effort(is_only_kept=True),
        )
    )
    rules = builtin_rule_set()
    drafts = [
        one for task, report in (*real, *made) if (one := _grouped(task, report, rules)) is not None
    ]
    publish("firing_groups rates", rate_lines(drafts), is_written=chosen.write)
    ends = end_lines([report for _, report in real])
    publish("firing_groups ends", ends, is_written=chosen.write)
    return 0


def _grouped(task: Task, report: Report, rules: RuleSet) -> GroupedDraft | None:
    """Return the outcomes of a take in which a voice is heard, otherwise None."""
    if not report.words:
        return None
    if isinstance(task, ConstructedTalk):
        sound, _ = sound_of(task)
        voice = voice_of(resample_poly(sound, SAMPLE_RATE_HZ, RATE_HZ).astype(np.float32))
        made = draft(report, rules, context_for(task, report))
        return GroupedDraft(voice, task.language, is_made=True, outcomes=_outcomes(made))
    recording, media = task
    outcomes = _outcomes(draft(report, rules, context_of(recording.language)))
    if recording.is_repeated:
        outcomes = {rule: fired for rule, fired in outcomes.items() if rule in of_moments()}
    return GroupedDraft(
        voice=voice_of(decoded(media / recording.paths[0])),
        language=recording.language,
        is_made=False,
        outcomes=outcomes,
    )


def _outcomes(made: Draft) -> dict[str, bool]:
    return {
        _SAME.get(one.rule, one.rule): one.fired
        for one in made.findings
        if one.outcome not in COULD_NOT
    }


def rate_lines(drafts: Sequence[GroupedDraft]) -> Iterator[str]:
    """Yield the rates of each rule that fired by group, and which differ beyond chance."""
    real = [one for one in drafts if not one.is_made]
    made = [one for one in drafts if one.is_made]
    voiced = [one for one in real if one.language == "en" and one.voice != "no pitch"]
    found = corrected(
        [
            *compared("voice, real, English", voiced, [one.voice for one in voiced]),
            *compared("language, real", real, [one.language for one in real]),
            *compared("language, synthetic", made, [one.language for one in made]),
        ]
    )
    yield (
        f"{len(real)} real takes with words ({_numbers(real)}) and {len(made)} clean talks of "
        f"synthetic voices ({_numbers(made)}). Fired, of those that a rule could judge, with the "
        "95% interval (Wilson); rules that fired nowhere are left out. p: Fisher's exact test, or "
        f"for three groups {_DRAWS:,} permutations; in brackets after Holm's correction for all "
        f"{len(found)} comparisons."
    )
    for kind in dict.fromkeys(one.kind for one in found):
        some = [one for one in found if one.kind == kind]
        groups = sorted({group for one in some for group in one.counts}, key=_order)
        yield from ("", f"| {kind} | {' | '.join(groups)} | p |")
        yield f"| --- | {'--- | ' * len(groups)}--- |"
        for one in some:
            cells = " | ".join(share_in_words(*one.counts.get(group, (0, 0))) for group in groups)
            yield f"| {one.rule} | {cells} | {one.p:.2f} ({one.adjusted:.2f}) |"
    beyond = [f"{one.rule} by {one.kind}" for one in found if one.adjusted < _ALPHA]
    yield ""
    yield f"Different beyond chance, after correction: {', '.join(beyond) or 'none'}."
    before = [f"{one.rule} by {one.kind}" for one in found if one.p < _ALPHA <= one.adjusted]
    yield f"Only before correction: {', '.join(before) or 'none'}."


def _numbers(drafts: Sequence[GroupedDraft]) -> str:
    counts = Counter(one.language for one in drafts)
    return ", ".join(f"{count} {language}" for language, count in sorted(counts.items()))


def _order(group: str) -> int:
    names = ("low", "middle", "high")
    return next((at for at, name in enumerate(names) if group.startswith(name)), 0)


def compared(kind: str, drafts: Sequence[GroupedDraft], groups: Sequence[str]) -> list[Comparison]:
    """Return one comparison for each rule that fired and could judge in two groups."""
    found = []
    for rule in sorted({rule for one in drafts for rule in one.outcomes}):
        at = [index for index, one in enumerate(drafts) if rule in one.outcomes]
        fired = np.array([drafts[index].outcomes[rule] for index in at])
        of = np.array([groups[index] for index in at])
        names = sorted(set(of.tolist()))
        if fired.any() and len(names) > 1:
            counts = {
                name: (int(fired[of == name].sum()), int((of == name).sum())) for name in names
            }
            found.append(Comparison(rule, kind, counts, p_value(fired, of)))
    return found


def p_value(fired: NDArray[np.bool_], of: NDArray[np.str_]) -> float:
    """Return the p-value of no difference between groups: exact for two, else by permutation."""
    names = np.unique(of)
    if len(names) == 2:
        table = [
            [int((fired[of == name] == is_fired).sum()) for is_fired in (True, False)]
            for name in names
        ]
        return float(fisher_exact(table).pvalue)
    random = np.random.default_rng(1)
    seen = _unevenness(fired, of, names)
    as_far = sum(
        _unevenness(random.permutation(fired), of, names) >= seen - 1e-9 for _ in range(_DRAWS)
    )
    return (as_far + 1) / (_DRAWS + 1)


def _unevenness(fired: NDArray[np.bool_], of: NDArray[np.str_], names: NDArray[np.str_]) -> float:
    """Return the sum of squares between groups, which rises with the chi-squared statistic."""
    overall = fired.mean()
    return float(
        sum((of == name).sum() * (fired[of == name].mean() - overall) ** 2 for name in names)
    )


def corrected(found: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with their p-values after Holm's (1979) step-down correction."""
    ordered = sorted(found, key=lambda one: one.p)
    highest = 0.0
    for at, one in enumerate(ordered):
        highest = max(highest, min(one.p * (len(ordered) - at), 1.0))
        one.adjusted = highest
    return list(found)


def end_lines(found: Sequence[Report]) -> Iterator[str]:
    """Yield the distribution of each measure over real takes, and how many pass its upper end."""
    yield (
        "Real takes, one per speaker, of any quality except *poor*; gestures where hands were in "
        "view for 40% of the time or more."
    )
    yield ""
    yield "| measure (rules) | n | lowest | 10% | median | 90% | highest | beyond the upper end |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for metric, end, rules in _UPPER:
        values = sorted(one.value for report in found if (one := _measured(report, metric)))
        if not values:
            yield f"| `{metric}` ({rules}) | 0 | – | – | – | – | – | – |"
            continue
        cells = " | ".join(f"{value:.2f}" for value in np.percentile(values, [0, 10, 50, 90, 100]))
        beyond = "–"
        if end is not None:
            above = sum(value >= end for value in values)
            beyond = f"{end:g}: {share_in_words(above, len(values))}"
        yield f"| `{metric}` ({rules}) | {len(values)} | {cells} | {beyond} |"


def _measured(report: Report, metric: str) -> Measurement | None:
    """Return the measurement if it is worth comparing."""
    found = report.measurements.get(metric)
    if found is None or found.quality is Quality.POOR:
        return None
    if metric.startswith("gesture."):
        hands = report.measurements.get("gesture.hands_visible_share")
        if hands is None or hands.value < _LEAST_HANDS:
            return None
    return found
