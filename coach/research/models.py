"""Which copies of research data left the site, and until when they may be kept."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Download(models.Model):
    """One file that a researcher took. The copy is theirs; the day on which it goes is ours."""

    researcher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="downloads"
    )
    file = models.CharField(max_length=60)
    made_at = models.DateTimeField(auto_now_add=True)
    # By the shortest clock among the cohorts that are in it; empty where none has one.
    delete_by = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.file} of {self.made_at:%Y-%m-%d}"
