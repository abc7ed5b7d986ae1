"""The portal's part of the trainee's home page: consents with changed wording."""

from __future__ import annotations

from collections.abc import Iterable

from coach.accounts.models import User
from coach.feedback.pages.extensions import PagePart, extend_pages
from coach.portal.personal.privacy import questions_for


def consents_to_renew(user: User) -> Iterable[PagePart]:
    """Yield a notice for each consent that the person is to answer again."""
    for question in questions_for(user):
        yield PagePart(
            place="notices", template="portal/_asked_anew.html", context={"question": question}
        )


extend_pages(at_home=[consents_to_renew])
