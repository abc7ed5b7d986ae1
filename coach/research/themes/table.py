"""The found passages as a table: consent, redaction and the guard of names as in a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.lib.files.csv_tables import csv_bytes
from coach.research.dashboard.pages import asked_by
from coach.research.dashboard.services import note_table
from coach.research.exports.bundle.guard.words import NameSearch, name_search_for
from coach.research.exports.bundle.scope import Conversation, Included, IncludedTakeKey
from coach.research.exports.bundle.tables.coded_takes import coded_takes
from coach.research.studies.models import Study
from coach.research.themes.moments import FoundMoment
from coach.research.themes.retrieval import FoundPassage

COLUMNS = (
    *("interview_id", "turn_no", "participants", "char_start", "char_end"),
    *("rehearsal_id", "start_ms", "end_ms"),
    *("words", "codes", "coders", "memos"),
)
_FILE = "passages.csv"
_BY_CODERS = ("codes", "memos")


def passages_csv(study: Study, user: User, found: Sequence[FoundPassage | FoundMoment]) -> bytes:
    """Return the passages whose people consented to their words, and log the download.

    Raises ValidationError if a name may stand in one of them.
    """
    included = asked_by(user, study, {}).included
    rows = _rows(included, found)
    watch = name_search_for(study)
    named = sorted(
        {row["interview_id"] or row["rehearsal_id"] for row in rows if _is_named(watch, row)}
    )
    if named:
        raise ValidationError(
            ngettext(
                "Nothing was exported: the passages of %(interviews)s or their memos may "
                "contain a name. Redact it first.",
                "Nothing was exported: the passages of these interviews or their memos may "
                "contain names: %(interviews)s. Redact them first.",
                len(named),
            )
            % {"interviews": ", ".join(named)}
        )
    people = {name for row in rows for name in row["participants"].split()}
    purpose = _("Passages: %(file)s") % {"file": _FILE}
    note_table(
        included=included, file=_FILE, purpose=purpose, people=sorted(people), researcher=user
    )
    return csv_bytes(COLUMNS, rows)


def _rows(included: Included, found: Sequence[FoundPassage | FoundMoment]) -> list[dict[str, Any]]:
    there = {each.text.pk: each for each in included.conversations}
    names = {person.participant.pk: person.name for person in included.people}
    takes = coded_takes(included)
    rows = []
    for each in found:
        if isinstance(each, FoundMoment):
            place = _of_take(takes.get(each.unit), each)
        else:
            place = _of_interview(there.get(each.text.pk), each, names)
        if place is not None:
            coded = {
                "codes": "; ".join(each.codes),
                "coders": " ".join(each.coders),
                "memos": "\n".join(included.noted(memo) for memo in each.memos),
            }
            rows.append(dict.fromkeys(COLUMNS, "") | place | coded)
    return rows


def _of_interview(
    conversation: Conversation | None, found: FoundPassage, names: Mapping[int, str]
) -> dict[str, Any] | None:
    if conversation is None or conversation.hides(found.start, found.end):
        return None
    people = [names[turn.person] for turn in found.turns if turn.person and turn.person in names]
    return {
        "interview_id": found.text.interview.label,
        "turn_no": found.turn,
        "participants": " ".join(dict.fromkeys(people)),
        "char_start": found.start,
        "char_end": found.end,
        "words": found.words,
    }


def _of_take(take: IncludedTakeKey | None, found: FoundMoment) -> dict[str, Any] | None:
    """Return a moment without its words, which were not redacted."""
    if take is None:
        return None
    return {
        "participants": take.person.name,
        "rehearsal_id": take.name,
        "start_ms": found.start,
        "end_ms": found.end,
    }


def _is_named(watch: NameSearch, row: dict[str, Any]) -> bool:
    spoken = any(watch.places(row["words"], by_coders=False))
    return spoken or any(any(watch.places(row[name], by_coders=True)) for name in _BY_CODERS)
