"""What practising keeps of a person."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal import PersonalData
from coach.practice.exercises.selectors import exercises_done_for


def _export(user: User) -> dict[str, Any]:
    return {"exercises_done": list(exercises_done_for(user).values("exercise", "rehearsal", "at"))}


PERSONAL_DATA = PersonalData(
    app="practice",
    kept={"exercises_done": "as long as the account; those of a take as long as the take"},
    export=_export,
    handed_out={"practice.exercisedone.user": "exercises_done"},
)
