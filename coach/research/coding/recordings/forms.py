"""Forms for a conversation that is recorded, before and after."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.forms import DayInput
from coach.rehearsals.media_types import ACCEPT
from coach.rehearsals.models import SpokenLanguage
from coach.research.coding.interviews.forms import language_choices, offer_guides
from coach.research.coding.interviews.recording_consent import people_who_agree
from coach.research.coding.models import Interview, Speaker
from coach.research.coding.recordings.services import MOST_VOICES, RecordingPlan
from coach.research.studies.models import Study

_FIND_OUT = (SpokenLanguage.AUTO.value, _("Detect from the recording"))
_LANGUAGES = [_FIND_OUT, *(each for each in SpokenLanguage.choices if each[0] != _FIND_OUT[0])]


class PlanForm(forms.Form):
    """The speakers, date and language of a recording."""

    mode = forms.ChoiceField(
        label=_("Format"),
        choices=[each for each in Interview.Mode.choices if each[0] != Interview.Mode.TEXT],
    )
    held_on = forms.DateField(label=_("Date"), widget=DayInput())
    language = forms.ChoiceField(
        label=_("Language spoken"),
        choices=_LANGUAGES,
        initial=SpokenLanguage.AUTO,
    )
    n_voices = forms.IntegerField(
        label=_("Number of speakers"),
        min_value=1,
        max_value=MOST_VOICES,
        initial=2,
        help_text=_("Include the interviewers. Each speaker gets a number key."),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = people_who_agree(study)
        self.has_people = people.exists()
        self.fields["people"] = forms.ModelMultipleChoiceField(
            people,
            label=_("Participants"),
            widget=forms.CheckboxSelectMultiple,
            help_text=_("Only people who have agreed to be recorded are listed here."),
            error_messages={"required": _("Choose the participants.")},
        )
        self.fields["held_on"].initial = timezone.localdate()
        offer_guides(self, study)
        self.order_fields(["people", "n_voices", "held_on", "mode", "language", "guide"])

    def clean(self) -> dict[str, Any]:
        """Check that there are at least as many speakers as participants."""
        said = super().clean() or self.cleaned_data
        if said.get("n_voices") and len(said.get("people") or ()) > said["n_voices"]:
            self.add_error(
                "n_voices",
                _("There are more participants than speakers. Check the number of speakers."),
            )
        return said

    def plan(self) -> RecordingPlan:
        """Return the plan."""
        return RecordingPlan(**{**self.cleaned_data, "people": list(self.cleaned_data["people"])})


class RecordingFileForm(forms.Form):
    """The file, posted with the form if there is no JavaScript."""

    recording = forms.FileField(
        label=_("Recording"),
        widget=forms.FileInput(attrs={"accept": ACCEPT, "aria-describedby": "limits"}),
    )


class AgainForm(forms.Form):
    """The language for another transcription."""

    language = forms.ChoiceField(label=_("Language spoken"), choices=_LANGUAGES)


class VoiceForm(forms.Form):
    """A further speaker."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=[each for each in Speaker.Role.choices if each[0] != Speaker.Role.PARTICIPANT],
    )


class ImportRecordingForm(forms.Form):
    """The options for making it an interview."""

    language = forms.ChoiceField(label=_("Language"), choices=language_choices)
    marks_pauses = forms.BooleanField(
        label=_("Mark pauses"),
        required=False,
        help_text=_("Silences of two seconds or more within a turn are written as [pause 3 s]."),
    )
