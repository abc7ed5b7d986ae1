"""Sample report for visitors: a real analysis of a synthetic voice, with cards from today's
rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.templatetags.static import static
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis.metrics import complete
from analysis.results import Report, load_report
from coach.feedback.pages.about_take import Player
from coach.feedback.pages.cards import Card, drafted_cards
from coach.feedback.pages.measures import MeasureGroup, NotMeasured, measure_groups, not_measured
from coach.feedback.pages.plain_facts import PlainFact, plain_facts
from coach.feedback.pages.timeline import Lane, lanes, moments_lane
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.rulesets.selectors import active_release, rule_set_of
from feedback_rules import select
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, RuleSet

REPORTS = Path(__file__).parent / "samples"
"""Written by `python -m bench sample`, together with the recordings in static/sample."""
LANGUAGES = ("en", "fr")
CONTEXT = {"aim": "persuade", "audience": "decision_makers", "setting": "stage"}
TIME_LIMIT = 90.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePage:
    """The sample page; `language` is that of the talk and its cards."""

    title: str
    language: str
    player: Player
    cards: tuple[Card, ...]
    lanes: tuple[Lane, ...]
    plain_facts: tuple[PlainFact, ...]
    sentences: tuple[TranscriptLine, ...]
    not_measured: tuple[NotMeasured, ...]
    measures: tuple[MeasureGroup, ...]


def sample_page() -> SamplePage:
    """Return the sample in the reader's language, or in English if there is none."""
    wanted = (get_language() or "en").split("-")[0]
    language = wanted if wanted in LANGUAGES else "en"
    report = sample_report(language)
    drafted = _cards(report, language)
    return SamplePage(
        title=_("Four more hours for our library"),
        language=language,
        player=_player(report, language),
        cards=drafted,
        lanes=(*moments_lane(drafted, report.media.duration), *lanes(report)),
        plain_facts=plain_facts(report),
        sentences=transcript(report),
        not_measured=not_measured(report),
        measures=measure_groups(report),
    )


@lru_cache
def sample_report(language: str) -> Report:
    """Return the stored report of the sample, upgraded to this version."""
    document = (REPORTS / f"{language}.json").read_text(encoding="utf-8")
    return complete(load_report(document))


def _cards(report: Report, language: str) -> tuple[Card, ...]:
    """Return the cards of the rules in use, so that a changed rule changes the sample."""
    rules = _rules_in_use()
    context = Context.model_validate({**CONTEXT, "language": language, "time_limit": TIME_LIMIT})
    return drafted_cards(select.draft(report, rules, context).items, rule_set=rules.number)


def _rules_in_use() -> RuleSet:
    release = active_release()
    return rule_set_of(release) if release else builtin_rule_set()


def _player(report: Report, language: str) -> Player:
    return Player(
        media_url=static(f"sample/{language}.m4a"),
        media_type="audio/mp4",
        captions_url="",
        poster_url="",
        duration=report.media.duration,
        has_video=False,
        language=language,
    )
