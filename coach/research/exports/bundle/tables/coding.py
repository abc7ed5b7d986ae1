"""Tables of coding: codings, agreement, memos, and counts of what is left out.

Nothing of an open round is exported: the exporter may be one of its coders.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from uuid import UUID

from django.db.models import F, Q, QuerySet

from coach.research.coding.agreement import (
    SECOND,
    TURN,
    agreement_rows,
    take_agreement_rows,
)
from coach.research.coding.models import (
    Adjudication,
    Assignment,
    Coder,
    Coding,
    Memo,
    Round,
    Theme,
)
from coach.research.exports.bundle.scope import Conversation, Included
from coach.research.exports.bundle.spec import (
    Row,
    Table,
    number,
    refers,
    text,
    whole,
    yes_no,
)
from coach.research.exports.bundle.tables.coded_takes import coded_takes
from coach.research.exports.bundle.tables.interviews import turn_id


def _coders(included: Included) -> Iterator[Row]:
    coders = Coder.objects.filter(study=included.study).select_related("trained_with")
    for each in sorted(coders, key=lambda coder: coder.label):
        yield {
            "coder_id": each.label,
            "coder_guid": str(each.guid),
            "kind": each.kind,
            "model": each.model,
            "codebook_version_trained": str(each.trained_with.number) if each.trained_with else "",
        }


def _rounds(included: Included) -> Iterator[Row]:
    rounds = Round.objects.filter(study=included.study).select_related("codebook")
    there = {conversation.interview.pk for conversation in included.conversations}
    for each in rounds.prefetch_related("coders", "interviews"):
        yield {
            "round": each.number,
            "title": each.title,
            "codebook_version": str(each.codebook.number) if each.codebook else "",
            "is_closed": each.state == Round.State.CLOSED,
            "coders": " ".join(sorted(coder.label for coder in each.coders.all())),
            "interviews": " ".join(
                sorted(talk.label for talk in each.interviews.all() if talk.pk in there)
            ),
            "each_to": each.each_to,
            "seed": each.seed,
        }


def _seen_by_all(included: Included) -> QuerySet[Coding]:
    return Coding.objects.filter(study=included.study).exclude(round__state=Round.State.OPEN)


def codings_in(included: Included, conversation: Conversation) -> list[Coding]:
    """Return the codings of a text by position, without those on hidden spans."""
    found = (
        _seen_by_all(included)
        .filter(text=conversation.text.pk)
        .select_related("code", "coder", "round")
        .order_by("start", "end", "guid")
    )
    there = [each for each in found if not conversation.hides(each.start, each.end)]
    for each in there:
        each.memo = included.noted(each.memo)
    return there


def _codings(included: Included) -> Iterator[Row]:
    rows: list[tuple[UUID, Row]] = []
    for conversation in included.conversations:
        turns = list(conversation.text.turns.all())
        starts = [turn.start for turn in turns]
        for each in codings_in(included, conversation):
            place = max(bisect_right(starts, each.start or 0) - 1, 0)
            row = {
                "coding_guid": str(each.guid),
                "interview_id": conversation.interview.label,
                "turn_id": turn_id(conversation, turns[place].number),
                "code_guid": str(each.code.guid),
                "coder_id": each.coder.label,
                "char_start": each.start,
                "char_end": each.end,
                "round": each.round.number,
                "status": each.status,
                "memo": each.memo,
                "coded_as": " ".join(str(guid) for guid in each.coded_as),
            }
            rows.append((each.guid, row))
    _count_what_is_left_out(included, len(rows))
    yield from (row for _guid, row in sorted(rows, key=lambda pair: pair[0]))


def _count_what_is_left_out(included: Included, shown: int) -> None:
    texts = [each.text.pk for each in included.conversations]
    there = _seen_by_all(included).filter(text__in=texts).count()
    included.left_out["codings", "not_consented"] = there - shown
    unseen = Coding.objects.filter(study=included.study, round__state=Round.State.OPEN)
    on_texts = unseen.filter(text__isnull=False).count()
    on_takes = unseen.filter(rehearsal__isnull=False).count()
    for table, count in (("codings", on_texts), ("take_codings", on_takes)):
        if count:
            included.left_out[table, "round_open"] = count


def _shares(included: Included) -> Iterator[Row]:
    talks = {each.interview.pk: each.interview.label for each in included.conversations}
    found = Assignment.objects.filter(round__study=included.study, interview__in=list(talks))
    rows = [
        {
            "round": each.round.number,
            "coder_id": each.coder.label,
            "interview_id": talks[each.interview_id or 0],
            "is_finished": each.finished_at is not None,
        }
        for each in found.select_related("round", "coder")
    ]
    yield from sorted(rows, key=lambda row: (row["round"], row["coder_id"], row["interview_id"]))


def _adjudications(included: Included) -> Iterator[Row]:
    talks = {each.text.pk: each for each in included.conversations}
    found = Adjudication.objects.filter(text__in=list(talks)).select_related(
        "code", "round", "coding"
    )
    ordered = found.order_by("round__number", "text__interview__number", "start", "end", "pk")
    # The reason for a code on hidden words may reveal them.
    seen = [each for each in ordered if not talks[each.text_id or 0].hides(each.start, each.end)]
    for place, each in enumerate(seen, start=1):
        yield {
            "adjudication_id": f"A-{place:05d}",
            "round": each.round.number,
            "interview_id": talks[each.text_id or 0].interview.label,
            "code_guid": str(each.code.guid),
            "char_start": each.start,
            "char_end": each.end,
            "decision": each.decision,
            "coding_guid": str(each.coding.guid) if each.coding else "",
            "note": included.noted(each.note),
        }


def memos_in(included: Included) -> list[Memo]:
    """Return the memos on codes, on included interviews and on the study, without blinded ones."""
    talks = [each.interview.pk for each in included.conversations]
    unseen = Q(interview__rounds__state=Round.State.OPEN, interview__rounds__coders=F("coder"))
    memos = Memo.objects.filter(
        Q(interview=None) | Q(interview__in=talks), study=included.study, rehearsal=None
    ).exclude(pk__in=Memo.objects.filter(unseen).values("pk"))
    found = list(memos.select_related("coder", "code", "interview").order_by("guid"))
    for each in found:
        each.title, each.body = included.noted(each.title), included.noted(each.body)
    return found


def _memos(included: Included) -> Iterator[Row]:
    for each in memos_in(included):
        yield {
            "memo_guid": str(each.guid),
            "coder_id": each.coder.label,
            "code_guid": str(each.code.guid) if each.code else "",
            "interview_id": each.interview.label if each.interview else "",
            "title": each.title,
            "body": each.body,
        }


def themes_in(included: Included) -> list[Theme]:
    """Return the themes in their order, with their codes and memos."""
    found = Theme.objects.filter(study=included.study)
    return list(found.prefetch_related("codes", "memos__by"))


def _themes(included: Included) -> Iterator[Row]:
    for place, each in enumerate(themes_in(included), start=1):
        yield {
            "theme_guid": str(each.guid),
            "place": place,
            "name": each.name,
            "codes": " ".join(sorted(str(code.guid) for code in each.codes.all())),
        }


def _theme_memos(included: Included) -> Iterator[Row]:
    for each in themes_in(included):
        memos = sorted(each.memos.all(), key=lambda memo: (memo.at, memo.pk))
        for version, memo in enumerate(memos, start=1):
            yield {
                "theme_guid": str(each.guid),
                "version": version,
                "coder_id": memo.by.label,
                "body": included.noted(memo.body),
            }


def _agreement(included: Included) -> Iterator[Row]:
    """Yield agreement in closed rounds, over texts without hidden words and over takes."""
    rows: list[Row] = []
    texts = [each.text for each in included.conversations if not each.hidden]
    coded = coded_takes(included)
    takes = [each.rehearsal for each in included.takes if each.rehearsal.pk in coded]
    closed = Round.objects.filter(study=included.study, state=Round.State.CLOSED)
    for each in closed.order_by("number"):
        rows += [*agreement_rows(each, texts), *take_agreement_rows(each, takes)]
    yield from sorted(rows, key=lambda row: tuple(str(row[name]) for name in BY_PAIR))


def _exclusions(included: Included) -> Iterator[Row]:
    """Yield the counts of what was left out, last of all; counts of 1 to k-1 are suppressed."""
    _decided = (included.people, included.takes, included.conversations)
    for (table, reason), count in sorted((+included.left_out).items()):
        is_small = 0 < count < included.study.least_group
        yield {
            "table_name": table,
            "reason": reason,
            "n_rows": None if is_small else count,
            "suppressed": is_small,
        }


BY_PAIR = ("code_guid", "round", "unit", "coder_a", "coder_b")
_SPAN = (
    whole("char_start", "Unicode code points, from 0"),
    whole("char_end", "Exclusive", least=1),
)
_ROUND = whole("round", "Number of the coding round; 0 is free coding, outside rounds")
_STATUS = text("status", "Status of the coding", *Coding.Status.values)

CODING_TABLES = (
    Table(
        name="coders",
        title="Coders: people or models",
        key=("coder_id",),
        rows=_coders,
        columns=(
            text("coder_id", "Label"),
            text("coder_guid", "Same GUID as User in the .qdpx"),
            text("kind", "Whether the coder is a person or a model", *Coder.Kind.values),
            text("model", "Name and version of a model", required=False),
            text(
                "codebook_version_trained",
                "Codebook version the coder was trained with",
                required=False,
            ),
        ),
    ),
    Table(
        name="rounds",
        title="Coding rounds",
        key=("round",),
        rows=_rounds,
        columns=(
            _ROUND,
            text("title", "Purpose of the round", required=False, free=True),
            text("codebook_version", "Codebook version used; free coding has none", required=False),
            yes_no(
                "is_closed",
                "true: the round is closed; coders could see each other's codings only after that",
            ),
            text("coders", "Labels, separated by spaces", required=False),
            text(
                "interviews",
                "Labels of the interviews included in this export, separated by spaces",
                required=False,
            ),
            whole("each_to", "Coders per text or take, if not all of them", required=False),
            text("seed", "Random seed of the assignment", required=False),
        ),
    ),
    Table(
        name="codings",
        title="Codings of interviews: a code on a passage of the text",
        key=("coding_guid",),
        rows=_codings,
        refers=(
            refers("interview_id", "interviews"),
            refers("code_guid", "codes"),
            refers("coder_id", "coders"),
            refers("turn_id", "interview_turns"),
            refers("round", "rounds"),
        ),
        columns=(
            text("coding_guid", "Same GUID as Coding in the .qdpx"),
            text("interview_id", "The interview"),
            text("turn_id", "Turn that contains the first character"),
            text("code_guid", "The code"),
            text("coder_id", "The coder"),
            *_SPAN,
            _ROUND,
            _STATUS,
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
        name="shares",
        title="Interviews assigned to coders, by round",
        key=("round", "coder_id", "interview_id"),
        rows=_shares,
        may_be_missing=True,
        refers=(
            refers("interview_id", "interviews"),
            refers("coder_id", "coders"),
            refers("round", "rounds"),
        ),
        columns=(
            _ROUND,
            text("coder_id", "The coder"),
            text("interview_id", "The interview"),
            yes_no("is_finished", "false: the coder did not finish, so codings are missing"),
        ),
    ),
    Table(
        name="adjudications",
        title="How disagreements between coders were resolved",
        key=("adjudication_id",),
        rows=_adjudications,
        refers=(refers("interview_id", "interviews"), refers("code_guid", "codes")),
        columns=(
            text("adjudication_id", "Number within this export"),
            _ROUND,
            text("interview_id", "The interview"),
            text("code_guid", "The code"),
            *_SPAN,
            text("decision", "Whether the code applies", *Adjudication.Decision.values),
            text("coding_guid", "The coding that was agreed on", required=False),
            text("note", "Reason for leaving them out", required=False, free=True),
        ),
    ),
    Table(
        name="memos",
        title="Memos about codes, interviews and the study",
        key=("memo_guid",),
        rows=_memos,
        refers=(
            refers("coder_id", "coders"),
            refers("code_guid", "codes"),
            refers("interview_id", "interviews"),
        ),
        columns=(
            text("memo_guid", "Same GUID as Note in the .qdpx"),
            text("coder_id", "Author of the memo"),
            text("code_guid", "The code it is about", required=False),
            text("interview_id", "The interview it is about", required=False),
            text("title", "Title", required=False, free=True),
            text("body", "Text of the memo", free=True),
        ),
    ),
    Table(
        name="themes",
        title="Candidate themes: groups of codes",
        key=("theme_guid",),
        rows=_themes,
        may_be_missing=True,
        columns=(
            text("theme_guid", "Same GUID as Set in the .qdpx"),
            whole("place", "Order, from 1", least=1),
            text("name", "Name", free=True),
            text("codes", "GUIDs of the codes, separated by spaces", required=False),
        ),
    ),
    Table(
        name="theme_memos",
        title="Memos of themes over time: every version",
        key=("theme_guid", "version"),
        rows=_theme_memos,
        may_be_missing=True,
        refers=(refers("theme_guid", "themes"), refers("coder_id", "coders")),
        columns=(
            text("theme_guid", "The theme"),
            whole("version", "Order in time, from 1", least=1),
            text("coder_id", "Author of this version"),
            text("body", "Text of the memo", required=False, free=True),
        ),
    ),
    Table(
        name="agreement",
        title="Inter-coder agreement, by code, round and pair of coders",
        key=BY_PAIR,
        rows=_agreement,
        is_kept_as_it_came=True,
        refers=(refers("code_guid", "codes"),),
        columns=(
            text("code_guid", "The code"),
            _ROUND,
            text(
                "unit",
                "Unit of comparison: each turn with a participant_id and the role "
                "participant, in interviews without hidden turns; or each second of a take. "
                "A unit has a code if any part of it has. Adjudicated codings do not count, "
                "nor do texts and takes that one of the two coders had not finished",
                *(TURN, SECOND, "character"),
            ),
            text("coder_a", "Label"),
            text(
                "coder_b", 'Label; "*" means all coders of the round, if there are not exactly two'
            ),
            whole("n_units", "Units judged by at least two coders"),
            whole("n_both", "Units where both used the code", required=False),
            whole("n_a_only", "Units where only coder_a used it", required=False),
            whole("n_b_only", "Units where only coder_b used it", required=False),
            whole("n_neither", "Units where neither used it", required=False),
            number("percent_agreement", "(both + neither) / units", least=0, most=1),
            number("positive_agreement", "2 both / (2 both + a only + b only)", least=0, most=1),
            number("cohen_kappa", "Cohen's kappa, for two coders", least=-1, most=1),
            number("krippendorff_alpha", "Krippendorff's alpha, nominal", most=1),
            number("ci_low", "95% bootstrap of alpha, over interviews or takes"),
            number("ci_high", "95% bootstrap of alpha, over interviews or takes"),
            text(
                "undefined_reason",
                "Why kappa and alpha are undefined",
                "no_variation",
                "one_coder",
                "too_few_units",
                required=False,
            ),
        ),
    ),
    Table(
        name="exclusions",
        title="Rows left out of this export, and why",
        key=("table_name", "reason"),
        rows=_exclusions,
        is_kept_as_it_came=True,
        columns=(
            text("table_name", "Name of the table"),
            text(
                "reason",
                "Reason for leaving them out",
                *("not_consented", "withdrawn", "retention_expired", "quality_unusable"),
                *("small_group_suppressed", "redaction_pending", "left_out_by_hand", "round_open"),
            ),
            whole("n_rows", "Number of rows; empty if suppressed", required=False),
            yes_no("suppressed", "true: the number is below the smallest group size (k)"),
        ),
    ),
)
