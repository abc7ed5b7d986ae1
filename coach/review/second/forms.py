"""Parsing of a coach's decisions on items, from fields named after the items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from coach.feedback.models import Item, RejectReason
from coach.lib.pages.plain_text import PlainTextField
from coach.review.items.moments import MOST_TYPED, ClipsField
from coach.review.items.words import clips_words
from coach.review.second.models import Decision, Opinion
from coach.review.second.selectors import marked_on
from coach.review.second.services import ItemVerdict, items_of


class DiscussionForm(forms.Form):
    """A message in the discussion of two opinions, or the reason for what counts."""

    text = PlainTextField(max_length=1000, error_messages={"required": _("Write a message first.")})


def verdicts_from(sent: QueryDict, items: Iterable[Item]) -> dict[str, ItemVerdict]:
    """Return the verdicts by item, without empty or unknown ones.

    Raises ValidationError for invalid moments.
    """
    moments = ClipsField(required=False, max_length=MOST_TYPED)
    found: dict[str, ItemVerdict] = {}
    for item in items:
        kind = sent.get(f"kind_{item.pk}", "")
        reason = sent.get(f"reason_{item.pk}", "")
        if kind in Decision.Kind.values:
            known = reason if reason in RejectReason.values else ""
            found[str(item.pk)] = ItemVerdict(
                kind=kind,
                reason=known,
                # A rejected item has no moments, and their field is hidden.
                moments=moments.clean(sent.get(f"clips_{item.pk}", "")) if kind == "keep" else (),
            )
    return found


def settled_from(sent: QueryDict, first: Opinion) -> dict[str, ItemVerdict]:
    """Return the authoritative verdicts by item, with the exact moments of the opinions.

    The form shows whole seconds: unchanged moments keep their exact times, and
    a mark shorter than a second is kept. Raises ValidationError for invalid moments.
    """
    items = items_of(first)
    rules = {str(item.pk): item.rule for item in items}
    marked = marked_on(first.rehearsal)
    return {
        key: replace(
            said, moments=marked.get((rules[key], clips_words(said.moments)), said.moments)
        )
        for key, said in verdicts_from(sent, items).items()
    }
