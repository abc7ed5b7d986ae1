"""Asking people once more where the words that they agreed to are others now."""

from __future__ import annotations

from collections.abc import Iterable

from coach.accounts.models import User
from coach.feedback.pages.extensions import Part
from coach.portal.personal.privacy import questions_for


def at_home(user: User) -> Iterable[Part]:
    """A quiet notice for each, on the page where trainees begin."""
    for question in questions_for(user):
        yield Part(place="top", template="portal/_asked_anew.html", context={"question": question})
