"""Forms for opening a round."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.lib.pages.forms import ManyBoxes
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import CodebookVersion, Interview
from coach.research.coding.rounds.selectors import codable_interviews, possible_coders
from coach.research.coding.rounds.takes import codable_takes
from coach.research.studies.models import Study


class SharesForm(forms.Form):
    """The coders, texts and takes."""

    coders = forms.ModelMultipleChoiceField(
        User.objects.none(),
        label=_("Coders"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Agreement requires at least two coders."),
    )
    interviews = forms.ModelMultipleChoiceField(
        Interview.objects.none(),
        label=_("Interviews"),
        required=False,
        widget=ManyBoxes,
        help_text=_("Only interviews that have been redacted and locked."),
    )
    takes = forms.MultipleChoiceField(
        label=_("Takes"),
        required=False,
        widget=ManyBoxes,
        help_text=_("From people who agreed to the use of the sound and picture of their takes."),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = User.objects.filter(pk__in=[each.pk for each in possible_coders(study)])
        self._offer("coders", people.order_by("name"))
        self._offer("interviews", codable_interviews(study))
        self._takes = {str(take.rehearsal.pk): take for take in codable_takes(study)}
        if self._takes:
            named = [(pk, take.label) for pk, take in self._takes.items()]
            self.fields["takes"].choices = named  # type: ignore[attr-defined]
        else:
            del self.fields["takes"]

    def _offer(self, name: str, rows: QuerySet[Any]) -> None:
        self.fields[name].queryset = rows  # type: ignore[attr-defined]

    def clean_takes(self) -> list[Rehearsal]:
        """Return the chosen takes."""
        return [self._takes[pk].rehearsal for pk in self.cleaned_data["takes"]]


class RoundForm(SharesForm):
    """The purpose, codebook and coders of a round, and its distribution of texts."""

    title = forms.CharField(label=_("Purpose"), max_length=120, required=False)
    codebook = forms.ModelChoiceField(
        CodebookVersion.objects.none(), label=_("Codebook"), empty_label=None
    )
    each_to = forms.IntegerField(
        label=_("Coders per text or take"),
        min_value=1,
        max_value=100,
        required=False,
        help_text=_(
            "Leave empty for all of them. Otherwise texts and takes are assigned at "
            "random, and you see the result first."
        ),
    )
    seed = forms.RegexField(r"^[0-9a-f]{8}$", required=False, widget=forms.HiddenInput)
    field_order = ("title", "codebook", "coders", "each_to", "interviews", "takes")

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, study=study, **kwargs)
        self._offer("codebook", CodebookVersion.objects.filter(study=study))
        versions = self.fields["codebook"]
        versions.label_from_instance = _version_words  # type: ignore[attr-defined]

    @property
    def is_drawn(self) -> bool:
        """Return whether coders get only some of the texts, drawn at random."""
        each_to = self.cleaned_data["each_to"]
        return each_to is not None and each_to < len(self.cleaned_data["coders"])


def _version_words(version: CodebookVersion) -> str:
    words = _("Version %(number)s") % {"number": version.number}
    return f"{words} · {version.note}" if version.note else str(words)
