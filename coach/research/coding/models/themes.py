"""Models of candidate themes: codes grouped for an analysis, with memos over time and a history."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.research.coding.models.codebook import Code
from coach.research.coding.models.codings import Coder
from coach.research.studies.models import Study


class Theme(models.Model):
    """A candidate theme. A code may be part of several, whatever its place in the codebook."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="themes")
    # Equal to the GUID of Set in REFI-QDA files.
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    position = models.PositiveIntegerField(default=0)
    name = models.CharField(_("name"), max_length=120)
    codes = models.ManyToManyField(Code, related_name="themes", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "theme")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "guid"], name="a_theme_guid_once_a_study"),
        ]

    def __str__(self) -> str:
        return self.name


class ThemeMemo(models.Model):
    """A version of the memo of a theme: rows are only added, the newest one is current."""

    theme = models.ForeignKey(Theme, on_delete=models.CASCADE, related_name="memos")
    body = models.TextField(_("memo"), max_length=20_000)
    by = models.ForeignKey(Coder, on_delete=models.PROTECT, related_name="theme_memos")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "memo of a theme")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.theme_id} at {self.at}"


class ThemeChange(models.Model):
    """An entry in the history of themes: rows are only added, and outlive their theme."""

    class Kind(models.TextChoices):
        """The kind of change."""

        ADDED = "added", _("added")
        CHANGED = "changed", _("changed")
        MERGED = "merged", _("merged")
        REMOVED = "removed", _("deleted")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="theme_changes")
    theme = models.ForeignKey(
        Theme, null=True, blank=True, on_delete=models.SET_NULL, related_name="changes"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices)
    # Name, codes, and of a deleted theme its memo.
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(Coder, on_delete=models.PROTECT, related_name="theme_changes")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.theme_id} {self.kind}"
