"""The report as a PDF file: cards, missing measures, transcript.

The font is Bitstream Vera, which reportlab contains and which covers French and English;
letters of other scripts are shown as `?`. User text is never parsed as markup.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    HRFlowable,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
)

from coach.feedback.pages.cards import Card, ClipLink
from coach.feedback.pages.report import ReportPage
from coach.feedback.pages.transcript import TranscriptLine, TranscriptWord, doubt_words
from coach.lib.words.dates import zone_name

_INK, _SOFT = HexColor(0x1D2422), HexColor(0x545C58)
_TONES = {"strength": HexColor(0x17694A), "improvement": HexColor(0x8A5300)}
_FACES = {"Vera": "Vera.ttf", "Vera-Bold": "VeraBd.ttf", "Vera-Italic": "VeraIt.ttf"}
_NARROW_SPACES = {0x202F: 0xA0, 0x2009: 0xA0}
_MARGIN = 20 * mm


def report_as_pdf(page: ReportPage) -> bytes:
    """Return the report of `page` as an A4 PDF."""
    _letters()
    file = io.BytesIO()
    document = SimpleDocTemplate(
        file,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=page.title,
        author="Rostrum",
        lang=get_language() or "en",
    )
    document.build(list(_story(page)), onFirstPage=_foot, onLaterPages=_foot)
    return file.getvalue()


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    """Return the code points of the font, after registering its faces."""
    faces = [TTFont(name, file) for name, file in _FACES.items()]
    for face in faces:
        pdfmetrics.registerFont(face)
    return frozenset(faces[0].face.charToGlyph)


def _words(text: str) -> str:
    """Return the text for a paragraph: escaped, with `?` for letters missing in the font."""
    plain = text.translate(_NARROW_SPACES)
    known = "".join(each if ord(each) in _letters() or each == "\n" else "?" for each in plain)
    return escape(known).replace("\n", "<br/>")


def _style(
    size: float, *, bold: bool = False, color: Color = _INK, before: float = 0, indent: float = 0
) -> ParagraphStyle:
    return ParagraphStyle(
        f"{size}{bold}{color}{before}{indent}",
        fontName="Vera-Bold" if bold else "Vera",
        fontSize=size,
        leading=size * 1.4,
        textColor=color,
        spaceBefore=before,
        leftIndent=indent,
    )


def _line(text: str, style: ParagraphStyle) -> Paragraph:
    return Paragraph(_words(text), style)


_TEXT, _SMALL = _style(10, before=3), _style(8.5, color=_SOFT, before=3)
_HEADING = _style(13, bold=True, before=14)


def _story(page: ReportPage) -> Iterator[Flowable]:
    yield _line(page.title, _style(18, bold=True))
    # The reader of the PDF may be in another time zone.
    times = _("Times: %(zone)s") % {"zone": zone_name()}
    yield _line(" · ".join((*(fact.seen for fact in page.facts), times)), _SMALL)
    yield _line(page.state_words, _SMALL)
    for notice in filter(None, (page.sound_alone, *page.notices)):
        yield _line(notice, _TEXT)
    if page.from_coach and page.from_coach.word:
        yield _line(_("%(name)s writes") % {"name": page.from_coach.by}, _SMALL)
        yield _line(page.from_coach.word, _TEXT)
    if page.neutral:
        yield _line(page.neutral, _TEXT)
    if page.reading.welcome and page.cards:
        yield _line(page.reading.welcome, _TEXT)
    for card in page.cards:
        yield KeepTogether([*_card(card, reasons_open=page.reading.reasons_open)])
    yield from _why_they_matter(page.cards)
    yield from _notes(page)
    yield from _not_measured(page)
    yield from _transcript(page.sentences)


def _card(card: Card, *, reasons_open: bool) -> Iterator[Flowable]:
    tone = _TONES[card.tone]
    yield Spacer(0, 14)
    yield HRFlowable(width="100%", thickness=2, color=tone, spaceAfter=4)
    yield _line(f"{card.heading} · {card.quality}", _style(9, bold=True, color=tone))
    yield _line(card.claim_alone, _style(13, bold=True, before=2))
    comparison = "" if card.is_brief else card.comparison
    if figure := " ".join(filter(None, (card.figure, comparison))):
        yield _line(figure, _TEXT)
    if card.clips:
        yield _line(_("Moments: %(times)s") % {"times": _times(card.clips)}, _SMALL)
    if card.why and not card.is_brief:
        yield _line(card.why, _TEXT)
    if card.suggestion:
        yield _line(_("Try this"), _style(9, bold=True, color=tone, before=6, indent=10))
        yield _line(card.suggestion, _style(10, before=1, indent=10))
    if card.exercise:
        title = _("Exercise: %(title)s.") % {"title": card.exercise_title.rstrip(".")}
        words = f"{title} {card.exercise}" if card.exercise_title else card.exercise
        yield _line(words, _style(9, before=3, indent=10))
    about = (card.certainty, card.author, card.coach_note)
    yield _line(" · ".join(filter(None, about)), _SMALL)
    if reasons_open and card.explanation:
        for sentence in card.explanation.short:
            yield _line(sentence, _SMALL)


def _why_they_matter(cards: Iterable[Card]) -> Iterator[Flowable]:
    """Yield the reasons that short cards hide, in one section at the end."""
    brief = [card for card in cards if card.is_brief and card.why]
    if brief:
        yield _line(_("Why it matters"), _HEADING)
    for card in brief:
        words = " ".join(filter(None, (card.comparison, card.why)))
        yield _line(f"{card.quality}. {words}", _TEXT)


def _times(clips: Iterable[ClipLink]) -> str:
    return ", ".join(clip.time or clip.label for clip in clips)


def _notes(page: ReportPage) -> Iterator[Flowable]:
    if page.notes:
        yield _line(_("Notes from your coach, at their times"), _HEADING)
    for note in page.notes:
        yield _line(f"{_times(note.clips)}  {note.text}", _TEXT)


def _not_measured(page: ReportPage) -> Iterator[Flowable]:
    if page.not_measured:
        yield _line(_("What we could not measure"), _HEADING)
    for cause in page.not_measured:
        details = " ".join(gap.detail for gap in cause.gaps)
        yield _line(f"{cause.reason} {details}", _TEXT)


def _transcript(sentences: Iterable[TranscriptLine]) -> Iterator[Flowable]:
    lines = list(sentences)
    if lines:
        yield _line(_("Transcript"), _HEADING)
    if doubts := doubt_words(lines):
        yield _line(_("%(doubts)s Each is marked with (?).") % {"doubts": doubts}, _TEXT)
    for line in lines:
        said = " ".join(_on_paper(word) for word in line.words)
        yield _line(f"{line.label}  {said}", _TEXT)


def _on_paper(word: TranscriptWord) -> str:
    if word.kind == "unsure":
        return f"{word.text} (?)"
    return f"[{word.text}]" if word.kind == "pause" else word.text


def _foot(canvas: Canvas, _document: SimpleDocTemplate) -> None:
    canvas.setFont("Vera", 8)
    canvas.setFillColor(_SOFT)
    said = _("For practice only: not for grades, hiring or certification.")
    canvas.drawString(_MARGIN, 10 * mm, said.translate(_NARROW_SPACES))
    canvas.drawRightString(A4[0] - _MARGIN, 10 * mm, str(canvas.getPageNumber()))
