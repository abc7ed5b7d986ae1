"""The language of whoever runs a command, the one that LC_ALL or LANG asks for or English; and what
to do when nobody reads on.

The catalogue is that of the web application; where nobody has compiled it, commands speak English.
No Django is needed: `gettext` of the standard library reads it, and argparse asks that one as well.
"""

from __future__ import annotations

import gettext
import os
import sys
from pathlib import Path
from typing import Final

from analysis.marks import gettext_noop as _
from analysis.sentences import ENGLISH, Reader

LOCALE: Final = Path(__file__).resolve().parents[1] / "locale"
_DOMAIN: Final = "django"
_NO_BREAK: Final = "\u00a0"


# argparse translates what it says itself: these of it can come to people.
OF_ARGPARSE: Final = (
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("argument %(argument_name)s: %(message)s"),
    _("the following arguments are required: %s"),
    _("unrecognized arguments: %s"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
    _("invalid %(type)s value: %(value)r"),
    _("expected one argument"),
    _("expected at least one argument"),
    _("%(prog)s: error: %(message)s\n"),
)


def language_here() -> str:
    """The code of the language, such as fr; empty where we have no catalogue of what is asked."""
    path = gettext.find(_DOMAIN, str(LOCALE))
    return Path(path).parents[1].name if path else ""


def speak_here() -> Reader:
    """From now on `gettext.gettext` and argparse speak that language; returns who reads it."""
    gettext.bindtextdomain(_DOMAIN, str(LOCALE))
    gettext.textdomain(_DOMAIN)
    language = language_here()
    return Reader(gettext.gettext, _WRITTEN[language]) if language in _WRITTEN else ENGLISH


def nobody_reads_on() -> None:
    """Whoever read our output has gone (`| head`): what Python flushes at exit goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _french(value: float, spec: str) -> str:
    """Decimals after a comma, a space that does not break before the per cent sign."""
    return format(value, spec).replace(".", ",").replace("%", f"{_NO_BREAK}%")


_WRITTEN: Final = {"fr": _french}
