"""Groups of people, pooled so that none is too small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from coach.research.dashboard.spec import Asked, Choice
from coach.research.exports.bundle.scope import Person
from coach.research.studies.models import Participant

TOGETHER = ""
"""Everybody, or all those whose groups are small."""
BY_GROUP, BY_CONDITION, BY_NOTHING = "user_group", "condition", "all"


def group_of(asked: Asked, by: str, people: Iterable[Person]) -> Mapping[str, str]:
    """Return the group of each pseudonym, with small groups pooled.

    Groups below the study's k are pooled; if these are still too few, the smallest other group
    joins them, so that nobody is identified by subtraction. If only one group is left, all are
    `TOGETHER`.
    """
    groups = {each.name: _code(each, by) for each in people}
    sizes = Counter(groups.values())
    least = asked.included.study.least_group
    together: set[str] = set()
    for code, size in sorted(sizes.items(), key=lambda pair: (pair[1], pair[0])):
        pooled = sum(sizes[each] for each in together)
        if size < least or (together and pooled < least):
            together.add(code)
    return {name: TOGETHER if code in together else code for name, code in groups.items()}


def _code(person: Person, by: str) -> str:
    if by == BY_CONDITION:
        return person.condition
    return person.participant.group if by == BY_GROUP else TOGETHER


def group_words(asked: Asked, by: str, code: str) -> str:
    """Return the name of a group; blinded readers see only the letter of a condition."""
    if code == TOGETHER:
        return _("everyone") if by == BY_NOTHING else _("other groups combined")
    if by == BY_GROUP:
        return str(Participant.Group(code).label)
    if not asked.knows_conditions:
        return code
    names = {each.letter: each.name for each in asked.included.study.conditions.all()}
    return f"{code}: {names[code]}" if code in names else code


def by_choice(asked: Asked, first: str) -> Choice:
    """Return the choice of grouping, with conditions only if there are any."""
    options = [
        (BY_NOTHING, _("everyone together")),
        (BY_GROUP, _("by role in the study")),
    ]
    if asked.included.study.conditions.exists():
        options.append((BY_CONDITION, _("by condition")))
    known = {code for code, _label in options}
    value = asked.chosen.get("by", first)
    return Choice(
        name="by",
        label=_("People"),
        options=tuple(options),
        value=value if value in known else first,
    )
