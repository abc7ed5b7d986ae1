"""What researchers decide by hand: takes that stay out, and words that name nobody."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal
from coach.research.studies.models import LeftOut, Study


@transaction.atomic
def leave_take_out(*, study: Study, rehearsal: Rehearsal, reason: str, actor: User) -> None:
    """It is in no export from now on; the export says how many were left out by hand."""
    _row, is_new = LeftOut.objects.get_or_create(
        study=study, rehearsal=rehearsal, defaults={"reason": reason, "by": actor}
    )
    if is_new:
        record_act(action="research.take_left_out", target=study, actor=actor, reason=reason)


@transaction.atomic
def take_in_again(*, left_out: LeftOut, actor: User) -> None:
    """It is in the next export again, where its owner agrees."""
    study, reason = left_out.study, left_out.reason
    left_out.delete()
    record_act(action="research.take_let_in", target=study, actor=actor, reason=reason)


@transaction.atomic
def allow_words(*, study: Study, words: Sequence[str], actor: User) -> None:
    """These words look like a name, a number or an inner state and are none: exports hold them."""
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    before, after = set(held.innocent_words), set(words)
    held.innocent_words = sorted(after)
    held.save(update_fields=["innocent_words"])
    if before != after:
        record_act(
            action="research.words_let_through",
            target=held,
            actor=actor,
            # How many, not which: some of them are names after all.
            added=len(after - before),
            gone=len(before - after),
        )
