"""Random allocation to conditions: permuted blocks from a stored seed, blinded by letters.

Block n is the letters, each twice its share, shuffled by Python's `random.Random(f"{seed}:{n}")`;
the person drawn as number k (from 0) has place k modulo the block's size in block k // size. So the
seed and the order of joining reproduce every allocation (Altman and Bland, BMJ 1999, on blocks;
twice the share: short enough to stay balanced, long enough not to be guessed).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.studies.models import Allocation, Condition, Participant, Study

_TIMES = 2
_LETTERS = "ABCDEFGH"
MOST_CONDITIONS = len(_LETTERS)


def block(seed: str, number: int, shares: Sequence[tuple[str, int]]) -> list[str]:
    """Return the letters of one block, in the order of allocation."""
    letters = [letter for letter, share in sorted(shares) for _each in range(share * _TIMES)]
    # Reproducible on purpose: the seed itself is random and stored separately.
    random.Random(f"{seed}:{number}").shuffle(letters)  # noqa: S311
    return letters


def letter_of(seed: str, place: int, shares: Sequence[tuple[str, int]]) -> str:
    """Return the condition of the person drawn as number `place` (from 0)."""
    size = sum(share for _letter, share in shares) * _TIMES
    return block(seed, place // size, shares)[place % size]


@transaction.atomic
def draw(participant: Participant) -> Allocation | None:
    """Allocate a participant once; None without conditions, or if already allocated."""
    study = Study.objects.select_for_update(no_key=True).get(pk=participant.study_id)
    arms = {each.letter: each for each in study.conditions.all()}
    if not arms or Allocation.objects.filter(participant=participant).exists():
        return None
    place = Allocation.objects.filter(participant__study=study).count()
    shares = [(letter, arm.weight) for letter, arm in arms.items()]
    return Allocation.objects.create(
        participant=participant,
        condition=arms[letter_of(study.secret.seed, place, shares)],
        number=place + 1,
    )


@transaction.atomic
def set_conditions(*, study: Study, names: Sequence[tuple[str, int]], actor: User) -> None:
    """Set the conditions with their shares; the seed decides their letters.

    Raises ValidationError once anybody is allocated, or for one condition or too many.
    """
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if Allocation.objects.filter(participant__study=held).exists():
        raise ValidationError(
            _(
                "Participants have already been allocated, so the conditions can no longer "
                "be changed."
            )
        )
    if not 2 <= len(names) <= MOST_CONDITIONS:
        raise ValidationError(_("Enter two to eight conditions, one per line."))
    letters = list(_LETTERS[: len(names)])
    random.Random(f"{held.secret.seed}:letters").shuffle(letters)  # noqa: S311
    held.conditions.all().delete()
    for letter, (name, weight) in zip(letters, names, strict=True):
        Condition.objects.create(study=held, letter=letter, name=name, weight=weight)
    record_act(
        action="research.conditions_set",
        target=held,
        actor=actor,
        conditions=[list(pair) for pair in names],
    )
