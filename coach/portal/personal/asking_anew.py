"""Requests to renew a consent whose wording has changed."""

from __future__ import annotations

from collections.abc import Iterable

from coach.accounts.models import User
from coach.feedback.pages.extensions import Part
from coach.portal.personal.privacy import questions_for


def at_home(user: User) -> Iterable[Part]:
    """Yield a notice for each renewal on the trainee's home page."""
    for question in questions_for(user):
        yield Part(place="top", template="portal/_asked_anew.html", context={"question": question})
