"""Which copies of research data left the site, and until when they may be kept."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.lib.work.leases import Leased
from coach.research.studies.models import Study


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


class _Job(Leased):
    """Work on a bundle under a lease: a worker that dies loses one step."""

    class State(models.TextChoices):
        """Refused: something in it may not leave, and the row says where."""

        QUEUED = "queued", _("Waiting for a worker")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        REFUSED = "refused", _("Refused")
        FAILED = "failed", _("Stopped")

    GOING_ON = (State.QUEUED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    queued_at = models.DateTimeField(auto_now_add=True)
    # The step that it is at, and how much of all is done, from 0 to 1.
    step = models.CharField(max_length=40, blank=True)
    progress = models.FloatField(default=0)
    # Codes with values (`coach.lib.words.sentences` says why not sentences): where, and what.
    problems = models.JSONField(default=list, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Export(_Job):
    """One bundle of a study: for whom, of what, and what became of it. The ledger keeps the row."""

    class OnRequest(models.TextChoices):
        """What is asked for beside what is always there."""

        TEXTGRID = "textgrid", _("Praat TextGrids of the takes")
        EAF = "eaf", _("ELAN files of the takes")
        WORDS = "words", _("Words of the takes, with their times")
        PARQUET = "parquet", _("Tracks of the takes, frame by frame (Parquet)")
        LEAVE_OUT_PENDING = (
            "leave_out_pending",
            _("Leave out interviews that are not ready, instead of stopping"),
        )

    # A study with a ledger is not deleted: somebody holds a copy.
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="exports")
    # Whoever gets it is named in the consent documents too.
    recipient = models.CharField(_("who gets it"), max_length=200)
    purpose = models.CharField(_("what for"), max_length=500)
    agreement = models.CharField(_("agreement"), max_length=200, blank=True)
    # PostgreSQL cuts what is too long for an array and says nothing: choices hold the length.
    formats = ArrayField(
        models.CharField(max_length=20, choices=OnRequest.choices), default=list, blank=True
    )
    # Consent as it stood then decides what is in it.
    cut_off = models.DateTimeField()
    # The newest word on consent once it was made: what is taken back later has a higher key,
    # whatever the clocks of machines say. Empty where it was made before this was kept.
    newest_consent = models.BigIntegerField(null=True, blank=True, editable=False)
    sha256 = models.CharField(max_length=64, blank=True)
    size_bytes = models.BigIntegerField(default=0)
    # What is in it: tables with their rows, and what was left out.
    counts = models.JSONField(default=dict, blank=True)
    # Steps whose files are kept: a worker that takes over goes on after them.
    done_steps = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    # The file goes from here then; the row stays.
    expires_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    # The link works once.
    downloaded_at = models.DateTimeField(null=True, blank=True)
    downloaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = pgettext_lazy("thing", "export")
        ordering = ["-asked_at"]

    def __str__(self) -> str:
        return f"Export {self.pk} of study {self.study_id}"


class ExportedPseudonym(models.Model):
    """That an export holds somebody: kept as the code itself, also once the person is erased."""

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="pseudonyms")
    pseudonym = models.CharField(max_length=12)
    # When its recipient was told that this person withdrew.
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["export", "pseudonym"], name="a_pseudonym_an_export"),
        ]

    def __str__(self) -> str:
        return self.pseudonym


class ImportedRow(models.Model):
    """A row of a table that a bundle brought and that this site cannot make from recordings."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="imported_rows")
    table = models.CharField(max_length=40)
    number = models.PositiveIntegerField()
    values = models.JSONField()

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "table", "number"], name="an_imported_row"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"


class BundleImport(_Job):
    """A file that a worker reads: no document of anybody is parsed in a web process."""

    class Kind(models.TextChoices):
        """A project is a bundle of ours, or of another tool; the others are looked at first."""

        PROJECT = "project", _("Bundle or project")
        TRANSCRIPT = "transcript", _("Transcript")
        CODEBOOK = "codebook", _("Codebook")

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PROJECT)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="imports")
    name = models.CharField(max_length=255)
    # Of the interviews of another tool's project, which says none; a bundle says it of each.
    language = models.CharField(max_length=8, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    # Of a transcript the key of what was read, of a codebook its codes.
    found = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-asked_at"]

    def __str__(self) -> str:
        return f"Import {self.pk} into study {self.study_id}"
