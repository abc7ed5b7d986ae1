"""What somebody decides about names in a text, and who its speakers are."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.research.coding.interviews.redaction.deciding import TOKEN
from coach.research.coding.models import Interview, Redaction, Speaker
from coach.research.studies.models import Participant

NEW = "new"
_MOST_WORDS = 100


class _TokenForm(forms.Form):
    kind = forms.ChoiceField(choices=Redaction.Kind.choices)
    same_as = forms.RegexField(regex=TOKEN, required=False)


class DecisionForm(_TokenForm):
    """Take out, or leave; everywhere or only here."""

    of = forms.IntegerField(min_value=1, max_value=2**62)
    state = forms.ChoiceField(choices=Redaction.State.choices)
    only_here = forms.BooleanField(required=False)


class MarkForm(_TokenForm):
    """A stretch of the text, in code points."""

    start = forms.IntegerField(min_value=0, max_value=2**31)
    end = forms.IntegerField(min_value=1, max_value=2**31)


class WordsForm(_TokenForm):
    """Words to take out wherever they stand."""

    words = forms.CharField(max_length=4000)

    def clean_words(self) -> list[str]:
        """One a line."""
        lines = str(self.cleaned_data["words"]).splitlines()
        return [line.strip() for line in lines if line.strip()][:_MOST_WORDS]


class SpeakersForm(forms.Form):
    """The part and the pseudonym of each speaker of an interview."""

    def __init__(self, *args: Any, interview: Interview, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.speakers = list(interview.speakers.all())
        people = Participant.objects.filter(study=interview.study, withdrawn_at=None)
        choices = [("", _("not said yet")), *((str(p.pk), p.pseudonym) for p in people)]
        choices.append((NEW, _("somebody new, without an account here")))
        for each in self.speakers:
            self.fields[f"role_{each.pk}"] = forms.ChoiceField(
                label=_("Part"), choices=Speaker.Role.choices, initial=each.role
            )
            self.fields[f"person_{each.pk}"] = forms.ChoiceField(
                label=_("Pseudonym"),
                choices=choices,
                required=False,
                initial=str(each.participant_id or ""),
            )

    def rows(self) -> list[dict[str, Any]]:
        """Each speaker with both fields."""
        return [
            {"speaker": e, "fields": [self[f"role_{e.pk}"], self[f"person_{e.pk}"]]}
            for e in self.speakers
        ]

    def said(self) -> dict[int, tuple[str, str]]:
        """Part and person, by the key of the speaker."""
        data = self.cleaned_data
        return {e.pk: (data[f"role_{e.pk}"], data[f"person_{e.pk}"]) for e in self.speakers}
