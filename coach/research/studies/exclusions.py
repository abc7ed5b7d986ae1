"""Researchers' manual decisions: excluded takes, and allowed words."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal
from coach.research.studies.models import LeftOut, Study


@transaction.atomic
def leave_take_out(*, study: Study, rehearsal: Rehearsal, reason: str, actor: User) -> None:
    """Exclude a take from exports, which state the number of excluded takes."""
    _row, is_new = LeftOut.objects.get_or_create(
        study=study, rehearsal=rehearsal, defaults={"reason": reason, "by": actor}
    )
    if is_new:
        record_act(action="research.take_left_out", target=study, actor=actor, reason=reason)


@transaction.atomic
def take_in_again(*, left_out: LeftOut, actor: User) -> None:
    """Include an excluded take in later exports again, if its owner consents."""
    study, reason = left_out.study, left_out.reason
    left_out.delete()
    record_act(action="research.take_let_in", target=study, actor=actor, reason=reason)


@transaction.atomic
def allow_words(*, study: Study, words: Sequence[str], actor: User) -> None:
    """Allow words that look like a name, a number or a feeling and are none."""
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    before, after = set(held.innocent_words), set(words)
    held.innocent_words = sorted(after)
    held.save(update_fields=["innocent_words"])
    if before != after:
        record_act(
            action="research.words_let_through",
            target=held,
            actor=actor,
            # The number only: some of the words are names after all.
            added=len(after - before),
            gone=len(before - after),
        )
