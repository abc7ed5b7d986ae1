"""Why a bundle was refused, in words: where, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as translate
from django.utils.translation import gettext_noop as _

_WORDS: Final[Mapping[str, str]] = {
    "known_name": _(
        "%(place)s: a name of somebody in this study (%(what)s). Redact it; if it is none, add "
        "the word to those that may stay."
    ),
    "e_mail": _("%(place)s: an e-mail address (%(what)s). Redact it."),
    "phone": _("%(place)s: what looks like a telephone number (%(what)s). Redact it."),
    "inner_state": _(
        "%(place)s: “%(what)s” says what somebody feels, which nobody infers from a recording."
    ),
    "redaction_pending": _("%(place)s: names may still be in it. Finish its redaction first."),
    "unnamed_voice": _("%(place)s: somebody speaks of whom no consent is known. Say who it is."),
    "not_covered": _("%(place)s: no consent covers this row (%(what)s)."),
    "agreement_needed": _(
        "%(place)s: %(what)s people are in groups so small that they might be recognised. Name the "
        "agreement under which the recipient gets the data."
    ),
    "not_a_bundle": _("%(place)s: this is no bundle of ours, or not as its hashes say."),
    "broken": _(
        "%(place)s: this does not fit with the rest (%(what)s). Tell whoever keeps the site."
    ),
}


def problem_words(code: str, place: str, what: str = "") -> str:
    """One problem as a sentence."""
    return translate(_WORDS[code]) % {"place": place, "what": what}
