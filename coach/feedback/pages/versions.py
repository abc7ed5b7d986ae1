"""What a coach says to the trainee about a version as a whole, and what a correction changed."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from coach.feedback.items import StandingItem, shown, standing_items
from coach.feedback.models import Feedback
from coach.feedback.pages.version_values import FromCoach, WordingChange
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes


def from_coach(feedback: Feedback | None, retracted: Feedback | None) -> FromCoach | None:
    """None where no coach has said anything; `retracted` is the newest that was taken away."""
    is_answered = feedback is not None and feedback.is_released
    gone = "" if retracted is None or is_answered else _retracted_words(retracted)
    if feedback is None or not is_answered:
        return FromCoach(word="", by="", corrected="", changes=(), retracted=gone) if gone else None
    former = feedback.corrects
    return FromCoach(
        word=feedback.word,
        by=name_words(feedback.released_by_name),
        corrected=_corrected_words(feedback) if former else "",
        changes=tuple(changes_between(former, feedback)) if former else (),
        retracted="",
    )


def _corrected_words(feedback: Feedback) -> str:
    if feedback.released_at is None:
        return ""
    return _("%(name)s corrected this feedback on %(date)s.") % {
        "name": name_words(feedback.released_by_name),
        "date": date_words(feedback.released_at),
    }


def _retracted_words(feedback: Feedback) -> str:
    if feedback.retracted_at is None:
        return ""
    return _("%(name)s retracted the feedback on %(date)s: “%(why)s”") % {
        "name": name_words(feedback.released_by_name),
        "date": date_words(feedback.retracted_at),
        "why": within_quotes(feedback.retracted_why),
    }


def changes_between(former: Feedback, now: Feedback) -> Iterator[WordingChange]:
    """What a reader of the version before finds changed, in the order of reading."""
    if former.word != now.word:
        yield WordingChange(label=_("The coach’s comment"), before=former.word, after=now.word)
    before = {each.item.pk: each for each in shown(standing_items(former))}
    stay: list[tuple[StandingItem, StandingItem]] = []
    for each in shown(standing_items(now)):
        old = before.get(each.item.former_id) if each.item.former_id else None
        if old is None:
            yield WordingChange(label=_("New card"), before="", after=_words(each))
        else:
            stay.append((old, each))
            yield from _item_changes(old, each)
    kept = [old.item.pk for old, _each in stay]
    for gone in before.values():
        if gone.item.pk not in kept:
            yield WordingChange(label=_("Removed"), before=_words(gone), after="")
    if kept != [key for key in before if key in kept]:
        claims = " · ".join(each.card.claim for _old, each in stay)
        yield WordingChange(label=_("New order"), before="", after=claims)
    yield from _note_changes(former, now)


def _item_changes(old: StandingItem, now: StandingItem) -> Iterator[WordingChange]:
    claim = within_quotes(now.card.claim)
    if old.card.claim != now.card.claim:
        yield WordingChange(label=_("In other words"), before=_words(old), after=_words(now))
    elif old.card.suggestion != now.card.suggestion:
        yield WordingChange(
            label=_("New advice for “%(claim)s”") % {"claim": claim},
            before=old.card.suggestion,
            after=now.card.suggestion,
        )
    if _moments(old) != _moments(now):
        yield WordingChange(
            label=_("New moments for “%(claim)s”") % {"claim": claim},
            before=_moments(old),
            after=_moments(now),
        )


def _moments(each: StandingItem) -> str:
    return ", ".join(f"{clock(clip.start)}–{clock(clip.end)}" for clip in each.card.clips)


def _note_changes(former: Feedback, now: Feedback) -> Iterator[WordingChange]:
    old, new = (
        {note.text for note in each.notes.filter(removed_at=None)} for each in (former, now)
    )
    for text in sorted(new - old):
        yield WordingChange(label=_("New note"), before="", after=text)
    for text in sorted(old - new):
        yield WordingChange(label=_("Removed"), before=text, after="")


def _words(each: StandingItem) -> str:
    return " ".join(part for part in (each.card.claim, each.card.suggestion) if part)
