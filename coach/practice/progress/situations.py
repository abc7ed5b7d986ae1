"""A shared situation of takes, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from coach.feedback.reports import UNCERTAIN_LANGUAGE
from coach.lib.words.measure_words import language_words
from coach.practice.progress.comparable_takes import Situation
from coach.rehearsals.models import Setting, SpeaksAs


def situation_words(situation: Situation) -> str:
    """Return setting, language, and other distinguishing conditions in words."""
    parts = [
        str(Setting(situation.setting).label),
        _language_words(situation.language),
    ]
    if situation.speaks_as == SpeaksAs.SECOND:
        parts.append(_("learned later"))
    if situation.is_constructed:
        parts.append(_("demonstration example"))
    return " · ".join(parts)


def _language_words(language: str) -> str:
    if language == UNCERTAIN_LANGUAGE:
        return _("language not certain")
    return language_words(language) if language else _("without speech")
