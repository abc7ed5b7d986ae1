"""Comparison of two rule sets on one report."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from feedback_rules.model import Draft, DraftItem
from feedback_rules.model.values import Document


class DraftChange(Document):
    """Ids of rules whose items were added, removed or changed."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    reordered: bool
    moved: tuple[str, ...] = ()
    """Remaining items that changed their position among the remaining ones."""
    reworded: tuple[str, ...] = ()
    """Remaining items with different texts or moments."""
    newly_waiting: tuple[str, ...] = ()
    no_longer_waiting: tuple[str, ...] = ()
    """Items waiting for a coach, which only the coach sees."""

    @property
    def is_none(self) -> bool:
        """Return whether the person would see the same items in the same order."""
        return not (self.gained or self.lost or self.reordered)

    @property
    def is_nothing_at_all(self) -> bool:
        """Return whether neither the person nor the coach would see a difference."""
        seen_by_coach = self.newly_waiting or self.no_longer_waiting
        return self.is_none and not (self.reworded or seen_by_coach)


def compare(before: Draft, after: Draft) -> DraftChange:
    """Return the change between two drafts of a report."""
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
