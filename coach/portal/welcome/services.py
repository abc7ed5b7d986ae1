"""When the welcome is shown, and that it was."""

from __future__ import annotations

from coach.accounts.models import User
from coach.portal.home.first_steps import hide_steps
from coach.portal.models import HiddenSteps
from coach.rehearsals.selectors import own_rehearsals_for

_PART = "welcome"


def is_welcome_due(user: User) -> bool:
    """Return whether a trainee has neither seen the welcome nor submitted a take."""
    if not user.can_practise or HiddenSteps.objects.filter(user=user, part=_PART).exists():
        return False
    return not own_rehearsals_for(user).exists()


def note_welcomed(*, user: User) -> None:
    """Save that the person has seen the welcome."""
    hide_steps(user=user, part=_PART)
