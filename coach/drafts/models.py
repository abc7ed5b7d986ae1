"""The one table of saved drafts."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class FormDraft(models.Model):
    """A form that its owner has not submitted successfully. Nobody else reads it.

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
    """The key of the form on its page; if it was submitted, the URL that it was submitted to."""
    fields = models.JSONField(default=list)
    """Pairs of name and value in their order. An autosaved form has only what was changed."""
    files = models.JSONField(default=list)
    """Names of the files that were chosen; the files themselves are not saved."""
    saved_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When it is deleted. On the review page drafts last as long as the take (`None`)."""

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
