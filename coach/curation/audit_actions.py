"""Labels of the rule studio's actions in the audit log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "curation.proposed": gettext_lazy("Proposed a change to a rule"),
        "curation.figures_kept": gettext_lazy("Left a study’s figure in a card as it is"),
        "curation.approved": gettext_lazy("Approved a change to a rule"),
        "curation.sent_back": gettext_lazy("Returned a change to a rule"),
        "curation.withdrawn": gettext_lazy("Withdrew a proposed change to a rule"),
        "curation.muted": gettext_lazy("Muted a rule"),
        "curation.unmuted": gettext_lazy("Unmuted a rule"),
        "curation.rolled_back": gettext_lazy("Rolled the rules back"),
        "curation.dry_run_started": gettext_lazy("Started a dry run"),
        "curation.dry_run_cancelled": gettext_lazy("Cancelled a dry run"),
    },
    names={
        "restores": pgettext_lazy("logged", "back to rule set"),
        "rule": pgettext_lazy("logged", "rule"),
    },
)
