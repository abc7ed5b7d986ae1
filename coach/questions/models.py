"""Models of questions after a talk: sessions, asked questions, and questions that coaches write."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort
from coach.rehearsals.models import Rehearsal, Talk

MOST_CHARACTERS = 200
"""The maximum length of a written question: about 30 words, as long as a listener can remember
(rule of thumb)."""


class QuestionKind(models.TextChoices):
    """The tone in which a question is asked."""

    FRIENDLY = "friendly", pgettext_lazy("a question", "Friendly")
    CLARIFYING = "clarifying", pgettext_lazy("a question", "To clarify")
    HOSTILE = "hostile", pgettext_lazy("a question", "Hostile")


class QuestionLanguage(models.TextChoices):
    """The languages in which questions are asked."""

    ENGLISH = "en", pgettext_lazy("a choice", "English")
    FRENCH = "fr", pgettext_lazy("a choice", "French")


class WrittenQuestion(models.Model):
    """A question that a coach wrote, for one talk or for everybody in a group."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="written_questions"
    )
    talk = models.ForeignKey(
        Talk, null=True, blank=True, on_delete=models.CASCADE, related_name="written_questions"
    )
    cohort = models.ForeignKey(
        Cohort, null=True, blank=True, on_delete=models.CASCADE, related_name="written_questions"
    )
    kind = models.CharField(max_length=12, choices=QuestionKind.choices)
    language = models.CharField(max_length=2, choices=QuestionLanguage.choices)
    text = models.CharField(max_length=MOST_CHARACTERS)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "written question")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                name="a_written_question_is_for_a_talk_or_a_group",
                condition=models.Q(talk__isnull=False) ^ models.Q(cohort__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} question by {self.author_id}"


class QuestionSession(models.Model):
    """Three questions after one take."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    take = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="question_sessions")
    language = models.CharField(max_length=2, choices=QuestionLanguage.choices)
    with_hostile = models.BooleanField(default=True)
    # The owner's choice: coaches who have the take may listen to the answers.
    coach_may_listen = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "questions after a talk")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"Questions after {self.take_id}"


class AskedQuestion(models.Model):
    """One question of a session, as it was asked, with its answer and a coach's comment."""

    class Source(models.TextChoices):
        """The origin of a question."""

        BANK = "bank", _("From the question bank")
        TALK = "talk", _("Built from your talk")
        COACH = "coach", _("Written by your coach")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(QuestionSession, on_delete=models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=12, choices=QuestionKind.choices)
    source = models.CharField(max_length=8, choices=Source.choices)
    # Its id in the bank, its template and moment in the talk, or the id of the written question.
    key = models.CharField(max_length=80)
    text = models.CharField(max_length=400)
    # The sentence of the take that it comes from, in seconds of the take; empty for other sources.
    quote = models.TextField(blank=True)
    quote_start = models.FloatField(null=True, blank=True)
    quote_end = models.FloatField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)
    answer = models.OneToOneField(
        Rehearsal, null=True, blank=True, on_delete=models.SET_NULL, related_name="answers_question"
    )
    # Start of the sentence of the answer that is nearest to the question; compared in a worker.
    nearest_start = models.FloatField(null=True, blank=True)
    compared_at = models.DateTimeField(null=True, blank=True)
    comment = models.TextField(blank=True, max_length=2000)
    commented_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    commented_by_name = models.CharField(max_length=120, blank=True)
    commented_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "question")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "position"], name="one_question_at_each_place"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} question {self.position} of {self.session_id}"
