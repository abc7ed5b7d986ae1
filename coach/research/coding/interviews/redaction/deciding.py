"""Decisions on redactions: all equal words at once, or one place; and manual redactions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.interviews.redaction.names import known_names
from coach.research.coding.interviews.redaction.patterns import (
    RULES_VERSION,
    KnownNames,
    places_of,
    proposals,
)
from coach.research.coding.interviews.transcript_text import lead_in
from coach.research.coding.models import Interview, Redaction, Text, Turn

TOKEN: Final = re.compile(r"\[(NAME|ORG|PLACE|DATE|CONTACT|OTHER)-(\d{1,6})\]")


def base_text(interview: Interview) -> Text | None:
    """Return the text to redact: the locked one if it exists, otherwise the original; None
    without any.
    """
    texts = {each.kind: each for each in interview.texts.filter(is_current=True)}
    return texts.get(Text.Kind.LOCKED) or texts.get(Text.Kind.RAW)


def spoken_stretches(text: Text) -> list[tuple[int, int]]:
    """Return the span of the words in each turn, without the speaker label."""
    turns = Turn.objects.filter(text=text).select_related("speaker").order_by("number")
    return [(_begins(text, turn), turn.end) for turn in turns]


def _begins(text: Text, turn: Turn) -> int:
    head = lead_in(turn.speaker)
    has_head = text.text.startswith(head, turn.start)
    return turn.start + len(head) if has_head else turn.start


def normalised_words(text: Text, redaction: Redaction) -> str:
    """Return the words of a place on one line in lower case: equal names get equal tokens."""
    return " ".join(text.text[redaction.start : redaction.end].casefold().split())


@transaction.atomic
def propose_redactions(*, text: Text, known: KnownNames | None = None) -> int:
    """Propose redactions of possible names; return the number of proposals.

    Decided and manual redactions stay; the text around them is searched. A repeated proposal keeps
    its key: a person may be about to decide on it.
    """
    rows = Redaction.objects.filter(text=text)
    waiting = rows.filter(state=Redaction.State.PROPOSED).exclude(found_by="")
    before = {(each.start, each.end): each for each in waiting}
    fresh = _fresh(text, rows.exclude(pk__in=[each.pk for each in before.values()]), known)
    kept, new = [], []
    for each in fresh:
        if (again := before.pop((each.start, each.end), None)) is None:
            new.append(each)
            continue
        again.kind, again.found_by = each.kind, each.found_by
        kept.append(again)
    rows.filter(pk__in=[each.pk for each in before.values()]).delete()
    Redaction.objects.bulk_update(kept, ["kind", "found_by"])
    Redaction.objects.bulk_create(new)
    text.redaction_version = RULES_VERSION
    text.save(update_fields=["redaction_version"])
    return len(fresh)


@transaction.atomic
def refresh_proposals(*, text: Text) -> int:
    """Search again if the text was searched with older rules; return the number of proposals.

    In a locked text, only words torn by a token are proposed, such as the rest of an address.
    """
    text = _held(text)
    if text.redaction_version == RULES_VERSION:
        return 0
    if text.interview.state != Interview.State.LOCKED:
        return propose_redactions(text=text)
    edges = {edge for match in TOKEN.finditer(text.text) for edge in match.span()}
    torn = [
        each
        for each in _fresh(text, Redaction.objects.filter(text=text))
        if each.kind == Redaction.Kind.CONTACT and edges & {each.start, each.end}
    ]
    Redaction.objects.bulk_create(torn)
    return len(torn)


def _fresh(
    text: Text, standing: QuerySet[Redaction], known: KnownNames | None = None
) -> list[Redaction]:
    tokens = [match.span() for match in TOKEN.finditer(text.text)]
    there = standing.values_list("start", "end")
    # A token inside an address counts as a word of it.
    words = TOKEN.sub(lambda match: "x" * len(match.group()), text.text)
    stretches = spoken_stretches(text)
    known = (known or known_names(text.interview.study)).standing_in(words)
    return [
        Redaction(text=text, start=e.start, end=e.end, kind=e.kind, found_by=e.rule)
        for e in proposals(words, known, stretches, [*tokens, *there])
    ]


@transaction.atomic
def decide(
    *,
    redaction: Redaction,
    state: str,
    kind: str,
    same_as: str,
    only_here: bool,
    actor: User,
) -> list[Redaction]:
    """Approve or reject a redaction: everywhere in the text, or in this place only.

    `same_as` is an existing token for the same person or thing; empty for a new token.
    """
    text = _held(redaction.text)
    words = normalised_words(text, redaction)
    rows = list(Redaction.objects.filter(text=text).order_by("start"))
    same = [row for row in rows if normalised_words(text, row) == words]
    chosen = [row for row in same if row.pk == redaction.pk] if only_here else same
    token = ""
    if state == Redaction.State.APPROVED:
        token = same_as or _token_for(text, rows, words, kind)
    for row in chosen:
        row.state, row.kind, row.token = state, kind, token
        row.decided_by, row.decided_at = actor, timezone.now()
    fields = ["state", "kind", "token", "decided_by", "decided_at"]
    Redaction.objects.bulk_update(chosen, fields)
    record_act(
        action="research.redaction_decided",
        target=text.interview,
        actor=actor,
        state=state,
        kind=kind,
        places=len(chosen),
    )
    return chosen


@transaction.atomic
def mark(
    *, text: Text, spans: Sequence[tuple[int, int]], kind: str, same_as: str, actor: User
) -> list[Redaction]:
    """Redact spans chosen by a person; overlapping redactions become one.

    Raises ValidationError if a span is not within a single turn.
    """
    text = _held(text)
    stretches = spoken_stretches(text)
    trimmed = [_trimmed(text.text, start, end) for start, end in spans]
    for start, end in trimmed:
        if not any(a <= start < end <= b for a, b in stretches):
            raise ValidationError(_("Select words within a single turn."))
    made = [_marked(text, span, kind, same_as, actor) for span in trimmed]
    record_act(
        action="research.redaction_marked",
        target=text.interview,
        actor=actor,
        kind=kind,
        places=len(made),
    )
    return made


def _marked(text: Text, span: tuple[int, int], kind: str, same_as: str, actor: User) -> Redaction:
    start, end = span
    over = Redaction.objects.filter(text=text, start__lt=end, end__gt=start)
    standing = list(over.filter(state=Redaction.State.APPROVED))
    row = Redaction(
        text=text,
        start=min([start, *(each.start for each in standing)]),
        end=max([end, *(each.end for each in standing)]),
        kind=kind,
        state=Redaction.State.APPROVED,
        decided_by=actor,
        decided_at=timezone.now(),
    )
    over.delete()
    rows = list(Redaction.objects.filter(text=text))
    row.token = same_as or _token_for(text, rows, normalised_words(text, row), kind)
    row.save()
    return row


def mark_words(*, text: Text, words: Sequence[str], kind: str, same_as: str, actor: User) -> int:
    """Redact words wherever they occur; return the number of places."""
    stretches = spoken_stretches(text)
    spans = [
        (start, end)
        for each in words
        for start, end in places_of(each, text.text)
        if any(a <= start < end <= b for a, b in stretches)
    ]
    return (
        len(mark(text=text, spans=spans, kind=kind, same_as=same_as, actor=actor)) if spans else 0
    )


def _held(text: Text) -> Text:
    """Return the text, locked: of two concurrent decisions the second sees the tokens of
    the first.
    """
    return Text.objects.select_for_update(of=("self",)).select_related("interview").get(pk=text.pk)


def _trimmed(words: str, start: int, end: int) -> tuple[int, int]:
    start, end = max(start, 0), min(end, len(words))
    while start < end and words[start].isspace():
        start += 1
    while start < end and words[end - 1].isspace():
        end -= 1
    return start, end


def _token_for(text: Text, rows: Sequence[Redaction], words: str, kind: str) -> str:
    """Return the existing token of these words, or the next number of its kind."""
    standing = [row for row in rows if row.token and row.state == Redaction.State.APPROVED]
    for row in standing:
        if row.kind == kind and normalised_words(text, row) == words:
            return row.token
    used = [TOKEN.fullmatch(row.token) for row in standing] + list(TOKEN.finditer(text.text))
    numbers = [int(match[2]) for match in used if match and match[1] == kind]
    return f"[{kind}-{max(numbers, default=0) + 1}]"
