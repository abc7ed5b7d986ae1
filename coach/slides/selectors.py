"""Queries for slides: own decks, and those of takes that the user may read."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from analysis.ports import SlideChange, TimedSlides
from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal, Talk
from coach.rehearsals.selectors import readable_rehearsals_for
from coach.slides.models import Deck, ShownSlides, SlideComparison


def own_decks_for(user: User) -> QuerySet[Deck]:
    """Return the user's own decks: only owners add and delete them."""
    return Deck.objects.filter(owner=user)


def decks_for(user: User) -> QuerySet[Deck]:
    """Return the decks that the user may see: own ones, and those of takes they may read."""
    readable = readable_rehearsals_for(user).filter(pk=OuterRef("rehearsal"))
    shared = SlideComparison.objects.filter(Exists(readable), deck=OuterRef("pk"))
    return Deck.objects.filter(Q(owner=user) | Exists(shared))


def decks_of_talk(talk_id: UUID) -> QuerySet[Deck]:
    """Return the decks of a talk, newest first."""
    shown = ShownSlides.objects.filter(upload__rehearsal__talk=talk_id, deck=OuterRef("pk"))
    return Deck.objects.filter(Q(talk=talk_id) | Exists(shown))


def ready_decks_of(talk_id: UUID) -> QuerySet[Deck]:
    """Return the decks of a talk that can be shown, newest first."""
    return decks_of_talk(talk_id).filter(state=Deck.State.READY)


def shown_during(rehearsal: Rehearsal) -> ShownSlides | None:
    """Return the recorded changes of a take, or None."""
    shown = ShownSlides.objects.filter(upload__rehearsal=rehearsal)
    return shown.select_related("deck").first()


def timed_slides_of(rehearsal: Rehearsal) -> TimedSlides | None:
    """Return the slides that the recorder showed and timed in a take, or None."""
    shown = shown_during(rehearsal)
    if shown is None or not shown.deck.texts:
        return None
    changes = tuple(SlideChange(float(at), int(slide)) for at, slide in shown.changes)
    return TimedSlides(texts=tuple(shown.deck.texts), changes=changes)


def deck_of(rehearsal: Rehearsal) -> Deck | None:
    """Return the deck of a take: the one shown in it, else the newest of its talk, or None."""
    shown = shown_during(rehearsal)
    if shown is not None:
        return shown.deck
    return ready_decks_of(rehearsal.talk_id).first()


def titles_of(talk: Talk) -> list[str]:
    """Return the first line of each slide of the talk's newest deck; empty without one."""
    deck = ready_decks_of(talk.pk).first()
    return [title_in(text) for text in deck.texts] if deck else []


def title_in(text: str) -> str:
    """Return the first line of a slide's text, shortened; empty for a scanned slide."""
    lines = (line.strip() for line in text.splitlines())
    return next(filter(None, lines), "")[:120]
