"""Models of LTI: learning platforms, their courses, people's accounts there, and progress to
pass back.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort
from coach.assignments.models import Assignment

MOST_ADDRESS = 500
MOST_NAME = 255
"""Longest address (rule of thumb), and longest identifier that LTI 1.3 allows."""


def _address(label: Any) -> models.CharField[str, str]:
    return models.CharField(
        label, max_length=MOST_ADDRESS, validators=[URLValidator(schemes=["https"])]
    )


class Platform(models.Model):
    """A learning platform such as Moodle or Canvas, as an administrator registered it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("Name"), max_length=120)
    issuer = models.CharField(
        _("Issuer (platform ID)"),
        max_length=MOST_NAME,
        help_text=_("As the platform writes it, for example https://moodle.uni.example."),
    )
    client_id = models.CharField(_("Client ID"), max_length=MOST_NAME)
    deployment_ids = ArrayField(
        models.CharField(max_length=MOST_NAME),
        verbose_name=_("Deployment IDs"),
        help_text=_("Separated by commas, for example 1, 2."),
    )
    login_url = _address(_("Authentication request address"))
    token_url = _address(_("Access token address"))
    keys_url = _address(_("Public keyset address (JWKS)"))
    token_audience = models.CharField(
        _("Audience of token requests"),
        max_length=MOST_ADDRESS,
        blank=True,
        help_text=_("Only if the platform names one. Empty: the access token address."),
    )
    makes_accounts = models.BooleanField(
        _("New people get an account"),
        default=False,
        help_text=_(
            "Tick this only if the platform itself confirms email addresses. Others are invited, "
            "and connect their account once."
        ),
    )
    makes_coaches = models.BooleanField(
        _("Instructors become coaches of the group"),
        default=False,
        help_text=_("Coaches open the takes that are sent to their group."),
    )
    is_active = models.BooleanField(_("People can come from this platform"), default=True)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "learning platform")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "client_id"],
                name="one_platform_for_each_registration",
                violation_error_message=_("This platform is registered already."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Course(models.Model):
    """A course (context) from which somebody came, and the group that an administrator chose."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="courses")
    deployment_id = models.CharField(max_length=MOST_NAME)
    context_id = models.CharField(max_length=MOST_NAME)
    title = models.CharField(max_length=MOST_NAME, blank=True)
    # Of the names and roles service; empty if the platform offers none.
    members_url = models.URLField(max_length=MOST_ADDRESS, blank=True)
    cohort = models.ForeignKey(
        Cohort, null=True, blank=True, on_delete=models.SET_NULL, related_name="courses"
    )
    seen_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "course of a learning platform")
        ordering = ["title", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "deployment_id", "context_id"], name="a_course_once"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.context_id


class PlatformAccount(models.Model):
    """A person's account at a learning platform, by the identifier that the platform states."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="accounts")
    subject = models.CharField(max_length=MOST_NAME)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="platform_accounts"
    )
    connected_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "account at a learning platform")
        ordering = ["connected_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["platform", "subject"], name="an_account_once"),
        ]

    def __str__(self) -> str:
        return f"{self.person} · {self.platform}"


class Completion(models.Model):
    """A person's progress in one assignment, to pass back to one column of the platform.

    A row exists once the person opened the assignment from a course with such a column.
    """

    class State(models.TextChoices):
        """The progress that is passed back."""

        OPEN = "open", pgettext_lazy("an assignment", "Not submitted")
        SUBMITTED = "submitted", pgettext_lazy("an assignment", "Submitted")
        REVIEWED = "reviewed", pgettext_lazy("an assignment", "Reviewed")

    class Outcome(models.TextChoices):
        """The result of the last attempt to pass it back."""

        DELIVERED = "delivered", pgettext_lazy("progress", "Passed back")
        REFUSED = "refused", pgettext_lazy("progress", "The platform answered with an error")
        UNREACHABLE = "unreachable", pgettext_lazy("progress", "The platform did not answer")
        NOT_PUBLIC = "not_public", pgettext_lazy("progress", "Not sent: address is not public")

    account = models.ForeignKey(
        PlatformAccount, on_delete=models.CASCADE, related_name="completions"
    )
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="completions")
    # The line item of the assignment and grade services.
    url = models.URLField(max_length=MOST_ADDRESS)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    sent = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    attempts = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=11, choices=Outcome.choices, blank=True)
    # HTTP status of the last answer; None without one.
    status = models.PositiveSmallIntegerField(null=True)
    # The next attempt; None once it is passed back or given up.
    next_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "progress for a learning platform")
        constraints = [
            models.UniqueConstraint(fields=["account", "assignment", "url"], name="a_column_once"),
        ]
        indexes = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(next_at__isnull=False),
                name="progress_to_pass_back",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}: {self.state}"


class UsedNonce(models.Model):
    """A nonce that came back in a signed message: no second message can use it."""

    nonce = models.CharField(max_length=64, primary_key=True)
    used_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.nonce
