"""Old numbers in the texts of a card whose threshold moved, and the curators' answers."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.curation.editor.adapting import StatedFigure, stale_parts
from coach.curation.models import Proposal
from coach.lib.words.punctuation import within_quotes
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import rule_of


def unanswered_figures(before: RuleVersion | None, after: RuleVersion) -> tuple[StatedFigure, ...]:
    """Return the new card's texts with an old number that no curator has confirmed."""
    if before is None or before.pk == after.pk:
        return ()
    figures = stale_parts(rule_of(before), rule_of(after), frozenset()).figures
    return still_open(figures, kept_of(after.rule)) if figures else ()


def still_open(figures: Iterable[StatedFigure], kept: Collection[str]) -> tuple[StatedFigure, ...]:
    """Return the figures that no curator has confirmed."""
    return tuple(figure for figure in figures if figure.text not in kept)


def kept_of(rule: str) -> frozenset[str]:
    """Return a rule's confirmed texts; a confirmation holds while the text is unchanged."""
    found = Proposal.objects.filter(rule=rule).values_list("figures_kept", flat=True)
    return frozenset(str(text) for texts in found for text in texts)


def figure_obstacle(before: RuleVersion | None, after: RuleVersion) -> str:
    """Return why a version cannot be approved or published yet, or an empty string."""
    left = unanswered_figures(before, after)
    if not left:
        return ""
    return _(
        "The card still states the old number: “%(text)s”. Use the new number, or "
        "confirm that it is a study’s figure."
    ) % {"text": within_quotes(left[0].text)}


@transaction.atomic
def keep_figures(*, proposal: Proposal, curator: User, texts: Collection[str]) -> None:
    """Confirm that these texts state a study's figure, independent of our thresholds."""
    held = (
        Proposal.objects.select_for_update(of=("self",))
        .select_related("version")
        .get(pk=proposal.pk)
    )
    said = json.dumps(held.version.document["message"], ensure_ascii=False)
    known = {text for text in texts if json.dumps(text, ensure_ascii=False) in said}
    held.figures_kept = sorted({*held.figures_kept, *known})
    held.save(update_fields=["figures_kept"])
    record_act(action="curation.figures_kept", target=held, actor=curator, rule=held.rule)
