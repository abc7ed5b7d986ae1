"""Models of the codebook: a tree of codes, its versions, and the history of each code."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.research.studies.models import Study


class Code(models.Model):
    """One code. Names are unique in the whole codebook, as other tools need."""

    class State(models.TextChoices):
        """State of a code; a merged one refers to its target."""

        ACTIVE = "active", _("in use")
        RETIRED = "retired", _("no longer used")
        MERGED = "merged", _("merged into another")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="codes")
    # Equal to the GUID of Code in REFI-QDA files.
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="children"
    )
    position = models.PositiveIntegerField(default=0)
    name = models.CharField(_("name"), max_length=120)
    description = models.TextField(_("what it means"), blank=True, max_length=4000)
    include_when = models.TextField(_("use it when"), blank=True, max_length=4000)
    exclude_when = models.TextField(_("do not use it when"), blank=True, max_length=4000)
    examples = models.TextField(_("examples"), blank=True, max_length=4000)
    # Six digits: REFI-QDA files do not support transparency.
    colour = models.CharField(
        _("colour"), max_length=7, blank=True, validators=[RegexValidator(r"^#[0-9a-f]{6}$")]
    )
    # Otherwise it only groups other codes.
    is_codable = models.BooleanField(_("can be applied"), default=True)
    # The number key that applies it.
    shortcut = models.CharField(_("key"), max_length=1, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.ACTIVE)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged_from"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "code")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="a_code_name_once_a_study"),
            models.UniqueConstraint(fields=["study", "guid"], name="a_code_guid_once_a_study"),
            models.CheckConstraint(
                name="a_merged_code_says_into_which",
                condition=~models.Q(state="merged") | models.Q(merged_into__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CodebookVersion(models.Model):
    """An immutable version of the whole codebook. Rounds refer to the version they were
    coded with.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="codebooks")
    number = models.PositiveSmallIntegerField()
    # Each code's guid, parent, name, texts, colour and state, in tree order.
    document = models.JSONField()
    digest = models.CharField(max_length=64)
    note = models.CharField(_("what is new"), max_length=500, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "codebook")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="one_codebook_a_version"),
        ]

    def __str__(self) -> str:
        return f"Codebook {self.number}"


class CodeChange(models.Model):
    """An entry in the history of a code: rows are only added."""

    class Kind(models.TextChoices):
        """The kind of change."""

        ADDED = "added", _("added")
        CHANGED = "changed", _("changed")
        MOVED = "moved", _("moved")
        MERGED = "merged", _("merged")
        SPLIT = "split", _("split")
        RETIRED = "retired", _("retired")
        # One coding, by its coder while coding freely.
        RECODED = "recoded", _("replaced on one passage")

    code = models.ForeignKey(Code, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    # The other codes of a merge or a split.
    others = models.ManyToManyField(Code, related_name="+", blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.code_id} {self.kind}"
