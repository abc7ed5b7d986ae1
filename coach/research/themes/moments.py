"""Coded moments of takes, found by the same queries as passages of interviews."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from coach.accounts.models import User
from coach.lib.words.clock import clock
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Coding
from coach.research.coding.rounds.takes import readable_participants, usable_takes
from coach.research.coding.selectors import may_code
from coach.research.coding.takes.words import transcript_of, words_between
from coach.research.studies.models import Participant, Pseudonym, Study
from coach.research.themes.retrieval import (
    Found,
    FoundPassage,
    PassageQuery,
    coded_spans,
    codings_asked,
    folded,
    passages_for,
)


@dataclass(frozen=True, kw_only=True)
class CodedTake:
    """A take that was coded, with its owner in the study."""

    take: Rehearsal
    person: Participant
    label: str
    """Empty if it may not be used now."""
    is_readable: bool
    """Whether its owner consents to the use of their words, and the reader may code."""


@dataclass(frozen=True, kw_only=True)
class FoundMoment(Found):
    """A moment of a take, in milliseconds. Its words are read when they are shown."""

    of: CodedTake

    @property
    def unit(self) -> UUID:
        """Return the key of its take."""
        return self.of.take.pk

    @property
    def language(self) -> str:
        """Return the language of its words."""
        return self.of.take.language

    @property
    def place(self) -> str:
        """Return the take, which is named by its owner's pseudonym, and the times."""
        times = f"{clock(self.start / 1000)}–{clock(self.end / 1000)}"
        return f"{self.of.label} · {times}"

    @property
    def anchor(self) -> str:
        """Return the place of the codings on the page of its take."""
        return "take-codings"

    @property
    def people(self) -> set[int]:
        """Return its owner (by key)."""
        return {self.of.person.pk}


def found_for(user: User, study: Study, query: PassageQuery) -> list[FoundPassage | FoundMoment]:
    """Return the passages of interviews and the moments of takes that this person may see."""
    moments = [each for each in moments_for(user, study, query) if each.of.label]
    return [*passages_for(user, study, query), *moments]


def moments_for(user: User, study: Study, query: PassageQuery) -> list[FoundMoment]:
    """Return the coded moments in the order of takes and times.

    This includes takes that may not be used now, which have no label: they are only counted.
    Without a code, these are all moments with any code.
    """
    given: dict[UUID, list[Coding]] = defaultdict(list)
    rows = codings_asked(user, query).filter(study=study, rehearsal__isnull=False)
    for each in rows.order_by("start_ms", "end_ms", "pk"):
        if each.rehearsal_id:
            given[each.rehearsal_id].append(each)
    takes = _takes(user, study, query, list(given))
    found = [
        FoundMoment(of=of, start=start, end=end, words="", given=tuple(codings))
        for of in sorted(takes, key=lambda each: each.label)
        for (start, end), codings in sorted(
            coded_spans(given[of.take.pk], query).items(), key=lambda pair: pair[0]
        )
    ]
    wanted = folded(query.words)
    return [each for each in with_words(found) if wanted in folded(each.words)] if wanted else found


def with_words(found: Sequence[FoundMoment]) -> list[FoundMoment]:
    """Return the moments with their words, as far as these may be read."""
    takes = {each.unit: each.of for each in found}
    lines = {
        key: transcript_of(of.take) for key, of in takes.items() if of.label and of.is_readable
    }
    return [
        replace(each, words=words_between(lines.get(each.unit, ()), each.start, each.end))
        for each in found
    ]


def _takes(
    user: User, study: Study, query: PassageQuery, keys: Sequence[UUID]
) -> Iterator[CodedTake]:
    """Yield the coded takes of people who take part, as far as the query asks for them."""
    if not keys:
        return
    people = Pseudonym.objects.filter(study=study, participant__withdrawn_at=None)
    if query.group:
        people = people.filter(participant__group=query.group)
    if query.participant:
        people = people.filter(participant=query.participant)
    owners = {link.user_id: link.participant for link in people.select_related("participant")}
    labels = {each.rehearsal.pk: each.label for each in usable_takes(study)}
    readable = readable_participants(study) if may_code(user, study) else set()
    for take in Rehearsal.objects.filter(pk__in=keys, owner__in=owners):
        person = owners[take.owner_id]
        yield CodedTake(
            take=take,
            person=person,
            label=labels.get(take.pk, ""),
            is_readable=person.pk in readable,
        )
