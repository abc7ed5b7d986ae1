"""`manage.py update_rules`: publish or propose the built-in rules of this version."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.curation.services import take_up_builtin_rules
from coach.lib.terminal import TranslatedCommand
from coach.rulesets.selectors import active_release


class Command(TranslatedCommand):
    """A command that is safe at every start: it keeps curators' changes and proposes new texts."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Publishes updated built-in rules that were not changed here, and proposes the "
        "others to the curators."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Update the built-in rules, and list the proposals for curators."""
        proposals = take_up_builtin_rules()
        for proposal in proposals:
            words = _("%(version)s: proposed, since this rule was changed here.")
            self.stdout.write(words % {"version": proposal.version})
        release = active_release()
        if release is not None:
            words = _("Rule set %(number)s is in use, with %(rules)s rules.")
            said = {"number": release.number, "rules": len(release.documents)}
            self.stdout.write(words % said)
