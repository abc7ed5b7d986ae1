"""Forms for editing a codebook."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from coach.lib.words.punctuation import within_quotes
from coach.research.coding.codebook.starter_codes import next_colour
from coach.research.coding.codebook.tree import in_order, with_what_is_below
from coach.research.coding.models import Code
from coach.research.studies.models import Study

_COLOUR = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_LONG = forms.Textarea(attrs={"rows": 3})
_WORDED = ("name", "description", "include_when", "exclude_when", "examples")
_BLACK = "#000000"
"""Sent by browsers for a colour that is empty."""
_INDENT = "\N{NO-BREAK SPACE}" * 3


def tidy(name: str) -> str:
    """Return a code's name in NFC with single spaces, as it is stored and compared."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def _mark(words: str) -> str:
    """Return a digest of words that ignores a browser's line breaks."""
    return hashlib.blake2s(" ".join(words.split()).encode(), digest_size=8).hexdigest()


class CodeChoice(forms.ModelChoiceField[Code]):
    """A choice of codes in tree order, indented."""

    def __init__(self, codes: list[Code] | None = None, **kwargs: Any) -> None:
        super().__init__(queryset=Code.objects.none(), **kwargs)
        self.offer(codes or [])

    def offer(self, codes: list[Code]) -> None:
        """Set the available codes."""
        self.queryset = Code.objects.filter(pk__in=[code.pk for code in codes])
        first = [("", self.empty_label or "")]
        self.choices = first + [
            (code.pk, f"{_INDENT * depth}{code.name}") for code, depth in in_order(codes)
        ]


class CodeForm(forms.ModelForm[Code]):
    """One code. Its colour has six digits: files of other tools do not support transparency."""

    parent = CodeChoice(label=_("Parent code"), required=False, empty_label=_("None: top level"))
    colour = forms.CharField(
        label=_("Colour"), required=False, widget=forms.TextInput(attrs={"type": "color"})
    )
    without_colour = forms.BooleanField(
        label=_("No colour"),
        required=False,
        help_text=_("Ignored if you choose another colour."),
    )
    shortcut = forms.ChoiceField(
        label=_("Number key"),
        required=False,
        choices=[("", _("In the order of the codes")), *((n, n) for n in "123456789")],
        help_text=_("Press this key while coding to apply the code."),
    )

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    """Digests of the fields as shown, so that a later save does not overwrite a colleague's
    change."""

    class Meta:
        model = Code
        fields = (
            "name",
            "parent",
            "description",
            "include_when",
            "exclude_when",
            "examples",
            "is_codable",
            "colour",
            "without_colour",
            "shortcut",
        )
        widgets = dict.fromkeys(("description", "include_when", "exclude_when", "examples"), _LONG)
        help_texts = {
            "examples": _("Example quotes, one per line. No names."),
            "is_codable": _("Untick for a heading that only groups other codes."),
        }

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._study = study
        self.fields["without_colour"].initial = bool(self.instance.pk and not self.instance.colour)
        self.fields["seen"].initial = self._marks() if self.instance.pk else ""
        if not self.instance.pk:
            self.instance.study = study
            self.initial.setdefault("colour", next_colour(study))
        every = list(Code.objects.filter(study=study))
        own = with_what_is_below(self.instance, every) if self.instance.pk else set()
        parents = [each for each in every if each.state == Code.State.ACTIVE and each.pk not in own]
        self.fields["parent"].offer(parents)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Keep fields that a colleague has changed; show a conflict if both have changed a field.

        After a conflict both texts are shown, and the next save keeps the one in the field.
        """
        data = super().clean() or self.cleaned_data
        kept = {"", _BLACK, self.initial.get("colour", "")}
        if data.get("without_colour") and data.get("colour", "") in kept:
            data["colour"] = ""
        shown = dict(zip(_WORDED, data.get("seen", "").split(), strict=False))
        for name in shown.keys() & data.keys():
            theirs, before = self.initial[name], shown[name]
            if _mark(theirs) == before:
                continue
            if _mark(data[name]) == before:
                data[name] = theirs
            elif _mark(data[name]) != _mark(theirs):
                said = _(
                    "Someone else changed this in the meantime: “%(words)s”. Your version is below."
                )
                told_words = {"words": within_quotes(theirs)}
                self.add_error(name, forms.ValidationError(said, params=told_words))
        told = QueryDict(mutable=True)
        told.update(self.data)
        told["seen"] = self.fields["seen"].initial
        self.data = told
        return data

    def _marks(self) -> str:
        return " ".join(_mark(self.initial[name]) for name in _WORDED)

    def clean_name(self) -> str:
        """Return the name. Raises ValidationError unless it is unique in the codebook, as
        other tools need.
        """
        name = tidy(self.cleaned_data["name"])
        same = Code.objects.filter(study=self._study, name__iexact=name)
        if same.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("Another code already has this name."))
        return name

    def clean_colour(self) -> str:
        """Return a colour of six digits in lower case, or an empty string."""
        colour: str = self.cleaned_data["colour"].strip().lower()
        if not colour:
            return ""
        if _COLOUR.fullmatch(colour) is None:
            raise forms.ValidationError(
                _(
                    "Enter the colour as # and six digits. The files of other tools do not "
                    "support transparency."
                )
            )
        return colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])


class MergeForm(forms.Form):
    """The code to merge into."""

    into = CodeChoice(label=_("Into"), empty_label=_("Choose a code"))

    def __init__(self, *args: Any, code: Code, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        every = list(Code.objects.filter(study=code.study_id))
        own = with_what_is_below(code, every)
        codable = [
            each
            for each in every
            if each.state == Code.State.ACTIVE and each.is_codable and each.pk not in own
        ]
        self.fields["into"].offer(codable)  # type: ignore[attr-defined]


class SplitForm(forms.Form):
    """The names of the new codes, one per line."""

    names = forms.CharField(
        label=_("New codes"),
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=1200,
        help_text=_(
            "At least two names, one per line. You then sort the existing codings into them."
        ),
    )

    def clean_names(self) -> list[str]:
        """Return the names. Raises ValidationError unless there are two different ones of
        valid length.
        """
        names = [tidy(line) for line in self.cleaned_data["names"].splitlines() if line.strip()]
        if len(names) < 2 or len({name.casefold() for name in names}) < len(names):
            raise forms.ValidationError(_("Enter at least two different names, one per line."))
        if any(len(name) > 120 for name in names):
            raise forms.ValidationError(_("A name can have up to 120 characters."))
        return names
