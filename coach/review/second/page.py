"""The pages for blind opinions."""

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
    """An item as the machine wrote it, with this coach's decision."""

    id: str
    card: Card
    needs_coach: bool
    """Whether the machine withholds it, so that a decision is optional."""
    out_of_use: str = ""
    """A sentence if its rule was retired or muted since; the first coach sees it too."""
    kind: str
    reason: str
    moments: str
    """The coach's own moments as typed; empty for the machine's."""
    problem: str
    """Why the moments were not saved."""
    seen: str
    """The state on the page, so that an unchanged page reverts nothing."""
    stands: str
    """The state as stored now."""
    elsewhere: str
    """The decision from another window, for which this page's was not saved; else empty."""
    is_written: bool
    """Whether it was saved from the form just submitted, so that the page knows its state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionPage:
    """The page of a blind opinion: recording and rubric first, then the machine's items."""

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
    """The items; empty before the qualities are rated."""
    reasons: tuple[tuple[str, str], ...]
    is_clip: bool
    state: str
    is_problem: bool


def opinion_page(
    opinion: Opinion, rating: Rating | None, sent: Sent | None = None, problem: str = ""
) -> OpinionPage:
    """Return the page for this coach, without findings before they have rated.

    `sent` and `problem`: the rejected form as submitted, and the reason.
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
    """Return codes and labels of the reasons for rejecting an item."""
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
    """Return a coach's decision on an item, in words."""
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
    """Return which items were not saved and why, or an empty string."""
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
