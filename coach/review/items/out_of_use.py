"""Notices about items whose rule was retired or muted after the draft."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from coach.feedback.models import Feedback
from coach.rulesets.selectors import active_release, release_for, rule_names_of


def out_of_use_words(feedback: Feedback) -> Mapping[str, str]:
    """Return the draft's rules that are no longer in use, each with a notice for coaches.

    For participants of a study with a fixed rule set, that rule set counts.
    """
    active, take = active_release(), feedback.rehearsal
    if active is None or active.pk == feedback.rule_set_id:
        return {}
    now = release_for(owner=take.owner_id, cohort=take.cohort_id) or active
    speaking = {rule for rule, name in rule_names_of(now).items() if not name.is_silent}
    words = _(
        "The rule for this card is no longer in use (since rule set %(number)s). Keep "
        "the card only if you see or hear it yourself."
    ) % {"number": now.number}
    return {rule: words for rule in rule_names_of(feedback.rule_set) if rule not in speaking}
