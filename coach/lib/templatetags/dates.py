"""Django's filter for dates, with the first day of a month as each language writes it; the zone.

Named in the settings as what every template has: none needs to load it.
"""

from __future__ import annotations

from datetime import date, datetime

from django import template
from django.template.defaultfilters import date as written_by_django
from django.utils.timezone import is_aware

from coach.lib.words.dates import here, written, zone_words

register = template.Library()


@register.filter("date", expects_localtime=True, is_safe=False)
def date_filter(value: date | datetime | str | None, pattern: str | None = None) -> str:
    """`{{ take.day|date:"j F Y" }}`."""
    if isinstance(value, datetime) and is_aware(value):
        value = here(value)
    if isinstance(value, date) and pattern is not None and pattern.startswith("j "):
        return written(value, pattern)
    return written_by_django(value, pattern)


@register.simple_tag
def site_zone() -> str:
    """`{% site_zone as zone %}`: whose clock a page goes by, unless it is its reader's own."""
    return zone_words()
