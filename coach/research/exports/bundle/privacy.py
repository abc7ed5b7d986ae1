"""k-anonymity of the people in a bundle, by local suppression of small groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from coach.research.exports.bundle.scope import Included, Person


@dataclass(frozen=True, kw_only=True)
class Shown:
    """The attributes of a person in an export, besides the pseudonym."""

    group: str
    cohort: str
    experience: str
    language: str


def generalised(included: Included) -> list[tuple[Person, Shown]]:
    """Return the people with their attributes; rare cohorts and experience are suppressed.

    Classes below the study's k lose their cohort first, and those still below it their experience
    (local suppression, the coarsest first).
    """
    least = included.study.least_group
    people = [(person, _shown(person)) for person in included.people]
    for blank in ("cohort", "experience"):
        sizes = Counter(shown for _person, shown in people)
        people = [
            (person, replace(shown, **{blank: ""}) if sizes[shown] < least else shown)
            for person, shown in people
        ]
    return people


def privacy_report(included: Included) -> dict[str, Any]:
    """Return k, the classes, and the people below it, without pseudonyms. k says nothing
    about text.
    """
    people = generalised(included)
    sizes = Counter(shown for _person, shown in people)
    least = included.study.least_group
    small = [size for size in sizes.values() if size < least]
    before = {person.name: _shown(person) for person, _ in people}
    return {
        "k_wanted": least,
        "k_min": min(sizes.values(), default=0),
        "quasi_identifiers": ["user_group", "cohort", "experience_band", "practice_language"],
        "people": len(people),
        "classes": len(sizes),
        "classes_under_k": len(small),
        "people_under_k": sum(small),
        "cohorts_blanked": _changed(people, before, "cohort"),
        "experience_blanked": _changed(people, before, "experience"),
        "note": (
            "k applies to tables only. The content of an interview, a rare accent or a rare task "
            "can still identify a person; with few experts, k cannot be reached."
        ),
    }


def _shown(person: Person) -> Shown:
    each = person.participant
    return Shown(
        group=each.group,
        cohort=each.cohort,
        experience=each.experience,
        language=each.practice_language,
    )


def _changed(people: Iterable[tuple[Person, Shown]], before: dict[str, Shown], column: str) -> int:
    return sum(
        1
        for person, shown in people
        if getattr(shown, column) != getattr(before[person.name], column)
    )
