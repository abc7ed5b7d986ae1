"""Models of a study, and of its secrets, which are stored separately."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort, Policy
from coach.rulesets.models import RuleSetRelease

KEY_BYTES = 32


def new_key() -> bytes:
    """Return a random key for one study."""
    return secrets.token_bytes(KEY_BYTES)


def new_seed() -> str:
    """Return a random seed for the allocation, in hexadecimal."""
    return secrets.token_hex(16)


class Study(models.Model):
    """A study: its question, participants, and the settings that stay fixed while it runs."""

    class State(models.TextChoices):
        """State of a study."""

        DRAFT = "draft", _("Being prepared")
        RUNNING = "running", _("Running")
        CLOSED = "closed", _("Closed")

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(_("title"), max_length=160)
    question = models.TextField(_("research question"), blank=True, max_length=4000)
    protocol = models.TextField(_("protocol"), blank=True, max_length=40_000)
    ethics = models.CharField(_("ethics approval"), max_length=200, blank=True)
    contact = models.CharField(_("contact for participants"), max_length=200, blank=True)
    recipients = models.CharField(_("who gets the exports"), max_length=500, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    # For each person who rehearses; empty: any number.
    planned_takes = models.PositiveSmallIntegerField(
        _("takes a person"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    cohorts = models.ManyToManyField(
        Cohort, verbose_name=_("groups"), related_name="studies", blank=True
    )
    # Pinned at the start; the export marks takes that were made otherwise.
    rule_set = models.ForeignKey(
        RuleSetRelease, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    policy = models.CharField(max_length=20, choices=Policy.choices, blank=True)
    # Model names in `analysis.models` with the digests of their weights.
    weights = models.JSONField(default=dict, blank=True)
    # Takes and people are included by their consent at this time; empty: at the time of the export.
    cut_off = models.DateTimeField(_("cut-off"), null=True, blank=True)
    # Smaller groups are not shown separately (rule of thumb: 5 is usual, 10 for the public).
    least_group = models.PositiveSmallIntegerField(
        _("smallest group that is told apart"), default=5, validators=[MinValueValidator(2)]
    )
    # Days after the text of an interview is locked until its recording is deleted.
    recording_days = models.PositiveSmallIntegerField(
        _("days a recording is kept after its text is locked"), default=30
    )
    is_blinded = models.BooleanField(_("the allocation is blinded"), default=True)
    unblinded_at = models.DateTimeField(null=True, blank=True)
    is_synthetic = models.BooleanField(default=False)
    # Imported from a bundle: data made from recordings is in `ImportedRow`.
    is_imported = models.BooleanField(default=False)
    # Words allowed by a lead that look like a known name or number in an export and are none.
    innocent_words = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "study")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def holder(self) -> str:
        """Return the study's name as a holder of rule sets and policies in lower-level apps."""
        return f"study:{self.slug}"


class StudySecret(models.Model):
    """Secrets never shown on a page: the key of row names and the seed of the allocation.

    They belong to the study, so a change of the site's SECRET_KEY breaks no name; deleting the row
    makes the names of rows unguessable for everybody, for ever.
    """

    study = models.OneToOneField(
        Study, on_delete=models.CASCADE, primary_key=True, related_name="secret"
    )
    key = models.BinaryField(default=new_key, editable=False)
    seed = models.CharField(max_length=64, default=new_seed, editable=False)

    def __str__(self) -> str:
        return f"Secret of study {self.study_id}"
