"""Terminal language (from LC_ALL or LANG, otherwise English), and handling of a closed output pipe.

The catalogue is that of the web application; if it is not compiled, commands use English. Django is
not needed: the standard library's `gettext` reads it, and argparse uses that as well.
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


# argparse translates its own messages: these can reach users.
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
    """Return the language code, such as fr; empty without a catalogue for it."""
    path = gettext.find(_DOMAIN, str(LOCALE))
    return Path(path).parents[1].name if path else ""


def set_terminal_language() -> Reader:
    """Set `gettext.gettext` and argparse to that language, and return the reader."""
    gettext.bindtextdomain(_DOMAIN, str(LOCALE))
    gettext.textdomain(_DOMAIN)
    language = language_here()
    return Reader(gettext.gettext, _WRITTEN[language]) if language in _WRITTEN else ENGLISH


def discard_output() -> None:
    """Discard further output, since its reader has gone (`| head`) and Python
    would fail at exit.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _french_number(value: float, spec: str) -> str:
    """Format with a decimal comma, and a no-break space before the per cent sign."""
    return format(value, spec).replace(".", ",").replace("%", f"{_NO_BREAK}%")


_WRITTEN: Final = {"fr": _french_number}
