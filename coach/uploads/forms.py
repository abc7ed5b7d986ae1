"""Forms of a new take: its talk and its recording."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import EASE_CHOICES, TalkForm
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.words.sizes import size_words
from coach.rehearsals.media_types import ACCEPT
from coach.rehearsals.models import MOST_KEY_WORDS_CHARACTERS, Aim, Audience, Setting


class BeforeRecordingForm(forms.Form):
    """The questions next to the recorder; those about the talk are asked during the analysis."""

    ease_before = forms.ChoiceField(
        label=TalkForm.base_fields["ease_before"].label,
        choices=EASE_CHOICES,
        required=False,
        help_text=_("Only you can see this."),
    )
    key_words = PlainTextField(
        label=_("Your notes"),
        max_length=MOST_KEY_WORDS_CHARACTERS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "data-key-words": ""}),
        help_text=_(
            "One idea per line, for example: “three numbers”. We save them with this talk, and "
            "show them in large type while you speak."
        ),
    )

    def __init__(self, *args: Any, asks_ease: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not asks_ease:
            del self.fields["ease_before"]


class NewRehearsalForm(TalkForm):
    """The talk form with a recording."""

    recording = forms.FileField(
        label=_("Your recording"),
        widget=forms.FileInput(attrs={"accept": ACCEPT}),
        max_length=500,
        error_messages={
            "required": _("Choose the recording to analyse."),
            "empty": _("This file is empty (0 bytes). Record or export it again."),
        },
    )

    def clean_recording(self) -> TemporaryUploadedFile:
        """Return the recording. Raises ValidationError if it exceeds the size limit."""
        recording: TemporaryUploadedFile = self.cleaned_data["recording"]
        size = recording.size or 0
        if size > settings.MAX_UPLOAD_BYTES:
            raise forms.ValidationError(
                _("This file has %(size)s; the limit here is %(limit)s."),
                params={
                    "size": size_words(size),
                    "limit": size_words(settings.MAX_UPLOAD_BYTES),
                },
            )
        return recording


def form_errors(form: forms.Form) -> dict[str, Any]:
    """Return the errors for the page's script: by field, and one summary sentence."""
    errors = {field: list(map(str, messages)) for field, messages in form.errors.items()}
    return {
        "errors": errors,
        "message": str(_("The recording was not accepted yet. Please check the marked fields.")),
    }


class TopicForm(forms.Form):
    """The plan that another page proposes for a recording: at least its title."""

    title = PlainTextField(max_length=120)
    minutes = forms.FloatField(required=False, min_value=0.1, max_value=600)
    aim = forms.ChoiceField(required=False, choices=Aim.choices)
    audience = forms.ChoiceField(required=False, choices=Audience.choices)
    setting = forms.ChoiceField(required=False, choices=Setting.choices)
    shows_slides = forms.BooleanField(required=False)
    # A talk of one's own that has no take yet.
    talk = forms.UUIDField(required=False)
