"""`manage.py update_rules`: take up the rules that came with this version of Rostrum."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.curation.services import take_up_builtin_rules
from coach.lib.terminal import SpokenCommand


class Command(SpokenCommand):
    """Safe to run at every start: what curators changed stays, and the new text is proposed."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Publishes built-in rules that nobody changed; proposes the others to the curators."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Take them up, and say what waits for a curator."""
        for proposal in take_up_builtin_rules():
            words = _("%(version)s: proposed, since this rule was changed here.")
            self.stdout.write(words % {"version": proposal.version})
