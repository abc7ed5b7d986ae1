"""Members of a course, from the names and roles service, as a list of people for the roster."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urljoin

from coach.accounts.models import Role, User
from coach.audit.services import record_act
from coach.lib.pages.plain_text import one_line
from coach.lti.asking import NoAnswer, Outcome, access_token, ask_json
from coach.lti.messages import role_of
from coach.lti.models import Course

_SCOPE: Final = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
_MEDIA_TYPE: Final = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_NEXT: Final = re.compile(r'<([^<>]+)>\s*;[^,]*rel="?next"?', re.IGNORECASE)
_MOST_PAGES: Final = 20
_MOST_MEMBERS: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseList:
    """The members of a course as a CSV list, and how many it leaves out."""

    text: str
    people: int
    left_out: int
    """Members without an email address, or without a role that the platform may give."""


def fetch_members(*, course: Course, actor: User) -> CourseList:
    """Ask the platform for the active members of a course. Raises NoAnswer."""
    token = access_token(course.platform, scope=_SCOPE)
    headers = {"Authorization": f"Bearer {token}", "Accept": _MEDIA_TYPE}
    members: list[dict[str, Any]] = []
    url: str | None = course.members_url
    for _page in range(_MOST_PAGES):
        if url is None or len(members) > _MOST_MEMBERS:
            break
        reply = ask_json(url, headers=headers)
        found = reply.content.get("members") if isinstance(reply.content, dict) else None
        members += [each for each in found or [] if isinstance(each, dict)]
        url = _next(url, {name.lower(): value for name, value in reply.headers.items()})
    record_act(action="lti.members_fetched", target=course, actor=actor, people=len(members))
    return _listed(members[:_MOST_MEMBERS], makes_coaches=course.platform.makes_coaches)


def _next(url: str, headers: dict[str, str]) -> str | None:
    """Return the next page of the same platform; a token never goes to another host."""
    match = _NEXT.search(headers.get("link", ""))
    if match is None:
        return None
    following: str = urljoin(url, match[1])
    if following.split("/")[:3] != url.split("/")[:3]:
        raise NoAnswer(Outcome.REFUSED)
    return following


def _listed(members: list[dict[str, Any]], *, makes_coaches: bool) -> CourseList:
    text, people = io.StringIO(), 0
    rows = csv.writer(text, delimiter=";", lineterminator="\n")
    rows.writerow(["email", "name", "role"])
    for each in members:
        role = role_of(each.get("roles"))
        address = one_line(str(each.get("email") or ""))
        is_active = str(each.get("status") or "Active") == "Active"
        may = role == Role.TRAINEE or (role == Role.COACH and makes_coaches)
        if is_active and address and role and may:
            rows.writerow([address, one_line(str(each.get("name") or ""))[:120], role.value])
            people += 1
    return CourseList(text=text.getvalue(), people=people, left_out=len(members) - people)
