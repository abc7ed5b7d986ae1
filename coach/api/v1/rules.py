"""The rules in force, for curators."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404
from ninja import Path, Router, Schema
from pydantic import Field

from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.api.v1.permission import AccessToken, check_role
from coach.api.v1.problems import answers
from coach.rulesets.selectors import active_release, rule_set_of
from feedback_rules.model import Rule

router = Router(tags=["Rules"])

_AUTH = AccessToken(Scope.RULES_READ)


class RuleRow(Schema):
    """A rule of the release in force."""

    id: str
    version: int
    title: str
    status: str
    quality: str
    tone: str


class RuleSetAnswer(Schema):
    """The release in force, with its rules by id."""

    release: int
    rules: list[RuleRow]


class RuleAnswer(RuleRow):
    """A rule with its whole document (docs/reference/rules.md)."""

    document: dict[str, Any]


@router.get("/rules", auth=_AUTH, response=answers(RuleSetAnswer, 404))
def list_rules(request: TokenRequest) -> RuleSetAnswer:
    """List the rules in force. There are some dozens, so they come on one page."""
    check_role(may=request.user.can_curate)
    release = active_release()
    if release is None:
        raise Http404
    rules = sorted(rule_set_of(release).rules, key=lambda rule: rule.id)
    return RuleSetAnswer(release=release.number, rules=[RuleRow(**_row(rule)) for rule in rules])


@router.get("/rules/{rule_id}", auth=_AUTH, response=answers(RuleAnswer, 404))
def get_rule(
    request: TokenRequest,
    rule_id: Annotated[str, Path(), Field(pattern=r"^[A-Z]{3}[0-9]{3}$")],
) -> RuleAnswer:
    """Return a rule of the release in force."""
    check_role(may=request.user.can_curate)
    release = active_release()
    rules = rule_set_of(release).rules if release else ()
    for rule in rules:
        if rule.id == rule_id:
            return RuleAnswer(**_row(rule), document=rule.model_dump(mode="json"))
    raise Http404


def _row(rule: Rule) -> dict[str, Any]:
    names = ("id", "version", "title", "status", "quality", "tone")
    return {name: getattr(rule, name) for name in names}
