"""Models of exports, downloads and imports."""

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
    """A file that a researcher downloaded, with the date for deleting their copy."""

    researcher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="downloads"
    )
    file = models.CharField(max_length=60)
    made_at = models.DateTimeField(auto_now_add=True)
    # The shortest retention period of the cohorts in it; empty if none has one.
    delete_by = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.file} of {self.made_at:%Y-%m-%d}"


class _Job(Leased):
    """Leased work on a bundle: a dying worker loses one step."""

    class State(models.TextChoices):
        """State of a job. A refused one contains disallowed data, listed in the row."""

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
    # The current step, and the share of all work that is done, 0 to 1.
    step = models.CharField(max_length=40, blank=True)
    progress = models.FloatField(default=0)
    # Codes with values, not sentences (see `coach.lib.words.sentences`): place and excerpt.
    problems = models.JSONField(default=list, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Export(_Job):
    """One bundle of a study: its recipient, content and state. The ledger keeps the row."""

    class OnRequest(models.TextChoices):
        """Optional contents."""

        TEXTGRID = "textgrid", _("Praat TextGrids of the takes")
        EAF = "eaf", _("ELAN files of the takes")
        WORDS = "words", _("Words of the takes, with their times")
        PARQUET = "parquet", _("Tracks of the takes, frame by frame (Parquet)")
        LEAVE_OUT_PENDING = (
            "leave_out_pending",
            _("Leave out interviews that are not ready, instead of stopping"),
        )

    # A study with exports is not deleted: others have copies.
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="exports")
    # The recipient is named in the consent documents too.
    recipient = models.CharField(_("who gets it"), max_length=200)
    purpose = models.CharField(_("what for"), max_length=500)
    agreement = models.CharField(_("agreement"), max_length=200, blank=True)
    # PostgreSQL silently truncates array elements that are too long: choices limit the length.
    formats = ArrayField(
        models.CharField(max_length=20, choices=OnRequest.choices), default=list, blank=True
    )
    # Consent at this time decides the content.
    cut_off = models.DateTimeField()
    # The newest consent event when it was built: later withdrawals have higher keys, whatever the
    # machines' clocks say. Empty for exports older than this column.
    newest_consent = models.BigIntegerField(null=True, blank=True, editable=False)
    sha256 = models.CharField(max_length=64, blank=True)
    size_bytes = models.BigIntegerField(default=0)
    # Its content: tables with their numbers of rows, and what was left out.
    counts = models.JSONField(default=dict, blank=True)
    # What was left out: table, reason, number of rows, and the labels of interviews.
    left_behind = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    # Steps whose files are saved: another worker continues after them.
    done_steps = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    # The file is deleted then; the row stays.
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
    """A pseudonym in an export, stored as plain text, also after the person is erased."""

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
    """A row of an imported table that this site cannot generate from recordings."""

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
    """A file for a worker to read: web processes never parse uploaded documents."""

    class Kind(models.TextChoices):
        """A project is our bundle or another tool's; the others are previewed before the import."""

        PROJECT = "project", _("Bundle or project")
        TRANSCRIPT = "transcript", _("Transcript")
        CODEBOOK = "codebook", _("Codebook")

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PROJECT)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="imports")
    name = models.CharField(max_length=255)
    # Language of the interviews in another tool's project, which has none; bundles give their own.
    language = models.CharField(max_length=8, blank=True)
    # Who anonymised the texts of a project before, and where consent is documented; empty: nobody.
    declared = models.CharField(max_length=500, blank=True, default="", db_default="")
    sha256 = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    # For a transcript the key of the parsed file, for a codebook its codes.
    found = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-asked_at"]

    def __str__(self) -> str:
        return f"Import {self.pk} into study {self.study_id}"
