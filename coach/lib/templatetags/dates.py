"""Django's date filter with the first day of a month as each language writes it, and the time zone.

Built into every template by the settings, so no template needs to load it.
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
    """Format a date, as in `{{ take.day

    date:"j F Y" }}`.
    """
    if isinstance(value, datetime) and is_aware(value):
        value = here(value)
    if isinstance(value, date) and pattern is not None and pattern.startswith("j "):
        return written(value, pattern)
    return written_by_django(value, pattern)


@register.simple_tag
def site_zone() -> str:
    """Return the site's time zone as words; empty if the page uses the reader's own.

    As in `{% site_zone as zone %}`.
    """
    return zone_words()
