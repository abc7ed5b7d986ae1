"""Commands that speak the language of the terminal they run in."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation


def terminal_language() -> str:
    """What LC_ALL, LC_MESSAGES or LANG asks for, where we have it; else English."""
    asked = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = asked.partition(".")[0].partition("_")[0].lower()
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


class SpokenCommand(BaseCommand):
    """A command of manage.py whose help and output are in that language."""

    def run_from_argv(self, argv: list[str]) -> None:
        """As from the terminal; called from code, a command speaks its caller's language."""
        with translation.override(terminal_language()):
            super().run_from_argv(argv)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """The help is made of sentences that wait for their language."""
        self.help = str(self.help)
        return super().create_parser(prog_name, subcommand, **kwargs)
