"""The report of a take, as somebody who is signed in gets it."""

from __future__ import annotations

from django.urls import reverse

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn


def page_of(take: Rehearsal, reader: User, sign_in: SignIn) -> str:
    return sign_in(reader).get(reverse("feedback:report", args=[take.pk])).content.decode()
