"""Content of the page of impromptu topics."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language

from coach.questions.bank import topics

_MINUTES = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicsPage:
    """One topic, and the way to the next and to the recorder."""

    topic: str
    record_url: str
    next_url: str
    every: tuple[tuple[str, str], ...]
    """All topics, with their URLs."""


def topics_page(chosen: str) -> TopicsPage:
    """Return the chosen topic by its number, else the topic of the day."""
    every = topics()
    place = (int(chosen) if chosen.isdecimal() and len(chosen) < 4 else _of_the_day()) % len(every)
    language = get_language() or "en"
    topic = every[place].text(language)
    query = urlencode({"title": topic, "minutes": _MINUTES})
    here = reverse("questions:topics")
    return TopicsPage(
        topic=topic,
        record_url=f"{reverse('feedback:record')}?{query}",
        next_url=f"{here}?n={(place + 1) % len(every)}",
        every=tuple((f"{here}?n={n}", each.text(language)) for n, each in enumerate(every)),
    )


def topic_of_the_day() -> str:
    """Return today's topic in the reader's language."""
    return topics()[_of_the_day() % len(topics())].text(get_language() or "en")


def _of_the_day() -> int:
    return timezone.localdate().toordinal()
