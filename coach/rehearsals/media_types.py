"""Accepted file types, with their media types for the player: the only list of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

_NEUTRAL = "application/octet-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A container, by its name in the analysis, with its media types for browsers.

    Browsers have no media type for the neutral ones: they get a copy, or may fail to play it.
    """

    container: str
    extensions: tuple[str, ...]
    with_picture: str = _NEUTRAL
    sound_only: str = _NEUTRAL
    is_named: bool = True
    """Whether the page names it; the others are accepted too."""


KINDS: tuple[Kind, ...] = (
    Kind(
        container="mp4",
        extensions=(".mp4", ".m4v"),
        with_picture="video/mp4",
        sound_only="audio/mp4",
    ),
    Kind(
        container="mov",
        extensions=(".mov", ".qta"),  # .qta: voice memos of Apple, from 2025 on
        with_picture="video/mp4",
        sound_only="audio/mp4",
    ),
    Kind(
        container="webm", extensions=(".webm",), with_picture="video/webm", sound_only="audio/webm"
    ),
    Kind(container="mkv", extensions=(".mkv", ".mka"), with_picture="video/x-matroska"),
    Kind(container="avi", extensions=(".avi",)),
    Kind(container="m4a", extensions=(".m4a", ".m4b"), sound_only="audio/mp4"),
    Kind(container="wav", extensions=(".wav", ".wave", ".rf64", ".bwf"), sound_only="audio/wav"),
    Kind(container="mp3", extensions=(".mp3", ".mp2", ".mpga"), sound_only="audio/mpeg"),
    Kind(container="ogg", extensions=(".ogg", ".oga", ".opus", ".spx"), sound_only="audio/ogg"),
    Kind(container="flac", extensions=(".flac",), sound_only="audio/flac"),
    Kind(container="aac", extensions=(".aac", ".adts"), sound_only="audio/aac"),
    Kind(container="amr", extensions=(".amr", ".awb"), sound_only="audio/amr"),
    Kind(container="aiff", extensions=(".aiff", ".aif", ".aifc"), sound_only="audio/aiff"),
    Kind(container="caf", extensions=(".caf",), sound_only="audio/x-caf"),
    Kind(container="au", extensions=(".au", ".snd"), sound_only="audio/basic", is_named=False),
    Kind(container="w64", extensions=(".w64",), sound_only="audio/x-w64", is_named=False),
    Kind(container="3gp", extensions=(".3gp", ".3gpp", ".3g2", ".3ga"), is_named=False),
    Kind(container="flv", extensions=(".flv",), is_named=False),
    Kind(container="wmv", extensions=(".wmv", ".wma", ".asf"), is_named=False),
    Kind(container="mpeg", extensions=(".mpg", ".mpeg"), is_named=False),
    Kind(container="mpegts", extensions=(".ts", ".mts", ".m2ts"), is_named=False),
)

_BY_CONTAINER = {kind.container: kind for kind in KINDS}

ACCEPT = ",".join([*(end for kind in KINDS for end in kind.extensions), "video/*", "audio/*"])
"""The `accept` attribute of the page's file input."""


def kinds_in_words() -> str:
    """Return the names of the usual containers for the page."""
    return ", ".join(kind.container for kind in KINDS if kind.is_named)


def is_of_sound(name: str) -> bool:
    """Return whether a file is audio only, judged by its extension."""
    end = PurePath(name).suffix.lower()
    return any(
        end in kind.extensions and kind.with_picture == _NEUTRAL != kind.sound_only
        for kind in KINDS
    )


def content_type(container: str, *, has_video: bool) -> str:
    """Return the media type to serve; a neutral one for containers unknown to browsers."""
    kind = _BY_CONTAINER.get(container)
    if kind is None:
        return _NEUTRAL
    return kind.with_picture if has_video else kind.sound_only
