"""Models of practice between takes."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.feedback.models import Item
from coach.rehearsals.models import Goal, Rehearsal, Talk


class ExerciseDone(models.Model):
    """An exercise that a person has completed: they say so, or they recorded it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exercises_done"
    )
    # Its id in `coach.practice.exercises.catalogue`, or the rule whose own exercise it is.
    exercise = models.CharField(max_length=40)
    # The take whose card led to it; it is deleted with the take.
    rehearsal = models.ForeignKey(
        Rehearsal,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="exercises_done",
    )
    # The card that led to a recording.
    item = models.ForeignKey(Item, null=True, blank=True, on_delete=models.SET_NULL)
    # None if nothing was recorded, and when its retention period is over.
    recording = models.OneToOneField(
        Rehearsal, null=True, blank=True, on_delete=models.SET_NULL, related_name="exercise_done"
    )
    # What was counted in the recording: objects with `id`, `value` and `unit`. They stay.
    facts = models.JSONField(default=list, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "exercise")
        ordering = ["-at"]
        indexes = [models.Index(fields=["user", "-at"], name="exercises_of_a_person")]

    def __str__(self) -> str:
        return f"{self.exercise} by {self.user_id}"


class SpanAgain(models.Model):
    """A part of a take that its owner redoes, to compare one measure before and after.

    Both sides are recordings of their own kind (`coach.rehearsals.kinds`), not takes.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    take = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="spans_again")
    # The card that led to it.
    item = models.ForeignKey(Item, null=True, blank=True, on_delete=models.SET_NULL)
    # In seconds of the take.
    start = models.FloatField()
    end = models.FloatField()
    # The only measure that is compared, by its id in the catalogue.
    metric = models.CharField(max_length=80)
    # The same part in the original take; several attempts share it.
    before = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="+")
    # The new recording; None until it is made.
    after = models.OneToOneField(
        Rehearsal, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "stretch done again")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                name="a_span_ends_after_it_begins", condition=models.Q(end__gt=models.F("start"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.take_id} from {self.start} to {self.end}"


class FocusArea(models.Model):
    """A focus that a person practises for a while. Its current step follows from takes
    since `since`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="focus_areas"
    )
    # The measure of a ladder (`coach.practice.plan.ladders`).
    metric = models.CharField(max_length=80)
    # The first step, and the time from which takes count.
    step = models.PositiveSmallIntegerField(default=1)
    since = models.DateTimeField(default=timezone.now)
    # The coach who set it last; empty if its person did.
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    set_by_name = models.CharField(max_length=120, blank=True)
    # The coach's reason.
    why = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "focus")
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "metric"],
                condition=models.Q(ended_at__isnull=True),
                name="a_focus_once_at_a_time",
            ),
            models.CheckConstraint(
                name="a_step_is_one_to_three", condition=models.Q(step__gte=1, step__lte=3)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} for {self.person_id}"


TASK_CHARACTERS = 300
"""The maximum length of a task in a coach's words."""


class CoachTask(models.Model):
    """An exercise or a task that a coach set for a person outside assignments, with a day."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="coach_tasks"
    )
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    set_by_name = models.CharField(max_length=120)
    # Its id in `coach.practice.exercises.catalogue`; empty for a task in the coach's words.
    exercise = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=TASK_CHARACTERS, blank=True)
    due_on = models.DateField()
    # When the person ticked it.
    done_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "task of a coach")
        ordering = ["due_on", "pk"]
        constraints = [
            models.CheckConstraint(
                name="a_task_is_an_exercise_or_words",
                condition=~models.Q(exercise="") | ~models.Q(text=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exercise or 'A task'} for {self.person_id}"


class SelfAssessment(models.Model):
    """The owner's opinion of a take before reading its report; one for each take."""

    class State(models.TextChoices):
        """Whether the owner answered or skipped it."""

        ANSWERED = "answered"
        SKIPPED = "skipped"

    class Closeness(models.TextChoices):
        """How close the take came to its aim, in the owner's opinion."""

        NOT_YET = "not_yet", _("Not yet there")
        PARTLY = "partly", _("In parts")
        MOSTLY = "mostly", _("For the most part")
        REACHED = "reached", _("There")

    rehearsal = models.OneToOneField(
        Rehearsal, primary_key=True, on_delete=models.CASCADE, related_name="self_assessment"
    )
    state = models.CharField(max_length=10, choices=State.choices)
    went_well = models.TextField(max_length=1000, blank=True)
    would_change = models.TextField(max_length=1000, blank=True)
    closeness = models.CharField(max_length=10, choices=Closeness.choices, blank=True)
    # Otherwise only its owner reads it.
    coach_may_read = models.BooleanField(default=False)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.state} of {self.rehearsal_id}"


class OwnMoment(models.Model):
    """A moment of the recording that its owner marked, with its topic."""

    assessment = models.ForeignKey(SelfAssessment, on_delete=models.CASCADE, related_name="moments")
    # In seconds of the media.
    at_seconds = models.FloatField()
    tone = models.CharField(
        max_length=12,
        choices=[("strength", _("Keep")), ("improvement", pgettext_lazy("a moment", "Change"))],
    )
    quality = models.CharField(max_length=20, choices=Goal.choices)
    word = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["at_seconds", "pk"]

    def __str__(self) -> str:
        return f"{self.quality} at {self.at_seconds}"


class PracticeReminder(models.Model):
    """The hour and days at which a person wants to be reminded to practise; one for each person."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="practice_reminder",
    )
    # The hour in `zone`, the time zone of the browser in which it was chosen.
    at = models.TimeField()
    zone = models.CharField(max_length=64)
    # Monday is 0.
    days = ArrayField(models.PositiveSmallIntegerField(), size=7)
    # Otherwise only the calendar file.
    by_email = models.BooleanField(default=True)
    # When the next email is due.
    next_at = models.DateTimeField(db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "reminder to practise")

    def __str__(self) -> str:
        return f"{self.at} for {self.person_id}"


class KeyMessage(models.Model):
    """A sentence of a talk that listeners should remember."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    talk = models.ForeignKey(Talk, on_delete=models.CASCADE, related_name="key_messages")
    # 1 to 3, in the order of the form.
    place = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["place"]

    def __str__(self) -> str:
        return f"message {self.place} of {self.talk_id}"


class KeyMessageVerdict(models.Model):
    """The speaker's decision: whether a sentence of a take, or the take at all, says a message."""

    message = models.ForeignKey(KeyMessage, on_delete=models.CASCADE, related_name="verdicts")
    take = models.ForeignKey(
        Rehearsal, on_delete=models.CASCADE, related_name="key_message_verdicts"
    )
    # The start of the sentence in seconds of the media; None for the whole take.
    at_seconds = models.FloatField(null=True, blank=True)
    is_it = models.BooleanField()
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["at_seconds"]
        constraints = [
            models.UniqueConstraint(
                fields=["take", "message", "at_seconds"], name="one_verdict_on_a_sentence"
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.message_id} in {self.take_id}"


SESSION_CHARACTERS = 4000


class CoachingSession(models.Model):
    """A live session of a trainee with a coach, with the coach's notes. Both read them."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="coaching_sessions"
    )
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Kept beside the reference, which goes when the account is erased.
    coach_name = models.CharField(max_length=120)
    held_on = models.DateField()
    notes = models.TextField(max_length=SESSION_CHARACTERS)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "live session")
        ordering = ["-held_on", "-created_at"]
        indexes = [
            models.Index(fields=["person", "-held_on"], name="sessions_of_a_trainee"),
            models.Index(fields=["coach", "-held_on"], name="sessions_of_a_coach"),
        ]

    def __str__(self) -> str:
        return f"session of {self.person_id} on {self.held_on}"
