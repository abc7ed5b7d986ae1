"""Forms for redactions and for the speakers of an interview."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.forms import PlainSelect
from coach.research.coding.interviews.forms import (
    check_person,
    language_choices_or_unset,
    person_choices,
)
from coach.research.coding.interviews.guides import likely_question, questions_in
from coach.research.coding.interviews.redaction.deciding import NEW_TOKEN, TOKEN
from coach.research.coding.interviews.speakers import NEW, SpeakerAnswer
from coach.research.coding.models import Interview, Redaction, Speaker, Text
from coach.research.studies.models import Participant
from coach.research.studies.selectors import without_account

_MOST_WORDS = 100
_MOST_TURNS = 300
"""Django takes a thousand fields."""
_SHOWN = 120
_ASKED = ("role", "person", "group")
"""Fields of each speaker, as in `SpeakerAnswer`."""


class _TokenForm(forms.Form):
    kind = forms.ChoiceField(choices=Redaction.Kind.choices)
    same_as = forms.RegexField(regex=rf"\A(?:{TOKEN.pattern}|{NEW_TOKEN})\Z", required=False)


class DecisionForm(_TokenForm):
    """A decision on a redaction, everywhere or in one place."""

    of = forms.IntegerField(min_value=1, max_value=2**62)
    state = forms.ChoiceField(choices=Redaction.State.choices)
    only_here = forms.BooleanField(required=False)


class RedactSpanForm(_TokenForm):
    """A span of the text, in code points."""

    start = forms.IntegerField(min_value=0, max_value=2**31)
    end = forms.IntegerField(min_value=1, max_value=2**31)


class RedactWordsForm(_TokenForm):
    """Words to redact wherever they occur."""

    words = forms.CharField(max_length=4000)

    def clean_words(self) -> list[str]:
        """Return the words, one per line."""
        lines = str(self.cleaned_data["words"]).splitlines()
        return [line.strip() for line in lines if line.strip()][:_MOST_WORDS]


class SpeakersForm(forms.Form):
    """The role, pseudonym and group of each speaker."""

    def __init__(self, *args: Any, interview: Interview, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.interview = interview
        # A withdrawn speaker cannot be changed: their words could no longer be hidden.
        gone = interview.speakers.filter(participant__withdrawn_at__isnull=False)
        self.speakers = list(interview.speakers.exclude(pk__in=gone.values("pk")))
        people = Participant.objects.filter(study=interview.study, withdrawn_at=None)
        choices = person_choices(people)
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"),
            choices=language_choices_or_unset(interview.language),
            required=False,
            initial=interview.language,
            widget=PlainSelect,
        )
        unknown = {each.pk for each in without_account(interview.study)}
        for each in self.speakers:
            self.fields[f"role_{each.pk}"] = forms.ChoiceField(
                label=_("Role"), choices=Speaker.Role.choices, initial=each.role
            )
            self.fields[f"person_{each.pk}"] = forms.ChoiceField(
                label=_("Pseudonym"),
                choices=choices,
                required=False,
                initial=str(each.participant_id or ""),
                widget=PlainSelect,
            )
            known = each.participant if each.participant_id in unknown else None
            self.fields[f"group_{each.pk}"] = forms.ChoiceField(
                label=_("Role in the study"),
                choices=[
                    ("", _("not given")),
                    *Participant.Group.choices,
                ],
                required=False,
                initial=known.group if known else "",
                show_hidden_initial=True,
            )

    def clean(self) -> dict[str, Any]:
        """Check each speaker; no group is assumed for a new person."""
        said = super().clean() or self.cleaned_data
        for each in self.speakers:
            check_person(self, said, str(each.pk))
        return said

    def rows(self) -> list[dict[str, Any]]:
        """Return each speaker with their fields."""
        return [
            {"speaker": e, "fields": [self[f"{name}_{e.pk}"] for name in _ASKED]}
            for e in self.speakers
        ]

    def said(self) -> dict[int, SpeakerAnswer]:
        """Return the answers by the key of the speaker."""
        return {e.pk: self._speaker_answer(e) for e in self.speakers}

    def _speaker_answer(self, speaker: Speaker) -> SpeakerAnswer:
        """Return the answer; a group already shown belonged to the former person, so it is
        dropped.
        """
        said = {name: self.cleaned_data[f"{name}_{speaker.pk}"] for name in _ASKED}
        group = self[f"group_{speaker.pk}"]
        shown = self.data.get(group.html_initial_name, group.initial)
        if said["person"] != NEW and said["group"] == shown:
            said["group"] = ""
        return SpeakerAnswer(**said)


class QuestionsForm(forms.Form):
    """The question of the guide that each interviewer's turn asks."""

    def __init__(self, *args: Any, interview: Interview, text: Text, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        questions = questions_in(interview.guide.text) if interview.guide else {}
        choices = [("", _("none")), *((str(n), f"{n}. {w[:60]}") for n, w in questions.items())]
        turns = text.turns.filter(speaker__role=Speaker.Role.INTERVIEWER).order_by("number")
        for turn in turns[:_MOST_TURNS] if questions else ():
            said = text.text[turn.start : turn.end]
            is_new = turn.question is None
            likely = likely_question(said, questions) if is_new else turn.question
            self.fields[f"turn_{turn.number}"] = forms.ChoiceField(
                label=said[:_SHOWN], choices=choices, required=False, initial=str(likely or "")
            )

    def said(self) -> dict[int, int | None]:
        """Return the questions by turn number."""
        answers = self.cleaned_data.items()
        return {int(name[5:]): int(value) if value else None for name, value in answers}
