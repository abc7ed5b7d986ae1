"""Search of texts for names of the study's people, addresses and telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from coach.accounts.models import User
from coach.feedback.models import Verdict
from coach.research.coding.interviews.redaction.folding import visible
from coach.research.coding.interviews.redaction.matching import (
    KnownNames,
    NameFinder,
    is_usual_word,
    parts_of,
    plain,
)
from coach.research.coding.interviews.redaction.names import (
    names_in_files,
    names_taken_out,
    parts_in_files,
)
from coach.research.coding.interviews.redaction.patterns import NUMBER
from coach.research.coding.models import Coder
from coach.research.exports.bundle.guard.problem import E_MAIL, KNOWN_NAME, PHONE, BundleProblem
from coach.research.studies.models import Member, Pseudonym, Study
from feedback_rules.model.wording import inner_states_in

# Possessive, and only from the start of a word: one word of a million letters takes no longer than
# a million words.
_E_MAIL = re.compile(r"(?:(?<![\w.+-])[\w.+-]++|(?<=\]))@[\w-]++\.[\w.-]*\w")
"""Also addresses torn by a token: after `[NAME-1]` the rest still identifies somebody."""
_PHONE = re.compile(NUMBER)
_HIDDEN = "…"


@dataclass(frozen=True, slots=True)
class NameSearch:
    """The search for the texts of one study."""

    spoken: NameFinder
    """For transcripts and answers: parts of names with their capital only, since a rose is no
    person."""
    written: NameFinder
    """For what coders write, and names of files: in any case, and also redacted names."""
    innocent: frozenset[str]

    def in_text(
        self, text: str, place: str, *, about: str = "", by_coders: bool = False
    ) -> Iterator[BundleProblem]:
        """Yield names, addresses and numbers with their positions, masked."""
        for code, start, end in self.places(text, by_coders=by_coders):
            words = text[start:end]
            what = f"{_HIDDEN}{words[-2:]}" if code == PHONE else f"{words[0]}{_HIDDEN}"
            yield BundleProblem(code, f"{place}, character {start}", what, about)

    def places(self, text: str, *, by_coders: bool) -> Iterator[tuple[str, int, int]]:
        """Yield names, addresses and numbers: what each is, and its span."""
        for start, end in (self.written if by_coders else self.spoken).places(text):
            if self._counts(text[start:end]):
                yield KNOWN_NAME, start, end
        seen = visible(text)
        for pattern, code in ((_E_MAIL, E_MAIL), (_PHONE, PHONE)):
            for found in pattern.finditer(seen.text):
                if self._counts(found.group()):
                    start, end = seen.span(*found.span()) or found.span()
                    yield code, start, end

    def inner_states(self, text: str) -> list[str]:
        """Return words for feelings, without those that a lead has allowed."""
        found = dict.fromkeys(inner_states_in(text))  # of several languages the same word
        return [word for word in found if self._counts(word)]

    def _counts(self, word: str) -> bool:
        return plain(word) not in self.innocent


def name_search_for(study: Study) -> NameSearch:
    """Return the search for everybody whom the study knows by name, and for addresses."""
    people = set(_people(study).values_list("name", "email"))
    whole = {part for pair in people for part in pair if part}
    in_files = names_in_files(study)
    parts = parts_of(name for name in whole if "@" not in name)
    parts |= parts_in_files(name for name in in_files if "@" not in name)
    # Two letters that are a usual word, such as Al, would stop every export.
    names = {name for name in whole | in_files if len(name) > 1 and not is_usual_word(name)}
    out = names_taken_out(study)
    known = KnownNames(whole=frozenset(names), parts=frozenset(parts))
    return NameSearch(
        spoken=NameFinder(known),
        written=NameFinder(
            KnownNames(whole=known.whole | out.whole, parts=known.parts | out.parts), any_case=True
        ),
        innocent=frozenset(map(plain, study.innocent_words)),
    )


def names_among(study: Study, words: Iterable[str]) -> list[str]:
    """Return the words that are the full name or the address of somebody in the study.

    A part of a name may be another word: a lead may allow it.
    """
    people = {value for pair in _people(study).values_list("name", "email") for value in pair}
    full = {plain(each) for each in people | names_in_files(study) if " " in each or "@" in each}
    return [each for each in words if plain(each) in full and each not in study.innocent_words]


def _people(study: Study) -> QuerySet[User]:
    """Return the participants, their coaches, the members and the coders."""
    linked = Pseudonym.objects.filter(study=study).values("user")
    coaches = Verdict.objects.filter(item__feedback__rehearsal__owner__in=linked)
    members = Member.objects.filter(study=study)
    coders = Coder.objects.filter(study=study, user__isnull=False)
    return User.objects.filter(
        Q(pk__in=linked)
        | Q(pk__in=coaches.values("coach"))
        | Q(pk__in=coders.values("user"))
        | Q(pk__in=members.values("user"))
    )
