"""What another rule set would have changed for one report."""

from __future__ import annotations

from feedback_rules.model import Draft
from feedback_rules.model.values import Document


class Change(Document):
    """Ids of the rules whose items came or went, and whether the order of the rest changed."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    reordered: bool

    @property
    def is_none(self) -> bool:
        """Whether the person would see the same items in the same order."""
        return not (self.gained or self.lost or self.reordered)


def compare(before: Draft, after: Draft) -> Change:
    """The change from one draft of a report to another."""
    old = [item.rule for item in before.items]
    new = [item.rule for item in after.items]
    return Change(
        gained=tuple(rule for rule in new if rule not in old),
        lost=tuple(rule for rule in old if rule not in new),
        reordered=[r for r in old if r in new] != [r for r in new if r in old],
    )
