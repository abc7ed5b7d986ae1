"""The personal data in slides."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.rehearsals.models import Rehearsal
from coach.slides.models import SlideComparison
from coach.slides.selectors import own_decks_for, shown_during
from coach.slides.services import delete_deck


def _export(user: User) -> dict[str, Any]:
    own = ("id", "talk", "name", "size_bytes", "state", "texts", "created_at")
    return {"slides": list(own_decks_for(user).values(*own))}


def _export_take(take: Rehearsal) -> dict[str, Any]:
    shown = shown_during(take)
    found = SlideComparison.objects.filter(rehearsal=take).values("deck", "found").first()
    changes = {"deck": str(shown.deck_id), "changes": shown.changes} if shown else None
    return {"slides_shown": changes, "slides_compared": found}


def _erase(user: User) -> int:
    """Delete all decks of a user with their files. Return their number."""
    decks = list(own_decks_for(user))
    for deck in decks:
        delete_deck(deck=deck)
    return len(decks)


PERSONAL_DATA = PersonalData(
    app="slides",
    kept={
        "slides": (
            "as long as their talk; 7 days if no take was made with them (coach.slides.execution)"
        )
    },
    export=_export,
    export_take=_export_take,
    handed_out={"slides.deck.owner": "slides"},
    erase=_erase,
)
