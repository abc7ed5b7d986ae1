"""Work on slides in a worker: open a PDF file, compare a take with its slides, tidy up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from analysis.backends.pdf_pages import PdfRefused, open_pdf
from analysis.ports import SlideChange
from analysis.slides import compare
from coach.feedback.models import Run
from coach.feedback.reports import report_of
from coach.lib.files.scratch import scratch
from coach.rehearsals.removals import remove_for_good
from coach.slides.models import Deck, SlideComparison
from coach.slides.selectors import shown_during
from coach.storage import places, storage

MOST_TRIES = 3
_STALE = timedelta(minutes=5)
"""Work that is not done after this was lost with its worker (rule of thumb)."""
_UNUSED = timedelta(days=7)
"""Slides with which no take was made are deleted after this."""


def open_deck(deck: Deck) -> None:
    """Store a picture of each page and its text, or the reason why that is impossible."""
    with scratch() as folder:
        path = folder / "deck.pdf"
        with path.open("wb") as copy:
            for piece in storage().read(places.deck_file(deck.pk)):
                copy.write(piece)
        try:
            pages = open_pdf(path, folder)
        except PdfRefused as refused:
            _refuse(deck, refused.problem, refused.pages or refused.page)
            return
        for number, page in enumerate(pages):
            storage().keep(folder / page.picture, places.slide(deck.pk, number))
    _finish(deck, state=Deck.State.READY, texts=[page.text for page in pages])


def _refuse(deck: Deck, problem: str, number: int = 0) -> None:
    _finish(deck, state=Deck.State.REFUSED, problem=problem, problem_number=number)
    remove_for_good(places.deck_place(deck.pk))


def _finish(deck: Deck, **values: Any) -> None:
    """Save the outcome; of a deck deleted in the meantime, remove the files."""
    with transaction.atomic():
        if not Deck.objects.filter(pk=deck.pk).update(**values):
            remove_for_good(places.deck_place(deck.pk))


def compare_take(asked: SlideComparison) -> None:
    """Save what is found about the slides of a take."""
    run = Run.objects.filter(pk=asked.run).first()
    report = report_of(run) if run is not None else None
    shown = shown_during(asked.rehearsal)
    recorded = shown is not None and shown.deck_id == asked.deck_id
    found = report and compare(
        report.words,
        asked.deck.texts,
        language=report.language.code,
        duration=report.media.duration,
        changes=_changes(shown.changes) if shown is not None and recorded else None,
    )
    still_asked = SlideComparison.objects.filter(pk=asked.pk, run=asked.run, deck=asked.deck_id)
    still_asked.update(found=found.model_dump() if found else {})


def _changes(stored: Sequence[Sequence[float]]) -> list[SlideChange]:
    return [SlideChange(seconds, int(slide)) for seconds, slide in stored]


def waiting_decks() -> QuerySet[Deck]:
    """Return decks that wait for a worker longer than they should."""
    before = timezone.now() - _STALE
    return Deck.objects.filter(state=Deck.State.WAITING, created_at__lt=before)


def waiting_comparisons() -> QuerySet[SlideComparison]:
    """Return comparisons that wait for a worker longer than they should."""
    before = timezone.now() - _STALE
    return SlideComparison.objects.filter(found__isnull=True, asked_at__lt=before)


def count_try(row: Deck | SlideComparison) -> bool:
    """Count an attempt. Return False, and give up, if there were too many."""
    if row.tries < MOST_TRIES:
        row.tries += 1
        with suppress(DatabaseError):  # deleted in the meantime
            row.save(update_fields=["tries"])
        return True
    if isinstance(row, Deck):
        _refuse(row, "heavy")
    else:
        SlideComparison.objects.filter(pk=row.pk).update(found={})
    return False


def tidy_decks() -> None:
    """Give decks to the talk of their first take; delete those with which none was made."""
    loose = Deck.objects.filter(talk=None)
    for deck in loose.filter(shown__upload__rehearsal__isnull=False).distinct():
        shown = deck.shown.filter(upload__rehearsal__isnull=False).first()
        rehearsal = shown.upload.rehearsal if shown else None
        if rehearsal is not None:
            Deck.objects.filter(pk=deck.pk).update(talk=rehearsal.talk_id)
    unused = loose.filter(shown=None, created_at__lt=timezone.now() - _UNUSED)
    for deck in unused:
        with transaction.atomic():
            remove_for_good(places.deck_place(deck.pk))
            deck.delete()
