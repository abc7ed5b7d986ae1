"""Services for slides: add a deck, save its changes, compare it with a take, delete it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.translation import gettext as _

from analysis.backends.pdf_pages import MOST_PAGES
from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Run
from coach.lib.files.scratch import scratch
from coach.lib.words.sizes import size_words
from coach.rehearsals.models import Rehearsal, Talk, Upload
from coach.rehearsals.removals import remove_for_good
from coach.slides.models import Deck, ShownSlides, SlideComparison
from coach.slides.selectors import deck_of, own_decks_for
from coach.slides.tasks import enqueue_comparison, enqueue_deck
from coach.storage import places, storage

_MOST_DECKS = 50
"""Most decks of one person (rule of thumb): a deck of 100 pages takes about 10 MB."""
_MOST_CHANGES = 2_000
"""Most changes of one take (rule of thumb): more than one in three seconds of 90 minutes."""
_HEADER_BYTES = 1024
"""A PDF file names itself within this many bytes (ISO 32000-1, annex H)."""


def add_deck(*, owner: User, file: UploadedFile[Any], talk: Talk | None = None) -> Deck:
    """Store a PDF file for a worker to open. Raises ValidationError and StorageUnavailable."""
    _check(owner, file)
    deck = Deck(owner=owner, talk=talk, name=(file.name or "")[:255], size_bytes=file.size or 0)
    with scratch() as folder:
        path = folder / "deck.pdf"
        with path.open("wb") as copy:
            for piece in file.chunks():
                copy.write(piece)
        storage().keep(path, places.deck_file(deck.pk))
    with transaction.atomic():
        deck.save()
        record_act(action="slides.added", target=deck, actor=owner)
        transaction.on_commit(lambda: enqueue_deck(deck.pk))
    return deck


def _check(owner: User, file: UploadedFile[Any]) -> None:
    if (file.size or 0) > settings.MAX_SLIDES_BYTES:
        most = size_words(settings.MAX_SLIDES_BYTES)
        raise ValidationError(
            _("This file is larger than %(most)s. Export it with smaller pictures.")
            % {"most": most}
        )
    if b"%PDF-" not in file.read(_HEADER_BYTES):
        raise ValidationError(_("This is not a PDF file. Export your slides as PDF."))
    file.seek(0)
    if own_decks_for(owner).count() >= _MOST_DECKS:
        raise ValidationError(
            _("You have %(n)s files with slides. Delete one first.") % {"n": _MOST_DECKS}
        )


@transaction.atomic
def note_shown(*, upload: Upload, deck: Deck, changes: Sequence[object]) -> None:
    """Save when each slide was shown in a recording; later calls replace earlier ones."""
    tidy = [pair for pair in map(_pair, changes[:_MOST_CHANGES]) if pair is not None]
    if tidy:
        values = {"deck": deck, "changes": tidy}
        ShownSlides.objects.update_or_create(upload=upload, defaults=values)


def _pair(change: object) -> list[float] | None:
    """Return the seconds and the slide of a change, or None if it is not one."""
    match change:
        case [int() | float() as seconds, int() as slide] if (
            math.isfinite(seconds) and seconds >= 0 and 0 <= slide < MOST_PAGES
        ):
            return [round(float(seconds), 2), slide]
    return None


@transaction.atomic
def ask_comparison(*, rehearsal: Rehearsal, run: Run) -> SlideComparison | None:
    """Compare a take with its slides in a worker, once for each report. Return None without slides.

    Also makes the deck one of the talk, so that it is kept and deleted with it.
    """
    deck = deck_of(rehearsal)
    if deck is None or deck.state != Deck.State.READY:
        return None
    if deck.talk_id is None:
        Deck.objects.filter(pk=deck.pk, talk=None).update(talk=rehearsal.talk_id)
    found = SlideComparison.objects.filter(rehearsal=rehearsal).first()
    if found is not None and (found.run, found.deck_id) == (run.pk, deck.pk):
        return found
    values = {"deck": deck, "run": run.pk, "found": None, "tries": 0}
    asked, _made = SlideComparison.objects.update_or_create(rehearsal=rehearsal, defaults=values)
    transaction.on_commit(lambda: enqueue_comparison(asked.pk))
    return asked


@transaction.atomic
def delete_deck(*, deck: Deck) -> None:
    """Delete a deck, its file and pictures, and what was found with it."""
    record_act(action="slides.deleted", target=deck, actor=deck.owner)
    remove_for_good(places.deck_place(deck.pk))
    deck.delete()


def remove_files_of_talk(talk_id: UUID) -> None:
    """Remove the files of a talk's decks, whose rows are deleted with the talk."""
    for key in Deck.objects.filter(talk=talk_id).values_list("pk", flat=True):
        remove_for_good(places.deck_place(key))
