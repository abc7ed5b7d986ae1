"""Search of texts for names of the study's people, addresses and telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from coach.accounts.models import User
from coach.feedback.models import Verdict
from coach.research.coding.interviews.redaction.names import (
    names_in_files,
    parts_in_files,
    parts_of,
)
from coach.research.coding.models import Coder
from coach.research.exports.bundle.guard.problem import E_MAIL, KNOWN_NAME, PHONE, Problem
from coach.research.studies.models import Pseudonym, Study
from feedback_rules.model.wording import inner_states_in

# Possessive, and only from the start of a word: one word of a million letters takes no longer than
# a million words.
_E_MAIL = re.compile(r"(?:(?<![\w.+-])[\w.+-]++|(?<=\]))@[\w-]++\.[\w.-]*\w")
"""Also what a token tore: after `[NAME-1]` the rest of an address still leads to somebody."""
_PHONE = re.compile(r"(?<![\w.:/-])\+?\(?\d(?:[ ().\-/]{0,2}\d){8,14}(?![\w:])")
"""Nine to fifteen digits (E.164 has fifteen at most), with what people put between them."""
_HIDDEN = "…"


@dataclass(frozen=True, slots=True)
class Watch:
    """The patterns for the texts of one study."""

    whole: re.Pattern[str] | None
    """Full names and addresses, in any case."""
    parts: re.Pattern[str] | None
    """Parts of names, as names are written."""
    innocent: frozenset[str]

    def in_text(self, text: str, place: str) -> Iterator[Problem]:
        """Yield names, addresses and telephone numbers with their positions."""
        for pattern in (self.whole, self.parts):
            for found in pattern.finditer(text) if pattern else ():
                if self._counts(found.group()):
                    yield Problem(KNOWN_NAME, _at(place, found), f"{found.group()[0]}{_HIDDEN}")
        for found in _E_MAIL.finditer(text):
            if self._counts(found.group()):
                yield Problem(E_MAIL, _at(place, found), f"{found.group()[0]}{_HIDDEN}")
        for found in _PHONE.finditer(text):
            if self._counts(found.group()):
                yield Problem(PHONE, _at(place, found), f"{_HIDDEN}{found.group()[-2:]}")

    def inner_states(self, text: str) -> list[str]:
        """Return words for feelings, without those that a lead has allowed."""
        found = dict.fromkeys(inner_states_in(text))  # of several languages the same word
        return [word for word in found if self._counts(word)]

    def _counts(self, word: str) -> bool:
        return word.casefold() not in self.innocent


def watch_for(study: Study) -> Watch:
    """Return the patterns for everybody whom the study knows by name, and for addresses."""
    people = set(_people(study).values_list("name", "email"))
    whole = {part for pair in people for part in pair if part}
    in_files = names_in_files(study)
    parts = parts_of(name for name in whole if "@" not in name)
    parts |= parts_in_files(name for name in in_files if "@" not in name)
    whole |= in_files
    return Watch(
        whole=_any_of(whole, re.IGNORECASE),
        parts=_any_of(parts - whole),
        innocent=frozenset(word.casefold() for word in study.innocent_words),
    )


def _people(study: Study) -> QuerySet[User]:
    """Return the participants, their coaches, and coders."""
    linked = Pseudonym.objects.filter(study=study).values("user")
    coaches = Verdict.objects.filter(item__feedback__rehearsal__owner__in=linked)
    coders = Coder.objects.filter(study=study, user__isnull=False)
    return User.objects.filter(
        Q(pk__in=linked) | Q(pk__in=coaches.values("coach")) | Q(pk__in=coders.values("user"))
    )


def _any_of(words: Iterable[str], flags: int = 0) -> re.Pattern[str] | None:
    # Longest first, so that a whole name matches before its beginning.
    escaped = [re.escape(word) for word in sorted(words, key=len, reverse=True)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(escaped)})(?!\w)", flags) if escaped else None


def _at(place: str, found: re.Match[str]) -> str:
    return f"{place}, character {found.start()}"
