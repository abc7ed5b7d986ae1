"""Table of further coaches' opinions on items; the first coach's decisions are the reviews."""

from __future__ import annotations

from collections.abc import Iterator

from coach.feedback.models import RejectReason
from coach.research.exports.bundle.reports import milliseconds
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.spec import Row, Table, refers, text, whole
from coach.research.exports.bundle.tables.feedback import feedback_id
from coach.research.exports.names import row_name
from coach.research.studies.models import Scope
from coach.review.second.models import Decision, Place

_OCCASIONS = (Place.SECOND, Place.CALIBRATION, Place.RESOLUTION)


def _item_opinions(included: Included) -> Iterator[Row]:
    takes = {take.rehearsal.pk: take for take in included.takes_with(Scope.FEEDBACK)}
    found = Decision.objects.filter(
        opinion__rehearsal__in=list(takes),
        opinion__place__in=_OCCASIONS,
        opinion__submitted_at__lte=included.cut_off,
    )
    rows = []
    for each in found.select_related("opinion", "item"):
        opinion = each.opinion
        take, coach = takes[opinion.rehearsal_id], included.by_user.get(opinion.coach_id or 0)
        if coach is None or not coach.agrees(Scope.FEEDBACK) or opinion.submitted_at is None:
            included.left_out["item_opinions", "not_consented"] += 1
            continue
        start, end = each.own_moments[0] if each.own_moments else (None, None)
        rows.append(
            {
                "opinion_id": f"O-{row_name(included.key, 'opinion', each.pk)}",
                "rehearsal_id": take.name,
                "feedback_id": feedback_id(included, each.item),
                "coach_id": coach.name,
                "occasion": opinion.place,
                "decision": each.kind,
                "reason_code": each.reason,
                "start_ms": None if start is None else milliseconds(start),
                "end_ms": None if end is None else milliseconds(end),
                "own_moments": len(each.own_moments),
                "day_offset": take.person.day(opinion.submitted_at),
            }
        )
    yield from sorted(rows, key=lambda row: str(row["opinion_id"]))


OPINION_TABLES = (
    Table(
        name="item_opinions",
        title="Decisions of further coaches on items, for agreement between coaches",
        key=("opinion_id",),
        rows=_item_opinions,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("feedback_id", "feedback_items"),
            refers("coach_id", "participants", "participant_id"),
        ),
        columns=(
            text("opinion_id", "Identifier, the same in every export of this study"),
            text("rehearsal_id", "The take"),
            text("feedback_id", "The item"),
            text("coach_id", "The coach, if they take part and consented"),
            text(
                "occasion",
                "second and calibration: decided without seeing other decisions; resolution: "
                "resolved afterwards. The first coach's decisions are in coach_reviews",
                *(place.value for place in _OCCASIONS),
            ),
            text("decision", "keep (also with changed words) or reject", *Decision.Kind.values),
            text("reason_code", "Reason for rejecting it", *RejectReason.values, required=False),
            whole(
                "start_ms",
                "Start of the first moment this coach marked; empty if they kept the item's "
                "moments",
                "ms",
                required=False,
            ),
            whole(
                "end_ms",
                "End, exclusive; empty if they kept the item's moments",
                "ms",
                required=False,
            ),
            whole("own_moments", "Number of moments this coach marked", least=0),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
)
