"""Previews of a rule's card, on its own cases or on a chosen take."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import override

from coach.accounts.models import User
from coach.curation.approval_checks import no_card
from coach.curation.pages.dry_runs import take_words
from coach.curation.selectors import preview_runs_for
from coach.feedback.models import Run
from coach.feedback.pages.cards import Card, drafted_card
from coach.feedback.reports import report_of
from coach.feedback.runs.drafting import context_of
from coach.lib.words.clock import clock
from coach.lib.words.dates import written
from coach.lib.words.punctuation import within_quotes
from coach.lib.words.rule_words import case_words, reading_language
from coach.rehearsals.services import record_viewing
from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.explain import has_strange_placeholders, why_silent
from feedback_rules.model import READING_LANGUAGES, Case, DraftItem, ReadingLanguage, Rule
from feedback_rules.select.sample import card_on

MOST_TAKES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A card, or the reason why there is none."""

    title: str
    language: ReadingLanguage
    card: Card | None
    silent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One case with the card of the current rule and of the proposed one."""

    title: str
    now: Preview
    proposed: Preview
    is_same: bool
    """Whether both cards are the same."""

    @property
    def only_one_speaks(self) -> bool:
        """Whether exactly one of the two rules gives a card."""
        return (self.now.card is None) != (self.proposed.card is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeChoice:
    """A take for a preview; other people's takes have no name and no title."""

    id: str
    label: str


def take_choices(curator: User) -> tuple[TakeChoice, ...]:
    """Return the curator's own takes and those with consent, newest first.

    Many have the same length and kind, so each label has its position and its day.
    """
    runs = preview_runs_for(curator).order_by("-created_at", "pk")[:MOST_TAKES]
    return tuple(
        TakeChoice(
            id=str(run.pk),
            label=_("%(place)d · %(day)s · %(take)s")
            % {
                "place": place,
                "day": written(run.rehearsal.created_at, "j F Y"),
                "take": _take_words(run, curator),
            },
        )
        for place, run in enumerate(runs, start=1)
    )


def _take_words(run: Run, curator: User) -> str:
    take = run.rehearsal
    if take.owner_id == curator.pk:
        return f"{take.title} · {clock(take.duration or 0)}"
    return take_words(take, curator)


def sample_previews(rule: Rule) -> tuple[Preview, ...]:
    """Return the card of the first case in which the rule fires, in both languages.

    A draft or retired rule is previewed as if it were in use.
    """
    if has_strange_placeholders(rule):
        return (_none(_("A placeholder in its texts cannot be filled in, so there is no card.")),)
    speaking = as_if_it_spoke(rule)
    for case in rule.cases:
        found = [_on_case(speaking, case, each) for each in READING_LANGUAGES if case.fires]
        if cards := tuple(preview for preview in found if preview is not None):
            return cards
    return (_none(no_card()),)


def as_if_it_spoke(rule: Rule) -> Rule:
    """Return a draft or retired rule as experimental, and any other rule unchanged."""
    is_silent = rule.status in {"draft", "retired"}
    return rule.model_copy(update={"status": "experimental"}) if is_silent else rule


def _none(why: str) -> Preview:
    return Preview(title=_("On its own cases"), language="en", card=None, silent=why)


def _on_case(rule: Rule, case: Case, language: ReadingLanguage) -> Preview | None:
    item = card_on(rule, case_report(case.report), case.context, language)
    title = titled(
        _("On its case “%(case)s”") % {"case": within_quotes(case_words(case.name))}, language
    )
    return Preview(title=title, language=language, card=shown_card(item)) if item else None


def compared_previews(proposed: Rule, before: Rule) -> tuple[Compared, ...]:
    """Return the most telling case with both rules, in both languages; empty without a card.

    Preferably a case in which only one rule fires, as after a moved threshold; else one whose card
    differs; else the first with a card.
    """
    if has_strange_placeholders(proposed):
        return ()
    # Cases that moved with a threshold are also tried at their old values.
    cases = [*proposed.cases, *(case for case in before.cases if case not in proposed.cases)]
    english = [(case, _compared(case, "en", (before, proposed))) for case in cases]
    made = [(case, each) for case, each in english if each.now.card or each.proposed.card]
    if not made:
        return ()
    case, found = min(made, key=lambda pair: (not pair[1].only_one_speaks, pair[1].is_same))
    others = (each for each in READING_LANGUAGES if each != "en")
    return (found, *(_compared(case, each, (before, proposed)) for each in others))


def _compared(case: Case, language: ReadingLanguage, both: tuple[Rule, Rule]) -> Compared:
    now, proposed = (_with_silence(rule, case, language) for rule in both)
    title = _("On its case “%(case)s”") % {"case": within_quotes(case_words(case.name))}
    return Compared(
        title=titled(title, language),
        now=now,
        proposed=proposed,
        is_same=now.card == proposed.card and now.silent == proposed.silent,
    )


def _with_silence(rule: Rule, case: Case, language: ReadingLanguage) -> Preview:
    """Return the card on a case, or the reason for its absence."""
    shown = _on_case(rule, case, language)
    if shown is not None:
        return shown
    finding = finding_of(rule, Facts.of(case_report(case.report), case.context))
    why = why_silent(finding, reading_language())
    return Preview(title="", language=language, card=None, silent=why)


def titled(title: str, language: ReadingLanguage) -> str:
    """Return the title of a preview, with a note if the card is French."""
    return title if language == "en" else _("%(title)s, in French") % {"title": title}


def take_previews(rule: Rule, *, run_id: UUID, curator: User) -> tuple[Preview, ...]:
    """Return the card on a take in both languages, or the reason why there is none.

    Empty without access to the take. The viewing is logged for its owner.
    """
    run = preview_runs_for(curator).filter(pk=run_id).first()
    if run is None:
        return ()
    record_viewing(rehearsal=run.rehearsal, viewer=curator, what="rule_preview")
    report = report_of(run)
    context, title = context_of(run.rehearsal), _take_words(run, curator)
    finding = finding_of(rule, Facts.of(report, context))
    if not finding.fired:
        why = why_silent(finding, reading_language())
        return (Preview(title=title, language="en", card=None, silent=why),)
    is_own = run.rehearsal.owner_id == curator.pk
    cards = [
        (each, card_on(rule, report, context, each, hides_quotes=not is_own))
        for each in READING_LANGUAGES
    ]
    return tuple(
        Preview(
            title=titled(title, language),
            language=language,
            card=shown_card(item),
        )
        for language, item in cards
        if item is not None
    )


def shown_card(item: DraftItem) -> Card:
    """Return a rule's card as a reader of its language sees it."""
    with override(item.language):
        heading = _("Keep") if item.tone == "strength" else _("Work on this")
        return drafted_card(item, heading=heading)
