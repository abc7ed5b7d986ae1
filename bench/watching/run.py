"""Benchmark `watching`: the vision half of docs/lab/watching.md."""

from __future__ import annotations

import argparse
import math
import os
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.document import publish
from bench.media import ask_for_media, is_there
from bench.watching import bodies, bodies_compared
from bench.watching.basis import hurts, people_facing, place_errors
from bench.watching.clips import DrawnClip, canvas, looking, write
from bench.watching.cost import landmarks_ms, stage_cost
from bench.watching.labels import FacingAgreement, HeadError, agreements, head_errors
from bench.watching.truth import KnownValueCheck, checks
from bench.watching.videos import People, moments, people

_LONG_SECONDS, _SHORT_SECONDS = 180.0, 30.0


def main(arguments: Sequence[str]) -> int:
    """Run everything; `--write` puts the result into docs/lab/watching.md, or bodies.md."""
    parser = argparse.ArgumentParser(prog="python -m bench watching")
    ask_for_media(parser)
    parser.add_argument("--write", action="store_true", help="update docs/lab/watching.md")
    parser.add_argument("--quick", action="store_true", help="labelled pictures only")
    parser.add_argument(
        "--bodies",
        nargs="+",
        type=Path,
        metavar="FOLDER",
        help="compare bodies and hands with labels only, in the films of these folders",
    )
    parser.add_argument("--pose", type=Path, help="with --bodies: another pose model (.task)")
    parser.add_argument("--hands", type=Path, help="with --bodies: a hands model (.task)")
    chosen = parser.parse_args(arguments)
    if chosen.bodies:
        tables = bodies_compared.lines(chosen.bodies, pose=chosen.pose, hands=chosen.hands)
        publish("watching bodies", tables, is_written=chosen.write)
        return 0
    if chosen.write and chosen.quick:
        parser.error("--write does not go with --quick: it writes the whole table")
    if not is_there(chosen.media):
        return 1
    with tempfile.TemporaryDirectory() as folder:
        everything = _everything(chosen.media, Path(folder), is_quick=chosen.quick)
        publish("watching", everything, is_written=chosen.write)
    return 0


def _everything(media: Path, work: Path, *, is_quick: bool) -> Iterator[str]:
    labelled, along, heads = agreements(media), moments(media), head_errors(media)
    yield from _pictures(labelled)
    yield from _recordings(along, people(media))
    yield from _heads(heads)
    if is_quick:
        return
    made = [*checks(media, work), *bodies.checks(media, work)]
    yield from _basis(media)
    yield from _constructed(made)
    yield from _costs(media, work)
    yield from _goals(labelled, along, heads, made)


def _pictures(found: Sequence[FacingAgreement]) -> Iterator[str]:
    yield "### Camera-facing decisions on labelled pictures"
    yield ""
    yield "One picture, no calibration; closed eyes count as not facing; in the call screenshots"
    yield "*Camera* means camera or screen. Goal: agreement ≥ .88, κ ≥ .75, at most 10% undecided."
    yield "Baseline (head pose and eye blendshapes with fixed limits): .79, κ .59."
    yield ""
    yield "| pictures | n | undecided | agreement (95%) | κ (95%) | wrong |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one in found:
        low, high = one.interval
        yield (
            f"| {one.name} | {one.pictures} | {one.undecided} | {one.agreement:.2f} "
            f"({low:.2f}-{high:.2f}) | {_kappa(one)} | {len(one.wrong)} |"
        )
    yield ""
    yield f"Wrong: {', '.join(Path(file).name for file in found[0].wrong) or 'none'}."
    yield "Light is as we measure it; nobody labelled it."


def _kappa(one: FacingAgreement) -> str:
    """Return kappa with its interval, or a dash if all labels are the same."""
    if math.isnan(one.kappa):
        return "–"
    low, high = one.kappa_interval
    return f"{one.kappa:.2f} ({low:.2f}-{high:.2f})"


def _heads(errors: Sequence[HeadError]) -> Iterator[str]:
    yield ""
    yield "### Head angles on labelled pictures (AFLW2000)"
    yield ""
    yield "Goal: mean yaw error ≤ 5° within ±30°. Few pictures; beyond 30° the model falls short."
    yield ""
    yield "| angle | n | no face | mean error | median error | bias |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for error in errors:
        yield (
            f"| {error.name} | {error.pictures} | {error.missed} | {error.mean:.1f}° | "
            f"{error.median:.1f}° | {error.bias:+.1f}° |"
        )


def _recordings(along: FacingAgreement, whole: Sequence[People]) -> Iterator[str]:
    low, high = along.interval
    yield ""
    yield "### Camera-facing decisions along recordings"
    yield ""
    yield f"The labelled frames (closed eyes left out, n = {along.pictures}), decided by their"
    yield f"whole recording as in a talk: agreement {along.agreement:.2f} ({low:.2f}-{high:.2f}),"
    yield f"κ {_kappa(along)}, undecided {along.undecided}."
    yield "Whole recordings, by what the manifest says of them:"
    yield ""
    yield "| people who | recordings | share facing: median (range) | interval fits | skipped |"
    yield "| --- | --- | --- | --- | --- |"
    for one in whole:
        shares = sorted(one.shares)
        yield (
            f"| {one.name} | {len(shares) + len(one.skipped)} | {statistics.median(shares):.2f} "
            f"({shares[0]:.2f}-{shares[-1]:.2f}) | {one.in_interval} of {len(shares)} | "
            f"{len(one.skipped)} |"
        )


def _basis(media: Path) -> Iterator[str]:
    spread = people_facing(media)
    change, readings = place_errors(media)
    yield ""
    yield "### What the limits and gates rest on"
    yield ""
    yield f"People who face their camera (n = {spread.people} recordings, no labels used): mean of"
    yield f"the medians {spread.mean[0]:+.1f}° yaw, {spread.mean[1]:+.1f}° pitch; SD between people"
    yield f"{spread.between[0]:.1f}° and {spread.between[1]:.1f}°, within a recording"
    yield f"{spread.within[0]:.1f}° and {spread.within[1]:.1f}°."
    yield f"A still face moved across the picture changes its yaw by at most {change:.1f}°"
    yield f"(n = {readings})."
    yield ""
    yield "| faces made worse | sharpness or light | read | head yaw off by | eyes off by |"
    yield "| --- | --- | --- | --- | --- |"
    for hurt in hurts(media):
        yield (
            f"| {hurt.amount} | {hurt.measured:.2f} | {hurt.found} of {hurt.of} | "
            f"{hurt.yaw:.1f}° | {hurt.eyes:.1f}° |"
        )


def _constructed(made: Sequence[KnownValueCheck]) -> Iterator[str]:
    yield ""
    yield "### Constructed clips with exact truth"
    yield ""
    yield "| what | truth or tolerance | measured | met |"
    yield "| --- | --- | --- | --- |"
    for check in made:
        yield f"| {check.name} | {check.truth} | {check.ours} | {'yes' if check.is_met else 'no'} |"


def _costs(media: Path, work: Path) -> Iterator[str]:
    frames = media / "4_gaze/frames"
    picture = canvas(frames / "lp_d10_001.00.jpg")
    turns = tuple((float(second), second + 0.5) for second in range(int(_LONG_SECONDS)))
    restless = looking(
        frames / "lp_d10_001.00.jpg", frames / "lp_d10_010.00.jpg", turns, _LONG_SECONDS
    )
    short = write(DrawnClip(_SHORT_SECONDS, lambda _: picture), work / "short.mp4", fps=30)
    face, pose, both = landmarks_ms(short)
    costs = {"a calm talk, 1 core": stage_cost(short, _SHORT_SECONDS)}
    for name, clip in (
        ("a calm talk", DrawnClip(_LONG_SECONDS, lambda _: picture)),
        ("a head that turns twice a second", restless),
    ):
        path = write(clip, work / "long.mp4", fps=30)
        for cores in (1, 2, 4):
            costs[f"{name}, {cores} core{'s' * (cores > 1)}"] = stage_cost(
                path, _LONG_SECONDS, cores=cores
            )
    yield ""
    yield "### Speed and memory"
    yield ""
    yield f"A picture at {960} px: face {face:.1f} ms, pose {pose:.1f} ms, both on one core with"
    yield f"light and shift {both:.1f} ms (goal 20; who holds still is looked at half as often,"
    yield "which this does not show). Load of the machine before: "
    yield f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; under load times on the clock"
    yield "are longer than on a machine of one's own, processor time hardly."
    yield ""
    yield "| 720p30 of | pictures | watch stage | of length (goal 0.12) | processor time | memory |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, cost in costs.items():
        yield (
            f"| {cost.media_seconds:.0f} s, {name} | {cost.pictures} | "
            f"{cost.stage_seconds:.1f} s | {cost.ratio:.3f} | "
            f"{cost.cpu_seconds / cost.media_seconds:.3f} | {cost.peak_mb:.0f} MB |"
        )


def _goals(
    labelled: Sequence[FacingAgreement],
    along: FacingAgreement,
    heads: Sequence[HeadError],
    made: Sequence[KnownValueCheck],
) -> Iterator[str]:
    """Yield each goal with the achieved value, or why it was not measured."""
    whole, *slices = labelled
    frames = next(one for one in slices if one.name == "frame")
    yaw = next(error for error in heads if error.name == "yaw, yaw within 30")
    episodes = [check.ours for check in made if "episodes" in check.name and "F1" in check.name]
    worst = min(slices, key=lambda one: one.agreement)
    gap = whole.agreement - worst.agreement
    yield ""
    yield "### Goals beside what was reached"
    yield ""
    yield "| goal | reached |"
    yield "| --- | --- |"
    yield (
        f"| pictures: agreement ≥ .88, κ ≥ .75, undecided ≤ 10% | {whole.agreement:.2f}, "
        f"κ {whole.kappa:.2f}, {whole.undecided / whole.pictures:.0%} (n = {whole.pictures}) |"
    )
    yield (
        f"| frames of a talk: agreement ≥ .85, κ ≥ .65 | {along.agreement:.2f}, "
        f"κ {along.kappa:.2f} (n = {along.pictures}, one label each; goal: two coders, 20 clips) |"
    )
    yield f"| frontal webcam frames: F1 ≥ .90 | {frames.f1:.2f} (n = {frames.pictures}) |"
    yield f"| head yaw: mean error ≤ 5° within ±30° | {yaw.mean:.1f}° (n = {yaw.pictures}) |"
    yield f"| look-away episodes: F1 ≥ .80 | {'; '.join(episodes)}; constructed, none down |"
    yield "| arms crossed: F1 ≥ .80 | not measured: no labelled video |"
    yield "| sway: rank correlation with coaches ≥ .5 | not measured: no ratings |"
    yield (
        f"| no slice more than 10 points below the mean | largest gap {100 * gap:.0f} points "
        f"({worst.name}, n = {worst.pictures}) |"
    )
