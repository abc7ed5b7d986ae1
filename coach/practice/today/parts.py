"""Today's three minutes on the home page."""

from __future__ import annotations

from collections.abc import Iterable

from coach.accounts.models import User
from coach.feedback.pages.extensions import PagePart
from coach.practice.plan.page import next_words
from coach.practice.today.choice import offer_for
from coach.practice.today.done import done_today, week_words
from coach.practice.today.selectors import reminders_for


def at_home(user: User) -> Iterable[PagePart]:
    """Yield what to practise today, or what was done, with the next date of the plan."""
    if not user.can_practise:
        return
    following = next_words(user)
    yield PagePart(
        place="top",
        template="practice/_today.html",
        context={
            "done": done_today(user),
            "offer": offer_for(user),
            "week": week_words(user),
            "next": following,
            "reminder": reminders_for(user).first(),
        },
        leads=following is not None and following.is_due,
    )
