"""What somebody is told about a take, and which mails they would rather not have."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from coach.rehearsals.models import Rehearsal


class Kind(models.TextChoices):
    """What there is to know. The words stand beside the boxes that switch mails off."""

    WAITING = "waiting", _("A take is waiting for your answer")
    HANDED = "handed", _("A colleague has handed you a take")
    SECOND = "second", _("A take is waiting for your second opinion")
    RELEASED = "released", _("Your coach has released feedback")
    CORRECTED = "corrected", _("Your coach has corrected released feedback")
    QUESTION = "question", _("Somebody asks you a question")
    ANSWER = "answer", _("Somebody has answered you")
    GUEST = "guest", _("A guest has left you a comment")
    PRACTICE = "practice", _("It is time to practise")
    ACCESS = "access", _("An administrator can open your recordings")


class Notice(models.Model):
    """One thing that one person is to know. A row holds no word of a talk, of a card or of a note.

    It goes with the take. What is over (answered by somebody else, taken back) is settled, and
    then neither shown as new nor mailed.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="notices")
    # What it is about, as `app.model:key`: telling twice changes nothing.
    about = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    # Before that nobody sees it: what may still be taken back, or is another's to answer first.
    not_before = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    # The mail: when the relay took it, or refused its address for good; tries that did not work.
    mailed_at = models.DateTimeField(null=True, blank=True)
    refused_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-not_before", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "kind", "about"], name="a_person_is_told_once_of_a_thing"
            ),
        ]
        indexes = [
            models.Index(
                fields=["person", "not_before"],
                condition=models.Q(seen_at__isnull=True, settled_at__isnull=True),
                name="notices_that_are_new",
            ),
            models.Index(
                fields=["not_before"],
                condition=models.Q(
                    seen_at__isnull=True,
                    settled_at__isnull=True,
                    mailed_at__isnull=True,
                    refused_at__isnull=True,
                ),
                name="notices_not_mailed",
            ),
            models.Index(fields=["about"], name="notices_about_a_thing"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.person}"


class Mute(models.Model):
    """A kind of which a person wants no mail. The badge goes on telling them."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_notices"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "kind"], name="a_kind_is_muted_once"),
        ]

    def __str__(self) -> str:
        return f"{self.person}: no mail of {self.kind}"
