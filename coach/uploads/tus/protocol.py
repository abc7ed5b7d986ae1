"""A strict parser of the tus protocol's headers, without database or disk access."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http.request import HttpHeaders
from django.utils.translation import gettext as _

from coach.lib.pages.plain_text import storable

VERSION = "1.0.0"
EXTENSIONS = (
    "creation",
    "creation-with-upload",
    "creation-defer-length",
    "expiration",
    "checksum",
    "termination",
)
ALGORITHMS = ("sha1", "sha256")
PIECE_TYPE = "application/offset+octet-stream"

CHECKSUM_MISMATCH = 460
"""The tus protocol's own status code."""

_MOST_DIGITS = 18
_MOST_ANSWERS, _LONGEST_ANSWER = 40, 500
_CAPTURE = ("picture", "echo_cancellation", "noise_suppression", "auto_gain_control")


class Refusal(Exception):
    """An error for a rejected request: the status code of the protocol, and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Checksum:
    """The checksum of a piece, as computed by its sender."""

    algorithm: str
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The sender's metadata of an upload."""

    raw: str = ""
    name: str = ""
    answers: Mapping[str, str]
    """The form's answers (`answers`: a JSON object of strings)."""
    capture: Mapping[str, bool]
    """The capture settings of our recorder (`capture`: a JSON object)."""


def number_in(headers: HttpHeaders, name: str) -> int | None:
    """Return a header's number of bytes, or None if it is missing. Raises Refusal."""
    text = headers.get(name)
    # WSGI servers set an empty Content-Length if a request has no body.
    if text is None or (name == "Content-Length" and not text):
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise Refusal(400, _("%(name)s is not a number of bytes.") % {"name": name})
    return int(text)


def total_in(headers: HttpHeaders) -> int | None:
    """Return the size of a new upload, or None if it follows later. Raises Refusal."""
    total, deferred = number_in(headers, "Upload-Length"), headers.get("Upload-Defer-Length")
    if (total is None) == (deferred is None) or deferred not in {None, "1"}:
        raise Refusal(400, _("Send either Upload-Length, or Upload-Defer-Length: 1."))
    return total


def checksum_in(headers: HttpHeaders) -> Checksum | None:
    """Return the checksum of the piece, or None if it is missing. Raises Refusal."""
    text = headers.get("Upload-Checksum")
    if text is None:
        return None
    algorithm, _space, encoded = text.partition(" ")
    digest = _decoded(encoded)
    if algorithm not in ALGORITHMS or digest is None:
        known = ", ".join(ALGORITHMS)
        raise Refusal(
            400,
            _("Upload-Checksum must use one of these algorithms: %(known)s.") % {"known": known},
        )
    if len(digest) != hashlib.new(algorithm, usedforsecurity=False).digest_size:
        raise Refusal(400, _("Upload-Checksum has not the length of its kind."))
    return Checksum(algorithm=algorithm, digest=digest)


def metadata_in(headers: HttpHeaders) -> Metadata:
    """Return the metadata of a new upload. Raises Refusal."""
    raw = headers.get("Upload-Metadata", "")
    values = metadata_of(raw)
    name = values.get("filename") or values.get("name") or ""
    capture = _object(values.get("capture", ""))
    return Metadata(
        raw=raw,
        name=name,
        answers=_answers(values.get("answers", "")),
        capture={key: capture[key] for key in _CAPTURE if isinstance(capture.get(key), bool)},
    )


def metadata_of(raw: str) -> dict[str, str]:
    """Decode `Upload-Metadata`: pairs of a key and a base64 value. Raises Refusal."""
    values: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in raw.split(","))):
        key, _space, encoded = pair.partition(" ")
        value = _decoded(encoded)
        if value is None or key in values:
            raise Refusal(400, _("Upload-Metadata must be pairs of a key and a base64 value."))
        values[key] = storable(value.decode("utf-8", "replace"))
    return values


def _decoded(encoded: str) -> bytes | None:
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _answers(text: str) -> dict[str, str]:
    return {
        storable(key)[:_LONGEST_ANSWER]: storable(value)[:_LONGEST_ANSWER]
        for key, value in list(_object(text).items())[:_MOST_ANSWERS]
        if isinstance(value, str)
    }
