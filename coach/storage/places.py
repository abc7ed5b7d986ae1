"""Names in storage. A name that ends in a slash is a place: everything below it."""

from __future__ import annotations

from uuid import UUID


def take_place(take: UUID) -> str:
    """Return the place of all files of a recording (take or interview), deleted together."""
    return f"rehearsals/{take}/"


def original(take: UUID) -> str:
    """Return the name of the recording as uploaded."""
    return f"{take_place(take)}original"


def copy_to_play(take: UUID) -> str:
    """Return the name of the playback copy, which everybody except the owner receives."""
    return f"{take_place(take)}playback"


def poster(take: UUID) -> str:
    """Return the name of the take's still picture."""
    return f"{take_place(take)}poster.jpg"


def clips(take: UUID) -> str:
    """Return the place of the clips that its owner shared, deleted with the recording."""
    return f"{take_place(take)}clips/"


def clip(take: UUID, link: UUID) -> str:
    """Return the name of the clip of one link, deleted when the link ends."""
    return f"{clips(take)}{link}.mp4"


def run_place(take: UUID, run: UUID) -> str:
    """Return the place of a run's stage artefacts, deleted once its draft exists."""
    return f"{take_place(take)}runs/{run}/"


SLIDES = "slides/"
"""The place of all decks of slides."""


def deck_place(deck: UUID) -> str:
    """Return the place of a deck of slides: its file and a picture of each page."""
    return f"{SLIDES}{deck}/"


def deck_file(deck: UUID) -> str:
    """Return the name of a deck's PDF file as uploaded."""
    return f"{deck_place(deck)}deck.pdf"


def slide(deck: UUID, number: int) -> str:
    """Return the name of the picture of a page, which counts from 0."""
    return f"{deck_place(deck)}{number}.jpg"


BUNDLES = "bundles/"
"""The place of the study exports and imports of all studies."""


def bundle_place(export: UUID) -> str:
    """Return the place of a study export, deleted when the export expires."""
    return f"{BUNDLES}{export}/"


def bundle_parts(export: UUID) -> str:
    """Return the place of an export's intermediate files, deleted after packing."""
    return f"{bundle_place(export)}parts/"


def bundle(export: UUID) -> str:
    """Return the name of a study export's ZIP file."""
    return f"{bundle_place(export)}bundle.zip"


def is_whole(place: str) -> bool:
    """Return whether a place is a whole take or upload, not a temporary part."""
    return place.count("/") == 1 or (place.endswith("/") and place.count("/") == 2)
