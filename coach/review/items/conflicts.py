"""Two at one item: who changed what meanwhile, and both texts, so that nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.items import standing
from coach.feedback.models import DeskAct, Item
from coach.lib.words.former import name_words
from coach.review.items.words import DECISION_WORDS, time_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """What stands on an item now, and what somebody typed who had not seen it."""

    item_id: str
    words: str
    """Who did what, and when."""
    theirs: tuple[str, ...]
    mine: tuple[str, ...]
    """Claim and suggestion as they were typed; empty where only a button was pressed."""
    fields: tuple[tuple[str, str], ...]
    """The form as it was sent, to send it once more."""
    is_replacing: bool


def conflict_on(item: Item, act: DeskAct, typed: Mapping[str, str], *, coach: User) -> Conflict:
    """The conflict on an item whose newest act the page that was sent did not show."""
    now = standing(item)
    decision = str(DECISION_WORDS[now.decision]) or _("open again")
    words = (
        _("You changed this item in another window at %(time)s (now: %(decision)s).")
        if act.coach_id == coach.pk
        else _("%(name)s changed this item at %(time)s (now: %(decision)s) while you had it open.")
    )
    return Conflict(
        item_id=str(item.pk),
        words=words
        % {
            "name": name_words(act.coach_name),
            "time": time_words(act.at),
            "decision": decision,
        },
        theirs=tuple(part for part in (now.card.claim, now.card.suggestion) if part),
        mine=tuple(typed[name] for name in ("wording", "claim", "suggestion") if typed.get(name)),
        fields=tuple(
            (name, value)
            for name, value in typed.items()
            if name not in {"csrfmiddlewaretoken", "seen"}
        ),
        is_replacing="tone" in typed,
    )
