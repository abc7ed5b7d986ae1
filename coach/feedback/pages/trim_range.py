"""Which part of a recording is the trainee's own talk: what was marked, what we suggest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from analysis.results import Reason, Report
from coach.feedback.forms import MOST_PARTS, PartForm
from coach.feedback.pages.side_values import PartBox, PartRow
from coach.feedback.services import reanalysis_obstacle
from coach.lib.pages.forms import first_error
from coach.lib.words.clock import clock
from coach.rehearsals.models import Rehearsal

_LEAST_SUGGESTED_SECONDS = 20.0
"""A shorter stretch is more likely a turn in a conversation than a talk."""


def is_part_marked(rehearsal: Rehearsal) -> bool:
    """Whether only a part of the recording is measured."""
    return (
        rehearsal.part_start is not None
        or rehearsal.part_end is not None
        or bool(rehearsal.part_left_out)
    )


def part_words(rehearsal: Rehearsal) -> str:
    """The parts that are measured, as times: 0:00–5:02."""
    return ", ".join(f"{clock(start)}–{clock(end)}" for start, end in rehearsal.own_parts)


def part_box(rehearsal: Rehearsal, report: Report) -> PartBox:
    """What the form shows. Another voice is a reason to mark a part; we never do it ourselves."""
    whole = clock(rehearsal.duration or report.media.duration)
    locked = reanalysis_obstacle(rehearsal)
    if locked:
        marked = part_words(rehearsal) if is_part_marked(rehearsal) else ""
        return PartBox(rows=(), whole=whole, marked=marked, locked=locked)
    if is_part_marked(rehearsal):
        return PartBox(rows=_rows(rehearsal.own_parts), whole=whole, marked=part_words(rehearsal))
    own = _longest_without_another_voice(report)
    if own is None:
        return PartBox(rows=_rows([]), whole=whole)
    return PartBox(
        rows=_rows([own]),
        whole=whole,
        suggestion=_suggestion(report, own) % {"start": clock(own[0]), "end": clock(own[1])},
    )


def _suggestion(report: Report, own: tuple[float, float]) -> str:
    """What was heard beside the talk: two voices throughout, or another one first or last."""
    if any(each.reason is Reason.SEVERAL_SPEAKERS for each in report.skipped.values()):
        return _(
            "It sounds like two voices, or a voice and music. The longest part with one of them "
            "is about %(start)s to %(end)s. If this is your talk, confirm it; if not, change "
            "the times."
        )
    others = report.events_of("other_voice")
    speaks_first, speaks_last = others[0].end <= own[0], others[-1].start >= own[1]
    if speaks_first and speaks_last:
        return _(
            "Another person seems to speak before %(start)s and after %(end)s. If your talk is "
            "in between, confirm it; if not, change the times."
        )
    if speaks_first:
        return _(
            "Another person seems to speak until %(start)s. If your talk starts there, confirm "
            "it; if not, change the times."
        )
    return _(
        "Another person seems to speak after %(end)s. If your talk ends there, confirm it; if "
        "not, change the times."
    )


def refused_part(box: PartBox, *, typed: PartForm, problem: str) -> PartBox:
    """The same form with what was typed in it, and what to mend."""
    if box.locked:
        return box
    rows = tuple(
        PartRow(
            number=number,
            start=typed.data.get(f"start_{number}", ""),
            end=typed.data.get(f"end_{number}", ""),
        )
        for number in range(1, MOST_PARTS + 1)
    )
    refused = next(iter(typed.errors), "start_1")
    return replace(box, rows=rows, problem=problem or first_error(typed), refused=refused)


def _rows(parts: Sequence[tuple[float, float]]) -> tuple[PartRow, ...]:
    filled = [(clock(start), clock(end)) for start, end in parts]
    empty = [("", "")] * (MOST_PARTS - len(filled))
    return tuple(
        PartRow(number=number, start=start, end=end)
        for number, (start, end) in enumerate([*filled, *empty], start=1)
    )


def _longest_without_another_voice(report: Report) -> tuple[float, float] | None:
    others = report.events_of("other_voice")
    if not others or not report.speech:
        return None
    edges = [report.speech[0][0], report.speech[-1][1]]
    starts = [edges[0], *(event.end for event in others)]
    ends = [*(event.start for event in others), edges[1]]
    stretches = [*zip(starts, ends, strict=True), *((event.start, event.end) for event in others)]
    start, end = max(stretches, key=lambda stretch: stretch[1] - stretch[0])
    return (start, end) if end - start >= _LEAST_SUGGESTED_SECONDS else None
