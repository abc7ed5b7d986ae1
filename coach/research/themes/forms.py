"""Forms of the passages page and of themes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.plain_text import storable
from coach.research.coding.codebook.forms import CodeChoice, tidy
from coach.research.coding.codebook.tree import in_order
from coach.research.coding.models import Code, Coding, Theme
from coach.research.coding.rounds.takes import consented_rehearsals
from coach.research.studies.models import Participant, Study
from coach.research.themes.retrieval import PassageQuery

RUN_UP = 2
"""Seconds before a moment that a reel plays unless another run-up is chosen."""
_INDENT = "\N{NO-BREAK SPACE}" * 3


class PassagesForm(forms.Form):
    """The words, codes and people to look for, in the address of the page."""

    words = forms.CharField(label=_("Contains these words"), required=False, max_length=100)
    theme = forms.ModelChoiceField(
        Theme.objects.none(), label=_("Theme"), required=False, empty_label=_("Any")
    )
    code = CodeChoice(label=_("Code"), required=False, empty_label=_("Any"))
    also = CodeChoice(label=_("Second code"), required=False, empty_label=_("None"))
    how = forms.ChoiceField(
        label=_("With two codes"),
        required=False,
        choices=[("", _("Either")), ("both", _("Both, on overlapping words"))],
    )
    group = forms.ChoiceField(
        label=_("Group"), required=False, choices=[("", _("Any")), *Participant.Group.choices]
    )
    participant = forms.ModelChoiceField(
        Participant.objects.none(), label=_("Participant"), required=False, empty_label=_("Any")
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        codes = list(Code.objects.filter(study=study).exclude(state=Code.State.MERGED))
        for name in ("code", "also"):
            self.fields[name].offer(codes)  # type: ignore[attr-defined]
        there = Participant.objects.filter(study=study, withdrawn_at=None)
        coded = Coding.objects.filter(study=study, rehearsal__isnull=False)
        owners = consented_rehearsals(study).filter(pk__in=coded.values("rehearsal"))
        people = there.filter(
            Q(voices__isnull=False) | Q(link__user__in=owners.order_by().values("owner"))
        )
        chosen: dict[str, Any] = {"theme": study.themes.all(), "participant": people.distinct()}
        for name, rows in chosen.items():
            self.fields[name].queryset = rows  # type: ignore[attr-defined]
        self.fields["participant"].label_from_instance = _pseudonym  # type: ignore[attr-defined]

    def query(self) -> PassageQuery:
        """Return what is asked for; values that cannot be chosen are ignored."""
        self.is_valid()
        said = self.cleaned_data
        theme, code, also = said.get("theme"), said.get("code"), said.get("also")
        codes = set(theme.codes.values_list("pk", flat=True)) if theme else set()
        # A theme without codes has no passages.
        chosen = codes or ({0} if theme else set())
        person = said.get("participant")
        return PassageQuery(
            words=" ".join(storable(said.get("words", "")).split()),
            codes=frozenset(chosen | ({code.pk} if code else set())),
            also=also.pk if also else None,
            is_both=said.get("how") == "both",
            group=said.get("group", ""),
            participant=person.pk if person else None,
        )


class ReelForm(PassagesForm):
    """What a reel plays: the fields of passages, and the run-up."""

    before = forms.ChoiceField(
        label=_("Run-up"),
        required=False,
        choices=[
            ("0", _("none")),
            *((str(seconds), f"{seconds}\N{NO-BREAK SPACE}s") for seconds in (2, 5, 10, 20)),
        ],
    )

    @property
    def run_up(self) -> int:
        """Return the seconds that are played before each moment."""
        self.is_valid()
        return int(self.cleaned_data.get("before") or RUN_UP)


def _pseudonym(person: Participant) -> str:
    return person.pseudonym


class ThemeNameForm(forms.Form):
    """The name of a new theme."""

    name = forms.CharField(label=_("New theme"), max_length=120)

    def clean_name(self) -> str:
        """Return the name in one line."""
        return tidy(self.cleaned_data["name"])


class ThemeForm(forms.Form):
    """The name of a theme, its memo and its codes."""

    name = forms.CharField(label=_("Name"), max_length=120)
    memo = forms.CharField(
        label=_("Memo"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Earlier versions are kept."),
    )
    codes = forms.ModelMultipleChoiceField(
        Code.objects.none(),
        label=_("Codes"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, theme: Theme, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        there = Code.objects.filter(study=theme.study_id)
        own = set(theme.codes.values_list("pk", flat=True))
        usable = [
            each
            for each in there.exclude(state=Code.State.MERGED)
            if each.pk in own or (each.is_codable and each.state == Code.State.ACTIVE)
        ]
        field: Any = self.fields["codes"]
        field.queryset = there.filter(pk__in=[each.pk for each in usable])
        field.choices = [
            (code.pk, f"{_INDENT * depth}{code.name}") for code, depth in in_order(usable)
        ]
        self.initial.setdefault("codes", own)

    def clean_name(self) -> str:
        """Return the name in one line."""
        return tidy(self.cleaned_data["name"])


class MergeThemeForm(forms.Form):
    """The theme to merge into."""

    into = forms.ModelChoiceField(
        Theme.objects.none(), label=_("Into"), empty_label=_("Choose a theme")
    )

    def __init__(self, *args: Any, theme: Theme, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = theme.study.themes.exclude(pk=theme.pk)
        self.fields["into"].queryset = others  # type: ignore[attr-defined]
