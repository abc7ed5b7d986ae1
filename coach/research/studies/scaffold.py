"""Template of an information sheet: headings with placeholders.

The placeholders say nothing true, so a sheet that still contains one is not saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from coach.accounts.models import Language

_PARTS: Final[tuple[tuple[str | Promise, str | Promise], ...]] = (
    (
        _("Purpose of the study"),
        _("To fill in: who runs the study, what you want to find out, and whom it benefits."),
    ),
    (
        _("What is recorded"),
        _("To fill in: which data is stored under this consent, and which is not."),
    ),
    (
        _("Who has access"),
        _("To fill in: who works with the data, under which name, and whether it is published."),
    ),
    (
        _("How long it is kept"),
        _("To fill in: until when, where, and what happens to the data then."),
    ),
    (
        _("How to withdraw"),
        _("To fill in: whom to tell, until when, and what happens to data already collected."),
    ),
    (
        _("Contact"),
        _(
            "To fill in: a name with an address or telephone number, and where "
            "participants can complain."
        ),
    ),
)


def scaffold(language: str) -> str:
    """Return the headings in this language, each with a placeholder in brackets."""
    with override(language):
        return "\n\n".join(f"{heading}\n[{asked}]" for heading, asked in _PARTS) + "\n"


def still_asked(text: str) -> tuple[str, ...]:
    """Return the placeholders that a sheet still contains."""
    said = " ".join(text.split())
    return tuple(asked for asked in _asked() if asked in said)


def _asked() -> Iterator[str]:
    for language in Language.values:
        with override(language):
            yield from [" ".join(str(asked).split()) for _heading, asked in _PARTS]
