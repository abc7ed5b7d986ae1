"""The current state of items: their documents with the coach's decisions applied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from coach.feedback.documents import CardClip, CardDocument
from coach.feedback.models import CorrectedCard, Feedback, Item, Verdict

Decision = Literal["open", "accepted", "edited", "rejected", "replaced", "added", "held"]

Correction = Literal["", "follows", "silent"]

MAX_SHOWN = 3
"""The maximum number of items in released feedback: people do not remember more."""

_DECISIONS: dict[str, Decision] = {
    Verdict.Kind.ACCEPT: "accepted",
    Verdict.Kind.EDIT: "edited",
    Verdict.Kind.REJECT: "rejected",
    Verdict.Kind.REPLACE: "replaced",
    Verdict.Kind.ADD: "added",
    Verdict.Kind.HOLD: "held",
}
_NOT_SHOWN = {"rejected", "replaced", "held"}
_REJECTING = {Verdict.Kind.REJECT, Verdict.Kind.REPLACE}


@dataclass(frozen=True, kw_only=True)
class StandingItem:
    """An item in its current wording, with its decision."""

    item: Item
    decision: Decision
    verdict: Verdict | None
    said: Verdict | None
    """The last verdict other than holding back, or None."""
    document: dict[str, Any]
    original_claim: str
    """The first wording if it was changed, else empty."""
    correction: Correction = ""
    """Whether the figures follow a correction, or the rule no longer fires after one."""
    machines_clips: tuple[CardClip, ...] | None = None
    """The machine's moments if a coach replaced them, else None."""

    @cached_property
    def card(self) -> CardDocument:
        """The current document, typed."""
        return CardDocument.read(self.document)

    @property
    def is_taken_out(self) -> bool:
        """Whether the item is a coach's own that was removed again."""
        return self.item.origin == Item.Origin.COACH and self.decision == "open"

    @property
    def is_rejected(self) -> bool:
        """Whether a coach rejected or replaced the item, held back or not."""
        return self.said is not None and self.said.kind in _REJECTING

    @property
    def is_shown(self) -> bool:
        """Whether the trainee reads the item."""
        return not self.is_taken_out and is_let_through(
            self.decision, is_chosen=self.item.is_chosen
        )


def decision_of(said: Sequence[tuple[str, bool]]) -> Decision:
    """Return the decision after these verdicts, oldest first: (kind, whether it rewords)."""
    if not said:
        return "open"
    decision = _DECISIONS[said[-1][0]]
    is_reworded = any(says_other_words for _kind, says_other_words in said)
    return "edited" if decision == "accepted" and is_reworded else decision


def is_let_through(decision: Decision, *, is_chosen: bool) -> bool:
    """Return whether the trainee reads a rule's item after this decision."""
    return decision not in _NOT_SHOWN and (is_chosen or decision != "open")


def standing(item: Item, *, at: datetime | None = None) -> StandingItem:
    """Return an item with the decisions in force applied to its document.

    Corrected values of the rule's card override the draft, and verdicts override both. With
    `at`, decisions as of that time.
    """
    verdicts = list(_standing_verdicts(item, at))
    corrected: CorrectedCard | None = getattr(item, "corrected", None)
    drafted = {**item.document, **(corrected.document if corrected else {})}
    worded = {name: said for verdict in verdicts for name, said in verdict.wording.items()}
    if worded.get("clips") is None:
        worded.pop("clips", None)  # the machine's moments apply again
    machines_clips = CardDocument.read(drafted).clips if "clips" in worded else None
    document = {**drafted, **worded}
    last = verdicts[-1] if verdicts else None
    decision = decision_of([(each.kind, bool(each.wording)) for each in verdicts])
    changed = document.get("claim", "") != item.card.claim or any(
        verdict.wording for verdict in verdicts
    )
    return StandingItem(
        item=item,
        decision=decision,
        verdict=last,
        said=next((each for each in reversed(verdicts) if each.kind != Verdict.Kind.HOLD), None),
        document=document,
        original_claim=_first_wording(item) if changed else "",
        correction=_correction(corrected),
        machines_clips=machines_clips,
    )


def _correction(corrected: CorrectedCard | None) -> Correction:
    if corrected is None or (corrected.holds and not corrected.document):
        return ""
    return "follows" if corrected.holds else "silent"


def _standing_verdicts(item: Item, at: datetime | None) -> Iterator[Verdict]:
    """Yield the verdicts in force, those of earlier versions first."""
    if item.former is not None:
        yield from _standing_verdicts(item.former, at)
    yield from (each for each in item.verdicts.all() if stands(each, at))


def stands(verdict: Verdict, at: datetime | None = None) -> bool:
    """Return whether a decision is in force (not undone), now or at the time `at`."""
    if at is None:
        return verdict.undone_at is None
    return verdict.at <= at and (verdict.undone_at is None or verdict.undone_at > at)


def _first_wording(item: Item) -> str:
    card = item.card
    parts = (card.claim, card.comparison, card.why, card.suggestion)
    return " ".join(part for part in parts if part)


def before_release(item: Item) -> StandingItem:
    """Return an item as its owner reads it before the release: without a coach's decisions and
    corrections, and with the owner's own.
    """
    corrected: CorrectedCard | None = getattr(item, "corrected", None)
    own = corrected.owner_document if corrected else None
    correction: Correction = ""
    if corrected is not None and own is not None:
        correction = "follows" if corrected.holds_for_owner else "silent"
    return StandingItem(
        item=item,
        decision="open",
        verdict=None,
        said=None,
        document={**item.document, **(own or {})},
        original_claim="",
        correction=correction,
    )


def standing_items(feedback: Feedback) -> list[StandingItem]:
    """Return all items of a version in reading order, leading strengths first (`_leads`).

    A coach's own items that were removed again are left out.
    """
    ordered = _in_order(map(standing, _items(feedback)), feedback.order)
    return [each for each in ordered if not each.is_taken_out]


def items_for_reading(feedback: Feedback) -> list[StandingItem]:
    """Return the items for the trainee: of the draft, or of the released version.

    An item of the draft whose rule no longer fires after the owner's corrections is left out.
    """
    if feedback.is_released:
        return shown(standing_items(feedback))
    return [each for each in _drafted(feedback) if each.correction != "silent"]


def withdrawn_by_owner(feedback: Feedback) -> int:
    """Return how many items of a draft no longer apply after the owner's corrections."""
    if feedback.is_released:
        return 0
    return sum(each.correction == "silent" for each in _drafted(feedback))


def _drafted(feedback: Feedback) -> list[StandingItem]:
    return shown(_in_order(map(before_release, _items(feedback))))


def _items(feedback: Feedback) -> Iterable[Item]:
    return feedback.items.select_related("corrected", "former").prefetch_related(
        "verdicts",
        "disputes",
        "questions",
        "former__verdicts",
        "former__disputes",
        "former__questions",
    )


def _in_order(items: Iterable[StandingItem], order: Sequence[str] = ()) -> list[StandingItem]:
    """Return the items in the coach's order, then the others in the draft's order."""
    places = {key: place for place, key in enumerate(order)}
    return sorted(
        items,
        key=lambda each: (
            places.get(str(each.item.pk), len(places)),
            not _leads(each.item),
            each.item.position,
            str(each.item.pk),
        ),
    )


def _leads(item: Item) -> bool:
    """Return whether an item is a strength that comes first.

    General praise of the talk keeps its place in the draft, after the first improvement.
    """
    is_total = item.card.is_about_talk and not item.card.is_progress
    return item.tone == "strength" and not is_total


def shown(items: Iterable[StandingItem]) -> list[StandingItem]:
    """Return the items that the trainee would read now."""
    return [each for each in items if each.is_shown]
