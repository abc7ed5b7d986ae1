"""Pages about slides: the state of a deck in words, and the part of a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.backends.pdf_pages import MOST_PAGES
from analysis.clock import clock
from analysis.slides import SlideQuote, SlidesBesideTalk, SlideTimes, SlideVisit
from coach.feedback.models import Run
from coach.lib.words.numbers import decimal
from coach.rehearsals.models import Rehearsal
from coach.slides.models import Deck, SlideComparison
from coach.slides.selectors import ready_decks_of, title_in

_LEAST_SILENCE_SHOWN = 0.5
"""Shorter silences at a change are not listed (rule of thumb): nobody hears them as a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRow:
    """A deck on the page of its talk."""

    deck: Deck
    words: str
    is_waiting: bool
    pages: tuple[str, ...]
    """URLs of the pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedMoment:
    """Words read aloud, with the clip to hear."""

    quote: SlideQuote
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FitQuestion:
    """Question whether words belong to another slide, with both texts."""

    number: int
    """The other slide, from 1."""
    quote: SlideQuote
    at: str
    line: str
    """The line of the other slide that shares most words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlideRow:
    """A slide in the part of a report."""

    number: int
    title: str
    picture: str
    time: str
    facts: tuple[str, ...]
    quotes: tuple[QuotedMoment, ...]
    questions: tuple[FitQuestion, ...]
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlidesPart:
    """The part of a report about slides."""

    url: str
    state: str
    """One of ask, waiting, empty, found."""
    name: str = ""
    lines: tuple[str, ...] = ()
    rows: tuple[SlideRow, ...] = ()

    @property
    def asks_again(self) -> bool:
        """Whether the page fetches this part again by itself."""
        return self.state in {"ask", "waiting"}

    @property
    def asks(self) -> bool:
        """Whether any words may belong to another slide."""
        return any(row.questions for row in self.rows)


def deck_words(deck: Deck) -> str:
    """Return the state of a deck in words: why it cannot be shown, and what to do."""
    if deck.state == Deck.State.WAITING:
        return _("We are opening this file. This takes a few seconds.")
    if deck.state == Deck.State.REFUSED:
        return _problem_words(deck)
    pages = ngettext("%(n)s slide", "%(n)s slides", deck.pages) % {"n": deck.pages}
    if any(deck.texts):
        return pages
    return _("%(pages)s. They have no text that we can read, so we show and time them only.") % {
        "pages": pages
    }


def _problem_words(deck: Deck) -> str:
    number = deck.problem_number
    words = {
        "password": _("This PDF has a password. Export it without one and add it again."),
        "many_pages": _("This PDF has %(n)s pages, and we show up to %(most)s. Split it."),
        "no_pages": _("This PDF has no pages."),
        "not_pdf": _("We can’t read this PDF. It may be damaged or incomplete. Export it again."),
        "slow": _(
            "We waited in vain for page %(n)s to be drawn. Simplify it, then add the file again."
        ),
        "heavy": _(
            "Page %(n)s needs more memory than we have. Use smaller pictures, then add it again."
        ),
    }
    return words.get(deck.problem, words["not_pdf"]) % {"n": max(number, 1), "most": MOST_PAGES}


def deck_json(deck: Deck) -> dict[str, object]:
    """Return what the recorder shows of a deck."""
    return {
        "id": str(deck.pk),
        "url": reverse("slides:deck", args=[deck.pk]),
        "state": deck.state,
        "message": deck_words(deck),
        "pages": _pictures(deck),
        "titles": [title_in(text) for text in deck.texts],
    }


def deck_rows(decks: Iterable[Deck]) -> list[DeckRow]:
    """Return decks for the page of their talk."""
    return [
        DeckRow(
            deck=deck,
            words=deck_words(deck),
            is_waiting=deck.state == Deck.State.WAITING,
            pages=tuple(_pictures(deck)),
        )
        for deck in decks
    ]


def _pictures(deck: Deck) -> list[str]:
    return [reverse("slides:picture", args=[deck.pk, number]) for number in range(deck.pages)]


def report_part(rehearsal: Rehearsal, *, run: Run | None) -> SlidesPart | None:
    """Return the part of a report about slides, or None if the talk has none."""
    url = reverse("slides:compare", args=[rehearsal.pk])
    asked = SlideComparison.objects.filter(rehearsal=rehearsal).select_related("deck").first()
    if asked is None or run is None or asked.run != run.pk:
        return (
            SlidesPart(url=url, state="ask") if ready_decks_of(rehearsal.talk_id).exists() else None
        )
    if asked.found is None:
        return SlidesPart(url=url, state="waiting", name=asked.deck.name)
    if not asked.found:
        return SlidesPart(url=url, state="empty", name=asked.deck.name)
    found = SlidesBesideTalk.model_validate(asked.found)
    return SlidesPart(
        url=url,
        state="found",
        name=asked.deck.name,
        lines=tuple(_lines(found)),
        rows=tuple(_row(each, found, asked.deck) for each in found.slides),
    )


def _lines(found: SlidesBesideTalk) -> Iterable[str]:
    shown = [each for each in found.slides if each.seconds > 0]
    total = clock(sum(each.seconds for each in shown))
    yield ngettext("%(n)s slide in %(time)s.", "%(n)s slides in %(time)s.", len(shown)) % {
        "n": len(shown),
        "time": total,
    }
    if found.is_estimated:
        yield _(
            "We estimated the changes from your words, so the times are rough: in our tests, less "
            "than half of the time was with the right slide."
        )
    else:
        yield _("Timed by your own changes of slides while recording.")
    passed = sum(each.passed_over for each in found.slides)
    if passed:
        yield ngettext(
            "%(n)s was shown for under 2 seconds.", "%(n)s were shown for under 2 seconds.", passed
        ) % {"n": passed}
    if not found.has_text:
        yield _("The slides have no text that we can read, so we did not compare them.")


def _row(times: SlideTimes, found: SlidesBesideTalk, deck: Deck) -> SlideRow:
    visits = [visit for visit in found.visits if visit.slide == times.slide]
    text = deck.texts[times.slide] if times.slide < deck.pages else ""
    absent = _("not found in your words") if found.is_estimated else _("not shown")
    return SlideRow(
        number=times.slide + 1,
        title=title_in(text),
        picture=reverse("slides:picture", args=[deck.pk, times.slide]),
        time=clock(times.seconds) if visits else absent,
        facts=tuple(_facts(times, visits)),
        quotes=tuple(QuotedMoment(quote=quote, at=clock(quote.start)) for quote in times.quotes),
        questions=tuple(_questions(visits)),
        start=visits[0].start if visits else None,
        end=visits[0].end if visits else None,
    )


def _facts(times: SlideTimes, visits: list[SlideVisit]) -> Iterable[str]:
    if times.passed_over:
        yield _("passed over")
    if times.read:
        yield _("%(read)s of its %(words)s words read aloud as written") % {
            "read": times.read,
            "words": times.words,
        }
    silences = [visit.silence for visit in visits if visit.silence]
    longest = max(silences, default=0.0)
    if longest >= _LEAST_SILENCE_SHOWN:
        yield _("%(seconds)s s of silence at the change") % {"seconds": decimal(longest)}


def _questions(visits: list[SlideVisit]) -> Iterable[FitQuestion]:
    for visit in visits:
        if visit.fits_better is not None and visit.hint is not None:
            yield FitQuestion(
                number=visit.fits_better + 1,
                quote=visit.hint.said,
                at=clock(visit.hint.said.start),
                line=visit.hint.line,
            )
