"""Profile preferences applied to practice: measures not to mention, and hidden figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from analysis.metrics import BY_ID, PROFILE_FAMILIES
from coach.accounts.models import User
from coach.accounts.selectors import profile_of

_FIRST_LANGUAGE = "first_language"
_USUAL_OF_FIRST = frozenset({"pauses.long_mid_clause_per_minute", "wording.sentence_length_words"})
"""What is usual of them is only known of people in their first language."""


def is_quiet(metric: str, quiet: Collection[str]) -> bool:
    """Return whether a measure or its family is among those not to mention."""
    return metric in quiet or BY_ID[metric].family in quiet


def spoken_of(person: User, metrics: Iterable[str], *, with_norms: bool = False) -> list[str]:
    """Return the measures that may be mentioned to this person, by their current profile.

    `with_norms`: the measure is compared with a threshold, not only with their own takes.
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
    """Return whether figures are hidden until requested."""
    return profile_of(person).reads_words_first
