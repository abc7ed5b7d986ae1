"""What people put right, in words: for the desk and for the trainee."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.feedback.models import Correction
from coach.feedback.pages.values import ClipLink, ReadCorrection
from coach.lib.words.clock import clock
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes

_AROUND_SECONDS = 1.0
"""Played around a place, so that one hears what it stands in (rule of thumb)."""
_STRUCK: dict[str, str | Promise] = {
    "filled_pause": gettext_lazy("“%(what)s” is not an um"),
    "filler_word": gettext_lazy("“%(what)s” means something here and is not a filler"),
    "look_away": gettext_lazy("not a look away: facing the camera"),
}


def correction_words(correction: Correction) -> ReadCorrection:
    """One correction as it is read."""
    return ReadCorrection(
        clips=(place_of(correction.start, correction.end),),
        text=_text(correction),
        author=name_words(correction.made_by_name),
    )


def read_corrections(corrections: Sequence[Correction]) -> tuple[ReadCorrection, ...]:
    """All of them, in the order of the recording."""
    return tuple(correction_words(each) for each in corrections)


def place_of(start: float, end: float) -> ClipLink:
    """Where it is, with a little around it."""
    return ClipLink(
        start=max(start - _AROUND_SECONDS, 0.0), end=end + _AROUND_SECONDS, label=clock(start)
    )


def _text(correction: Correction) -> str:
    if correction.kind != Correction.Kind.WORD:
        return str(_STRUCK[correction.event]) % {"what": within_quotes(correction.before)}
    if not correction.after:
        return _("“%(before)s” was not said") % {"before": within_quotes(correction.before)}
    return _("“%(after)s”, read as “%(before)s”") % {
        "after": within_quotes(correction.after),
        "before": within_quotes(correction.before),
    }
