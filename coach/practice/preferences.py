"""What a person asked not to be spoken of, and whether figures wait, in practising too."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from analysis.metrics import BY_ID, PROFILE_FAMILIES
from coach.accounts.models import User
from coach.accounts.selectors import profile_of

_FIRST_LANGUAGE = "first_language"
_USUAL_OF_FIRST = frozenset({"pauses.long_mid_clause_per_minute", "wording.sentence_length_words"})
"""What is usual of them is only known of people in their first language."""


def is_quiet(metric: str, quiet: Collection[str]) -> bool:
    """Whether a measure, or its family, is among what nothing is to be said of."""
    return metric in quiet or BY_ID[metric].family in quiet


def spoken_of(person: User, metrics: Iterable[str], *, with_norms: bool = False) -> list[str]:
    """Those of which something may be said to this person, as their profile stands now.

    `with_norms`: it is held against a line, not against their own takes alone.
    """
    wishes = profile_of(person)
    off = {
        family
        for name in (*person.disabled_families, *wishes.leaves_out)
        for family in PROFILE_FAMILIES[name]
    }
    quiet = {*wishes.quiets, *off}
    found = [each for each in metrics if not is_quiet(each, quiet)]
    if with_norms and _FIRST_LANGUAGE in quiet:
        return [each for each in found if each not in _USUAL_OF_FIRST]
    return found


def reads_words_first(person: User) -> bool:
    """Whether figures wait until they are asked for."""
    return profile_of(person).reads_words_first
