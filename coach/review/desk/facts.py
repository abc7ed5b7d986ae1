"""Facts to pick up: what was measured, why no card speaks about it, and a card made of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from analysis.results import Report
from coach.accounts.models import User
from coach.feedback.corrected_reports import corrected_report, standing_corrections
from coach.feedback.items import standing_items
from coach.feedback.models import Correction, Feedback
from coach.feedback.pages.cards import ClipLink
from coach.feedback.pages.measures import MeasureGroup, measure_groups
from coach.feedback.pages.not_shown import (
    NotShown,
    context_language,
    left_out,
    silence_by_metric,
)
from coach.feedback.pages.plain_facts import PlainFact, clips_around, plain_facts
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.verdicts import MOST_CLIPS
from coach.lib.web.http import SignedInRequest
from coach.lib.words.clock import clock
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Rehearsal
from coach.review.access import reviewed_by
from coach.review.claim_words import is_of
from coach.review.comparing.draw import hides_cards
from coach.review.items.words import clips_words
from coach.review.selectors import review_of

_QUOTED = 160
"""The characters of a sentence that a card quotes (rule of thumb)."""
_METRICS = {
    "length": "signal.talk_seconds",
    "pace": "pace.words_per_minute",
    "ums": "fillers.filled_pauses_per_minute",
    "filler_words": "fillers.filler_words_per_minute",
    "longest_pause": "pauses.longest_at_boundary_seconds",
    "facing": "gaze.camera_facing_share",
    "longest_sentence": "wording.sentence_length_words",
    "first_sentence": "structure.opening_housekeeping",
    "last_sentence": "structure.closing_formulas",
    "slides": "structure.slide_bursts_per_minute",
}
"""The measure whose rules could have spoken about a fact."""
_QUALITIES = {
    "ums": "fluency",
    "filler_words": "fluency",
    "pace": "clarity",
    "longest_pause": "clarity",
    "longest_sentence": "clarity",
    "facing": "audience_contact",
}
"""The quality that a fact is about; the others are about structure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactToPick:
    """A fact with its moments, and the card that it would become."""

    code: str
    label: str
    value: str
    clips: tuple[ClipLink, ...]
    why: str
    """Why the rules gave no card about it; empty if there is one, or no rule for it."""
    claim: str
    """The observation as a sentence in the trainee's language, for the coach to change."""
    typed: str
    """Its moments as a coach types them."""
    quality: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsPage:
    """Everything that was measured in a take, and why rules kept silent."""

    rehearsal_id: str
    title: str
    facts: tuple[FactToPick, ...]
    left_out: NotShown
    measures: tuple[MeasureGroup, ...]
    can_pick: bool
    """Whether this coach works on the take, so that a fact can become a card."""


@require_GET
@login_required
def facts(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the facts of a take and why the rules gave no card about them."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    if hides_cards(review_of(rehearsal)):
        return redirect("review:desk", rehearsal_id)
    page = facts_page(rehearsal, feedback, coach=request.user)
    template = "review/_facts.html" if request.htmx else "review/facts.html"
    return render(request, template, {"page": page})


def facts_page(rehearsal: Rehearsal, feedback: Feedback, *, coach: User) -> FactsPage:
    """Return the facts with reasons and all measures, corrections included."""
    corrections = standing_corrections(feedback)
    report = corrected_report(feedback, corrections)
    return FactsPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        facts=facts_to_pick(rehearsal, feedback, report, corrections),
        left_out=left_out(feedback, standing_items(feedback), has_coach=True),
        measures=measure_groups(report),
        can_pick=feedback.state == Feedback.State.DRAFT and is_of(review_of(rehearsal), coach),
    )


def fact_named(rehearsal: Rehearsal, feedback: Feedback, code: str) -> FactToPick | None:
    """Return the fact of this code, or None if it was not measured in the take."""
    corrections = standing_corrections(feedback)
    report = corrected_report(feedback, corrections)
    found = facts_to_pick(rehearsal, feedback, report, corrections)
    return next((each for each in found if each.code == code), None)


def facts_to_pick(
    rehearsal: Rehearsal, feedback: Feedback, report: Report, corrections: Sequence[Correction]
) -> tuple[FactToPick, ...]:
    """Return what was counted and measured, each with the card that it would become."""
    with translation.override(context_language(feedback)):
        claims = {each.code: claim for each, claim in _facts(rehearsal, report, corrections)}
    why = silence_by_metric(feedback)
    return tuple(
        FactToPick(
            code=each.code,
            label=each.label,
            value=each.value,
            clips=each.clips,
            why=why.get(_METRICS[each.code], ""),
            claim=claims[each.code],
            typed=clips_words((clip.start, clip.end) for clip in each.clips[:MOST_CLIPS]),
            quality=_QUALITIES.get(each.code, "structure"),
        )
        for each, _claim in _facts(rehearsal, report, corrections)
    )


def _facts(
    rehearsal: Rehearsal, report: Report, corrections: Sequence[Correction]
) -> Iterator[tuple[PlainFact, str]]:
    """Yield each fact with its claim, in the language of the moment."""
    length = clock(report.media.duration)
    for fact in plain_facts(report):
        if fact.code == "length":
            yield _length(rehearsal.time_limit, report.media.duration)
        elif fact.code == "facing" and fact.value:
            yield _with_clips(fact, report), _claim(fact, length)
        elif fact.value not in {"", "0"}:
            yield fact, _claim(fact, length)
    yield from _of_sentences(transcript(report, corrections))
    if bursts := report.events_of("slide_burst"):
        label = _("Slides passed over")
        fact = PlainFact(
            code="slides", label=label, value=str(len(bursts)), clips=clips_around(bursts, report)
        )
        claim = ngettext(
            "In %(count)s place you went over several slides in a few seconds.",
            "In %(count)s places you went over several slides in a few seconds.",
            len(bursts),
        )
        yield fact, claim % {"count": len(bursts)}


def _length(limit: float | None, seconds: float) -> tuple[PlainFact, str]:
    if limit is None:
        fact = PlainFact(code="length", label=_("Length"), value=clock(seconds))
        return fact, _("You spoke for %(length)s.") % {"length": clock(seconds)}
    values = {"length": clock(seconds), "limit": clock(limit)}
    clips = (ClipLink(start=limit, end=seconds, label=clock(limit)),) if seconds > limit else ()
    value = _("%(length)s of %(limit)s") % values
    fact = PlainFact(code="length", label=_("Length"), value=value, clips=clips)
    return fact, _("You spoke for %(length)s; your limit was %(limit)s.") % values


def _with_clips(fact: PlainFact, report: Report) -> PlainFact:
    """Return the fact with its longest looks away as moments."""
    away = sorted(report.events_of("look_away"), key=lambda each: each.start - each.end)
    longest = sorted(away[:MOST_CLIPS], key=lambda each: each.start)
    return PlainFact(
        code=fact.code, label=fact.label, value=fact.value, clips=clips_around(longest, report)
    )


def _claim(fact: PlainFact, length: str) -> str:
    number = 1 if fact.value == "1" else 2
    claims = {
        "pace": _("You spoke at about %(value)s words a minute."),
        "ums": ngettext(
            "You said “um” or “uh” %(value)s time in %(length)s.",
            "You said “um” or “uh” %(value)s times in %(length)s.",
            number,
        ),
        "filler_words": ngettext(
            "You used filler words %(value)s time in %(length)s.",
            "You used filler words %(value)s times in %(length)s.",
            number,
        ),
        "longest_pause": _("Your longest pause lasted %(value)s."),
        "facing": _("You faced the camera for about %(value)s of your talk."),
    }
    return claims[fact.code] % {"value": fact.value, "length": length}


def _of_sentences(lines: Iterable[TranscriptLine]) -> Iterator[tuple[PlainFact, str]]:
    said = [(line, words) for line in lines if (words := _spoken(line))]
    if not said:
        return
    line, words = max(said, key=lambda each: len(each[1]))
    count = {"count": len(words)}
    value = ngettext("%(count)s word", "%(count)s words", len(words)) % count
    fact = _sentence(line, code="longest_sentence", label=_("Longest sentence"), value=value)
    yield fact, _("Your longest sentence has %(count)s words.") % count
    line, words = said[0]
    quoted = _quoted(words)
    fact = _sentence(line, code="first_sentence", label=_("First sentence"), value=quoted)
    yield fact, _("You began with “%(words)s”") % {"words": within_quotes(quoted)}
    line, words = said[-1]
    quoted = _quoted(words)
    fact = _sentence(line, code="last_sentence", label=_("Last sentence"), value=quoted)
    yield fact, _("You ended with “%(words)s”") % {"words": within_quotes(quoted)}


def _spoken(line: TranscriptLine) -> list[str]:
    silent = {"pause", "meant", "missing"}
    return [word.text for word in line.words if word.kind not in silent]


def _quoted(words: Sequence[str]) -> str:
    return Truncator(" ".join(words)).chars(_QUOTED)


def _sentence(line: TranscriptLine, *, code: str, label: str, value: str) -> PlainFact:
    clip = ClipLink(start=line.start, end=line.words[-1].end, label=line.label)
    return PlainFact(code=code, label=label, value=value, clips=(clip,))
