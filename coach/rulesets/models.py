"""Models of rule versions, and of their numbered, immutable releases."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort


class RuleVersion(models.Model):
    """One version of one rule. Rows are added, never changed.

    `text` is the canonical YAML, byte for byte what an export writes; `document` is the same for
    reading.
    """

    class Origin(models.TextChoices):
        """Origin of a version."""

        BUILTIN = "builtin", _("came with Rostrum")
        STUDIO = "studio", _("written here")
        IMPORT = "import", _("imported from a file")

    rule = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    text = models.TextField()
    document = models.JSONField()
    # Digest of the content without its number: equal content has an equal digest.
    digest = models.CharField(max_length=64)
    origin = models.CharField(max_length=10, choices=Origin.choices)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    author_name = models.CharField(max_length=120)
    why = models.TextField(blank=True, max_length=2000)
    base = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["rule", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["rule", "number"], name="one_document_per_version"),
        ]

    def __str__(self) -> str:
        return f"{self.rule}, version {self.number}"


class RuleSetRelease(models.Model):
    """One release: its documents, its digest, and whether new drafts use it.

    Rows never change except for `is_active`; running drafts and released feedback keep their
    release.
    """

    class Kind(models.TextChoices):
        """Reason for a new release."""

        BUILTIN = "builtin", _("The rules that come with Rostrum")
        PUBLISHED = "published", _("Approved changes")
        MUTED = "muted", _("A rule was muted")
        UNMUTED = "unmuted", _("A muted rule speaks again")
        ROLLED_BACK = "rolled_back", _("Rolled back")

    number = models.PositiveIntegerField(unique=True)
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.BUILTIN)
    digest = models.CharField(max_length=64)
    documents = models.JSONField()
    note = models.TextField(blank=True)
    restores = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(auto_now_add=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Stored next to the reference, which is removed when the curator's account is erased.
    published_by_name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=False)

    class Meta:
        verbose_name = pgettext_lazy("thing", "rule set")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_active"],
                condition=models.Q(is_active=True),
                name="one_active_rule_set",
            ),
        ]

    def __str__(self) -> str:
        return f"Rule set {self.number}"


class Pin(models.Model):
    """A fixed release for a person's takes in a cohort, whatever is published later.

    A higher-level app writes the rows and names itself as the holder.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="+")
    release = models.ForeignKey(RuleSetRelease, on_delete=models.PROTECT, related_name="pins")
    # The app's name for the holder: "study:first-talks".
    holder = models.CharField(max_length=80)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "cohort", "holder"], name="a_holder_pins_once"),
        ]

    def __str__(self) -> str:
        return f"{self.release_id} for {self.user_id}"
