"""Models of coding: rounds, coders, codings, memos and adjudications."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.rehearsals.models import Rehearsal
from coach.research.coding.models.codebook import Code, CodebookVersion
from coach.research.coding.models.interviews import Interview, Text
from coach.research.studies.models import Study


class Coder(models.Model):
    """A coder of a study: a person or a model, always kept apart."""

    class Kind(models.TextChoices):
        """Kind of coder. A model's codings are proposals and are left out of human agreement."""

        HUMAN = "human", _("a person")
        MODEL = "model", _("a model")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="coders")
    # Equal to the GUID of User in REFI-QDA files.
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.HUMAN)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="coder_in",
    )
    # For a model: its name and version.
    model = models.CharField(max_length=120, blank=True)
    trained_with = models.ForeignKey(
        CodebookVersion, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = pgettext_lazy("thing", "coder")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="a_coder_number_once"),
            models.UniqueConstraint(fields=["study", "guid"], name="a_coder_guid_once"),
            models.UniqueConstraint(
                fields=["study", "user"],
                condition=models.Q(user__isnull=False),
                name="one_coder_a_person",
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """Return the coder's name in exports, such as C1."""
        return f"C{self.number}"


class Round(models.Model):
    """A round: coders work through the same texts, blind to each other until it is closed.

    The free coding of a study is its round 0: without end, saved codebook or agreement.
    """

    FREE_NUMBER = 0

    class State(models.TextChoices):
        """State of a round; others' codings are visible once it is closed."""

        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")
        FREE = "free", _("Free coding")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    title = models.CharField(_("title"), max_length=120, blank=True)
    # None: free coding uses the codebook as it is now.
    codebook = models.ForeignKey(
        CodebookVersion, null=True, on_delete=models.PROTECT, related_name="rounds"
    )
    coders = models.ManyToManyField(Coder, related_name="rounds", blank=True)
    interviews = models.ManyToManyField(Interview, related_name="rounds", blank=True)
    # Number of coders per text and take, drawn with this seed; empty: all of them.
    each_to = models.PositiveSmallIntegerField(null=True, blank=True)
    seed = models.CharField(max_length=16, blank=True)
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "coding round")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="a_round_number_once"),
            models.CheckConstraint(
                name="free_coding_is_round_0_without_a_codebook",
                condition=models.Q(state="free", number=0, codebook=None)
                | ~models.Q(state="free") & models.Q(number__gt=0, codebook__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"Round {self.number}"

    @property
    def is_free(self) -> bool:
        """Return whether this is the free coding of the study."""
        return self.state == self.State.FREE

    @property
    def document(self) -> list[dict[str, Any]]:
        """Return the codes of its saved codebook; empty for free coding."""
        return self.codebook.document if self.codebook else []


class Assignment(models.Model):
    """One coder's assignment in a round: a text or a take, and when they finished it.

    Unfinished work is missing when the round closes, not empty: it says nothing about unused codes.
    A round without assignments was coded by all of its coders.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="assignments")
    coder = models.ForeignKey(Coder, on_delete=models.CASCADE, related_name="assignments")
    interview = models.ForeignKey(
        Interview, null=True, blank=True, on_delete=models.CASCADE, related_name="assignments"
    )
    rehearsal = models.ForeignKey(
        Rehearsal, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round", "interview__number", "rehearsal__created_at", "coder__number"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "coder", "interview"],
                condition=models.Q(interview__isnull=False),
                name="a_text_once_a_coder",
            ),
            models.UniqueConstraint(
                fields=["round", "coder", "rehearsal"],
                condition=models.Q(rehearsal__isnull=False),
                name="a_take_once_a_coder",
            ),
            models.CheckConstraint(
                name="a_share_is_a_text_or_a_take",
                condition=models.Q(interview__isnull=False, rehearsal__isnull=True)
                | models.Q(interview__isnull=True, rehearsal__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.coder_id}: {self.interview_id or self.rehearsal_id}"


class Coding(models.Model):
    """A code on a half-open span of a locked text or of a take's recording."""

    class Status(models.TextChoices):
        """Status of a coding."""

        INDEPENDENT = "independent", _("by one coder alone")
        ADJUDICATED = "adjudicated", _("settled together")
        REJECTED = "rejected", _("not kept")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="codings")
    # Equal to the GUID of Coding in REFI-QDA files.
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="codings")
    coder = models.ForeignKey(Coder, on_delete=models.PROTECT, related_name="codings")
    code = models.ForeignKey(Code, on_delete=models.PROTECT, related_name="codings")
    # GUIDs of the codes that its coder applied, if merging or sorting has moved it since: agreement
    # is computed from them.
    coded_as = ArrayField(models.UUIDField(), default=list, blank=True)
    # In code points of this text.
    text = models.ForeignKey(
        Text, null=True, blank=True, on_delete=models.CASCADE, related_name="codings"
    )
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    # Or in milliseconds from the start of this take.
    rehearsal = models.ForeignKey(
        Rehearsal, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    start_ms = models.PositiveIntegerField(null=True, blank=True)
    end_ms = models.PositiveIntegerField(null=True, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.INDEPENDENT)
    memo = models.TextField(_("memo"), blank=True, max_length=4000)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "coding")
        ordering = ["text", "start", "pk"]
        indexes = [models.Index(fields=["round", "code"], name="codings_of_a_round")]
        constraints = [
            models.UniqueConstraint(fields=["study", "guid"], name="a_coding_guid_once"),
            models.UniqueConstraint(
                fields=["round", "coder", "code", "text", "start", "end"],
                condition=models.Q(text__isnull=False) & ~models.Q(status="adjudicated"),
                name="a_code_once_on_a_stretch",
            ),
            models.UniqueConstraint(
                fields=["round", "coder", "code", "rehearsal", "start_ms", "end_ms"],
                condition=models.Q(rehearsal__isnull=False) & ~models.Q(status="adjudicated"),
                name="a_code_once_on_a_stretch_of_a_take",
            ),
            models.CheckConstraint(
                name="a_coding_is_of_text_or_of_a_take",
                condition=models.Q(
                    text__isnull=False,
                    start__isnull=False,
                    end__gt=models.F("start"),
                    rehearsal__isnull=True,
                )
                | models.Q(
                    text__isnull=True,
                    rehearsal__isnull=False,
                    start_ms__isnull=False,
                    end_ms__gt=models.F("start_ms"),
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code_id} at {self.start}"

    @property
    def place(self) -> dict[str, Any]:
        """Return the fields of its span: of a text, or of a take."""
        if self.rehearsal_id:
            names = ("rehearsal_id", "start_ms", "end_ms")
        else:
            names = ("text_id", "start", "end")
        return {name: getattr(self, name) for name in names}


class Memo(models.Model):
    """A memo on a code, a text, a take, or the study as a whole."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memos")
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    coder = models.ForeignKey(Coder, on_delete=models.PROTECT, related_name="memos")
    code = models.ForeignKey(
        Code, null=True, blank=True, on_delete=models.CASCADE, related_name="memos"
    )
    interview = models.ForeignKey(
        Interview, null=True, blank=True, on_delete=models.CASCADE, related_name="memos"
    )
    rehearsal = models.ForeignKey(
        Rehearsal, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    title = models.CharField(_("title"), max_length=120, blank=True)
    body = models.TextField(_("memo"), max_length=20_000)
    at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "guid"], name="a_memo_guid_once"),
        ]

    def __str__(self) -> str:
        return self.title or self.body[:60]


class Adjudication(models.Model):
    """Resolution of a difference between coders: the span, who decided, and why."""

    class Decision(models.TextChoices):
        """The decision."""

        KEEP = "keep", _("The code holds here")
        DROP = "drop", _("The code does not hold here")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="adjudications")
    text = models.ForeignKey(
        Text, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    rehearsal = models.ForeignKey(
        Rehearsal, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    code = models.ForeignKey(Code, on_delete=models.PROTECT, related_name="+")
    # In code points of the text, or milliseconds of the take: half-open.
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    decision = models.CharField(max_length=4, choices=Decision.choices)
    # The shared coding, if the code applies.
    coding = models.OneToOneField(
        Coding, null=True, blank=True, on_delete=models.SET_NULL, related_name="adjudication"
    )
    note = models.TextField(_("why"), blank=True, max_length=2000)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "settled difference")
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="a_decision_is_on_a_text_or_a_take",
                condition=models.Q(text__isnull=False, rehearsal__isnull=True)
                | models.Q(text__isnull=True, rehearsal__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code_id}: {self.decision}"
