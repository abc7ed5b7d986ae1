"""Reason for refusing a bundle: a code, the place, and a masked excerpt."""

from __future__ import annotations

from typing import NamedTuple


class BundleProblem(NamedTuple):
    """A problem; `place` is a file with a row or character, or an interview's label.

    `about` names the object to repair: `memo:`, `coding:` or `code:` with its GUID, `version:` or
    `round:` with its number, `interview:` with its label.
    """

    code: str
    place: str
    what: str = ""
    about: str = ""


KNOWN_NAME = "known_name"
STILL_NAMED = "still_named"
E_MAIL = "e_mail"
PHONE = "phone"
INNER_STATE = "inner_state"
REDACTION_PENDING = "redaction_pending"
UNNAMED_VOICE = "unnamed_voice"
NOT_COVERED = "not_covered"
AGREEMENT_NEEDED = "agreement_needed"
BROKEN = "broken"
