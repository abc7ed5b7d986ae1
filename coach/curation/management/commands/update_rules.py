"""`manage.py update_rules`: take up the rules that came with this version of Rostrum."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.curation.services import take_up_builtin_rules
from coach.lib.terminal import TranslatedCommand
from coach.rulesets.selectors import active_release


class Command(TranslatedCommand):
    """Safe to run at every start: what curators changed stays, and the new text is proposed."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Publishes updated built-in rules that were not changed here, and proposes the "
        "others to the curators."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Take them up, and say what waits for a curator."""
        proposals = take_up_builtin_rules()
        for proposal in proposals:
            words = _("%(version)s: proposed, since this rule was changed here.")
            self.stdout.write(words % {"version": proposal.version})
        release = active_release()
        if release is not None:
            words = _("Rule set %(number)s is in use, with %(rules)s rules.")
            said = {"number": release.number, "rules": len(release.documents)}
            self.stdout.write(words % said)
