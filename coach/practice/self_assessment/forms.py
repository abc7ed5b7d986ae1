"""Form with three questions about one's own take, and up to three moments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import ClockField
from coach.lib.pages.plain_text import PlainTextField
from coach.practice.models import OwnMoment, SelfAssessment
from coach.practice.self_assessment.services import MarkedMoment, SelfAssessmentAnswers
from coach.rehearsals.models import Goal

MOST_MOMENTS = 3
_THREE_LINES = forms.Textarea(attrs={"rows": 3})
_ABOUT = [("", _("About what?")), *Goal.choices]


class SelfAssessmentForm(forms.Form):
    """The questions and moments; all may be left empty."""

    went_well = PlainTextField(
        label=_("What went well?"), required=False, max_length=1000, widget=_THREE_LINES
    )
    would_change = PlainTextField(
        label=_("What would you do differently next time?"),
        required=False,
        max_length=1000,
        widget=_THREE_LINES,
    )
    closeness = forms.ChoiceField(
        label=_("How far did it achieve its purpose?"),
        choices=SelfAssessment.Closeness.choices,
        required=False,
        widget=forms.RadioSelect,
    )
    coach_may_read = forms.BooleanField(
        label=_("Let my coach read this"),
        required=False,
        help_text=_(
            "Your coach reads it if you send them the take. Otherwise only you can see it."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tones = OwnMoment._meta.get_field("tone").choices or ()  # noqa: SLF001  # one list of them
        for number in range(1, MOST_MOMENTS + 1):
            self.fields[f"at_{number}"] = ClockField(label=_("At"), required=False, max_length=12)
            self.fields[f"tone_{number}"] = forms.ChoiceField(
                label=_("Keep or change"), choices=[("", _("Choose one")), *tones], required=False
            )
            self.fields[f"quality_{number}"] = forms.ChoiceField(
                label=_("About what?"), choices=_ABOUT, required=False
            )
            self.fields[f"word_{number}"] = PlainTextField(
                label=_("In a few words"), required=False, max_length=120
            )

    @property
    def rows(self) -> Iterator[list[forms.BoundField]]:
        """Return the fields of each moment."""
        for number in range(1, MOST_MOMENTS + 1):
            yield [self[f"{name}_{number}"] for name in ("at", "tone", "quality", "word")]

    def clean(self) -> dict[str, Any]:
        """Require a time and a topic for each moment."""
        data = super().clean() or self.cleaned_data
        for number in range(1, MOST_MOMENTS + 1):
            at, word = data.get(f"at_{number}"), data.get(f"word_{number}")
            about, tone = data.get(f"quality_{number}"), data.get(f"tone_{number}")
            if at is None and (word or about or tone) and f"at_{number}" not in self.errors:
                self.add_error(f"at_{number}", _("Choose the time."))
            if at is not None and not tone:
                self.add_error(f"tone_{number}", _("Choose whether to keep or change this."))
            if at is not None and not about:
                self.add_error(f"quality_{number}", _("Choose what it is about."))
        return data

    @property
    def is_filled_in(self) -> bool:
        """Return whether any field is filled in; an empty form skips the assessment."""
        names = ("went_well", "would_change", "closeness")
        return any(self.cleaned_data[name] for name in names) or bool(self.moments())

    def thoughts(self) -> SelfAssessmentAnswers:
        """Return the three answers."""
        names = ("went_well", "would_change", "closeness", "coach_may_read")
        return SelfAssessmentAnswers(**{name: self.cleaned_data[name] for name in names})

    def moments(self) -> list[MarkedMoment]:
        """Return the rows that have a time."""
        data = self.cleaned_data
        return [
            MarkedMoment(
                at_seconds=data[f"at_{number}"],
                tone=data[f"tone_{number}"],
                quality=data[f"quality_{number}"],
                word=data[f"word_{number}"],
            )
            for number in range(1, MOST_MOMENTS + 1)
            if data[f"at_{number}"] is not None
        ]
