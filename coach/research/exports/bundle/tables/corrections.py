"""Table of corrections of transcripts and events, by coaches and by speakers."""

from __future__ import annotations

from collections.abc import Iterator

from coach.feedback.models import Correction
from coach.research.exports.bundle.reports import milliseconds
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.spec import Row, Table, number, refers, text, whole, yes_no
from coach.research.exports.bundle.tables.feedback import coach_in
from coach.research.studies.models import Scope


def _corrections(included: Included) -> Iterator[Row]:
    takes = {take.rehearsal.pk: take for take in included.takes_with(Scope.FEEDBACK)}
    found = Correction.objects.filter(
        feedback__rehearsal__in=list(takes), made_at__lte=included.cut_off
    )
    found = found.select_related("feedback")
    rows = []
    for each in found.order_by("start", "made_at", "pk"):
        take = takes[each.feedback.rehearsal_id]
        says_words = take.person.agrees(Scope.TRANSCRIPT)
        coach = coach_in(included, each.made_by_id)
        rows.append(
            {
                "rehearsal_id": take.name,
                "feedback_version": each.feedback.version,
                "coach_id": coach.name if coach else "",
                "made_as": each.made_as,
                "kind": each.kind,
                "event": each.event,
                "start_ms": milliseconds(each.start),
                "end_ms": milliseconds(each.end),
                "before": each.before if says_words else "",
                "after": each.after if says_words else "",
                "probability": each.probability,
                "undone": included.is_before(each.undone_at),
                "day_offset": take.person.day(each.made_at),
            }
        )
    rows.sort(key=lambda row: str(row["rehearsal_id"]))
    for place, row in enumerate(rows, start=1):
        yield {"correction_id": f"C-{place:05d}", **row}


CORRECTION_TABLES = (
    Table(
        name="corrections",
        title="Corrections of transcripts and detected events, by coaches and speakers",
        key=("correction_id",),
        rows=_corrections,
        is_kept_as_it_came=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("coach_id", "participants", "participant_id"),
        ),
        columns=(
            text("correction_id", "Number within this export"),
            text("rehearsal_id", "The take"),
            whole("feedback_version", "Version of the feedback", least=1),
            text("coach_id", "The coach, if they take part and consented", required=False),
            text("made_as", "Coach, or owner of the take", *Correction.Side.values),
            text("kind", "Kind of correction", *Correction.Kind.values),
            text("event", "Kind of the wrongly detected event", required=False),
            whole("start_ms", "Start, from the start of the take", "ms"),
            whole("end_ms", "Exclusive", "ms"),
            text(
                "before",
                "The recognised word; only with consent to words",
                required=False,
                free=True,
            ),
            text(
                "after",
                "The word that was said; only with consent to words",
                required=False,
                free=True,
            ),
            number("probability", "Confidence of the detector", least=0, most=1),
            yes_no("undone", "Whether it was undone"),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
)
