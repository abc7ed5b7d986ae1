"""Form of a coding: the code and the selected words, in the browser's units."""

from __future__ import annotations

import re

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.research.coding.annotation.offsets import code_points, whole_characters
from coach.research.coding.annotation.reading import ReadTurn
from coach.research.coding.annotation.services import Stretch
from coach.research.coding.models import Text

_MOST_UNITS = 10_000_000
_NUMBER = re.compile(r"[0-9]{1,9}")


class MarkForm(forms.Form):
    """Selected words (`from` and `to` in UTF-16 units of their turns' words), or whole turns.

    Whole turns are posted without JavaScript: each one that is ticked.
    """

    first = forms.IntegerField(required=False, min_value=0, max_value=_MOST_UNITS)
    last = forms.IntegerField(required=False, min_value=0, max_value=_MOST_UNITS)
    begins = forms.IntegerField(required=False, min_value=0, max_value=_MOST_UNITS)
    ends = forms.IntegerField(required=False, min_value=0, max_value=_MOST_UNITS)

    def stretches(self, text: Text, turns: list[ReadTurn], ticked: list[str]) -> list[Stretch]:
        """Return the spans to code, in code points. Raises ValidationError if there are none."""
        by_number = {read.turn.number: read for read in turns if not read.is_left_out}
        if not self.is_valid():
            raise forms.ValidationError(_("Select a passage first."))
        said = self.cleaned_data
        first, last = by_number.get(said["first"]), by_number.get(said["last"])
        if first is not None and last is not None:
            found = [self._marked(text, first, last)]
        else:
            chosen = [by_number.get(int(each)) for each in ticked if _NUMBER.fullmatch(each)]
            found = [Stretch(text, read.start, read.end) for read in chosen if read is not None]
        whole = [
            Stretch(text, *whole_characters(text.text, each.start, each.end)) for each in found
        ]
        marked = [each for each in whole if each.start < each.end]
        if not marked:
            raise forms.ValidationError(_("Select a passage first."))
        return marked

    def _marked(self, text: Text, first: ReadTurn, last: ReadTurn) -> Stretch:
        start = first.start + code_points(first.words, self.cleaned_data["begins"] or 0)
        end = last.start + code_points(last.words, self.cleaned_data["ends"] or 0)
        return Stretch(text, min(start, end), max(start, end))
