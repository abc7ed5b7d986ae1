"""Numbers of before in the words of a card whose threshold was moved: each is answered once."""

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
    """Texts of the new card that name the old number, and nobody has said that they may."""
    if before is None or before.pk == after.pk:
        return ()
    figures = stale_parts(rule_of(before), rule_of(after), frozenset()).figures
    return still_open(figures, kept_of(after.rule)) if figures else ()


def still_open(figures: Iterable[StatedFigure], kept: Collection[str]) -> tuple[StatedFigure, ...]:
    """Those of which nobody has said that their number is meant to stay."""
    return tuple(figure for figure in figures if figure.text not in kept)


def kept_of(rule: str) -> frozenset[str]:
    """Texts that a curator has answered for: as long as they read the same, so does the answer."""
    found = Proposal.objects.filter(rule=rule).values_list("figures_kept", flat=True)
    return frozenset(str(text) for texts in found for text in texts)


def figure_obstacle(before: RuleVersion | None, after: RuleVersion) -> str:
    """Why a version cannot be approved or published yet; empty where it can."""
    left = unanswered_figures(before, after)
    if not left:
        return ""
    return _(
        "The card still states the old number: “%(text)s”. Use the new number, or "
        "confirm that it is a study’s figure."
    ) % {"text": within_quotes(left[0].text)}


@transaction.atomic
def keep_figures(*, proposal: Proposal, curator: User, texts: Collection[str]) -> None:
    """Note that these texts name a study's figure, which no threshold of ours moves."""
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
