"""Small transcripts of every kind, as other programs write them."""

from __future__ import annotations

import io
import json
import zipfile

from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

PLAIN = """\
Interview of 3 March

Interviewer: How do you prepare?
Marie: I read it aloud 🎤.
Then I sleep.
Interviewer: And then?
Marie: One thing: I breathe.
"""
VTT = """\
WEBVTT - made elsewhere

NOTE nobody reads this

1
00:00:01.000 --> 00:00:03.000
<v Interviewer>How was it &amp; why?

00:00:03.500 --> 00:00:05.000
<v Marie>I like <i>pauses</i>.

00:00:05.100 --> 00:00:07.250
<v Marie>They help.

this is no caption
"""
SRT = """\
1
00:00:01,000 --> 00:00:03,000
Marie: Bonjour à tous.

2
00:00:09,000 --> 00:00:04,000
Marie: Une pause.
"""


def docx(xml: str, **more: str) -> bytes:
    """A Word document with this body."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", xml)
        for name, content in more.items():
            archive.writestr(f"word/{name}.xml", content)
    return packed.getvalue()


def odt(*paragraphs: str) -> bytes:
    """An OpenDocument text with these paragraphs, given as XML."""
    names = " ".join(
        f'xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{each}:1.0"'
        for each in ("office", "text")
    )
    inside = "".join(
        each if each.startswith("<") else f"<text:p>{each}</text:p>" for each in paragraphs
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:text>{inside}"
            "</office:text></office:body></office:document-content>",
        )
    return packed.getvalue()


def rtf(*paragraphs: str) -> bytes:
    """A Rich Text document as Word begins one."""
    head = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Calibri;}}{\info{\author Marie}}"
    pieces = "".join(r"\pard " + each + r"\par " for each in paragraphs)
    return (head + pieces + "}").encode()


def pdf(*paragraphs: str) -> bytes:
    """A PDF file with these paragraphs and the number of each page."""
    written = io.BytesIO()
    style = getSampleStyleSheet()["Normal"]
    story = [Paragraph(each, style) for each in paragraphs]

    def number(canvas: Canvas, document: SimpleDocTemplate) -> None:
        canvas.drawCentredString(300, 30, str(document.page))

    SimpleDocTemplate(written).build(story, onFirstPage=number, onLaterPages=number)
    return written.getvalue()


def body(*paragraphs: str) -> str:
    """The XML of a document with these paragraphs, each given as XML of its runs."""
    inside = "".join(f"<w:p>{each}</w:p>" for each in paragraphs)
    return f'<w:document xmlns:w="{_W}"><w:body>{inside}</w:body></w:document>'


def run(words: str) -> str:
    """A run of words."""
    return f"<w:r><w:t>{words}</w:t></w:r>"


def otr() -> bytes:
    """What oTranscribe exports."""
    page = (
        '<p><span class="timestamp" data-timestamp="1.5">00:01</span>Interviewer: How was it?</p>'
        '<p><span class="timestamp" data-timestamp="4">00:04</span>Marie: Good&nbsp;&amp; calm.</p>'
    )
    return json.dumps({"text": page, "media": "talk.mp3", "media-time": 4}).encode()
