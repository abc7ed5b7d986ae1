"""Decisions on redactions: all equal words at once, or one place; and manual redactions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.interviews.redaction.matching import (
    KnownNames,
    NameFinder,
    is_part_of,
    places_of,
    plain,
    same_words,
)
from coach.research.coding.interviews.redaction.names import known_names
from coach.research.coding.interviews.redaction.patterns import (
    RULES_VERSION,
    proposals,
    without_title,
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
    """Return the words of a place on one line, folded: equal names get equal tokens."""
    return plain(text.text[redaction.start : redaction.end])


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

    `same_as` is an existing token for the same person or thing, or NEW_TOKEN; without it, a name
    that is a part of another gets its token.
    """
    text = _held(redaction.text)
    words = normalised_words(text, redaction)
    rows = list(Redaction.objects.filter(text=text).order_by("start"))
    same = [row for row in rows if normalised_words(text, row) == words]
    chosen = [row for row in same if row.pk == redaction.pk] if only_here else same
    token = ""
    if state == Redaction.State.APPROVED:
        said = text.text[redaction.start : redaction.end]
        token = _token_for(text, rows, said, kind, same_as)
        if not only_here:
            chosen += _also_standing(text, rows, redaction)
    for row in chosen:
        row.state, row.kind, row.token = state, kind, token
        row.decided_by, row.decided_at = actor, timezone.now()
    fields = ["state", "kind", "token", "decided_by", "decided_at"]
    Redaction.objects.bulk_update([row for row in chosen if row.pk], fields)
    Redaction.objects.bulk_create([row for row in chosen if not row.pk])
    record_act(
        action="research.redaction_decided",
        target=text.interview,
        actor=actor,
        state=state,
        kind=kind,
        places=len(chosen),
    )
    return chosen


def _also_standing(text: Text, rows: Sequence[Redaction], of: Redaction) -> list[Redaction]:
    """Return new redactions of the same words where no rule has proposed them."""
    words = without_title(text.text[of.start : of.end])
    return [
        Redaction(text=text, start=start, end=end)
        for start, end in _standing(text, {words}, rows)
        if not any(row.start < end and row.end > start for row in rows)
    ]


def _standing(
    text: Text, words: Iterable[str], rows: Sequence[Redaction]
) -> Iterator[tuple[int, int]]:
    """Yield the places where people say these words, however written, without approved ones."""
    taken = [(row.start, row.end) for row in rows if row.state == Redaction.State.APPROVED]
    out = [*taken, *(match.span() for match in TOKEN.finditer(text.text))]
    said = spoken_stretches(text)
    finder = NameFinder(KnownNames(whole=frozenset(words)), are_chosen=True)
    for start, end in finder.places(text.text):
        is_said = any(a <= start < end <= b for a, b in said)
        if is_said and not any(a < end and b > start for a, b in out):
            yield start, end


def names_left(text: Text, rows: Sequence[Redaction] | None = None) -> Counter[str]:
    """Count the places where a word accepted as a name still stands in the text."""
    rows = list(Redaction.objects.filter(text=text)) if rows is None else rows
    accepted = _accepted(text, rows)
    places = _standing(text, accepted, rows) if accepted else ()
    return Counter(" ".join(text.text[start:end].split()) for start, end in places)


def accepted_names_left(interview: Interview, locked: Text) -> Counter[str]:
    """Count the words accepted as names that stand in the locked text, while the original is
    stored.
    """
    raw = Text.objects.filter(interview=interview, kind=Text.Kind.RAW, is_current=True).first()
    accepted = _accepted(raw, Redaction.objects.filter(text=raw)) if raw else set()
    places = _standing(locked, accepted, ()) if accepted else ()
    return Counter(" ".join(locked.text[start:end].split()) for start, end in places)


def _accepted(text: Text, rows: Iterable[Redaction]) -> set[str]:
    return {
        without_title(text.text[row.start : row.end])
        for row in rows
        if row.state == Redaction.State.APPROVED and row.kind == Redaction.Kind.NAME
    }


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
    if kind == Redaction.Kind.NAME:
        made += _marked_elsewhere(text, made)
    record_act(
        action="research.redaction_marked",
        target=text.interview,
        actor=actor,
        kind=kind,
        places=len(made),
    )
    return made


def _marked_elsewhere(text: Text, made: Sequence[Redaction]) -> list[Redaction]:
    """Redact the other places of marked names: a name is gone everywhere."""
    more: list[Redaction] = []
    for each in made:
        rows = list(Redaction.objects.filter(text=text))
        for row in _also_standing(text, rows, each):
            row.kind, row.state, row.token = each.kind, each.state, each.token
            row.decided_by, row.decided_at = each.decided_by, each.decided_at
            row.save()
            more.append(row)
    return more


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
    row.token = _token_for(text, rows, text.text[row.start : row.end], kind, same_as)
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


NEW_TOKEN: Final = "new"  # noqa: S105  # a choice of the form
"""The choice of somebody else, although the names are parts of each other."""


def _token_for(text: Text, rows: Sequence[Redaction], words: str, kind: str, same_as: str) -> str:
    """Return the chosen token, the one of these words or of this person, or the next number."""
    if same_as and same_as != NEW_TOKEN:
        return same_as
    standing = [row for row in rows if row.token and row.state == Redaction.State.APPROVED]
    of_kind = [row for row in standing if row.kind == kind]
    for row in of_kind:
        if same_words(text.text[row.start : row.end], words):
            return row.token
    if (
        kind == Redaction.Kind.NAME
        and not same_as
        and (token := _same_person(text, of_kind, words))
    ):
        return token
    used = [TOKEN.fullmatch(row.token) for row in standing] + list(TOKEN.finditer(text.text))
    numbers = [int(match[2]) for match in used if match and match[1] == kind]
    return f"[{kind}-{max(numbers, default=0) + 1}]"


def proposed_token(text: Text, rows: Sequence[Redaction], row: Redaction) -> str:
    """Return the token of the person whom these words seem to name; empty for somebody new."""
    approved = [each for each in rows if each.state == Redaction.State.APPROVED and each.token]
    same = [each for each in approved if each.kind == row.kind == Redaction.Kind.NAME]
    return _same_person(text, same, text.text[row.start : row.end])


def _same_person(text: Text, rows: Sequence[Redaction], words: str) -> str:
    """Return the only token whose longest name is a part of these words, or has them as a part."""
    longest: dict[str, str] = {}
    for row in rows:
        name = without_title(text.text[row.start : row.end])
        longest[row.token] = max(longest.get(row.token, ""), name, key=len)
    words = without_title(words)
    found = [token for token, name in longest.items() if is_part_of(name, words)]
    return found[0] if len(found) == 1 else ""
