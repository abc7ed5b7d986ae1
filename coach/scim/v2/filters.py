"""Filters of lists: equality of a few attributes, joined by `and`.

Each attribute has a condition of its own here: no text of a client names a field of the database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from scim2_models import InvalidFilterException, ScimFilter
from scim2_models.path import (
    CompareOperator,
    Comparison,
    FilterNode,
    LogicalExpr,
    LogicalOperator,
)

from coach.lib.pages.plain_text import storable
from coach.scim.selectors import groups_with

MOST_CHARACTERS: Final = 1000
"""Length of a filter; an address has 254 characters (rule of thumb)."""

_NOTHING: Final = Q(pk=None)
_Conditions = Mapping[str, Callable[[str], Q]]


def _with_id(key: str) -> Q:
    try:
        return Q(pk=UUID(key))
    except ValueError:
        return _NOTHING


def _with_member(key: str) -> Q:
    try:
        return groups_with(str(UUID(key)))
    except ValueError:
        return _NOTHING


PEOPLE: Final[_Conditions] = {
    "id": _with_id,
    "username": lambda text: Q(user_name__iexact=text),
    "externalid": lambda text: Q(external_id=text) if text else _NOTHING,
    "displayname": lambda text: Q(user__name__iexact=text),
    "emails": lambda text: Q(user__email=text.lower()),
    "emails.value": lambda text: Q(user__email=text.lower()),
}
GROUPS: Final[_Conditions] = {
    "id": _with_id,
    "externalid": lambda text: Q(external_id=text) if text else _NOTHING,
    "displayname": lambda text: Q(cohort__name__iexact=text),
    "members": _with_member,
    "members.value": _with_member,
}


def condition_of(text: str, conditions: _Conditions) -> Q:
    """Return the condition of a filter. Raises InvalidFilterException."""
    if len(text) > MOST_CHARACTERS:
        raise InvalidFilterException
    return _condition(ScimFilter[Any](text).ast, conditions)


def _condition(node: FilterNode, conditions: _Conditions) -> Q:
    if isinstance(node, LogicalExpr) and node.op == LogicalOperator.and_:
        found = Q()
        for each in node.terms:
            found &= _condition(each, conditions)
        return found
    if not isinstance(node, Comparison) or node.op != CompareOperator.eq:
        raise InvalidFilterException
    path = node.attr_path
    name = f"{path.attr}.{path.sub_attr}" if path.sub_attr else path.attr
    condition = conditions.get(name.lower())
    if condition is None or path.uri or not isinstance(node.value, str):
        raise InvalidFilterException
    if storable(node.value) != node.value:
        return _NOTHING
    return condition(node.value)
