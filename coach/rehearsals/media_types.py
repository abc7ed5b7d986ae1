"""Content types of what the player gets; by what was found inside, never by what was claimed."""

from __future__ import annotations

_WITH_PICTURE = {
    "mp4": "video/mp4",
    "mov": "video/mp4",
    "webm": "video/webm",
    "mkv": "video/x-matroska",
}
_SOUND_ONLY = {
    "mp4": "audio/mp4",
    "m4a": "audio/mp4",
    "mov": "audio/mp4",
    "webm": "audio/webm",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "ogg": "audio/ogg",
    "flac": "audio/flac",
}


def content_type(container: str, *, has_video: bool) -> str:
    """The type to deliver a container with; a neutral one where browsers have none for it."""
    types = _WITH_PICTURE if has_video else _SOUND_ONLY
    return types.get(container, "application/octet-stream")
