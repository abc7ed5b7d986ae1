"""Models of people, cohorts and consent."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import coach.accounts.profile
import coach.accounts.provisioned
import coach.accounts.sessions.models  # noqa: F401  (their tables are some of this app)
from coach.accounts.departments import Department
from coach.lib.words.dates import zone_called


class Role(models.TextChoices):
    """A permission group; one person may have several roles."""

    TRAINEE = "trainee", _("Trainee")
    COACH = "coach", _("Coach")
    CURATOR = "curator", _("Curator")
    RESEARCHER = "researcher", _("Researcher")
    ADMINISTRATOR = "administrator", _("Administrator")


class Language(models.TextChoices):
    """Language of pages and emails."""

    ENGLISH = "en", "English"
    FRENCH = "fr", "Français"


class UserManager(BaseUserManager["User"]):
    """Manager that creates users by their email address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user; without a password they can only sign in after a reset."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an administrator of the whole site."""
        roles = [Role.ADMINISTRATOR]
        return self.create_user(
            email, password, is_staff=True, is_superuser=True, roles=roles, **fields
        )


class User(AbstractBaseUser, PermissionsMixin):
    """A person. `disabled_families` says what not to analyse, never why."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    roles = ArrayField(
        models.CharField(max_length=20, choices=Role.choices),
        verbose_name=_("roles"),
        default=list,
        blank=True,
    )
    disabled_families = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    # Identifies the person in research exports; used nowhere else, replaced on erasure.
    pseudonym = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    is_active = models.BooleanField(_("is active"), default=True)
    is_staff = models.BooleanField(_("is staff"), default=False)
    joined_at = models.DateTimeField(_("joined at"), auto_now_add=True)
    language = models.CharField(
        _("language"), max_length=2, choices=Language.choices, default=Language.ENGLISH
    )
    # Single-key shortcuts: the person's own keys by action, and whether they are off.
    shortcuts = models.JSONField(default=dict, blank=True, editable=False)
    # Incremented when the person signs out on other devices.
    sign_in_round = models.PositiveIntegerField(default=0, editable=False)
    # When the trial of a visitor without an account ends, and all of it is deleted
    # (`coach.portal.trial`); None for everybody else.
    trial_ends_at = models.DateTimeField(null=True, editable=False, db_index=True)
    # The days on which a coach is away (`coach.accounts.away`); the last day counts.
    away_from = models.DateField(null=True, editable=False)
    away_until = models.DateField(null=True, editable=False)
    # Whether the person administers an open department, so that pages need no query for their
    # menu. `coach.portal.departments.services` keeps it; what they see is read from the rows.
    administers_departments = models.BooleanField(default=False, db_default=False, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        """Return the name, for Django's admin."""
        return self.name

    def get_session_auth_hash(self) -> str:
        """Return a session hash that also depends on address and sign-in round, so that
        they end sessions.
        """
        return f"{super().get_session_auth_hash()}{self._mark()}"

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield the same hash under each former SECRET_KEY."""
        for former in super().get_session_auth_fallback_hash():
            yield f"{former}{self._mark()}"

    def _mark(self) -> str:
        return hashlib.sha256(f"{self.email} {self.sign_in_round}".encode()).hexdigest()[:16]

    def has_role(self, role: Role) -> bool:
        """Return whether the person has this role."""
        return role in self.roles

    @property
    def is_away(self) -> bool:
        """Return whether the person is away today."""
        if self.away_from is None or self.away_until is None:
            return False
        return self.away_from <= timezone.localdate() <= self.away_until

    @property
    def is_trial(self) -> bool:
        """Return whether this is a visitor who tries Rostrum without an account."""
        return self.trial_ends_at is not None

    @property
    def can_practise(self) -> bool:
        """Return whether the person may record and upload rehearsals."""
        return self.has_role(Role.TRAINEE)

    @property
    def can_review(self) -> bool:
        """Return whether the person may work in the review queue of their cohorts."""
        return self.has_role(Role.COACH)

    @property
    def can_curate(self) -> bool:
        """Return whether the person may change rules, with a second curator's approval."""
        return self.has_role(Role.CURATOR)

    @property
    def can_research(self) -> bool:
        """Return whether the person may export consented, pseudonymised data."""
        return self.has_role(Role.RESEARCHER)

    @property
    def can_manage_people(self) -> bool:
        """Return whether the person may manage people and groups: all, or those of departments."""
        return self.is_staff or self.administers_departments


class Policy(models.TextChoices):
    """When a trainee sees feedback."""

    AI_FIRST = "ai_first", _("At once, marked as not yet seen by a coach")
    COACH_FIRST = "coach_first", _("Once a coach has released it")
    AI_ONLY = "ai_only", _("At once; there is no coach")


MOST_DAYS = 36_500
"""A hundred years, so that every deletion date is a valid date (rule of thumb)."""
_DAYS = [MinValueValidator(1), MaxValueValidator(MOST_DAYS)]


def check_time_zone(name: str) -> None:
    """Raise ValidationError for a name that is not in the database of time zones."""
    if zone_called(name) is None:
        raise ValidationError(_("We do not know this time zone. Example: Europe/Paris."))


class Cohort(models.Model):
    """Trainees and coaches who work together, and their policy."""

    name = models.CharField(_("name"), max_length=120)
    policy = models.CharField(
        _("policy"), max_length=20, choices=Policy.choices, default=Policy.AI_FIRST
    )
    reply_hours = models.PositiveSmallIntegerField(
        _("reply hours"),
        null=True,
        blank=True,
        help_text=_(
            "Within how many hours a coach answers. Needed where feedback is shown once a coach "
            "has released it: people then know how long they wait."
        ),
    )
    may_retract = models.BooleanField(
        _("coaches may retract"),
        default=False,
        help_text=_(
            "Released feedback may be taken away again, with a reason that its owner reads. "
            "Otherwise it is only corrected, and what was read before stays."
        ),
    )
    # Days from the upload; empty: until its owner deletes it. Owners get a notice before
    # (`coach.portal.personal.retention`). The defaults are rules of thumb: a year of
    # practice, three years to see progress.
    keep_media_days = models.PositiveIntegerField(
        _("recordings are kept for (days)"),
        default=365,
        null=True,
        blank=True,
        validators=_DAYS,
        help_text=_(
            "The recording is deleted then, and its report stays. Empty: until its owner "
            "deletes it."
        ),
    )
    keep_reports_days = models.PositiveIntegerField(
        _("reports are kept for (days)"),
        default=1095,
        null=True,
        blank=True,
        validators=_DAYS,
        help_text=_("The whole take is deleted then. Empty: until its owner deletes it."),
    )
    keep_uploads_days = models.PositiveIntegerField(
        _("uploads that wait are kept for (days)"),
        null=True,
        blank=True,
        validators=_DAYS,
        help_text=_("Uploads that nobody decided on. Empty: as the site does it."),
    )
    keep_exports_days = models.PositiveIntegerField(
        _("research downloads are kept for (days)"),
        default=365,
        null=True,
        blank=True,
        validators=_DAYS,
        help_text=_("Then researchers delete their copies. Empty: no time is set."),
    )
    most_gigabytes = models.PositiveIntegerField(
        _("recordings of the group (gigabytes)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_(
            "When the recordings of this group take up as much, no new one begins. Empty: only the "
            "limit of each person counts."
        ),
    )

    # The term in which the group meets, and whether it takes new people.
    starts_on = models.DateField(_("term begins on"), null=True, blank=True)
    ends_on = models.DateField(_("term ends on"), null=True, blank=True)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True, editable=False)
    # Its administrators manage the group too (`coach.portal.departments`).
    department = models.ForeignKey(
        Department,
        verbose_name=_("department"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="cohorts",
    )
    # In which assignments are due; empty: that of the site.
    time_zone = models.CharField(
        _("time zone"),
        max_length=64,
        blank=True,
        default="",
        db_default="",
        validators=[check_time_zone],
        help_text=_(
            "Assignments of this group are due in it, for example Europe/Paris. Empty: the time "
            "zone of the site."
        ),
    )

    # Notifications of late takes (`coach.review.late`).
    late_notices = models.BooleanField(
        _("coaches are notified of late takes"),
        default=True,
        help_text=_(
            "When a take has waited longer than the reply hours, its coach gets one notification, "
            "or all coaches of the group if nobody has it."
        ),
    )
    # Takes that come to a coach without the automatic cards (`coach.review.comparing`).
    without_cards_percent = models.PositiveSmallIntegerField(
        _("takes without automatic cards at first (percent)"),
        default=0,
        blank=True,
        validators=[MaxValueValidator(50)],
        help_text=_(
            "For so many takes, chosen at random, a coach sees the automatic cards only after "
            "writing their own. It measures the minutes that the cards save. 0: none."
        ),
    )

    # How coaches judge (`coach.review.rubric`, `coach.review.second`). One take in ten is a rule of
    # thumb: enough for a figure within some months, and no second queue.
    rubric_first = models.BooleanField(
        _("coaches judge before they see the machine’s items"),
        default=False,
        help_text=_(
            "A coach then gives a level for each quality from the recording alone. What coaches "
            "agree on is not coloured by the machine."
        ),
    )
    rubric_for_trainees = models.BooleanField(
        _("trainees read the levels of their coach"),
        default=False,
        help_text=_("After the release, as words; no number is shown."),
    )
    second_opinion_percent = models.PositiveSmallIntegerField(
        _("second opinions (percent of takes)"),
        default=10,
        validators=[MaxValueValidator(100)],
        help_text=_(
            "So many of the takes that are sent are judged by a second coach too, who does not see "
            "what the first one decided. 0: none."
        ),
    )
    second_opinion_first = models.BooleanField(
        _("the release waits for the second opinion"),
        default=False,
        help_text=_("Otherwise the trainee gets the first coach’s feedback at once."),
    )

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        constraints = [
            models.CheckConstraint(
                name="coach_first_needs_a_reply_time",
                condition=~models.Q(policy=Policy.COACH_FIRST)
                | models.Q(reply_hours__isnull=False),
            ),
            models.CheckConstraint(
                name="a_term_ends_after_its_beginning",
                condition=models.Q(starts_on=None)
                | models.Q(ends_on=None)
                | models.Q(ends_on__gte=models.F("starts_on")),
            ),
            models.CheckConstraint(
                name="takes_without_cards_are_a_share",
                condition=models.Q(without_cards_percent__lte=50),
            ),
            models.CheckConstraint(
                name="second_opinions_are_a_share",
                condition=models.Q(second_opinion_percent__lte=100),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def most_bytes(self) -> int | None:
        """The quota of the group's recordings, or None without one."""
        return self.most_gigabytes * 2**30 if self.most_gigabytes else None


class PolicyPin(models.Model):
    """A lock on a cohort's policy while this row exists, set by a higher-level app."""

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="policy_pins")
    # The app's name for the lock's owner: "study:first-talks".
    holder = models.CharField(max_length=80)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(fields=["cohort", "holder"], name="a_holder_once_a_cohort"),
        ]

    def __str__(self) -> str:
        return f"{self.cohort_id}: {self.holder}"


class LegalHold(models.Model):
    """A legal hold: data of a person or a cohort may not be deleted, for the given reason.

    A lifted hold is kept as a record.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="holds",
        verbose_name=_("person"),
    )
    cohort = models.ForeignKey(
        Cohort,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="holds",
        verbose_name=_("group"),
    )
    reason = models.TextField(
        _("reason"), max_length=500, help_text=_("Those concerned read this.")
    )
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("set by"),
    )
    set_at = models.DateTimeField(_("since"), auto_now_add=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("legal hold")
        verbose_name_plural = _("legal holds")
        constraints = [
            models.CheckConstraint(
                name="a_hold_is_on_a_person_or_a_cohort",
                condition=models.Q(user__isnull=False) ^ models.Q(cohort__isnull=False),
                violation_error_message=_("Choose either a person or a group."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user or self.cohort}: {self.reason[:60]}"


class Membership(models.Model):
    """A person's role in a cohort."""

    cohort = models.ForeignKey(
        Cohort, verbose_name=_("group"), on_delete=models.CASCADE, related_name="memberships"
    )
    user = models.ForeignKey(
        User, verbose_name=_("user"), on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(
        _("role"), max_length=20, choices=[(Role.TRAINEE, _("Trainee")), (Role.COACH, _("Coach"))]
    )
    leads = models.BooleanField(
        _("leads the coaches"),
        default=False,
        help_text=_("A coach who leads sees how the group’s queue goes and who has how much."),
    )

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(
                fields=["cohort", "user", "role"], name="one_membership_per_role"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.cohort}"


class Purpose(models.TextChoices):
    """A purpose that a person may consent to, each separately."""

    ANALYSIS = "analysis", _("Analysis")
    COACH = "coach", _("Your coach")
    # Named like the scopes of studies: withdrawing one here withdraws it in each study.
    RESEARCH_MEASUREMENTS = "research_measurements", _("Research with measurements and decisions")
    RESEARCH_TRANSCRIPT = "research_transcript", _("Research with what you said")
    RESEARCH_QUOTES = "research_quotes", _("Quoting what you said")
    RESEARCH_AUDIO = "research_audio", _("Research with the sound")
    RESEARCH_VIDEO = "research_video", _("Research with the picture")
    RULE_PREVIEW = "rule_preview", _("Trying out changed rules on your takes")
    COACH_TRAINING = "coach_training", _("Letting new coaches of your group practise on your takes")


class Consent(models.Model):
    """A consent with its time; a withdrawn one is kept as a record."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="consents")
    purpose = models.CharField(max_length=24, choices=Purpose.choices)
    # The number of its wording (`coach.accounts.purposes`), and the text as it was read; empty for
    # consents from before it was stored.
    version = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(blank=True)
    # The language of that text; empty for consents from before it was stored.
    language = models.CharField(
        max_length=10, choices=Language.choices, blank=True, default="", db_default=""
    )
    given_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "consent")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "purpose"],
                condition=models.Q(withdrawn_at__isnull=True),
                name="one_standing_consent_per_purpose",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.purpose}"
