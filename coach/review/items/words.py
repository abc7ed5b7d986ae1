"""Words shared by several parts of the review page."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils.formats import time_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import User
from coach.feedback.verdicts import ChangedMeanwhile
from coach.lib.words.clock import clock
from coach.lib.words.dates import here
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes

DECISION_WORDS: dict[str, str | Promise] = {
    "open": "",
    "accepted": gettext_lazy("Accepted"),
    "edited": gettext_lazy("Reworded"),
    "rejected": gettext_lazy("Rejected"),
    "replaced": gettext_lazy("Replaced"),
    "added": gettext_lazy("Your own"),
    "held": gettext_lazy("Held back"),
}


def time_words(at: datetime) -> str:
    """Return the time of day in the reader's time zone."""
    return time_format(here(at), "H:i")


def clips_words(clips: Iterable[tuple[float, float]]) -> str:
    """Return moments as a coach types them: `0:12-0:18, 1:05-1:11`."""
    return ", ".join(f"{clock(start)}-{clock(end)}" for start, end in clips)


def changed_words(changed: ChangedMeanwhile, coach: User, typed: str) -> str:
    """Return a message with the author of the other version, and both versions."""
    by = changed.by
    words = (
        _("You changed this in another window: “%(now)s”. This text is not saved yet: “%(typed)s”.")
        if by is None or by.coach_id == coach.pk
        else _(
            "%(name)s wrote here in the meantime: “%(now)s”. This text is not saved yet: "
            "“%(typed)s”."
        )
    )
    nothing = _("nothing")
    return words % {
        "name": name_words(by.coach_name) if by else "",
        "now": within_quotes(changed.stands) or nothing,
        "typed": within_quotes(typed) or nothing,
    }
