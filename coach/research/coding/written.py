"""What coders wrote in a study, and the redaction of words in it: on record, at any time.

A memo of a closed round and a saved codebook version change in no other way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.dispatch import receiver
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.services import record_act, replace_in_entries
from coach.drafts.purge import purge_drafts
from coach.rehearsals.models import Rehearsal
from coach.research.coding.codebook.versions import digest_of
from coach.research.coding.interviews.redaction.matching import (
    KnownNames,
    NameFinder,
    parts_of,
    plain,
)
from coach.research.coding.models import (
    Adjudication,
    Code,
    CodebookVersion,
    CodeChange,
    Coder,
    Coding,
    Interview,
    Memo,
    Round,
    Speaker,
    Text,
    Theme,
    ThemeChange,
    ThemeMemo,
)
from coach.research.coding.quote_redaction import LEFT_OUT, QuotableRuns
from coach.research.coding.takes.words import transcript_of, words_between
from coach.research.studies.models import Participant, Pseudonym, Study
from coach.research.studies.taking_part import participant_left

CODE_TEXTS: Final = ("name", "description", "include_when", "exclude_when", "examples")
Replace = Callable[[str], str]
_LONGEST_NAME: Final = 120
"""As long as the name of a code may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Rows of one kind that people wrote, with the fields of their words."""

    kind: str
    rows: QuerySet[Any]
    fields: tuple[str, ...]


def writings(study: Study) -> tuple[Writing, ...]:
    """Return everything that members wrote while coding a study."""
    return (
        Writing(kind="code", rows=Code.objects.filter(study=study), fields=CODE_TEXTS),
        Writing(
            kind="version",
            rows=CodebookVersion.objects.filter(study=study),
            fields=("document", "note"),
        ),
        Writing(
            kind="change",
            rows=CodeChange.objects.filter(code__study=study),
            fields=("before", "after"),
        ),
        Writing(
            kind="coding",
            rows=Coding.objects.filter(study=study).exclude(memo=""),
            fields=("memo",),
        ),
        Writing(kind="memo", rows=Memo.objects.filter(study=study), fields=("title", "body")),
        Writing(
            kind="settled",
            rows=Adjudication.objects.filter(round__study=study).exclude(note=""),
            fields=("note",),
        ),
        Writing(kind="theme", rows=Theme.objects.filter(study=study), fields=("name",)),
        Writing(
            kind="theme_memo", rows=ThemeMemo.objects.filter(theme__study=study), fields=("body",)
        ),
        Writing(
            kind="theme_change",
            rows=ThemeChange.objects.filter(study=study),
            fields=("before", "after"),
        ),
        Writing(kind="round", rows=Round.objects.filter(study=study), fields=("title",)),
    )


def writings_of(user: User, study: Study) -> tuple[Writing, ...]:
    """Return what one coder wrote: their memos, the memos of their codings, their reasons."""
    own = {
        "coding": Q(coder__user=user),
        "memo": Q(coder__user=user),
        "settled": Q(by=user),
        "theme_memo": Q(by__user=user),
    }
    return tuple(
        Writing(kind=each.kind, rows=each.rows.filter(own[each.kind]), fields=each.fields)
        for each in writings(study)
        if each.kind in own
    )


def writings_seen_by(user: User, study: Study) -> tuple[Writing, ...]:
    """Return what is written in a study, without other coders' memos in open rounds."""
    hidden = Round.objects.filter(study=study, state=Round.State.OPEN).exclude(coders=None)
    others = Coder.objects.filter(study=study).exclude(user=user)
    unseen = {
        "coding": Q(round__in=hidden, coder__in=others),
        "memo": Q(coder__in=others)
        & (
            Q(interview__rounds__in=hidden)
            | Q(rehearsal__in=hidden.values("assignments__rehearsal"))
        ),
    }
    return tuple(
        Writing(
            kind=each.kind,
            rows=each.rows.exclude(pk__in=each.rows.filter(unseen[each.kind]).values("pk"))
            if each.kind in unseen
            else each.rows,
            fields=each.fields,
        )
        for each in writings(study)
    )


def memos_on(interview: Interview, user: User) -> QuerySet[Memo]:
    """Return the memos on an interview, without those of other coders in open rounds."""
    written = writings_seen_by(user, interview.study)
    (memos,) = (each.rows for each in written if each.kind == "memo")
    return memos.filter(interview=interview).select_related("coder")


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts of a field, also inside a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        # Keys and closed values of a saved code are no texts of people.
        kept = (each for name, each in value.items() if name not in _CLOSED)
        for each in kept:
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)


_CLOSED: Final = frozenset({"guid", "merged_into", "colour", "shortcut", "state", "is_codable"})


def _replaced(value: Any, replace: Replace) -> Any:
    if isinstance(value, str):
        return replace(value)
    if isinstance(value, list):
        return [_replaced(each, replace) for each in value]
    if isinstance(value, dict):
        return {
            name: each if name in _CLOSED else _replaced(each, replace)
            for name, each in value.items()
        }
    return value


@transaction.atomic
def redact_written(
    *,
    study: Study,
    written: Iterable[Writing],
    replace: Replace,
    actor: User | None,
) -> int:
    """Replace words in what coders wrote; return the number of changed rows.

    The audit log records how many places changed, and the hashes of a saved version before and
    after; never the words.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    count = 0
    names: dict[str, str] = {}

    def noted(text: str) -> str:
        """Replace, and remember what may be a name of a code in the log."""
        changed = replace(text)
        if changed != text and len(text) <= _LONGEST_NAME:
            names[text] = changed
        return changed

    for each in written:
        count += sum(_redact_row(row, each.fields, noted, actor) for row in each.rows)
    if names:
        replace_in_entries(area="research.", keys=("name", "code", "into"), values=names)
    purge_drafts([reverse("research:study", args=[study.slug])], without=replace)
    if count:
        record_act(action="research.writing_redacted", target=study, actor=actor, places=count)
    return count


def _redact_row(row: Any, fields: Iterable[str], replace: Replace, actor: User | None) -> bool:
    was = {name: getattr(row, name) for name in fields}
    now = {name: _replaced(value, replace) for name, value in was.items()}
    if was == now:
        return False
    if isinstance(row, Code) and was["name"] != now["name"]:
        now["name"] = _free_name(row, now["name"])
    _save(row, now, actor)
    return True


def _save(row: Model, now: dict[str, Any], actor: User | None) -> None:
    if isinstance(row, CodebookVersion):
        before, now["digest"] = row.digest, digest_of(now["document"])
        record_act(
            action="research.version_redacted",
            target=row,
            actor=actor,
            number=row.number,
            before=before,
            after=now["digest"],
        )
    type(row)._default_manager.filter(pk=row.pk).update(**now)  # noqa: SLF001 (Django's public API)


def _free_name(code: Code, name: str) -> str:
    """Return the name, or the next free one: names of codes are unique in a study."""
    others = set(
        Code.objects.filter(study=code.study_id).exclude(pk=code.pk).values_list("name", flat=True)
    )
    number, free = 2, name[:_LONGEST_NAME]
    while free in others:
        free = f"{name[:110]} ({number})"
        number += 1
    return free


def replacing(words: Iterable[str]) -> Replace:
    """Return a function that replaces these words wherever they are written, in any case."""
    finder = NameFinder(KnownNames(whole=frozenset(words)), are_chosen=True)
    return lambda text: without_names(text, finder)


def without_names(text: str, finder: NameFinder) -> str:
    """Return the text with […] for each name."""
    pieces, at = [], 0
    for start, end in finder.places(text):
        pieces += [text[at:start], LEFT_OUT]
        at = end
    return "".join([*pieces, text[at:]])


@receiver(participant_left)
def forget_in_writing(sender: object, participant: Participant, **_more: object) -> None:
    """Redact the names and quotes of somebody who has left in what coders wrote."""
    study = participant.study
    said = quotes_of(participant)
    finder = names_of(participant)

    def replace(text: str) -> str:
        return without_names(said.taken_out_of(text), finder)

    redact_written(study=study, written=writings(study), replace=replace, actor=None)


def names_of(participant: Participant) -> NameFinder:
    """Return the search for a participant's names.

    A part that others use as a word in small letters, such as mark, is a name with its capital
    only.
    """
    user = Pseudonym.objects.filter(participant=participant).values_list(
        "user__name", "user__email"
    )
    called = Speaker.objects.filter(participant=participant).exclude(called="")
    names = {each for pair in user for each in pair if each}
    names |= set(called.values_list("called", flat=True))
    parts = parts_of(each for each in names if "@" not in each)
    usual = _small_words(participant.study) if parts else set()
    loose = {each for each in parts if plain(each) not in usual}
    return NameFinder(
        KnownNames(
            whole=frozenset(each for each in names | loose if len(each) > 1),
            parts=frozenset(parts - loose),
        )
    )


def _small_words(study: Study) -> set[str]:
    texts = Text.objects.filter(interview__study=study).values_list("text", flat=True)
    return {
        plain(word)
        for text in texts.iterator(chunk_size=20)
        for word in text.split()
        if word[:1].islower()
    }


def quotes_of(participant: Participant) -> QuotableRuns:
    """Return the runs of words that quote a participant and nobody else: from interviews, and from
    takes that were coded.
    """
    theirs: list[str] = []
    others: list[str] = []
    texts = Text.objects.filter(interview__study=participant.study)
    for text in texts.prefetch_related("turns__speaker").iterator(chunk_size=20):
        for turn in text.turns.all():
            is_theirs = turn.speaker.participant_id == participant.pk
            (theirs if is_theirs else others).append(text.text[turn.start : turn.end])
    user = Pseudonym.objects.filter(participant=participant).values_list("user", flat=True).first()
    for take, said in _coded_takes(participant.study):
        (theirs if take.owner_id == user else others).append(said)
    return QuotableRuns.by(theirs, others)


def _coded_takes(study: Study) -> Iterator[tuple[Rehearsal, str]]:
    """Yield the takes that were coded in a study, with all their words."""
    coded = Coding.objects.filter(study=study, rehearsal__isnull=False)
    for take in Rehearsal.objects.filter(pk__in=coded.values("rehearsal")):
        yield take, words_between(transcript_of(take), 0, round(1000 * (take.duration or 0)))


def forget_take(rehearsal_id: UUID) -> None:
    """Redact the quotes of a take that is deleted, in the studies in which it was coded."""
    for study in Study.objects.filter(codings__rehearsal=rehearsal_id).distinct():
        words = {take.pk: said for take, said in _coded_takes(study)}
        theirs = words.pop(rehearsal_id, "")
        texts = Text.objects.filter(interview__study=study).values_list("text", flat=True)
        quotes = QuotableRuns.by([theirs], [*words.values(), *texts])
        replace = quotes.taken_out_of
        redact_written(study=study, written=writings(study), replace=replace, actor=None)
