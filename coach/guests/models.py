"""Models of guest links, guests' comments, and coaches' permission to invite."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from coach.feedback.models import Item
from coach.rehearsals.models import Rehearsal

MOST_CHARACTERS = 2000


class GuestLink(models.Model):
    """A link to one take, valid until it ends. The link itself is not stored."""

    class Kind(models.TextChoices):
        """Purpose of a link: a guest watches and comments, a reader reads the owner's report, a
        viewer sees one moment with its card.
        """

        COMMENT = "comment"
        READ = "read"
        CLIP = "clip"

    class Clip(models.TextChoices):
        """State of a clip's file; empty for other links, and once the file is deleted."""

        WAITING = "waiting"
        READY = "ready"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="guest_links")
    # SHA-256 of its secret: database access alone does not open the take.
    digest = models.CharField(max_length=64, unique=True)
    meant_for = models.CharField(max_length=120)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_by_name = models.CharField(max_length=120)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.COMMENT)
    # The cards, and for a guest the timeline; a reader always gets the cards.
    shows_findings = models.BooleanField(default=False)
    # For a reader: the recording; timeline, transcript and measures.
    shows_recording = models.BooleanField(default=True)
    shows_all = models.BooleanField(default=True)
    # For a clip: the card, its stretch of the recording in seconds, and the state of its file.
    item = models.ForeignKey(
        Item, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    start = models.FloatField(null=True, blank=True)
    end = models.FloatField(null=True, blank=True)
    clip = models.CharField(max_length=8, choices=Clip.choices, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="a_clip_has_a_stretch",
                condition=~Q(kind="clip") | Q(start__gte=0, end__gt=F("start")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rehearsal} for {self.meant_for}"

    def is_open(self, now: datetime | None = None) -> bool:
        """Return whether the link is valid now."""
        return self.revoked_at is None and self.expires_at > (now or timezone.now())


class GuestComment(models.Model):
    """A guest's comment at a time of the recording in seconds, for the owner only."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    link = models.ForeignKey(GuestLink, on_delete=models.CASCADE, related_name="comments")
    # As the guest typed it.
    name = models.CharField(max_length=120)
    # The guest's visit, which may delete the comment.
    visit = models.UUIDField()
    at_seconds = models.FloatField()
    text = models.TextField(max_length=MOST_CHARACTERS)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at_seconds", "created_at"]

    def __str__(self) -> str:
        return f"{self.name} at {self.at_seconds}"


class CoachMayInvite(models.Model):
    """Permission of the owner for coaches who have the take to create links."""

    rehearsal = models.OneToOneField(
        Rehearsal, on_delete=models.CASCADE, primary_key=True, related_name="coach_may_invite"
    )
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"Coaches may invite guests to {self.rehearsal}"
