"""What a trainee and their coaches say to each other, and who is told of it."""

from __future__ import annotations

from datetime import timedelta

from coach.accounts.models import User
from coach.feedback.models import Dispute, Feedback, Item, Question
from coach.notices.selectors import new_for
from coach.review.selectors import QueueFilter


def item_of(feedback: Feedback) -> Item:
    return feedback.items.filter(is_chosen=True)[0]


def told(person: User) -> list[str]:
    return list(new_for(person).values_list("kind", flat=True))


def later(said: Dispute | Question, by: timedelta) -> None:
    type(said).objects.filter(pk=said.pk).update(at=said.at - by)


ANY = QueueFilter()
