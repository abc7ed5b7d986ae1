"""What leaves of a recording: its picture and sound, not what a telephone wrote beside them.

A film says where it was taken, with which device, and sometimes by whom; a sound file who speaks,
with a picture. Whoever may open a recording gets its file, so these parts leave as empty space of
the same length: every place in the file stays, and a player seeks as before. In custody nothing is
changed, and its owner downloads it whole. Of MPEG files (MPG, TS) everything leaves: what a
camcorder says there stands within the picture.
"""

from __future__ import annotations

from collections.abc import Iterator

from coach.rehearsals.custody import custody
from coach.rehearsals.custody.port import Pieces
from coach.rehearsals.undescribed.kinds import changes_of, tells_between_pictures
from coach.rehearsals.undescribed.laying import Overlay, laid
from coach.rehearsals.undescribed.remembering import Remembered

_REMEMBERED = Remembered()


def read_undescribed(
    name: str, *, size: int | None, start: int = 0, length: int | None = None
) -> Iterator[bytes]:
    """As custody reads it, without what tells of more than picture and sound; `size`: of all of it.

    Raises what that raises, at once.
    """
    changes = _changes_of(name, size) if size else ()
    pieces = custody().read(name, start=start, length=length)
    if not changes:
        return pieces
    return Pieces(laid(pieces, start, changes), getattr(pieces, "close", lambda: None))


def is_told_whole(name: str) -> bool:
    """Whether nothing can be taken out of this file, though it may well tell more."""
    return tells_between_pictures(
        lambda start, length: b"".join(custody().read(name, start=start, length=length))
    )


def _changes_of(name: str, size: int) -> tuple[Overlay, ...]:
    """Each process looks once, though a player asks often."""
    return _REMEMBERED.of(
        name,
        size,
        lambda: changes_of(
            lambda start, length: b"".join(custody().read(name, start=start, length=length)), size
        ),
    )
