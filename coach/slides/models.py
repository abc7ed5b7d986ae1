"""Models of slides: decks, the changes during a take, and the comparison with its report."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from coach.rehearsals.models import Rehearsal, Talk, Upload


class Deck(models.Model):
    """A PDF file with slides; its pages are stored as pictures once a worker has opened it."""

    class State(models.TextChoices):
        """Whether the pages can be shown."""

        WAITING = "waiting"
        READY = "ready"
        REFUSED = "refused"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decks"
    )
    # None until a take is made with it: the recorder shows slides before the talk has a name.
    talk = models.ForeignKey(
        Talk, null=True, blank=True, on_delete=models.CASCADE, related_name="decks"
    )
    name = models.CharField(max_length=255)
    size_bytes = models.BigIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    # Why it is refused, a code of `analysis.backends.pdf_pages`, with the page or number of pages.
    problem = models.CharField(max_length=12, blank=True)
    problem_number = models.PositiveIntegerField(default=0)
    # The text of each page, empty for a scanned one; its length is the number of pages.
    texts = models.JSONField(default=list, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = pgettext_lazy("thing", "slides")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self.texts)


class ShownSlides(models.Model):
    """The changes of slides while a take was recorded here; deleted with its upload."""

    upload = models.OneToOneField(Upload, on_delete=models.CASCADE, related_name="shown_slides")
    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="shown")
    # Pairs of recorded seconds and slide, which counts from 0.
    changes = models.JSONField()

    def __str__(self) -> str:
        return f"{self.deck} during {self.upload}"


class SlideComparison(models.Model):
    """What a worker found about the slides of a take, for one report."""

    rehearsal = models.OneToOneField(
        Rehearsal, on_delete=models.CASCADE, related_name="slide_comparison"
    )
    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="comparisons")
    run = models.UUIDField()
    # `SlidesBesideTalk`; None while it waits, empty if nothing can be said.
    found = models.JSONField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.deck} beside {self.rehearsal}"
