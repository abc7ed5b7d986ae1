"""Models of stored takes: files, context, access grants, viewings and removals."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Cohort
from coach.lib.work.database_clock import database_now
from coach.rehearsals.gaze_calibration import GazeCalibration  # noqa: F401  # the same
from coach.rehearsals.kinds import AnyKind, Kind, Takes
from coach.rehearsals.speaking_ease import Ease  # noqa: F401  # Django looks for models here
from coach.storage import places

MOST_KEY_WORDS_CHARACTERS = 2000
"""The maximum length of a talk's notes (rule of thumb): about two pages in large type."""


class Aim(models.TextChoices):
    """The aim of a talk."""

    INFORM = "inform", _("Inform")
    PERSUADE = "persuade", _("Persuade")
    PITCH = "pitch", _("Pitch an idea")
    TEACH = "teach", _("Teach")
    REPORT = "report", _("Report results")
    CELEBRATE = "celebrate", _("Celebrate or honour")


class Audience(models.TextChoices):
    """The audience of a talk."""

    EXPERTS = "experts", _("Experts in the field")
    COLLEAGUES = "colleagues", _("Colleagues")
    STUDENTS = "students", _("Students")
    PUBLIC = "public", _("The general public")
    DECISION_MAKERS = "decision_makers", _("Decision makers")
    MIXED = "mixed", _("A mixed audience")


class Setting(models.TextChoices):
    """The setting of the speaker."""

    CAMERA = "camera", _("In front of a camera")
    STAGE = "stage", _("On a stage, in a room")
    SEATED = "seated", _("Seated at a table")


class CameraPosition(models.TextChoices):
    """The position of the camera relative to the eyes."""

    LEVEL = "level", _("At eye level")
    ABOVE = "above", _("Above my eyes")
    BELOW = "below", _("Below my eyes")
    SIDE = "side", _("To one side")


class Goal(models.TextChoices):
    """The quality of the talk that the trainee wants to work on."""

    CLARITY = "clarity", _("Clarity")
    FLUENCY = "fluency", _("Fluency")
    VOCAL_VARIETY = "vocal_variety", _("A lively voice")
    PRESENCE = "presence", _("Presence")
    AUDIENCE_CONTACT = "audience_contact", _("Contact with the audience")
    STRUCTURE = "structure", _("Structure")


class SpokenLanguage(models.TextChoices):
    """The spoken language; the last choice is automatic detection."""

    ENGLISH = "en", pgettext_lazy("a choice", "English")
    FRENCH = "fr", pgettext_lazy("a choice", "French")
    AUTO = "auto", _("Another, or not sure: find out")


class SpeaksAs(models.TextChoices):
    """Whether the spoken language is the speaker's first; some norms hold only then."""

    FIRST = "first", _("Yes")
    SECOND = "second", _("No, I learned it later")


class NotesShown(models.TextChoices):
    """The notes that the recorder showed during a take."""

    KEY_WORDS = "key_words", _("Key words")
    SCROLLING = "scrolling", _("Scrolling text")


class Talk(models.Model):
    """A talk that a person prepares; deleted with the last of its takes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="talks"
    )
    title = models.CharField(max_length=120)
    # The notes that the recorder shows, one idea a line.
    key_words = models.TextField(
        max_length=MOST_KEY_WORDS_CHARACTERS, blank=True, default="", db_default=""
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # Updated with each take: lists of talks sort by it without a join.
    last_take_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = pgettext_lazy("thing", "talk")
        indexes = [models.Index(fields=["owner", "-last_take_at"], name="talks_of_a_person")]

    def __str__(self) -> str:
        return self.title


class Upload(models.Model):
    """An upload in progress. The received bytes stay when the sender disconnects."""

    class State(models.TextChoices):
        """The state of an upload. Of an expired one, only the row remains."""

        RECEIVING = "receiving"
        CUT_OFF = "cut_off"
        COMPLETE = "complete"
        USED = "used"
        EXPIRED = "expired"

    class Problem(models.TextChoices):
        """The reason of an interruption on our side; only uploads of earlier versions have one."""

        NONE = ""
        DISK_FULL = "disk_full"
        INTERRUPTED = "interrupted"

    WAITING = (State.CUT_OFF, State.COMPLETE)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads"
    )
    name = models.CharField(max_length=255)
    state = models.CharField(max_length=12, choices=State.choices, default=State.RECEIVING)
    problem = models.CharField(max_length=12, choices=Problem.choices, blank=True)
    # The take that it became; both are deleted together.
    rehearsal = models.OneToOneField(
        "Rehearsal", null=True, blank=True, on_delete=models.CASCADE, related_name="upload"
    )
    # Size of the file; None while the sender does not know it.
    expected_bytes = models.BigIntegerField(null=True)
    received_bytes = models.BigIntegerField(default=0)
    # Empty if it becomes a take; else the key of its purpose in another app.
    meant_for = models.CharField(max_length=60, blank=True)
    # Uploaded with the tus protocol in any number of requests; else with one plain form.
    is_resumable = models.BooleanField(default=False)
    # The sender's `Upload-Metadata`, returned unchanged.
    metadata = models.TextField(blank=True)
    # For recordings made in the browser: the sound processing
    # (echo_cancellation, noise_suppression, auto_gain_control), as the browser reports it.
    capture = models.JSONField(default=dict, blank=True)
    # The writing request, and the end of its lease unless it renews it.
    writer = models.UUIDField(null=True, blank=True)
    written_until = models.DateTimeField(null=True, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    # The form's fields received so far, so that the user need not fill it in again.
    context = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "upload")
        indexes = [models.Index(fields=["state", "updated_at"])]

    def __str__(self) -> str:
        return f"{self.name} ({self.state})"

    @property
    def is_being_written(self) -> bool:
        """Whether a request is writing to a resumable upload now."""
        return self.written_until is not None and self.written_until > database_now()


class Rehearsal(models.Model):
    """A take: its media in storage and its context. Private until its owner shares it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rehearsals"
    )
    cohort = models.ForeignKey(
        Cohort, null=True, blank=True, on_delete=models.SET_NULL, related_name="rehearsals"
    )
    talk = models.ForeignKey(Talk, on_delete=models.CASCADE, related_name="takes")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.TAKE)
    # The take whose span was recorded again; the span is deleted with it.
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE)
    # The talk's title, so that a list of takes needs no join.
    title = models.CharField(max_length=120)
    aim = models.CharField(max_length=20, choices=Aim.choices)
    audience = models.CharField(max_length=20, choices=Audience.choices)
    setting = models.CharField(max_length=20, choices=Setting.choices)
    camera_position = models.CharField(
        max_length=10, choices=CameraPosition.choices, default=CameraPosition.LEVEL
    )
    # The owner's answer about a deviating camera position: for this take, or for an earlier one.
    camera_in_front = models.BooleanField(null=True, blank=True)
    camera_as_before = models.BooleanField(default=False, db_default=False)
    # The owner's answer if other voices were detected.
    spoke_alone = models.BooleanField(default=False, db_default=False)
    # The first seconds, in which the speaker looks into the lens, are not part of the talk.
    looks_into_lens_first = models.BooleanField(default=False)
    # Copied from the owner's gaze calibration for the camera; None without one.
    gaze_calibration = models.JSONField(null=True, blank=True)
    # A look at a slide does not count as looking away, nor a pause to change one as hesitation.
    shows_slides = models.BooleanField(default=False)
    # The notes that the recorder showed; empty for none, and for uploaded files.
    notes = models.CharField(
        max_length=10, choices=NotesShown.choices, blank=True, default="", db_default=""
    )
    language = models.CharField(max_length=8, choices=SpokenLanguage.choices)
    # Empty if not stated. For a second language, no measure is compared with first-language norms.
    speaks_as = models.CharField(max_length=6, choices=SpeaksAs.choices, blank=True)
    time_limit = models.FloatField(null=True, blank=True, validators=[MinValueValidator(1)])
    goal = models.CharField(max_length=20, choices=Goal.choices, blank=True)
    # Copied from the profile when the take was made; profile changes affect later takes only.
    disabled_families = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    # Measured but never mentioned by a rule; copied from the profile, without the reason.
    quiet = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    # The owner chose that a coach reads first, although the group shows reports at once.
    waits_by_choice = models.BooleanField(default=False)
    # The part that the owner marked as theirs, in seconds; None if all of it is measured.
    part_start = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0)])
    part_end = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0)])
    # Spans between the two in which others speak, as pairs of seconds.
    part_left_out = models.JSONField(default=list, blank=True)
    original_name = models.CharField(max_length=255)
    size_bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    form_token = models.UUIDField(default=uuid.uuid4)
    # Copied from the upload; empty for uploaded files.
    capture = models.JSONField(default=dict, blank=True)
    is_constructed = models.BooleanField(default=False)
    is_partial = models.BooleanField(default=False)
    # Known once the recording has been prepared.
    duration = models.FloatField(null=True, blank=True)
    has_video = models.BooleanField(null=True, blank=True)
    playback_type = models.CharField(max_length=40, blank=True)
    # The other stored files, so that pages need not query the storage.
    has_poster = models.BooleanField(default=False)
    has_copy = models.BooleanField(default=False)
    # When the original was deleted; the copy for playback stays.
    original_removed_at = models.DateTimeField(null=True, blank=True)
    # When the recording expired; its report stays.
    media_removed_at = models.DateTimeField(null=True, blank=True)
    # When the owner first opened the report; until then it counts as new.
    opened_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = Takes["Rehearsal"]()
    any_kind = AnyKind["Rehearsal"]()

    class Meta:
        verbose_name = pgettext_lazy("thing", "take")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["owner", "-created_at"], name="takes_of_a_person")]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "form_token"], name="one_rehearsal_per_filled_in_form"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def recording_id(self) -> uuid.UUID:
        """The id of the take with the recording: the parent's for a borrowed span, else its own."""
        return self.parent_id if self.kind == Kind.BEFORE and self.parent_id else self.pk

    @property
    def measured_seconds(self) -> float | None:
        """The total length of the measured parts; None before the recording has been opened."""
        parts = self.own_parts
        return sum(end - start for start, end in parts) if parts else None

    @property
    def own_parts(self) -> list[tuple[float, float]]:
        """The measured parts in time order; empty before the recording has been opened."""
        last = self.duration if self.part_end is None else self.part_end
        if last is None:
            return []
        edges = [self.part_start or 0.0, *(at for pair in self.part_left_out for at in pair), last]
        return list(zip(edges[::2], edges[1::2], strict=True))

    @property
    def has_original(self) -> bool:
        """Whether the original recording is still stored, so that it can be analysed."""
        return self.media_removed_at is None and self.original_removed_at is None

    @property
    def plays(self) -> str:
        """The name of the file for the player: the copy, else the original (for the owner only)."""
        return places.copy_to_play(self.pk) if self.has_copy else places.original(self.pk)


class AccessGrant(models.Model):
    """The owner's permission for a cohort's coaches, or one person, to open a take."""

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="grants")
    cohort = models.ForeignKey(
        Cohort, null=True, blank=True, on_delete=models.CASCADE, related_name="grants"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="grants",
    )
    note = models.TextField(blank=True, max_length=2000)
    # The day of the talk, if the owner gives it: a later answer is useless.
    needed_by = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    # When the take was answered, also if it is sent again; waiting takes are found by an index.
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=models.Q(revoked_at__isnull=True, answered_at__isnull=True),
                name="grants_that_wait",
            ),
            models.Index(
                fields=["-answered_at"],
                condition=models.Q(revoked_at__isnull=True, answered_at__isnull=False),
                name="grants_that_were_answered",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="a_grant_names_a_cohort_or_a_person",
                condition=models.Q(cohort__isnull=False) ^ models.Q(user__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["rehearsal", "cohort"],
                condition=models.Q(revoked_at__isnull=True),
                name="one_standing_grant_per_cohort",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rehearsal} for {self.cohort or self.user}"


class Viewing(models.Model):
    """A log entry for the owner: another person opened a take."""

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="viewings")
    viewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The name that a guest without an account gave; empty for users.
    guest = models.CharField(max_length=120, blank=True)
    what = models.CharField(max_length=20)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.viewer or self.guest} opened {self.rehearsal}"

    @property
    def who(self) -> str:
        """The viewer in words."""
        if self.guest:
            return gettext("%(name)s, your guest") % {"name": self.guest}
        return str(self.viewer) if self.viewer else gettext("Deleted account")


class EmergencyAccess(models.Model):
    """An administrator's access to one recording: with a reason, for a short time."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="emergencies")
    administrator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="emergencies"
    )
    reason = models.TextField(max_length=300)
    opened_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-opened_at"]

    def __str__(self) -> str:
        return f"{self.administrator}: {self.reason[:60]}"


class RetentionNotice(models.Model):
    """A warning to an owner that a take or its recording will be deleted."""

    class Kind(models.TextChoices):
        """The scope of a deletion."""

        MEDIA = "media"
        REPORTS = "reports"

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="told")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rehearsal", "kind"], name="one_notice_for_each_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.rehearsal}"


class Removal(models.Model):
    """A pending removal from storage, saved with the deletion of its row, and its proof.

    It contains the place only, which identifies nobody after the deletion.
    """

    place = models.CharField(max_length=120)
    asked_at = models.DateTimeField(auto_now_add=True)
    # When the place was listed again after the removal, and was empty.
    proven_at = models.DateTimeField(null=True, blank=True)
    objects_removed = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(
                fields=["asked_at"],
                condition=models.Q(proven_at__isnull=True),
                name="removals_without_proof",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place} ({'gone' if self.proven_at else 'not yet gone'})"
