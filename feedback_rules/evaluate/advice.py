"""Choice of a card's suggestion: the first that fits the report and does not ask for behaviour that
a strength of the same report praises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from feedback_rules.evaluate.conditions import why_not
from feedback_rules.evaluate.facts import Facts
from feedback_rules.model import Behaviour, Finding, Moment, Rule, Suggestion

USUAL = "usual"
"""Name of the message's own suggestion in a case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Praise:
    """Behaviour praised by a strength of this report, with its moments."""

    behaviour: Behaviour
    moments: tuple[Moment, ...]


def praise_in(findings: Iterable[Finding], rules: Mapping[str, Rule]) -> tuple[Praise, ...]:
    """Return the praise of the strengths that fired, shown or not, since a coach may still add
    them.
    """
    return tuple(
        Praise(behaviour=praised, moments=finding.moments)
        for finding in findings
        if finding.fired and finding.tone == "strength"
        if (praised := rules[finding.rule].behaviour) is not None
    )


def chosen_suggestion(
    rule: Rule, finding: Finding, facts: Facts, praise: tuple[Praise, ...]
) -> Suggestion | None:
    """Return the first suggestion that fits; None for that of the message."""
    for suggestion in rule.suggestions:
        fits = all(why_not(condition, facts) is None for condition in suggestion.when)
        if fits and not contradicts(suggestion.behaviour, finding.moments, praise):
            return suggestion
    return None


def contradicts(advised: Behaviour, moments: tuple[Moment, ...], praise: Iterable[Praise]) -> bool:
    """Return whether advice asks for behaviour that is praised in the same place."""
    return any(
        each.behaviour.kind == advised.kind and _share_place(each, advised, moments)
        for each in praise
    )


def _share_place(praise: Praise, advised: Behaviour, moments: tuple[Moment, ...]) -> bool:
    """Return whether praise and advice concern the same place.

    Behaviour praised throughout is not asked for in a part. Praise of a part leaves the rest open,
    and advice for its own moments names those where the behaviour is missing.
    """
    asked = set(advised.where)
    praised = set(praise.behaviour.where)
    if "talk" in praised and asked - {"moments"}:
        return True
    if (asked & praised) - {"moments"}:
        return True
    return "moments" in asked & praised and _overlap(praise.moments, moments)


def _overlap(some: tuple[Moment, ...], others: tuple[Moment, ...]) -> bool:
    return any(one.start < other.end and other.start < one.end for one in some for other in others)
