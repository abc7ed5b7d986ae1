"""Models of information sheets and consents: rows are added, never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Language
from coach.research.studies.models.people import Participant
from coach.research.studies.models.study import Study


class Scope(models.TextChoices):
    """A scope of consent, each separate (after ISO/IEC TS 27560:2023)."""

    MEASUREMENTS = "research_measurements", _("Measurements of my takes")
    FEEDBACK = "research_feedback", _("Feedback on my takes, and what coaches did with it")
    RECORDING = "research_recording", _("Recording an interview with me, to write it down")
    TRANSCRIPT = "research_transcript", _("What I said, with names taken out")
    QUOTES = "research_quotes", _("Quoting me, without my name")
    AUDIO = "research_audio", _("The sound of my takes")
    VIDEO = "research_video", _("The picture of my takes")
    RECONTACT = "research_recontact", _("Asking me again later")


class ConsentDocument(models.Model):
    """One version of the information sheet for one scope, in one language. Never changed."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="documents")
    scope = models.CharField(_("what is agreed to"), max_length=24, choices=Scope.choices)
    language = models.CharField(_("language"), max_length=3, choices=Language.choices)
    version = models.PositiveSmallIntegerField()
    text = models.TextField(_("information sheet"), max_length=40_000)
    sha256 = models.CharField(max_length=64)
    # People who accepted an earlier version must be asked again.
    is_material = models.BooleanField(_("people have to be asked again"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = pgettext_lazy("thing", "information sheet")
        ordering = ["scope", "language", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "scope", "language", "version"], name="one_text_a_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.version} ({self.language})"


class ConsentEvent(models.Model):
    """A person's consent, refusal or withdrawal. The last row of a scope is valid."""

    class Kind(models.TextChoices):
        """The kind of event."""

        GRANTED = "granted", _("agreed")
        DECLINED = "declined", _("declined")
        RENEWED = "renewed", _("agreed again")
        WITHDRAWN = "withdrawn", _("withdrew")
        EXPIRED = "expired", _("ran out")

    class Method(models.TextChoices):
        """How consent was given."""

        WEB_FORM = "web_form", _("on this site")
        PAPER = "paper", _("on paper")
        VERBAL_RECORDED = "verbal_recorded", _("spoken and recorded")

    STANDING = (Kind.GRANTED, Kind.RENEWED)

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="consents")
    scope = models.CharField(max_length=24, choices=Scope.choices)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    document = models.ForeignKey(ConsentDocument, on_delete=models.PROTECT, related_name="+")
    method = models.CharField(max_length=16, choices=Method.choices, default=Method.WEB_FORM)
    at = models.DateTimeField()
    # The researcher who recorded an answer on paper or aloud; empty if given on this site.
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["at", "pk"]
        indexes = [models.Index(fields=["participant", "scope", "at"], name="consent_in_order")]

    def __str__(self) -> str:
        return f"{self.scope}: {self.kind}"
