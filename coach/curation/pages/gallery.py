"""The gallery: each current rule with a case that gives a card and one that does not."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from coach.curation.pages.preview import Preview, shown_card, titled
from coach.lib.words.rule_words import case_words, title_words
from coach.rehearsals.models import Goal
from coach.rulesets.selectors import active_release, rule_set_of
from feedback_rules.explain import GalleryEntry, gallery_entries


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A rule in the gallery."""

    id: str
    title: str
    note: str
    previews: tuple[Preview, ...]
    silent_on: str
    silence: tuple[tuple[str, str], ...]
    """The reason for no card in each language: its code and words."""


def gallery_context(wanted: str) -> dict[str, object]:
    """Return the page of one quality; by default the first quality with rules."""
    release = active_release()
    exhibits = gallery_entries(rule_set_of(release).rules) if release else ()
    there = {each.rule.quality for each in exhibits}
    qualities = [(code, label) for code, label in Goal.choices if code in there]
    chosen = wanted if wanted in there else next((code for code, _label in qualities), "")
    shown = tuple(_shown(each) for each in exhibits if each.rule.quality == chosen)
    return {"qualities": qualities, "chosen": chosen, "exhibits": shown}


def _shown(exhibit: GalleryEntry) -> Shown:
    rule = exhibit.rule
    return Shown(
        id=rule.id,
        title=title_words(rule.title),
        note=_("%(rule)s, grade %(grade)s") % {"rule": rule.id, "grade": rule.grade},
        previews=tuple(
            Preview(
                title=titled(
                    _("Correct: %(case)s") % {"case": case_words(exhibit.speaks_on)}, language
                ),
                language=language,
                card=shown_card(item),
            )
            for language, item in exhibit.cards.items()
        ),
        silent_on=case_words(exhibit.silent_on),
        silence=tuple(exhibit.silence.items()),
    )
