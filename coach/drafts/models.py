"""The model of saved drafts."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class FormDraft(models.Model):
    """A form without a successful submission, readable by its owner only.

    It is either autosaved while the owner types (`static/js/autosave.js`), or was submitted after
    the session had expired and is offered again after signing in.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="form_drafts"
    )
    is_submitted = models.BooleanField(default=False)
    page = models.TextField(blank=True)
    """The path of the page that has the form."""
    form = models.TextField()
    """The key of the form on its page; for a submitted form, its target URL."""
    fields = models.JSONField(default=list)
    """Pairs of name and value in order; an autosaved form has changed fields only."""
    files = models.JSONField(default=list)
    """The names of the chosen files; the files themselves are not saved."""
    saved_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """The time of deletion; None on the review page, where drafts last as long as the take."""

    class Meta:
        ordering = ["-saved_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "page", "form"],
                condition=models.Q(is_submitted=False),
                name="one_autosaved_draft_a_form",
            ),
        ]

    def __str__(self) -> str:
        return f"Draft of {self.user} for {self.form}"
