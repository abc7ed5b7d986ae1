"""Names in storage. A name that ends in a slash stands for everything below it."""

from __future__ import annotations

from uuid import UUID


def take_place(take: UUID) -> str:
    """Everything that belongs to a recording, of a take or of an interview; deleted with it."""
    return f"rehearsals/{take}/"


def original(take: UUID) -> str:
    """The recording as it arrived."""
    return f"{take_place(take)}original"


def copy_to_play(take: UUID) -> str:
    """The copy for playback, which everybody but the owner gets."""
    return f"{take_place(take)}playback"


def poster(take: UUID) -> str:
    """A still picture."""
    return f"{take_place(take)}poster.jpg"


def run_place(take: UUID, run: UUID) -> str:
    """What the stages of one run hand on; gone once its draft stands."""
    return f"{take_place(take)}runs/{run}/"


BUNDLES = "bundles/"
"""Of all studies: exports that wait to be fetched, and what waits to be loaded."""


def bundle_place(export: UUID) -> str:
    """Everything of one export of a study; it goes when its time is over."""
    return f"{BUNDLES}{export}/"


def bundle_parts(export: UUID) -> str:
    """What its steps have left so far; gone once it is packed."""
    return f"{bundle_place(export)}parts/"


def bundle(export: UUID) -> str:
    """The zip."""
    return f"{bundle_place(export)}bundle.zip"


def is_whole(place: str) -> bool:
    """Whether a place is all of a take or an upload, not a part that comes and goes with work."""
    return place.count("/") == 1 or (place.endswith("/") and place.count("/") == 2)
