"""The model of a coach's spoken replies."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from coach.lib.work.leases import Leased
from coach.rehearsals.models import Rehearsal
from coach.storage import places


class SpokenReply(Leased):
    """A coach's recording at a time of a take. It goes out with the next release of feedback."""

    class State(models.TextChoices):
        """The state of its processing. A failed one plays without captions if it has a copy."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    GOING_ON = (State.QUEUED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    rehearsal = models.ForeignKey(
        Rehearsal, on_delete=models.CASCADE, related_name="spoken_replies"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    author_name = models.CharField(max_length=120)
    # Seconds of the take's media.
    at = models.FloatField()
    # Storage key. None once the coach's account is erased: the words stay.
    media_key = models.UUIDField(null=True, blank=True, unique=True)
    sha256 = models.CharField(max_length=64, blank=True)
    has_copy = models.BooleanField(default=False)
    playback_type = models.CharField(max_length=40, blank=True)
    duration = models.FloatField(null=True, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    queued_at = models.DateTimeField(default=timezone.now)
    # The transcribed words: text, start and end in seconds of the reply.
    words = models.JSONField(default=list, blank=True)
    language = models.CharField(max_length=10, blank=True)
    # Why it cannot be played or has no captions, as a note (`coach.lib.words.sentences`).
    problem = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "spoken reply")
        ordering = ["at", "created_at"]

    def __str__(self) -> str:
        return f"Spoken reply of {self.author_name}"

    @property
    def plays(self) -> str:
        """Return the name of the stored copy for the player."""
        return places.copy_to_play(self.media_key or self.pk)

    @property
    def text(self) -> str:
        """Return the transcribed words as text."""
        return " ".join(word["text"] for word in self.words)
