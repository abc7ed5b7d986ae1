"""Models of notifications, and of muted emails."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from coach.rehearsals.models import Rehearsal


class Kind(models.TextChoices):
    """Kind of notification. The labels are next to the boxes that switch emails off."""

    WAITING = "waiting", _("A take is waiting for your answer")
    HANDED = "handed", _("A colleague has handed you a take")
    SECOND = "second", _("A take is waiting for your second opinion")
    DISCUSSED = "discussed", _("A coach has written about two opinions on a take")
    LATE = "late", _("A take has waited longer than the promised reply time")
    RELEASED = "released", _("Your coach has released feedback")
    CORRECTED = "corrected", _("Your coach has corrected released feedback")
    QUESTION = "question", _("Somebody asks you a question")
    ANSWER = "answer", _("Somebody has answered you")
    GUEST = "guest", _("A guest has left you a comment")
    TASK = "task", _("Your coach has set you a task")
    PRACTICE = "practice", _("It is time to practise")
    ACCESS = "access", _("An administrator can open your recordings")
    DUE = "due", _("An assignment is due soon")
    DEPARTMENT = "department", _("You administer a department")


class Notice(models.Model):
    """One notification of one person. It contains no words of a talk, a card or a note.

    It is deleted with the take. One that is over (answered by another coach, withdrawn) is settled,
    and then neither shown as new nor emailed.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    # None if it is about no take: an assignment is due before there is one.
    rehearsal = models.ForeignKey(
        Rehearsal, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    # The object that it is about, as `app.model:key`: notifying twice changes nothing.
    about = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    # Hidden before this time: the event may still be undone, or another coach may answer first.
    not_before = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    # The email: when the relay accepted it or permanently refused its address; failed attempts.
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


class Bounce(models.Model):
    """An address that can't receive emails. No notification is sent to it until this is deleted.

    It applies while the person has this address: with another one, emails are sent again.
    """

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bounce"
    )
    address = models.EmailField()
    # The enhanced status code of RFC 3463, such as 5.1.1 (no such mailbox).
    status = models.CharField(max_length=12)
    noticed_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.address}: {self.status}"


class Mute(models.Model):
    """A kind of notification that a person does not want by email. The badge still shows it."""

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
