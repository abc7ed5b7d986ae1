"""Management commands in the language of the terminal."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation

from analysis.terminal import language_here, set_terminal_language


def terminal_language() -> str:
    """Return the terminal's language if the interface has it, otherwise the default."""
    language = language_here()
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


class TranslatedCommand(BaseCommand):
    """A management command whose help and output are in the terminal's language."""

    def run_from_argv(self, argv: list[str]) -> None:
        """Run from the terminal; a command called from code speaks its caller's language."""
        set_terminal_language()  # argparse's own words
        with translation.override(terminal_language()):
            super().run_from_argv(argv)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Create the parser with translated help, which is lazy until now."""
        self.help = str(self.help)
        return super().create_parser(prog_name, subcommand, **kwargs)
