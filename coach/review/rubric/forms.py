"""What a coach chooses in the rubric."""

from __future__ import annotations

from typing import Any

from django import forms

from coach.rehearsals.models import Goal
from coach.review.rubric.services import MOST_PRIORITIES, OwnPriority
from coach.review.rubric.words import LEVELS, QUALITIES

CANNOT = 0
"""What the page and the keyboard call it when a quality cannot be judged."""
RANKS = range(1, MOST_PRIORITIES + 1)


class RubricForm(forms.Form):
    """A level for each quality, and up to three things to work on; any of it may still be open."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(str(level), "") for level in (CANNOT, *LEVELS)]
        for quality in QUALITIES:
            self.fields[f"level_{quality.code}"] = forms.ChoiceField(
                choices=choices, required=False
            )
        for rank in RANKS:
            self.fields[f"words_{rank}"] = forms.CharField(max_length=200, required=False)
            self.fields[f"goal_{rank}"] = forms.ChoiceField(
                choices=[("", ""), *Goal.choices], required=False
            )

    def levels(self) -> dict[str, int | None]:
        """Those that were chosen; None where it cannot be judged."""
        chosen = {each.code: self.cleaned_data[f"level_{each.code}"] for each in QUALITIES}
        return {
            code: None if int(value) == CANNOT else int(value)
            for code, value in chosen.items()
            if value
        }

    def priorities(self) -> list[OwnPriority]:
        """Those that say something, in their order."""
        data = self.cleaned_data
        rows = [
            OwnPriority(words=data[f"words_{rank}"].strip(), goal=data[f"goal_{rank}"])
            for rank in RANKS
        ]
        return [row for row in rows if row.words or row.goal]
