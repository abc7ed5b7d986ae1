"""Puts together the pages on which a coach judges blindly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.feedback.documents import CardDocument
from coach.feedback.models import Item, RejectReason
from coach.feedback.pages.about_take import Fact, Player, facts_of, player_of
from coach.feedback.pages.cards import Card, card_of
from coach.feedback.pages.timeline import Lane, lanes
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.reports import report_of
from coach.lib.words.dates import here
from coach.lib.words.punctuation import within_quotes
from coach.review.items.moments import exact_words
from coach.review.items.out_of_use import out_of_use_words
from coach.review.rubric.models import Rating
from coach.review.rubric.page import Panel, panel, plain_words
from coach.review.second.adoption import Sent, TypedOpinion, seen_words
from coach.review.second.models import Decision, Opinion, Place
from coach.review.second.services import ItemVerdict, items_of, verdicts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedItem:
    """One item as the machine wrote it, and what this coach would do with it."""

    id: str
    card: Card
    needs_coach: bool
    """Withheld by the machine: saying something of it is up to the coach."""
    out_of_use: str = ""
    """That its rule was retired or muted since; the first coach reads the same."""
    kind: str
    reason: str
    moments: str
    """Where this coach sees it, as they type it; empty where the machine's moments stand."""
    problem: str
    """Why the moments were not kept."""
    seen: str
    """How it stands, so that a page which changed nothing takes nothing back."""
    stands: str
    """The same as it is stored now."""
    elsewhere: str
    """What this coach said of it in another window since, and that nothing of this one is kept."""
    is_written: bool
    """Kept from the form just sent: only then does that page know how it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionPage:
    """One blind opinion: the recording and the rubric first, then the machine's items."""

    rehearsal_id: str
    title: str
    trainee: str
    facts: tuple[Fact, ...]
    constructed: bool
    player: Player
    lanes: tuple[Lane, ...]
    sentences: tuple[TranscriptLine, ...]
    rubric: Panel
    items: tuple[JudgedItem, ...]
    """None before the qualities are judged."""
    reasons: tuple[tuple[str, str], ...]
    is_clip: bool
    state: str
    is_problem: bool


def opinion_page(
    opinion: Opinion, rating: Rating | None, sent: Sent | None = None, problem: str = ""
) -> OpinionPage:
    """Return what this coach can see now: no findings before they have judged.

    After a form that could not be handed in: as it was sent, and why.
    """
    rehearsal = opinion.rehearsal
    report = report_of(opinion.feedback.run)
    is_rated = rating is not None and rating.finished_at is not None
    return OpinionPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        facts=facts_of(rehearsal),
        constructed=rehearsal.is_constructed,
        player=player_of(rehearsal, report),
        lanes=lanes(report) if is_rated else (),
        sentences=transcript(report) if is_rated else plain_words(transcript(report)),
        rubric=panel(
            rating,
            save_url=reverse("review:opinion_rubric", args=[rehearsal.pk]),
            finish_words=_("Finish rating and show the cards"),
        ),
        items=judged_items(opinion, sent) if is_rated else (),
        reasons=reason_choices(),
        is_clip=opinion.place == Place.CALIBRATION,
        state=problem or decided_words(opinion),
        is_problem=bool(problem),
    )


def reason_choices() -> tuple[tuple[str, str], ...]:
    """Return codes and words for rejecting an item."""
    return tuple((code, str(label)) for code, label in RejectReason.choices)


def judged_items(opinion: Opinion, sent: Sent | None = None) -> tuple[JudgedItem, ...]:
    """Return each item as the rules wrote it, without coaches' changes."""
    verdicts, out_of_use = verdicts_of(opinion), out_of_use_words(opinion.feedback)
    return tuple(
        replace(
            _judged(item, verdicts.get(str(item.pk), ItemVerdict(kind="")), sent),
            out_of_use=out_of_use.get(item.rule, ""),
        )
        for item in items_of(opinion)
    )


def _judged(item: Item, stored: ItemVerdict, sent: Sent | None) -> JudgedItem:
    key = str(item.pk)
    typed = TypedOpinion(
        kind=stored.kind, reason=stored.reason, moments=exact_words(stored.moments)
    )
    if sent is not None and key in {*sent.verdicts, *sent.problems, *sent.elsewhere}:
        typed = sent.typed[key]
    stands = seen_words(stored)
    is_elsewhere = sent is not None and key in sent.elsewhere
    return JudgedItem(
        id=key,
        card=_card(item),
        needs_coach=not item.is_chosen,
        kind=typed.kind,
        reason=typed.reason,
        moments=typed.moments,
        problem=sent.problems.get(key, "") if sent is not None else "",
        seen=sent.elsewhere[key] if sent is not None and is_elsewhere else stands,
        stands=stands,
        elsewhere=_elsewhere_words(stored) if is_elsewhere else "",
        is_written=sent is not None and key in sent.verdicts,
    )


def said_words(kind: str, reason: str) -> str:
    """Return what a coach decided on an item, in words."""
    if not kind:
        return _("No opinion given")
    if kind == Decision.Kind.KEEP:
        return _("Would keep it")
    why = dict(RejectReason.choices).get(reason, "")
    return _("Would reject it: %(reason)s") % {"reason": why} if why else _("Would reject it")


def _elsewhere_words(stored: ItemVerdict) -> str:
    said = [said_words(stored.kind, stored.reason)]
    if stored.moments:
        said.append(exact_words(stored.moments))
    return _("You changed this in another window: “%(said)s”. Your choice here is not saved.") % {
        "said": within_quotes(", ".join(said))
    }


def problem_words(items: Sequence[JudgedItem]) -> str:
    """Return which items were not saved, and why; empty if all were."""
    named = [
        _("“%(claim)s”: %(problem)s")
        % {"claim": within_quotes(each.card.claim), "problem": problem}
        for each in items
        for problem in (each.elsewhere, each.problem)
        if problem
    ]
    return " ".join([*named, _("Everything else is saved.")]) if named else ""


def _card(item: Item) -> Card:
    is_strength = item.tone == "strength"
    return card_of(
        CardDocument.read(item.document),
        tone="strength" if is_strength else "improvement",
        heading=_("Keep") if is_strength else _("Something to work on"),
        quality=item.quality,
        author=_("Rule %(rule)s, version %(version)s")
        % {"rule": item.rule, "version": item.rule_version},
    )


def decided_words(opinion: Opinion) -> str:
    """Return '2 of 3 items decided. Saved at 14:03.'"""
    items = items_of(opinion)
    chosen = {item.pk for item in items if item.is_chosen}
    decided = {each.item_id for each in Decision.objects.filter(opinion=opinion)}
    words = ngettext(
        "%(count)s of %(all)s card decided. Saved at %(time)s.",
        "%(count)s of %(all)s cards decided. Saved at %(time)s.",
        len(chosen),
    )
    now = time_format(here(timezone.now()), "H:i")
    return words % {"count": len(chosen & decided), "all": len(chosen), "time": now}
