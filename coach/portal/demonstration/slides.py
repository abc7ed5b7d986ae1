"""Slides of the demonstration: a deck of ours for the trainee's talk."""

from __future__ import annotations

import io
from typing import Final

from django.core.files.uploadedfile import SimpleUploadedFile
from reportlab.pdfgen.canvas import Canvas

from coach.rehearsals.models import Talk
from coach.slides.models import Deck
from coach.slides.selectors import decks_of_talk
from coach.slides.services import add_deck

OWNER: Final = "trainee@rostrum.example"
TITLE: Final = "My thesis in ninety seconds"
SLIDES: Final = (
    ("How people remember directions", "My thesis in ninety seconds"),
    ("Seven steps are given", "Three are kept"),
    ("Eighty people, one walk", "Half heard the usual way", "Half heard a red door, a bakery"),
    ("Half as many mistakes",),
    ("Mistakes happen at the fourth step", "A short stop after the third helps"),
    ("Two days later", "Repeated: 5 of 7 steps", "Not repeated: 2"),
    ("Three steps. Something to see. And then a stop.",),
)
"""The lines of each slide; the last slide is said as written in the second take."""
_SIZE: Final = (960, 540)


def give_slides() -> Deck | None:
    """Return the deck of the trainee's talk, added if it has none; None without the talk."""
    talk = Talk.objects.filter(owner__email=OWNER, title=TITLE).first()
    if talk is None:
        return None
    if (deck := decks_of_talk(talk.pk).first()) is not None:
        return deck
    file = SimpleUploadedFile("directions.pdf", _pdf(), content_type="application/pdf")
    return add_deck(owner=talk.owner, file=file, talk=talk)


def _pdf() -> bytes:
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=_SIZE)
    for lines in SLIDES:
        for number, line in enumerate(lines):
            canvas.setFont("Helvetica-Bold" if number == 0 else "Helvetica", 36 - 6 * (number > 0))
            canvas.drawString(60, 400 - 70 * number, line)
        canvas.showPage()
    canvas.save()
    return written.getvalue()
