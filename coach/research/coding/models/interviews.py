"""Models of interviews and focus groups: speakers, texts, redactions and locking."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.research.studies.models import Participant, Study


class Guide(models.Model):
    """One version of the interview guide. A new version is a new row."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="guides")
    version = models.PositiveSmallIntegerField()
    text = models.TextField(_("interview guide"), max_length=40_000)
    sha256 = models.CharField(max_length=64)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "interview guide")
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["study", "version"], name="one_guide_a_version"),
        ]

    def __str__(self) -> str:
        return f"Guide {self.version}"


class Transcript(models.Model):
    """A file that is parsed and not imported yet: its speakers must be named first.

    It contains names, and is deleted when it is imported or rejected, or after some days.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="transcripts")
    name = models.CharField(max_length=255)
    # The parsed content: lines with times, problems, and the encoding.
    document = models.JSONField()
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    uploaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "transcript")
        ordering = ["-uploaded_at"]

    def __str__(self) -> str:
        return f"Transcript {self.pk}"


UNSAID = "und"
"""An unset language (BCP 47: undetermined)."""


class Interview(models.Model):
    """One conversation. Its words are in `Text`: the original, and a locked one without names."""

    class Kind(models.TextChoices):
        """With one person or several."""

        INTERVIEW = "interview", _("Interview")
        FOCUS_GROUP = "focus_group", _("Focus group")

    class Mode(models.TextChoices):
        """How the conversation was held."""

        IN_PERSON = "in_person", _("in person")
        VIDEO_CALL = "video_call", _("by video call")
        PHONE = "phone", _("by telephone")
        TEXT = "text", _("in writing")

    class State(models.TextChoices):
        """State of an interview; it can be coded once it is locked."""

        IMPORTED = "imported", _("Names are still in it")
        LOCKED = "locked", _("Ready to be coded")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="interviews")
    number = models.PositiveIntegerField()
    # Equal to the GUID of TextSource in REFI-QDA files.
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.INTERVIEW)
    # The participant; of a focus group the first, the others are its speakers.
    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.CASCADE, related_name="interviews"
    )
    guide = models.ForeignKey(
        Guide, null=True, blank=True, on_delete=models.PROTECT, related_name="interviews"
    )
    mode = models.CharField(_("held"), max_length=12, choices=Mode.choices)
    language = models.CharField(_("language"), max_length=8)
    held_on = models.DateField(_("held on"))
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.IMPORTED)
    # When the original text is deleted for good; set when the text is locked.
    original_until = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "interview")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="an_interview_number_once"),
            models.UniqueConstraint(fields=["study", "guid"], name="an_interview_guid_once"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """Return the name of the interview, such as INT-01."""
        return f"INT-{self.number:02d}"


class Speaker(models.Model):
    """One voice in an interview."""

    class Role(models.TextChoices):
        """Role of a speaker."""

        INTERVIEWER = "interviewer", _("Interviewer")
        PARTICIPANT = "participant", _("Participant")
        OTHER = "other", _("Somebody else")

    interview = models.ForeignKey(Interview, on_delete=models.CASCADE, related_name="speakers")
    # Label in the locked text: I, P, P1, P2. Never a name.
    label = models.CharField(max_length=20)
    # Label in the file, usually a name: never exported, and deleted with the original text.
    called = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=12, choices=Role.choices)
    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.SET_NULL, related_name="voices"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["interview", "label"], name="a_speaker_once"),
        ]

    def __str__(self) -> str:
        return self.label


class Text(models.Model):
    """The words of an interview: NFC, line feeds, no BOM. All offsets are Unicode code points.

    An original text contains names and is never exported. A locked one is used for coding: its
    digest is fixed, and a later redaction makes a new version.
    """

    class Kind(models.TextChoices):
        """Original or redacted."""

        RAW = "raw"
        LOCKED = "locked"

    interview = models.ForeignKey(Interview, on_delete=models.CASCADE, related_name="texts")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    version = models.PositiveSmallIntegerField(default=1)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    n_code_points = models.PositiveIntegerField()
    # For the locked one: the version of the rules, the number of redactions, who approved them.
    redaction_version = models.CharField(max_length=20, blank=True)
    n_redactions = models.PositiveIntegerField(default=0)
    # Exactly one of the locked versions is coded and exported.
    is_current = models.BooleanField(default=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["interview", "kind", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["interview", "kind", "version"], name="one_text_of_a_kind_and_version"
            ),
            models.UniqueConstraint(
                fields=["interview", "kind"],
                condition=models.Q(is_current=True),
                name="one_current_text_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interview_id} {self.kind} {self.version}"


class Turn(models.Model):
    """One speaker's turn: half-open, in code points of its text."""

    text = models.ForeignKey(Text, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    speaker = models.ForeignKey(Speaker, on_delete=models.CASCADE, related_name="turns")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    start_ms = models.PositiveIntegerField(null=True, blank=True)
    end_ms = models.PositiveIntegerField(null=True, blank=True)
    # The number of the guide's question that is asked here.
    question = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["text", "number"]
        constraints = [
            models.UniqueConstraint(fields=["text", "number"], name="a_turn_once"),
            models.CheckConstraint(
                name="a_turn_ends_after_it_begins", condition=models.Q(end__gte=models.F("start"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}"


class Redaction(models.Model):
    """A span of the original text that identifies somebody, with its replacement."""

    class Kind(models.TextChoices):
        """The kind of information, which the token names too."""

        NAME = "NAME", _("a person’s name")
        ORG = "ORG", _("an organisation")
        PLACE = "PLACE", _("a place")
        DATE = "DATE", _("a date")
        CONTACT = "CONTACT", _("an address or number")
        OTHER = "OTHER", _("something else")

    class State(models.TextChoices):
        """State of a redaction; a proposal has no effect until a person decides."""

        PROPOSED = "proposed", _("proposed")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")

    text = models.ForeignKey(Text, on_delete=models.CASCADE, related_name="redactions")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    token = models.CharField(max_length=24)
    state = models.CharField(max_length=8, choices=State.choices, default=State.PROPOSED)
    # The rule that proposed it; empty if a person marked it.
    found_by = models.CharField(max_length=40, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["text", "start"]
        constraints = [
            models.CheckConstraint(
                name="a_redaction_covers_something", condition=models.Q(end__gt=models.F("start"))
            ),
        ]

    def __str__(self) -> str:
        return self.token
