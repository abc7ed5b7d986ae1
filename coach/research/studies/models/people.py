"""Models of a study's members and participants, and of the link to their accounts."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.rehearsals.models import Rehearsal
from coach.research.studies.models.study import Study

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters without I, L, O and U, which are misread (Crockford's base 32)."""

PSEUDONYM_LENGTH = 6


def new_pseudonym() -> str:
    """Return six random characters, which reveal neither person nor order."""
    return "".join(secrets.choice(_CROCKFORD) for _each in range(PSEUDONYM_LENGTH))


class Member(models.Model):
    """A researcher's role in a study."""

    class Role(models.TextChoices):
        """Permission of a member. Only a lead changes the study and its members."""

        LEAD = "lead", _("Leads the study")
        ANALYST = "analyst", _("Analyses and exports")
        CODER = "coder", _("Codes interviews")
        REDACTOR = "redactor", _("Takes names out of interviews")
        ALLOCATOR = "allocator", _("Sees who is in which condition")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_memberships"
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["added_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="one_membership_a_study"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class Participant(models.Model):
    """A participant, known to the study only by a pseudonym."""

    class Group(models.TextChoices):
        """The participant's role in the study."""

        TRAINEE = "trainee", _("Trainee")
        COACH = "coach", _("Coach")
        EXPERT = "expert", _("Expert")

    class Experience(models.TextChoices):
        """Experience of speaking in public or coaching, in bands."""

        UNSAID = "", _("not said")
        NONE = "none", _("none")
        UNDER_1 = "lt_1y", _("under a year")
        FROM_1 = "1_3y", _("1 to 3 years")
        FROM_3 = "3_10y", _("3 to 10 years")
        OVER_10 = "gt_10y", _("more than 10 years")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="participants")
    pseudonym = models.CharField(max_length=12, default=new_pseudonym)
    group = models.CharField(max_length=8, choices=Group.choices, default=Group.TRAINEE)
    # A generalised group in the study's terms; empty in exports if few share it.
    cohort = models.CharField(max_length=40, blank=True)
    experience = models.CharField(max_length=8, choices=Experience.choices, blank=True)
    practice_language = models.CharField(max_length=3, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["study", "pseudonym"], name="a_pseudonym_once_a_study"),
        ]

    def __str__(self) -> str:
        return self.pseudonym


class Pseudonym(models.Model):
    """The link from a participant to a user, the only one: without it nobody can be identified.

    Read only through `studies.selectors`; every look at it by a person is in the audit log.
    """

    participant = models.OneToOneField(
        Participant, on_delete=models.CASCADE, primary_key=True, related_name="link"
    )
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pseudonyms"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="one_pseudonym_a_study"),
        ]

    def __str__(self) -> str:
        return f"Link of {self.participant_id}"


class Condition(models.Model):
    """One arm. Blinded people see its `letter`."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="conditions")
    letter = models.CharField(max_length=1)
    name = models.CharField(_("name"), max_length=80)
    what = models.TextField(_("what is different"), blank=True, max_length=2000)
    weight = models.PositiveSmallIntegerField(
        _("share"), default=1, validators=[MinValueValidator(1)]
    )

    class Meta:
        ordering = ["letter"]
        constraints = [
            models.UniqueConstraint(fields=["study", "letter"], name="a_letter_once_a_study"),
        ]

    def __str__(self) -> str:
        return self.letter


class Allocation(models.Model):
    """A participant's condition and the number of the draw, reproducible from the seed."""

    participant = models.OneToOneField(
        Participant, on_delete=models.CASCADE, primary_key=True, related_name="allocation"
    )
    condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="allocations")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number}: {self.condition_id}"


class LeftOut(models.Model):
    """A take excluded by researchers, with the reason."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="left_out")
    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(_("reason"), max_length=200)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "rehearsal"], name="left_out_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rehearsal_id}: {self.reason}"
