"""Lines of a calendar file (iCalendar, RFC 5545): text values, and folding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_LINE_BYTES = 75
"""The longest line, without its end (RFC 5545, 3.1)."""


def calendar_bytes(lines: Iterable[str]) -> bytes:
    """Return the lines as a file, each folded and ended as the standard asks."""
    return b"".join(piece + b"\r\n" for line in lines for piece in _folded(line))


def text_value(text: str) -> str:
    """Return a text with its special characters escaped (RFC 5545, 3.3.11)."""
    for special in ("\\", ";", ","):
        text = text.replace(special, f"\\{special}")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")


def _folded(line: str) -> Iterator[bytes]:
    """Yield a line in pieces of at most 75 bytes, without cutting a character."""
    piece = b""
    for character in line:
        coded = character.encode()
        if len(piece) + len(coded) > _LINE_BYTES:
            yield piece
            piece = b" "
        piece += coded
    yield piece
