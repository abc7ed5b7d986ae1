"""Models of assignments: what a coach sets for a group, and the work of each trainee on it."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort
from coach.rehearsals.models import Aim, Audience, Goal, Rehearsal, Setting, Talk

MOST_TAKES = 20
MOST_GRACE_HOURS = 14 * 24
MOST_TOGETHER = 10
MOST_PEERS = 2
MOST_CHARACTERS = 4000
"""Limits of the form (rules of thumb): a term of practice, two weeks, ten people, two readers, two
pages."""


class Assignment(models.Model):
    """A talk that a group prepares until a date: the brief, and what is asked for."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="assignments")
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="assignments_written",
    )
    title = models.CharField(max_length=120)
    instructions = models.TextField(max_length=MOST_CHARACTERS, blank=True)
    # The plan of each take that begins here, in the words of a take.
    aim = models.CharField(max_length=20, choices=Aim.choices)
    audience = models.CharField(max_length=20, choices=Audience.choices)
    setting = models.CharField(max_length=20, choices=Setting.choices)
    time_limit = models.FloatField(null=True, blank=True, validators=[MinValueValidator(1)])
    needs_slides = models.BooleanField(default=False)
    needs_answers = models.BooleanField(default=False)
    takes_wanted = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(MOST_TAKES)]
    )
    # How many people may hand one take in together; 1: each a take of their own.
    most_together = models.PositiveSmallIntegerField(
        default=1,
        db_default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_TOGETHER)],
    )
    # What coaches look at: qualities of the rubric, in the words of a take's goal.
    goals = ArrayField(
        models.CharField(max_length=20, choices=Goal.choices),
        default=list,
        db_default=[],
        blank=True,
    )
    # How many people of the group each trainee asks for comments, by guest links.
    peers_wanted = models.PositiveSmallIntegerField(
        default=0, db_default=0, validators=[MaxValueValidator(MOST_PEERS)]
    )
    # Exercises to do before, by their ids in the catalogue.
    exercises = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    due_at = models.DateTimeField()
    grace_hours = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(MOST_GRACE_HOURS)]
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # None for a draft, which trainees do not see.
    published_at = models.DateTimeField(null=True, blank=True)
    # When it was withdrawn; what trainees handed in stays.
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "assignment")
        ordering = ["-due_at", "-created_at"]
        indexes = [
            models.Index(fields=["cohort", "-due_at"], name="assignments_of_a_group"),
            models.Index(
                fields=["due_at"],
                condition=models.Q(published_at__isnull=False, archived_at__isnull=True),
                name="assignments_that_are_open",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_published(self) -> bool:
        """Whether trainees may work on it: published, not withdrawn, in a group that goes on."""
        is_standing = self.published_at is not None and self.archived_at is None
        return is_standing and self.cohort.archived_at is None

    @property
    def grace(self) -> timedelta:
        """The time after the due date in which a take can be handed in late."""
        return timedelta(hours=self.grace_hours)


class AssignmentWork(models.Model):
    """One trainee's work on an assignment: their talk, an extension, and the take handed in.

    `take` is None if none is handed in, or if it was deleted since: then `handed_in_at` stays.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="works")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignment_works"
    )
    # Its takes are those for this assignment.
    talk = models.ForeignKey(
        Talk, null=True, blank=True, on_delete=models.SET_NULL, related_name="assignment_works"
    )
    take = models.ForeignKey(
        Rehearsal, null=True, blank=True, on_delete=models.SET_NULL, related_name="handed_in_for"
    )
    handed_in_at = models.DateTimeField(null=True, blank=True)
    # Which take of the talk it was, counted from 1 when it was handed in.
    take_number = models.PositiveSmallIntegerField(null=True, blank=True)
    # An extension for this person alone.
    due_at = models.DateTimeField(null=True, blank=True)
    extension_reason = models.CharField(max_length=500, blank=True)
    extended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "work on an assignment")
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "person"], name="one_work_for_each_person_and_assignment"
            ),
            models.CheckConstraint(
                name="a_take_handed_in_has_its_time",
                condition=models.Q(take=None) | models.Q(handed_in_at__isnull=False),
            ),
            models.CheckConstraint(
                name="an_extension_has_a_reason",
                condition=models.Q(due_at=None) | ~models.Q(extension_reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} · {self.assignment}"

    @property
    def due(self) -> datetime:
        """The moment at which it is due for this person; never before it is for the group."""
        usual = self.assignment.due_at
        return max(self.due_at, usual) if self.due_at else usual


class AssignmentPartner(models.Model):
    """A person whom the owner of a work asked to hand one take in together.

    The take stays the owner's: it counts for the partner once they have agreed.
    """

    work = models.ForeignKey(AssignmentWork, on_delete=models.CASCADE, related_name="partners")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignment_partners"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # None until they agree; the row of a person who declines is deleted.
    agreed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "partner in an assignment")
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["work", "person"], name="a_partner_once_a_work"),
        ]

    def __str__(self) -> str:
        return f"{self.person} · {self.work}"
