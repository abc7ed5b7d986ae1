"""Rule documents, version by version, and numbered, immutable releases of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort


class RuleVersion(models.Model):
    """One version of one rule. Rows are records: they are added, never changed.

    `text` is the canonical YAML, byte for byte what export writes; `document` the same for reading.
    """

    class Origin(models.TextChoices):
        """Where it came from."""

        BUILTIN = "builtin", _("came with Rostrum")
        STUDIO = "studio", _("written here")
        IMPORT = "import", _("imported from a file")

    rule = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    text = models.TextField()
    document = models.JSONField()
    # Of the content without its number: the same words are the same digest whatever their number.
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
    """One release: its documents as they were, its digest, and whether new drafts use it.

    Rows are never changed but for `is_active`; running drafts and released feedback keep theirs.
    """

    class Kind(models.TextChoices):
        """Why there is a new one."""

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
    # Kept beside the reference, which goes when the curator's account is erased.
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
    """With which release somebody's takes in a cohort are drafted, whatever is published since.

    An app above writes the rows and says who holds them.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="+")
    release = models.ForeignKey(RuleSetRelease, on_delete=models.PROTECT, related_name="pins")
    # Who holds it, as its own app calls it: "study:first-talks".
    holder = models.CharField(max_length=80)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "cohort", "holder"], name="a_holder_pins_once"),
        ]

    def __str__(self) -> str:
        return f"{self.release_id} for {self.user_id}"
