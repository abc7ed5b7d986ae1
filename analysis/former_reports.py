"""Migration of reports of former versions: the only place that knows the differences.

Version 1 (until 0.9) has sentences where version 2 has codes and values. A sentence cannot be
converted back, so it is kept as written, in English.
"""

from __future__ import annotations

from typing import Any

_IN_WORDS = "in_words"


def migrate_report(document: dict[str, Any]) -> dict[str, Any]:
    """Return the report in the current version; a current one is returned unchanged."""
    return _from_1(document) if document.get("schema_version") == 1 else document


def _from_1(document: dict[str, Any]) -> dict[str, Any]:
    read = {**document, "schema_version": 2}
    if isinstance(media := document.get("media"), dict):
        read["media"] = {**media, "notes": [_note(words) for words in media.get("notes", ())]}
    if isinstance(skipped := document.get("skipped"), dict):
        read["skipped"] = {name: _skipped(each) for name, each in skipped.items()}
    if isinstance(zero := document.get("gaze_zero"), dict):
        read["gaze_zero"] = {**zero, "note": _note(zero["note"]) if zero.get("note") else None}
    return read


def _skipped(former: Any) -> Any:
    if not isinstance(former, dict):
        return former
    detail = former.get("detail")
    return {"reason": former.get("reason"), **(_note(detail) if detail else {})}


def _note(words: Any) -> dict[str, Any]:
    return {"code": _IN_WORDS, "values": {"words": words}}
