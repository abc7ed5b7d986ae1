"""Models of runs, stages, reports, drafts, items and messages."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.feedback.annotations import (
    CorrectedCard,
    CorrectedReport,
    Correction,
    DeskAct,
    RejectReason,
    TimedNote,
    Verdict,
)
from coach.feedback.documents import CardDocument
from coach.lib.work.leases import Leased
from coach.rehearsals.models import Rehearsal
from coach.rulesets.models import RuleSetRelease

__all__ = [
    "CorrectedCard",
    "CorrectedReport",
    "Correction",
    "DeskAct",
    "Dispute",
    "Question",
    "RejectReason",
    "TimedNote",
    "Verdict",
]


class Run(models.Model):
    """An analysis of a take. PostgreSQL has the state; the broker only wakes workers."""

    class State(models.TextChoices):
        """The state of a run."""

        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    options = models.JSONField(default=dict)
    # The amount of work (`analysis.plan.Shape`); None before the prepare stage.
    shape = models.JSONField(null=True)
    # For a run without a report: a stable error code, and a note for the user
    # (`coach.lib.words.sentences`) about the cause and the remedy.
    error_code = models.CharField(max_length=10, blank=True)
    problem = models.JSONField(default=dict, blank=True)
    # What is known from the words while the picture is still watched (`runs.early`); None before
    # and after.
    early_report = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "analysis")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["rehearsal"],
                condition=models.Q(state="running"),
                name="one_running_run_per_rehearsal",
            ),
            models.CheckConstraint(
                name="a_failed_run_says_why",
                condition=~models.Q(state="failed") | ~models.Q(problem={}),
            ),
        ]

    def __str__(self) -> str:
        return f"Run of {self.rehearsal}"

    @cached_property
    def later_states(self) -> list[str]:
        """The states of the runs that began after it; read with it by `latest_report_run`."""
        later = Run.objects.filter(rehearsal=self.rehearsal_id, created_at__gt=self.created_at)
        return list(later.values_list("state", flat=True))


class Stage(Leased):
    """A step of a run, leased to one worker at a time."""

    class State(models.TextChoices):
        """The state of a stage. The run continues after `skipped` and `failed`, which are final."""

        WAITING = "waiting"
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        SKIPPED = "skipped"
        FAILED = "failed"

    FINISHED = (State.DONE, State.SKIPPED, State.FAILED)

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="stages")
    name = models.CharField(max_length=20)
    position = models.PositiveSmallIntegerField()
    needs = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    queue = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    progress = models.FloatField(default=0)
    queued_at = models.DateTimeField(null=True)
    # Stages run in the order of this time (`runs.turns`).
    due_at = models.DateTimeField(null=True)
    # The expected duration when it was queued.
    expected_seconds = models.FloatField(default=0)
    started_at = models.DateTimeField(null=True)
    # The number of cores assigned at its start.
    cores = models.PositiveSmallIntegerField(default=1)
    finished_at = models.DateTimeField(null=True)
    version = models.CharField(max_length=40, blank=True)
    seconds = models.FloatField(null=True)
    processor_seconds = models.FloatField(null=True)
    # A note, as in `Run`; empty without a problem.
    problem = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "name"], name="one_row_per_stage_of_a_run"),
            models.CheckConstraint(
                name="a_running_stage_has_a_lease",
                condition=~models.Q(state="running")
                | models.Q(lease__isnull=False, lease_until__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["state", "lease_until"]),
            # Index-only scans for the next stage and for the work queued before a stage.
            models.Index(
                fields=["queue", "due_at"],
                condition=models.Q(state__in=["queued", "running"]),
                include=["state", "expected_seconds"],
                name="stages_in_line",
            ),
            # The newest finished stages tell which workers were active lately.
            models.Index(
                F("finished_at").desc(),
                condition=models.Q(state="done"),
                name="stage_done_newest_first",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.run}"


class StageCost(models.Model):
    """The cost of one kind of stage on this installation, as sums for a linear regression.

    Older stages fade out. `amount` is seconds of media, `work` processor seconds; `stretch` is the
    recent ratio of duration to processor time. No row identifies a person.
    """

    stage = models.CharField(max_length=20)
    kind = models.CharField(max_length=60, blank=True)
    weight = models.FloatField()
    amount = models.FloatField()
    work = models.FloatField()
    amount_squared = models.FloatField()
    amount_by_work = models.FloatField()
    stretch = models.FloatField(default=1)
    seen = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "kind"], name="one_cost_for_each_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.kind}".strip()


class StoredReport(models.Model):
    """The result of an analysis, in its own table so that runs load without the transcript."""

    run = models.OneToOneField(
        Run, on_delete=models.CASCADE, primary_key=True, related_name="report"
    )
    document = models.JSONField()
    schema_version = models.PositiveSmallIntegerField()
    duration = models.FloatField()
    language = models.CharField(max_length=10)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"Report of {self.run_id}"


class MeasuredValue(models.Model):
    """A metric of a report: its value, or the reason why it is missing."""

    report = models.ForeignKey(StoredReport, on_delete=models.CASCADE, related_name="measured")
    metric = models.CharField(max_length=80)
    value = models.FloatField(null=True)
    unit = models.CharField(max_length=40, blank=True)
    n = models.PositiveIntegerField(null=True)
    coverage = models.FloatField(null=True)
    quality = models.CharField(max_length=8, blank=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    reason = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "metric"], name="a_metric_once_a_report"),
            models.CheckConstraint(
                name="a_value_or_the_reason_why_there_is_none",
                condition=models.Q(value__isnull=False, reason="")
                | (models.Q(value__isnull=True) & ~models.Q(reason="")),
            ),
        ]
        indexes = [models.Index(fields=["metric"], name="measured_by_metric")]

    def __str__(self) -> str:
        return f"{self.metric} in {self.report_id}"


class Feedback(models.Model):
    """A version of the trainee's feedback. Released rows are records and never change.

    A diagram of its states and transitions is in docs/review-page.md.
    """

    class State(models.TextChoices):
        """The state of a version: a draft is the machine's, a released one a coach's."""

        DRAFT = "draft"
        RELEASED = "released"
        RETRACTED = "retracted"

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="feedback")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="feedback")
    version = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=12, choices=State.choices, default=State.DRAFT)
    rule_set = models.ForeignKey(RuleSetRelease, on_delete=models.PROTECT, related_name="+")
    # The draft of the rules, byte for byte, including held-back items with reasons.
    draft = models.TextField()
    # The rules' other input, without the items of the previous take (`Lent`).
    context = models.JSONField(default=dict)
    # The coach's comment on the whole take.
    word = models.TextField(blank=True, max_length=2000)
    # Ids of items in the coach's order; empty for the draft's order.
    order = models.JSONField(default=list, blank=True)
    # The version that this one corrects.
    corrects = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="corrections_of"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # When the owner can read it. Until then, for some seconds, the release can be cancelled.
    released_at = models.DateTimeField(null=True, blank=True)
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Kept beside the reference, which goes when the coach's account is erased.
    released_by_name = models.CharField(max_length=120, blank=True)
    retracted_at = models.DateTimeField(null=True, blank=True)
    # The coach's reason, for the trainee.
    retracted_why = models.CharField(max_length=500, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "feedback")
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["rehearsal", "version"], name="one_feedback_per_version"
            ),
            models.CheckConstraint(
                name="released_feedback_names_its_coach_and_time",
                condition=models.Q(state="draft")
                | (models.Q(released_at__isnull=False) & ~models.Q(released_by_name="")),
            ),
        ]

    def __str__(self) -> str:
        return f"Feedback {self.version} on {self.rehearsal}"

    @property
    def is_leaving(self) -> bool:
        """Whether it is released but not yet readable, so that the release can be cancelled."""
        is_on_its_way = self.released_at is not None and self.released_at > timezone.now()
        return self.state == self.State.RELEASED and is_on_its_way

    @property
    def is_released(self) -> bool:
        """Whether the owner can read the released version."""
        return self.state == self.State.RELEASED and not self.is_leaving


class Lent(models.Model):
    """Data of an earlier take in a draft: the previous take's items, as the rules' input.

    Stored apart from the context, so that it is deleted with the earlier take.
    """

    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="lent")
    take = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="+")
    items = models.JSONField(default=list)
    # Exercises that it offered without a card, and that no later take offered.
    offers = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["feedback", "take"], name="a_take_lends_once"),
        ]

    def __str__(self) -> str:
        return f"From {self.take} to {self.feedback}"


class Item(models.Model):
    """An item: a finding chosen for the draft, one that waits for a coach, or a coach's own.

    `document` is the evidence card as first written; it is never overwritten.
    """

    class Origin(models.TextChoices):
        """The author of an item."""

        RULE = "rule"
        COACH = "coach"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="items")
    origin = models.CharField(max_length=8, choices=Origin.choices)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    position = models.PositiveSmallIntegerField()
    tone = models.CharField(max_length=12)
    quality = models.CharField(max_length=30)
    rule = models.CharField(max_length=20, blank=True)
    rule_version = models.PositiveSmallIntegerField(null=True)
    document = models.JSONField()
    # Whether the selector chose it; others wait for a coach's confirmation.
    is_chosen = models.BooleanField(default=True)
    # The item that a coach's own one replaces.
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )
    # The same item in the previous version, whose decisions also apply here.
    former = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="later"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "item")
        ordering = ["feedback", "position", "pk"]

    def __str__(self) -> str:
        return f"{self.rule or 'coach'}: {self.card.claim[:60]}"

    @cached_property
    def card(self) -> CardDocument:
        """The document as first written, typed."""
        return CardDocument.read(self.document)


class Firing(models.Model):
    """A rule that fired on a take; most firings do not become an item.

    Stored apart from the draft's text, so that the database can count rule statistics.
    """

    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="firings")
    rule = models.CharField(max_length=20)
    rule_version = models.PositiveSmallIntegerField()
    # The resulting item, shown or waiting for a coach; None if there is none.
    item = models.OneToOneField(
        Item, null=True, blank=True, on_delete=models.CASCADE, related_name="firing"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["feedback", "rule"], name="a_rule_fires_once_a_draft"),
        ]
        indexes = [models.Index(fields=["rule", "rule_version"], name="firing_of_a_rule_version")]

    def __str__(self) -> str:
        return f"{self.rule} version {self.rule_version}"


MESSAGE_CHARACTERS = 2000


class Answered(models.Model):
    """A message's answer, which is given once and never overwritten."""

    answer = models.TextField(blank=True, max_length=MESSAGE_CHARACTERS)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    # Kept beside the reference, which goes when the account is erased.
    answered_by_name = models.CharField(max_length=120, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    # When the author withdrew it; an unanswered message is deleted instead.
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        """Whether an answer is awaited."""
        return self.answered_at is None and self.withdrawn_at is None


class Dispute(Answered):
    """A trainee's objection that an item is wrong or unhelpful."""

    class Reason(models.TextChoices):
        """The reason of a dispute."""

        NOT_RIGHT = "not_right", _("This is not what happened")
        NOT_HELPFUL = "not_helpful", _("Right, but it does not help me")

    item = models.ForeignKey("feedback.Item", on_delete=models.CASCADE, related_name="disputes")
    reason = models.CharField(max_length=12, choices=Reason.choices)
    note = models.TextField(blank=True, max_length=MESSAGE_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item"], name="one_dispute_per_item"),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: {self.item}"


class Question(Answered):
    """A trainee's question about an item, or a coach's before the release (without an item)."""

    rehearsal = models.ForeignKey(
        "rehearsals.Rehearsal", on_delete=models.CASCADE, related_name="questions"
    )
    feedback = models.ForeignKey(
        "feedback.Feedback", on_delete=models.CASCADE, related_name="questions"
    )
    item = models.ForeignKey(
        "feedback.Item", null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    asker_name = models.CharField(max_length=120)
    text = models.TextField(max_length=MESSAGE_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["item"], name="one_question_about_an_item"),
            models.UniqueConstraint(
                fields=["feedback"],
                condition=Q(item__isnull=True),
                name="one_question_of_a_coach_about_a_draft",
            ),
        ]
        indexes = [
            models.Index(
                fields=["rehearsal"],
                condition=Q(item__isnull=True),
                name="questions_of_coaches",
            ),
            models.Index(
                fields=["at"],
                condition=Q(item__isnull=False, answered_at__isnull=True),
                name="questions_unanswered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asker_name} asks about {self.rehearsal}"
