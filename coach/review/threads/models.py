"""The model of entries in threads."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from coach.feedback.models import Item, TimedNote
from coach.rehearsals.models import Rehearsal

MOST_CHARACTERS = 2000


class ThreadEntry(models.Model):
    """A message under a card or a note, or a tick; the newest tick counts."""

    class Kind(models.TextChoices):
        """The kind of an entry."""

        MESSAGE = "message"
        DONE = "done"
        REOPENED = "reopened"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    rehearsal = models.ForeignKey(
        Rehearsal, on_delete=models.CASCADE, related_name="thread_entries"
    )
    item = models.ForeignKey(
        Item, null=True, blank=True, on_delete=models.CASCADE, related_name="thread_entries"
    )
    note = models.ForeignKey(
        TimedNote, null=True, blank=True, on_delete=models.CASCADE, related_name="thread_entries"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    author_name = models.CharField(max_length=120)
    is_owners = models.BooleanField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    text = models.TextField(blank=True, max_length=MOST_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "message in a thread")
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="an_entry_is_about_a_card_or_a_note",
                condition=Q(item__isnull=True) ^ Q(note__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author_name}: {self.kind}"
