"""`python -m coach.lib.catalogues wording`: habits of wording that readers stumble over."""

from __future__ import annotations

import pytest

from coach.lib.catalogues.wording import HABITS, slips_in

STUMBLED_OVER = {
    "clause for a noun": "What was typed before the end of the session is offered again.",
    "is told": "Your coach is not told.",
    "stands": "Only people who agree stand here. It stands on the page.",
    "lies": "Look where the recordings lie.",
    "anew": "The take is analysed anew.",
    "meanwhile": "You signed in meanwhile.",
    "from X on": "Groups are shown from five people on.",
    "is no X": "That is no number of bytes.",
    "put right": "Some words were put right.",
    "what is kept": "Here is what is kept of you.",
}
PLAIN = (
    "What is measured",
    "Who can see a take?",
    "The camera stood in front of you.",
    "It stands out clearly.",
    "There is no recording, and it is no longer waiting.",
    "Opening and closing can be told apart.",
    "This counts from now on.",
    "Run `put right` in a shell.",
)


@pytest.mark.parametrize("habit", HABITS, ids=lambda each: each.name)
def test_each_habit_is_found(habit: object) -> None:
    name = getattr(habit, "name", "")
    assert name in {slip.habit.name for slip in slips_in("page", STUMBLED_OVER[name])}


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_pass(text: str) -> None:
    assert list(slips_in("page", text)) == []
