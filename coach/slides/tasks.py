"""Celery tasks for slides: PDF files are opened in a worker, never in a web process."""

from __future__ import annotations

import uuid

from celery import shared_task

from coach.lib.work.wakeups import wake_workers
from coach.slides import execution
from coach.slides.models import Deck, SlideComparison

_HANGING_SECONDS = 300


def enqueue_deck(key: uuid.UUID) -> None:
    """Enqueue the opening of a deck."""
    wake_workers(open_deck, str(key), time_limit=_HANGING_SECONDS)


def enqueue_comparison(key: int) -> None:
    """Enqueue the comparison of a take with its slides."""
    wake_workers(compare_take, str(key), time_limit=_HANGING_SECONDS)


@shared_task(name="coach.slides.tasks.open_deck")
def open_deck(key: str) -> None:
    """Open one deck."""
    deck = Deck.objects.filter(pk=uuid.UUID(key), state=Deck.State.WAITING).first()
    if deck is not None and execution.count_try(deck):
        execution.open_deck(deck)


@shared_task(name="coach.slides.tasks.compare_take")
def compare_take(key: str) -> None:
    """Compare one take with its slides."""
    waiting = SlideComparison.objects.filter(pk=int(key), found__isnull=True)
    asked = waiting.select_related("deck", "rehearsal").first()
    if asked is not None and execution.count_try(asked):
        execution.compare_take(asked)


@shared_task(name="coach.slides.tasks.sweep")
def sweep() -> None:
    """Enqueue lost work again, and tidy decks without a talk."""
    for deck in execution.waiting_decks():
        enqueue_deck(deck.pk)
    for asked in execution.waiting_comparisons():
        enqueue_comparison(asked.pk)
    execution.tidy_decks()
