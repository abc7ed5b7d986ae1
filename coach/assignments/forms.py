"""Forms of assignments: the brief, and an extension for one person."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Cohort
from coach.assignments.models import (
    MOST_CHARACTERS,
    MOST_GRACE_HOURS,
    MOST_PEERS,
    MOST_TAKES,
    MOST_TOGETHER,
    Assignment,
)
from coach.assignments.selectors import zone_of
from coach.assignments.services import Brief
from coach.lib.pages.forms import MomentField
from coach.lib.pages.plain_text import NameField, PlainTextField
from coach.lib.words.dates import read_in
from coach.practice.exercises.catalogue import exercises
from coach.rehearsals.models import Aim, Audience, Goal, Setting

_USUAL_GRACE = 1
"""An hour (rule of thumb): a take that is recorded in time may be analysed a while later."""


class ZonedMomentField(MomentField):
    """A date and time field in a given time zone, not in the reader's."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    zone: ZoneInfo | None = None

    def prepare_value(self, value: Any) -> Any:
        """Return the value in the time zone of the field."""
        with read_in(self._name):
            return super().prepare_value(value)

    def to_python(self, value: Any) -> datetime | None:
        """Return the typed moment. Raises ValidationError, also for an hour that the zone skips
        or has twice.
        """
        with read_in(self._name):
            return super().to_python(value)

    @property
    def _name(self) -> str:
        return self.zone.key if self.zone else ""


class AssignmentForm(forms.Form):
    """The brief of an assignment, for one group."""

    title = NameField(label=_("Title"), max_length=120)
    instructions = PlainTextField(
        label=pgettext_lazy("an assignment", "Instructions"),
        max_length=MOST_CHARACTERS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("For example: “Explain one result of your project to a first-year class.”"),
    )
    due_at = ZonedMomentField(label=_("Due"))
    grace_hours = forms.IntegerField(
        label=_("Hours of grace"),
        min_value=0,
        max_value=MOST_GRACE_HOURS,
        initial=_USUAL_GRACE,
        help_text=_(
            "So long after the due date takes are still accepted, as late. An hour covers the "
            "minutes of an analysis."
        ),
    )
    aim = forms.ChoiceField(label=_("Purpose"), choices=Aim.choices)
    audience = forms.ChoiceField(
        label=_("Audience"), choices=Audience.choices, initial=Audience.MIXED
    )
    setting = forms.ChoiceField(label=_("Setting"), choices=Setting.choices)
    time_limit_minutes = forms.FloatField(
        label=_("Time limit in minutes"), required=False, min_value=0.1, max_value=600
    )
    takes_wanted = forms.IntegerField(
        label=_("Takes, at least"), min_value=1, max_value=MOST_TAKES, initial=1
    )
    most_together = forms.IntegerField(
        label=_("People who may hand in together, at most"),
        min_value=1,
        max_value=MOST_TOGETHER,
        initial=1,
        help_text=_("1: everybody hands in a take of their own."),
    )
    peers_wanted = forms.IntegerField(
        label=_("People of the group to ask for comments"),
        min_value=0,
        max_value=MOST_PEERS,
        initial=0,
        help_text=_("Each trainee chooses whom to ask; they watch the take and comment, no more."),
    )
    goals = forms.MultipleChoiceField(
        label=_("What coaches look at"),
        required=False,
        choices=Goal.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Trainees read it in the brief. Coaches rate the same qualities."),
    )
    needs_slides = forms.BooleanField(label=_("With slides"), required=False)
    needs_answers = forms.BooleanField(label=_("With answers to questions"), required=False)
    exercises = forms.MultipleChoiceField(
        label=_("Exercises to do before"), required=False, widget=forms.CheckboxSelectMultiple
    )

    PLAN = (
        *("aim", "audience", "setting", "time_limit_minutes", "takes_wanted", "most_together"),
        "peers_wanted",
    )
    ASKED = ("needs_slides", "needs_answers")

    def __init__(self, *args: Any, cohort: Cohort, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone, due = zone_of(cohort), self.fields["due_at"]
        due.zone = zone  # type: ignore[attr-defined]
        due.help_text = _("In the time zone of the group, %(zone)s.") % {
            "zone": zone.key.replace("_", " ")
        }
        chosen = [(each.id, each.words.title) for each in exercises().values()]
        self.fields["exercises"].choices = chosen  # type: ignore[attr-defined]

    def clean_due_at(self) -> datetime:
        """Return the due date. Raises ValidationError if it is over when the assignment is new."""
        due: datetime = self.cleaned_data["due_at"]
        if not self.initial and due <= timezone.now():
            raise forms.ValidationError(gettext("Choose a moment that is still to come."))
        return due

    @property
    def plan(self) -> list[forms.BoundField]:
        """The fields of the plan that each take begins with."""
        return [self[name] for name in self.PLAN]

    @property
    def asked(self) -> list[forms.BoundField]:
        """The boxes of what a take must come with."""
        return [self[name] for name in self.ASKED]

    def brief(self) -> Brief:
        """Return the cleaned answers."""
        said = dict(self.cleaned_data)
        minutes = said.pop("time_limit_minutes")
        return Brief(**said, time_limit=minutes * 60 if minutes else None)


def values_of(assignment: Assignment) -> dict[str, Any]:
    """Return an assignment as the form's initial values."""
    names = set(AssignmentForm.base_fields) - {"time_limit_minutes"}
    minutes = assignment.time_limit / 60 if assignment.time_limit else None
    return {name: getattr(assignment, name) for name in names} | {
        "time_limit_minutes": f"{minutes:g}" if minutes else None
    }


class ExtensionForm(forms.Form):
    """Another due date for one person, and why."""

    due_at = ZonedMomentField(label=_("New due date"))
    reason = NameField(
        label=_("Reason"),
        max_length=500,
        help_text=_("The person reads it. Leave out what is private."),
    )

    def __init__(self, *args: Any, cohort: Cohort, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone, due = zone_of(cohort), self.fields["due_at"]
        due.zone = zone  # type: ignore[attr-defined]
        due.help_text = _("In the time zone of the group, %(zone)s.") % {
            "zone": zone.key.replace("_", " ")
        }
