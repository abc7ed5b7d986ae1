"""Answers to a deep linking request: signed links to assignments, for the platform to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from coach.assignments.models import Assignment
from coach.assignments.words import due_words
from coach.lti.keys import sign
from coach.lti.messages import CLAIM, LINKING, VERSION, DeepLinking
from coach.lti.models import Course, PlatformAccount
from coach.lti.selectors import links_for

_SECONDS: Final = 3600
"""Time in which an instructor chooses (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChoice:
    """An assignment, and the signed answer that makes a link to it."""

    assignment: Assignment
    due: str
    jwt: str


def link_choices(
    account: PlatformAccount, course: Course, linking: DeepLinking, *, launch_url: str
) -> list[LinkChoice]:
    """Return the assignments to which this person may link in this course."""
    return [
        LinkChoice(
            assignment=each,
            due=due_words(each.due_at, each.cohort),
            jwt=sign(_response(course, linking, _item(each, launch_url)), seconds=_SECONDS),
        )
        for each in links_for(account.person, course)
    ]


def _response(course: Course, linking: DeepLinking, item: dict[str, Any]) -> dict[str, Any]:
    said = {
        "iss": course.platform.client_id,
        "aud": [course.platform.issuer],
        f"{CLAIM}deployment_id": course.deployment_id,
        f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": VERSION,
        f"{LINKING}content_items": [item],
    }
    return said if linking.data is None else {**said, f"{LINKING}data": linking.data}


def _item(assignment: Assignment, launch_url: str) -> dict[str, Any]:
    """Return the link. Its column has a maximum because the standard asks for one; no score goes
    there.
    """
    return {
        "type": "ltiResourceLink",
        "title": assignment.title,
        "url": launch_url,
        "custom": {"assignment": str(assignment.pk)},
        "window": {"targetName": "_blank"},
        "lineItem": {"label": assignment.title, "scoreMaximum": 1},
    }
