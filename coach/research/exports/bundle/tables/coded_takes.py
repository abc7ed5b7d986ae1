"""Tables of codings of takes: closed rounds and free coding, with consent to sound and picture.

Takes are not in a bundle, so a study imported from one keeps these rows as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.db.models import Exists, OuterRef

from coach.research.coding.models import Adjudication, Assignment, Coding, Memo, Round
from coach.research.exports.bundle.scope import Included, IncludedTakeKey
from coach.research.exports.bundle.spec import Row, Table, refers, text, whole, yes_no
from coach.research.studies.models import Scope


def coded_takes(included: Included) -> dict[UUID, IncludedTakeKey]:
    """Return the takes whose codings may be exported: with consent to sound, and to any picture."""
    return {
        take.rehearsal: take
        for take in included.take_keys
        if take.person.agrees(Scope.AUDIO)
        and (take.has_video is False or take.person.agrees(Scope.VIDEO))
    }


def _take_codings(included: Included) -> Iterator[Row]:
    takes = coded_takes(included)
    closed = Coding.objects.filter(study=included.study, rehearsal__isnull=False).exclude(
        round__state=Round.State.OPEN
    )
    if without := closed.exclude(rehearsal__in=list(takes)).count():
        included.left_out["take_codings", "not_consented"] = without
    found = closed.filter(rehearsal__in=list(takes)).select_related("code", "coder", "round")
    for each in found.order_by("guid"):
        yield {
            "coding_guid": str(each.guid),
            "rehearsal_id": takes[each.rehearsal_id].name if each.rehearsal_id else "",
            "code_guid": str(each.code.guid),
            "coder_id": each.coder.label,
            "start_ms": each.start_ms,
            "end_ms": each.end_ms,
            "round": each.round.number,
            "status": each.status,
            "memo": included.noted(each.memo),
            "coded_as": " ".join(str(guid) for guid in each.coded_as),
        }


def _take_shares(included: Included) -> Iterator[Row]:
    takes = coded_takes(included)
    found = Assignment.objects.filter(round__study=included.study, rehearsal__in=list(takes))
    rows = [
        {
            "round": each.round.number,
            "coder_id": each.coder.label,
            "rehearsal_id": takes[each.rehearsal_id].name if each.rehearsal_id else "",
            "is_finished": each.finished_at is not None,
        }
        for each in found.select_related("round", "coder")
    ]
    yield from sorted(rows, key=lambda row: (row["round"], row["coder_id"], row["rehearsal_id"]))


def _take_adjudications(included: Included) -> Iterator[Row]:
    takes = coded_takes(included)
    found = Adjudication.objects.filter(round__study=included.study, rehearsal__in=list(takes))
    rows = [
        {
            "round": each.round.number,
            "rehearsal_id": takes[each.rehearsal_id].name if each.rehearsal_id else "",
            "code_guid": str(each.code.guid),
            "start_ms": each.start,
            "end_ms": each.end,
            "decision": each.decision,
            "coding_guid": str(each.coding.guid) if each.coding else "",
            "note": included.noted(each.note),
        }
        for each in found.select_related("round", "code", "coding")
    ]
    keys = ("round", "rehearsal_id", "start_ms", "code_guid")
    rows.sort(key=lambda row: tuple(row[name] for name in keys))
    for place, row in enumerate(rows, start=1):
        yield {"adjudication_id": f"TA-{place:05d}", **row}


def _take_memos(included: Included) -> Iterator[Row]:
    takes = coded_takes(included)
    still_coded = Assignment.objects.filter(
        round__state=Round.State.OPEN,
        rehearsal=OuterRef("rehearsal"),
        coder=OuterRef("coder"),
    )
    found = Memo.objects.filter(
        ~Exists(still_coded), study=included.study, rehearsal__in=list(takes)
    )
    for each in found.select_related("coder").order_by("guid"):
        yield {
            "memo_guid": str(each.guid),
            "coder_id": each.coder.label,
            "rehearsal_id": takes[each.rehearsal_id].name if each.rehearsal_id else "",
            "title": included.noted(each.title),
            "body": included.noted(each.body),
        }


_TAKE = text("rehearsal_id", "The take")
_CODER = text("coder_id", "The coder")
_ROUND = whole("round", "Number of the coding round; 0 is free coding, outside rounds")
_SPAN = (
    whole("start_ms", "Start, from the start of the take", "ms"),
    whole("end_ms", "Exclusive", "ms"),
)

CODED_TAKE_TABLES = (
    Table(
        name="take_codings",
        title="Codings of takes: a code on a passage of the recording",
        key=("coding_guid",),
        rows=_take_codings,
        is_kept_as_it_came=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("code_guid", "codes"),
            refers("coder_id", "coders"),
        ),
        columns=(
            text("coding_guid", "GUID"),
            _TAKE,
            text("code_guid", "The code"),
            _CODER,
            *_SPAN,
            _ROUND,
            text("status", "Status of the coding", *Coding.Status.values),
            text("memo", "The coder's memo", required=False, free=True),
            text(
                "coded_as",
                "GUIDs of the codes originally applied, separated by spaces, if the coding "
                "was moved later",
                required=False,
            ),
        ),
    ),
    Table(
        name="take_shares",
        title="Takes assigned to coders, by round",
        key=("round", "coder_id", "rehearsal_id"),
        rows=_take_shares,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("coder_id", "coders"),
            refers("round", "rounds"),
        ),
        columns=(
            _ROUND,
            text("coder_id", "The coder"),
            _TAKE,
            yes_no("is_finished", "false: the coder did not finish, so codings are missing"),
        ),
    ),
    Table(
        name="take_adjudications",
        title="How disagreements between coders of takes were resolved",
        key=("adjudication_id",),
        rows=_take_adjudications,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(refers("rehearsal_id", "rehearsals"), refers("code_guid", "codes")),
        columns=(
            text("adjudication_id", "Number within this export"),
            _ROUND,
            _TAKE,
            text("code_guid", "The code"),
            *_SPAN,
            text("decision", "Whether the code applies", *Adjudication.Decision.values),
            text("coding_guid", "The coding that was agreed on", required=False),
            text("note", "Reason for leaving them out", required=False, free=True),
        ),
    ),
    Table(
        name="take_memos",
        title="Memos of coders about takes",
        key=("memo_guid",),
        rows=_take_memos,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(refers("rehearsal_id", "rehearsals"), refers("coder_id", "coders")),
        columns=(
            text("memo_guid", "GUID"),
            text("coder_id", "Author of the memo"),
            _TAKE,
            text("title", "Title", required=False, free=True),
            text("body", "Text of the memo", free=True),
        ),
    ),
)
