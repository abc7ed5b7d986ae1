"""Models of saved drafts, deletion receipts and hidden first steps."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class PageMark(models.Model):
    """The user for whom a page was made.

    Each sign-in creates a new secret that signs every form of that session: so a form sent later
    still identifies its user, whoever is signed in by then.
    """

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="page_marks"
    )
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"A page of {self.user}"


class KeptForm(models.Model):
    """A form submitted after its user had been signed out. No other user can open it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="kept_forms"
    )
    url = models.TextField()
    """Where it was to be sent."""
    page = models.TextField(blank=True)
    """On which page it stood."""
    fields = models.JSONField(default=list)
    """Names and values in their order; a name may stand twice."""
    files = models.JSONField(default=list)
    """Names of the files that were chosen; the files themselves are not kept."""
    kept_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-kept_at"]

    def __str__(self) -> str:
        return f"What {self.user} typed for {self.url}"


class BegunForm(models.Model):
    """A form being filled in and not yet sent, restored after a crash.

    One row for each form of a page, deleted when the form is sent. No other user can read it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="begun_forms"
    )
    page = models.CharField(max_length=300)
    """The path of the page on which the form stands."""
    form = models.CharField(max_length=300)
    """What the script calls the form on that page (`static/js/autosave.js`)."""
    fields = models.JSONField(default=dict)
    """Names and values of what differs from what stood there."""
    kept_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "page", "form"], name="a_form_of_a_page_is_begun_once_by_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"What {self.user} began on {self.page}"


class Receipt(models.Model):
    """Receipt for a deleted take or account: counts and times, without a name.

    The keys of deleted takes identify nobody; with them the deletion can be checked again.
    """

    class What(models.TextChoices):
        """The kind of deletion."""

        TAKE = "take"
        EVERYTHING = "everything"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # For a take: its owner, while they have an account. For an account: None; its URL opens it.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="receipts"
    )
    what = models.CharField(max_length=12, choices=What.choices)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    takes = ArrayField(models.UUIDField(), default=list)
    # Interview recordings in which the person speaks, by their storage keys.
    interviews = ArrayField(models.UUIDField(), default=list)
    # Deleted rows by model; then the rows still found in a check right after.
    rows = models.JSONField(default=dict)
    rows_left = models.PositiveIntegerField(default=0)
    # Earlier copies of research data that may contain it (`coach.research.exports.ledger.Copy`).
    copies = models.JSONField(default=list)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.what} deleted on {self.made_at:%Y-%m-%d}"


class HiddenSteps(models.Model):
    """A part of the site whose first steps a person has hidden."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hidden_steps"
    )
    part = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "part"], name="first_steps_hidden_once"),
        ]

    def __str__(self) -> str:
        return f"{self.part} of {self.user}"
