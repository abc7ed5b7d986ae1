"""The form of the rubric."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from coach.rehearsals.models import Goal
from coach.review.rubric.services import MOST_PRIORITIES, OwnPriority
from coach.review.rubric.words import LEVELS, QUALITIES

CANNOT = 0
"""The form value for a quality that cannot be rated."""
RANKS = range(1, MOST_PRIORITIES + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSeen:
    """The state of a rating on a page, to detect the page's changes."""

    levels: Mapping[str, str]
    three: Sequence[OwnPriority]

    def as_text(self) -> str:
        """Return the state as JSON for a hidden field."""
        return json.dumps({"levels": dict(self.levels), "three": _pairs(self.three)})

    @classmethod
    def read(cls, text: str) -> RatingSeen | None:
        """Return the parsed state, or None if it is missing or invalid."""
        try:
            data = json.loads(text)
            levels = {str(code): str(value) for code, value in data["levels"].items()}
            return cls(levels=levels, three=_from_pairs(data["three"]))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None


def _pairs(three: Iterable[OwnPriority]) -> list[list[str]]:
    return [[each.words, each.goal] for each in three]


def _from_pairs(pairs: Iterable[Any]) -> list[OwnPriority]:
    return [OwnPriority(words=str(words), goal=str(goal)) for words, goal in pairs]


class RubricForm(forms.Form):
    """The form with a level for each quality and up to three priorities, all optional."""

    seen = forms.CharField(required=False, max_length=10_000, strip=False)
    over = forms.CharField(required=False, max_length=10_000, strip=False)

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
        """Return the levels changed on this page; None for a quality that cannot be rated."""
        seen = self.known()
        before = seen.levels if seen else {}
        return {
            code: None if int(value) == CANNOT else int(value)
            for code, value in self._chosen().items()
            if value != before.get(code)
        }

    def _chosen(self) -> dict[str, str]:
        values = {each.code: self.cleaned_data[f"level_{each.code}"] for each in QUALITIES}
        return {code: value for code, value in values.items() if value}

    def priorities(self) -> list[OwnPriority]:
        """Return the filled-in priorities in order."""
        data = self.cleaned_data
        rows = [
            OwnPriority(words=data[f"words_{rank}"].strip(), goal=data[f"goal_{rank}"])
            for rank in RANKS
        ]
        return [row for row in rows if row.words or row.goal]

    def known(self) -> RatingSeen | None:
        """Return the state that the page showed before, or None."""
        return RatingSeen.read(self.cleaned_data["seen"])

    def agreed(self) -> RatingSeen | None:
        """Return the other version that the coach has agreed to overwrite, or None."""
        return RatingSeen.read(self.cleaned_data["over"])

    def shows(self, *, is_kept: bool) -> RatingSeen:
        """Return the state on the page now; unsaved priorities stay as the page showed them."""
        seen = self.known()
        three = seen.three if seen and not is_kept else self.priorities()
        return RatingSeen(levels=self._chosen(), three=three)
