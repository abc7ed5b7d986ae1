"""Models of interview recordings: the plan, the file, and its transcription."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.lib.work.leases import Leased
from coach.research.coding.models.interviews import Guide, Interview, Speaker
from coach.research.studies.models import Participant, Study
from coach.storage import places


class Recording(Leased):
    """The recording of one conversation. It is deleted after a time; its text is kept.

    It contains voices and names, so only members who redact may open it, and only while all its
    participants consent.
    """

    class State(models.TextChoices):
        """State of a recording. For a removed one only this row is left."""

        AWAITED = "awaited", _("Not recorded yet")
        QUEUED = "queued", _("Waiting for a worker")
        RUNNING = "running", _("Being written down")
        DONE = "done", _("Written down")
        FAILED = "failed", _("Not written down")
        STOPPED = "stopped", _("Stopped")
        REMOVED = "removed", _("Recording deleted")

    class Step(models.TextChoices):
        """Processing steps, in order; another worker continues with this one."""

        PREPARE = "prepare", _("Opening the recording")
        PLAYBACK = "playback", _("Making a copy that plays everywhere")
        TRANSCRIBE = "transcribe", _("Writing down the words")

    GOING_ON = (State.QUEUED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="recordings")
    mode = models.CharField(_("held"), max_length=12, choices=Interview.Mode.choices)
    # The language to transcribe in; `auto` detects it, and is then replaced by the result.
    language = models.CharField(_("language"), max_length=8)
    held_on = models.DateField(_("held on"))
    guide = models.ForeignKey(
        Guide, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # The interview made from it. Afterwards the recording is kept until the text is locked, and
    # some days more.
    interview = models.OneToOneField(
        Interview, null=True, blank=True, on_delete=models.SET_NULL, related_name="recording"
    )
    # Storage key; empty before the upload. In a bucket it is the id of the upload.
    media_key = models.UUIDField(null=True, blank=True, unique=True)
    original_name = models.CharField(max_length=255, blank=True)
    size_bytes = models.BigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    is_partial = models.BooleanField(default=False)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    has_video = models.BooleanField(null=True, blank=True)
    playback_type = models.CharField(max_length=40, blank=True)
    has_copy = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.AWAITED)
    step = models.CharField(max_length=10, choices=Step.choices, default=Step.PREPARE)
    # Share of the step that is done, 0 to 1.
    progress = models.FloatField(default=0)
    queued_at = models.DateTimeField(default=timezone.now)
    # Why it was not transcribed, as a note (`coach.lib.words.sentences`).
    problem = models.JSONField(default=dict, blank=True)
    # The model that transcribed it: its name in `analysis.weights`.
    read_by = models.CharField(max_length=60, blank=True)
    arrived_at = models.DateTimeField(null=True, blank=True)
    # Deletion date: some days after its text is locked, at the latest after the longest time.
    remove_at = models.DateTimeField(null=True, blank=True)
    is_clock_set = models.BooleanField(default=False)
    removed_at = models.DateTimeField(null=True, blank=True)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "interview recording")
        ordering = ["-added_at", "pk"]

    def __str__(self) -> str:
        return f"Recording {self.pk}"

    @property
    def upload_key(self) -> str:
        """Return the key for uploads of this recording."""
        return f"interview:{self.pk}"

    @property
    def is_here(self) -> bool:
        """Return whether the recording is stored."""
        return self.media_key is not None and self.removed_at is None

    @property
    def plays(self) -> str:
        """Return the stored file for the player: the copy, which cannot be opened before it
        is made.
        """
        return places.copy_to_play(self.media_key or self.pk)


class Voice(models.Model):
    """A voice in a recording, with its number key."""

    recording = models.ForeignKey(Recording, on_delete=models.CASCADE, related_name="voices")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    role = models.CharField(max_length=12, choices=Speaker.Role.choices)
    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.SET_NULL, related_name="recorded"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["recording", "number"], name="a_voice_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.role}"


class Passage(models.Model):
    """A passage of one voice: proposed at pauses, corrected by a person.

    `words` has text, start and end in milliseconds, and the transcription's confidence (0 to 100).
    """

    recording = models.ForeignKey(Recording, on_delete=models.CASCADE, related_name="passages")
    position = models.PositiveIntegerField()
    start_ms = models.PositiveIntegerField()
    end_ms = models.PositiveIntegerField()
    words = models.JSONField()
    voice = models.ForeignKey(
        Voice, null=True, blank=True, on_delete=models.SET_NULL, related_name="passages"
    )

    class Meta:
        ordering = ["position", "pk"]
        indexes = [models.Index(fields=["recording", "position"], name="passages_in_order")]

    def __str__(self) -> str:
        return f"{self.position}"


class Listening(models.Model):
    """A log entry that somebody opened the recording, at most one per hour."""

    recording = models.ForeignKey(Recording, on_delete=models.CASCADE, related_name="listenings")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.recording_id} at {self.at}"
