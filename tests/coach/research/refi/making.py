"""Projects as other tools write them, by hand: one trap at a time."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

from coach.research.coding.models import Coding

NAMESPACE = "urn:QDA-XML:project:1.0"
CODE = "11111111-1111-4111-8111-111111111111"
TEXT = "22222222-2222-4222-8222-222222222222"
USER = "33333333-3333-4333-8333-333333333333"
WORDS = "Well 🎤 é:\r\nI like pauses 👩🏽‍🏫 a lot."
PLAIN = WORDS.replace("\r\n", "\n")


def selection(start: int, end: int, name: str = "", more: str = "", code: str = CODE) -> str:
    return (
        f'<PlainTextSelection guid="a" name="{escape(name)}" startPosition="{start}" '
        f'endPosition="{end}"><Coding creatingUser="{USER}"><CodeRef targetGUID="{code}"/>'
        f"</Coding>{more}</PlainTextSelection>"
    )


def project(
    text: str = "",
    attributes: str = 'plainTextPath="internal://t.txt"',
    more: str = "",
    codes: str = "",
) -> str:
    codes = codes or f'<Code guid="{CODE}" name="pauses" isCodable="true" color="#2a9d8fff"/>'
    return (
        f'<Project xmlns="{NAMESPACE}" name="p" origin="Elsewhere 1">'
        f'<Users><User guid="{USER}" name="Somebody"/></Users>'
        f"<CodeBook><Codes>{codes}</Codes></CodeBook>"
        f'<Sources><TextSource guid="{{{TEXT.upper()}}}" name="First" {attributes}>{text}'
        f"</TextSource></Sources>{more}</Project>"
    )


def pack(folder: Path, qde: str | bytes, **files: bytes) -> Path:
    path = folder / "p.qdpx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.qde", qde)
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return path


def quotes() -> list[str]:
    return [each.text.text[each.start : each.end] for each in Coding.objects.all() if each.text]
