"""Models of questionnaires before and after a study, and of their answers."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Language
from coach.research.studies.models.people import Participant
from coach.research.studies.models.study import Study


class Questionnaire(models.Model):
    """A set of questions for one occasion, locked by its first answer."""

    class Occasion(models.TextChoices):
        """When it is asked."""

        BEFORE = "before", _("Before")
        AFTER = "after", _("After")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="questionnaires")
    key = models.SlugField(max_length=40)
    title = models.CharField(_("title"), max_length=160)
    moment = models.CharField(_("when"), max_length=8, choices=Occasion.choices)
    language = models.CharField(_("language"), max_length=3, choices=Language.choices)
    # For a published scale: its source and terms.
    source = models.CharField(_("source"), max_length=300, blank=True)
    terms = models.CharField(_("terms of use"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "questionnaire")
        ordering = ["-moment", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "key", "moment", "language"], name="a_questionnaire_once"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Question(models.Model):
    """One item."""

    class Kind(models.TextChoices):
        """Type of answer."""

        SCALE = "scale", _("A scale")
        NUMBER = "number", _("A number")
        CHOICE = "choice", _("One of several")
        TEXT = "text", _("In words")

    questionnaire = models.ForeignKey(
        Questionnaire, on_delete=models.CASCADE, related_name="questions"
    )
    key = models.SlugField(max_length=40)
    position = models.PositiveSmallIntegerField()
    text = models.CharField(_("question"), max_length=500)
    kind = models.CharField(_("answer"), max_length=8, choices=Kind.choices)
    least = models.FloatField(_("lowest"), null=True, blank=True)
    most = models.FloatField(_("highest"), null=True, blank=True)
    least_means = models.CharField(_("lowest means"), max_length=80, blank=True)
    most_means = models.CharField(_("highest means"), max_length=80, blank=True)
    choices = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    # Reverse-scored when a scale is summed; the answer itself is stored as given.
    is_reversed = models.BooleanField(default=False)
    is_required = models.BooleanField(default=False)

    class Meta:
        ordering = ["questionnaire", "position"]
        constraints = [
            models.UniqueConstraint(fields=["questionnaire", "key"], name="a_question_once"),
        ]

    def __str__(self) -> str:
        return self.text


class AnswerSheet(models.Model):
    """A participant's answers on one occasion; sent once."""

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="sheets")
    questionnaire = models.ForeignKey(
        Questionnaire, on_delete=models.PROTECT, related_name="sheets"
    )
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["participant", "questionnaire"], name="one_sheet_a_questionnaire"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant_id} on {self.questionnaire_id}"


class Answer(models.Model):
    """One answer; missing answers have no row."""

    sheet = models.ForeignKey(AnswerSheet, on_delete=models.CASCADE, related_name="answers")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="answers")
    number = models.FloatField(null=True, blank=True)
    text = models.TextField(blank=True, max_length=4000)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "question"], name="one_answer_a_question"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id}"
