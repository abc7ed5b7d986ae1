"""Personal data of research: as members of studies, coders and participants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.utils import timezone

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.research.coding.erasing import erase_words_of
from coach.research.coding.models import (
    Adjudication,
    CodebookVersion,
    CodeChange,
    Coder,
    Coding,
    Guide,
    Interview,
    Listening,
    Memo,
    Recording,
    Redaction,
    Text,
    ThemeChange,
    ThemeMemo,
    Transcript,
)
from coach.research.coding.recordings.retention import remove_recordings_of
from coach.research.coding.recordings.selectors import recordings_of
from coach.research.coding.selectors import interviews_given_by
from coach.research.exports.models import BundleImport, Export
from coach.research.exports.pending_bundles import drop_with
from coach.research.exports.selectors import downloads_for
from coach.research.studies.models import (
    Answer,
    ConsentDocument,
    ConsentEvent,
    LeftOut,
    Participant,
    Study,
)
from coach.research.studies.selectors import participations_of, taking_part


def _rows(*kinds: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [dict(row) for rows in kinds for row in rows]


_STUDY = "as long as the study, without the name once its person is erased"


def _export(user: User) -> dict[str, Any]:
    return {
        "downloads": list(downloads_for(user).values("file", "made_at", "delete_by")),
        "takes_part_in_studies": taking_part(user),
        "interviews_given": interviews_given_by(user),
        "recorded_interviews": _recorded(user),
        "studies": _studies(user),
        "interviews_worked_on": _interviews(user),
        "coding": _coding(user),
        "exports_of_studies": _exports(user),
    }


def _recorded(user: User) -> list[dict[str, Any]]:
    """Return the recorded conversations of a person, and who opened the recordings."""
    return [
        {
            "study": each.study.title,
            "held_on": each.held_on,
            "arrived_at": each.arrived_at,
            "recording_is_removed": each.removed_at or each.remove_at,
            "opened_by": list(each.listenings.values("by__name", "at")),
        }
        for each in recordings_of(user).select_related("study")
    ]


def _studies(user: User) -> list[dict[str, Any]]:
    members = user.study_memberships.values("study__title", "role", "added_at")
    begun = Study.objects.filter(created_by=user).values("title", "created_at")
    sheets = ConsentDocument.objects.filter(created_by=user).values("scope", "version", "text")
    written_down = ConsentEvent.objects.filter(recorded_by=user).values("scope", "kind", "at")
    left_out = LeftOut.objects.filter(by=user).values("reason", "at")
    return _rows(members, begun, sheets, written_down, left_out)


def _interviews(user: User) -> list[dict[str, Any]]:
    held = Interview.objects.filter(created_by=user).values("number", "created_at")
    guides = Guide.objects.filter(created_by=user).values("version", "text", "created_at")
    texts = Text.objects.filter(by=user).values("kind", "version", "at")
    decided = Redaction.objects.filter(decided_by=user).values("token", "state", "decided_at")
    read = Transcript.objects.filter(uploaded_by=user).values("name", "uploaded_at")
    sent = Recording.objects.filter(added_by=user).values("original_name", "held_on", "arrived_at")
    heard = Listening.objects.filter(by=user).values("recording__held_on", "at")
    return _rows(held, guides, texts, decided, read, sent, heard)


def _coding(user: User) -> list[dict[str, Any]]:
    mine = Coder.objects.filter(user=user)
    codings = Coding.objects.filter(coder__in=mine)
    memos = Memo.objects.filter(coder__in=mine)
    books = CodebookVersion.objects.filter(by=user)
    settled = Adjudication.objects.filter(by=user)
    return _rows(
        mine.values("study__title", "number"),
        codings.values("code__name", "start", "end", "memo", "at"),
        memos.values("title", "body", "at"),
        books.values("number", "note", "at"),
        CodeChange.objects.filter(by=user).values("kind", "before", "after", "at"),
        settled.values("decision", "note", "at"),
        ThemeMemo.objects.filter(by__in=mine).values("theme__name", "body", "at"),
        ThemeChange.objects.filter(by__in=mine).values("kind", "before", "after", "at"),
    )


def _exports(user: User) -> list[dict[str, Any]]:
    exports = Export.objects.filter(Q(asked_by=user) | Q(downloaded_by=user))
    imports = BundleImport.objects.filter(asked_by=user)
    return _rows(
        exports.values("study__title", "recipient", "purpose", "asked_at", "downloaded_at"),
        imports.values("study__title", "name", "asked_at"),
    )


def _erase(user: User) -> int:
    """Delete a person's words and answers; consents stay as proof, without a name.

    Recipients of earlier exports must be told: the ledger lists the person as withdrawn.
    """
    count = drop_with(user=user)
    for participant in participations_of(user):
        count += remove_recordings_of(participant)
        count += erase_words_of(participant)
        count += Answer.objects.filter(sheet__participant=participant).delete()[0]
        participant.sheets.all().delete()
        unsaid = Participant.Experience.UNSAID
        Participant.objects.filter(pk=participant.pk).update(
            withdrawn_at=participant.withdrawn_at or timezone.now(),
            cohort="",
            experience=unsaid,
            practice_language="",
        )
    return count


PERSONAL_DATA = PersonalData(
    app="research",
    kept={
        "downloads": "as long as the account",
        "takes_part_in_studies": "as long as the study; consents without a link to the person",
        "interviews_given": "as long as the study, or until one's account is erased",
        "recorded_interviews": "until some days after the text is locked, half a year at most",
        "studies": _STUDY,
        "interviews_worked_on": _STUDY,
        "coding": _STUDY,
        "exports_of_studies": _STUDY,
    },
    export=_export,
    handed_out={
        "research.download.researcher": "downloads",
        "research.pseudonym.user": "takes_part_in_studies",
        "research.member.user": "studies",
        "research.study.created_by": "studies",
        "research.consentdocument.created_by": "studies",
        "research.consentevent.recorded_by": "studies",
        "research.leftout.by": "studies",
        "research.interview.created_by": "interviews_worked_on",
        "research.guide.created_by": "interviews_worked_on",
        "research.transcript.uploaded_by": "interviews_worked_on",
        "research.recording.added_by": "interviews_worked_on",
        "research.listening.by": "interviews_worked_on",
        "research.text.by": "interviews_worked_on",
        "research.redaction.decided_by": "interviews_worked_on",
        "research.coder.user": "coding",
        "research.codebookversion.by": "coding",
        "research.codechange.by": "coding",
        "research.adjudication.by": "coding",
        "research.export.asked_by": "exports_of_studies",
        "research.export.downloaded_by": "exports_of_studies",
        "research.bundleimport.asked_by": "exports_of_studies",
    },
    excused={
        "rulesets.pin.user": "follows from taking part in a study that runs; it goes with that",
    },
    erase=_erase,
)
