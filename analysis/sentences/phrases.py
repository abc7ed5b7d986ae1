"""Wording of coded values inside sentences, by kind of placeholder."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _

PHRASES: Final[dict[str, dict[str, str]]] = {
    "of": {"speech": _("of the time you speak"), "recording": _("of the recording")},
    "in": {"speech": _("in the time you speak"), "recording": _("in the recording")},
    "edge": {"first": _("of the first 10 s"), "last": _("of the last 10 s")},
    "measure": {
        "pace": _("a pace"),
        "questions": _("counting questions"),
        "fillers": _("a rate of fillers"),
        "edges": _("hearing an opening and a closing"),
        "run": _("a stretch without a rest"),
        "return": _("a return to the opening"),
        "pauses": _("a rate of pauses"),
        "numbers": _("counting numbers"),
        "signposts": _("counting marked steps"),
        "slides": _("times with slides"),
    },
    "thing": {
        "picture": _("a picture"),
        "pdf": _("a PDF document"),
        "document": _("a document"),
        "archive": _("an archive"),
        "packed": _("a document or an archive"),
    },
}
