"""Conflicts of two editors on an item: both texts are shown, none is overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.documents import CardDocument
from coach.feedback.items import standing
from coach.feedback.models import DeskAct, Item
from coach.lib.words.placeholder_names import name_words
from coach.review.items.words import DECISION_WORDS, time_words

_WRITTEN = ("wording", "claim", "comparison", "why", "suggestion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The current state of an item, and the text from a page that did not show it."""

    item_id: str
    words: str
    """The author, the decision and the time of the other change."""
    theirs: tuple[str, ...]
    mine: tuple[str, ...]
    """The typed texts; empty if only a button was pressed."""
    fields: tuple[tuple[str, str], ...]
    """The submitted fields, to send them again."""
    is_replacing: bool


def conflict_on(item: Item, act: DeskAct, typed: Mapping[str, str], *, coach: User) -> Conflict:
    """Return the conflict of a submitted page with an item's newer action."""
    now = standing(item)
    decision = str(DECISION_WORDS[now.decision]) or _("reopened")
    words = (
        _("You changed this card in another window at %(time)s (now: %(decision)s).")
        if act.coach_id == coach.pk
        else _("%(name)s changed this card at %(time)s (now: %(decision)s) while you had it open.")
    )
    return Conflict(
        item_id=str(item.pk),
        words=words
        % {
            "name": name_words(act.coach_name),
            "time": time_words(act.at),
            "decision": decision,
        },
        theirs=tuple(part for part in _texts_now(now.card, typed) if part),
        mine=tuple(typed[name] for name in _WRITTEN if typed.get(name)),
        fields=tuple(
            (name, value)
            for name, value in typed.items()
            if name not in {"csrfmiddlewaretoken", "seen"}
        ),
        is_replacing="tone" in typed,
    )


def _texts_now(card: CardDocument, typed: Mapping[str, str]) -> tuple[str, ...]:
    """Return the current texts of the submitted fields only."""
    also = (getattr(card, name) for name in ("comparison", "why") if name in typed)
    return (card.claim, *also, card.suggestion)
