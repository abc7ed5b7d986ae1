"""Check of a list of people against the site: an act or the problems for each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Language, Membership, Role, User
from coach.lib.words.punctuation import within_quotes
from coach.portal.departments.selectors import administered_people_for, open_groups_for
from coach.portal.people.lists import ListLine, language_of, roles_of
from coach.portal.people.selectors import is_unused

GROUP_ROLES = (Role.TRAINEE, Role.COACH)
"""Roles that a member of a group may have."""
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """Values for the cells that a list leaves empty."""

    role: Role = Role.TRAINEE
    cohort: Cohort | None = None
    language: Language = Language.ENGLISH


class Problem(NamedTuple):
    """A reason to leave a line out, by its code, and the text of the cell that is unknown."""

    code: str
    text: str = ""


@dataclass(slots=True, kw_only=True)
class CheckedLine:
    """A line with the people, roles and group it names; with a problem, it is left out."""

    number: int
    email: str
    name: str
    roles: list[Role]
    cohort: Cohort | None
    language: Language
    person: User | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def invites(self) -> bool:
        """Return whether this line makes an account."""
        return not self.problems and self.person is None

    @property
    def joins(self) -> bool:
        """Return whether this line only adds an account to a group."""
        return not self.problems and self.person is not None

    @property
    def group_roles(self) -> list[Role]:
        """Return the roles in the group of this line."""
        return [role for role in self.roles if role in GROUP_ROLES] if self.cohort else []

    @property
    def words(self) -> str:
        """Return the problems, or the act, as sentences."""
        if self.problems:
            return " ".join(
                problem_words(each.code) % {"text": within_quotes(each.text)}
                for each in self.problems
            )
        if self.joins:
            return _("Has an account: joins the group, without an email.")
        return _("Gets an account and an email with a link.")

    @property
    def roles_in_words(self) -> str:
        """Return the labels of the roles."""
        return ", ".join(str(role.label) for role in self.roles)


def problem_words(code: str) -> str:
    """Return the sentence for a problem of a line."""
    return {
        "address": _("This is not an email address."),
        "twice": _("This address is already in a line above."),
        "member": _("This person already has an account."),
        "invited": _("This person is already invited. You can resend the invitation."),
        "closed": _("This account is closed. Open it in the list of people."),
        "role": _("There is no role “%(text)s”."),
        "administrator": _("Make administrators one by one, in the form for one person."),
        "department": _("You can invite trainees and coaches into groups of your department."),
        "group": _("There is no group “%(text)s”."),
        "groups": _("Several groups are called “%(text)s”. Leave it out and choose the group."),
        "group_role": _("Only trainees and coaches can be in a group."),
        "language": _("“%(text)s” is not a language of this site: write en or fr."),
        "name": _("This name is longer than 120 characters."),
    }[code]


def check_list(lines: Sequence[ListLine], *, defaults: Defaults, actor: User) -> list[CheckedLine]:
    """Return each line of a list with its problems; makes four queries for any length.

    Of an account that the actor does not administer, it shows the name in the list, not its own.
    """
    groups: dict[str, list[Cohort]] = {}
    for group in open_groups_for(actor):
        groups.setdefault(group.name.casefold(), []).append(group)
    addresses = {line.email for line in lines}
    people = {each.email: each for each in User.objects.filter(email__in=addresses)}
    standing = Membership.objects.filter(user__in=people.values())
    member_of = set(standing.values_list("user_id", "cohort_id", "role"))
    known = set(
        administered_people_for(actor).filter(email__in=addresses).values_list("pk", flat=True)
    )
    seen: Counter[str] = Counter()
    found = []
    for line in lines:
        checked = _read(line, groups, defaults)
        if not actor.is_staff:
            _require_group(checked)
        if seen[line.email]:
            checked.problems.append(Problem("twice"))
        elif not checked.problems and (person := people.get(line.email)):
            _compare(checked, person, member_of)
            checked.name = str(person) if person.pk in known else checked.name
        seen[line.email] += 1
        found.append(checked)
    return found


def _read(line: ListLine, groups: dict[str, list[Cohort]], defaults: Defaults) -> CheckedLine:
    """Return a line with the problems that it has by itself."""
    roles, unknown_roles = roles_of(line.roles)
    roles = roles or ([] if unknown_roles else [defaults.role])
    checked = CheckedLine(
        number=line.number,
        email=line.email,
        # A person without a name is called by the first part of the address.
        name=line.name or line.email.partition("@")[0],
        roles=roles,
        cohort=None,
        language=defaults.language,
    )
    try:
        validate_email(line.email)
    except ValidationError:
        checked.problems.append(Problem("address"))
    if len(checked.name) > _LONGEST_NAME:
        checked.problems.append(Problem("name"))
    if unknown_roles:
        checked.problems.append(Problem("role", ", ".join(unknown_roles)[:60]))
    elif Role.ADMINISTRATOR in roles:
        checked.problems.append(Problem("administrator"))
    if line.language:
        language = language_of(line.language)
        if language is None:
            checked.problems.append(Problem("language", line.language[:60]))
        checked.language = language or defaults.language
    _choose_group(checked, line.group, groups, defaults)
    return checked


def _choose_group(
    checked: CheckedLine, name: str, groups: dict[str, list[Cohort]], defaults: Defaults
) -> None:
    may_be_in_one = any(role in GROUP_ROLES for role in checked.roles)
    if not name:
        checked.cohort = defaults.cohort if may_be_in_one else None
        return
    matching = groups.get(name.casefold(), [])
    if len(matching) != 1:
        code = "groups" if matching else "group"
        checked.problems.append(Problem(code, name[:60]))
    elif checked.roles and not may_be_in_one:
        checked.problems.append(Problem("group_role"))
    else:
        checked.cohort = matching[0]


def _require_group(checked: CheckedLine) -> None:
    """Leave out what an administrator of departments may not invite: other roles, and people
    without a group.
    """
    if not checked.problems and (checked.cohort is None or checked.roles != checked.group_roles):
        checked.problems.append(Problem("department"))


def _compare(checked: CheckedLine, person: User, member_of: set[tuple[int, int, str]]) -> None:
    """Compare a line with the account that has its address already."""
    checked.person = person
    is_new = checked.cohort is not None and any(
        (person.pk, checked.cohort.pk, role) not in member_of for role in checked.group_roles
    )
    if not person.is_active:
        checked.problems.append(Problem("closed"))
    elif not is_new:
        checked.problems.append(Problem("invited" if is_unused(person) else "member"))
    elif person.can_manage_people and Role.COACH in checked.roles:
        checked.problems.append(Problem("administrator"))
