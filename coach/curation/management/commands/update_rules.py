"""`manage.py update_rules`: take up the rules that came with this version of Rostrum."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from coach.curation.services import take_up_builtin_rules


class Command(BaseCommand):
    """Safe to run at every start: what curators changed stays, and the new text is proposed."""

    help = "Publishes built-in rules that nobody changed; proposes the others to the curators."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Take them up, and say what waits for a curator."""
        for proposal in take_up_builtin_rules():
            self.stdout.write(f"{proposal.version}: proposed, since this rule was changed here.")
