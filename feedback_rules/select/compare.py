"""What another rule set would have changed for one report."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from feedback_rules.model import Draft, DraftItem
from feedback_rules.model.values import Document


class DraftChange(Document):
    """Ids of the rules whose items came or went, and what became of those that stay."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    reordered: bool
    moved: tuple[str, ...] = ()
    """Items that stay and take another place among those that stay."""
    reworded: tuple[str, ...] = ()
    """Items that stay and read differently, or play other moments."""
    newly_waiting: tuple[str, ...] = ()
    no_longer_waiting: tuple[str, ...] = ()
    """What a coach alone would see: items that wait for one."""

    @property
    def is_none(self) -> bool:
        """Whether the person would see the same items in the same order."""
        return not (self.gained or self.lost or self.reordered)

    @property
    def is_nothing_at_all(self) -> bool:
        """Whether nobody would see any difference, the coach included."""
        seen_by_coach = self.newly_waiting or self.no_longer_waiting
        return self.is_none and not (self.reworded or seen_by_coach)


def compare(before: Draft, after: Draft) -> DraftChange:
    """The change from one draft of a report to another."""
    old = {item.rule: item for item in before.items}
    new = {item.rule: item for item in after.items}
    old_stay = [rule for rule in old if rule in new]
    new_stay = [rule for rule in new if rule in old]
    waited, waits = _waiting(before), _waiting(after)
    return DraftChange(
        gained=_only_in(list(new), old),
        lost=_only_in(list(old), new),
        reordered=old_stay != new_stay,
        moved=tuple(a for a, b in zip(new_stay, old_stay, strict=True) if a != b),
        reworded=tuple(rule for rule in new_stay if _as_read(old[rule]) != _as_read(new[rule])),
        newly_waiting=_only_in(waits, waited),
        no_longer_waiting=_only_in(waited, waits),
    )


def _only_in(these: Sequence[str], others: Collection[str]) -> tuple[str, ...]:
    return tuple(rule for rule in these if rule not in others)


def _waiting(draft: Draft) -> list[str]:
    return [held.rule for held in draft.held_back if held.needs_coach]


def _as_read(item: DraftItem) -> tuple[object, ...]:
    return (item.text, item.counterfactual, item.exercise, item.clips)
