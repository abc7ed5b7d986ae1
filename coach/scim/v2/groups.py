"""Views of groups in SCIM: `/Groups`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from scim2_models import (
    Context,
    InvalidPathException,
    InvalidValueException,
    Meta,
    PatchOp,
    PatchOperation,
)

from coach.accounts.provisioned import ProvisionedGroup
from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.lib.pages.plain_text import one_line
from coach.scim.selectors import managed_groups_for, managed_trainees
from coach.scim.services import SaidGroup, change_group, delete_group, manage_group
from coach.scim.v2 import resources
from coach.scim.v2.filters import GROUPS, condition_of
from coach.scim.v2.people import person_place
from coach.scim.v2.protocol import body_of, list_response, patch_of, query_of, resource_response

_MEMBERS: Final = re.compile(r'members(?:\[value eq "([^"]*)"\])?', re.IGNORECASE)


def list_groups(request: TokenRequest) -> HttpResponse:
    """List the groups that the identity provider manages, in the order in which they came."""
    query = query_of(request, resources.Group)
    found = managed_groups_for(request.user)
    if query.filter is not None:
        found = found.filter(condition_of(str(query.filter), GROUPS)).distinct()

    def show(rows: Iterable[ProvisionedGroup]) -> list[resources.Group]:
        return _group_resources(request, list(rows))

    return list_response(resources.Group, found, show, query)  # type: ignore[arg-type]


def read_group(request: TokenRequest, group_id: UUID) -> HttpResponse:
    """Return a group with its trainees."""
    row = get_object_or_404(managed_groups_for(request.user), pk=group_id)
    query = query_of(request, resources.Group)
    return resource_response(_group_resource(request, row), query=query)


def create_group(request: TokenRequest) -> HttpResponse:
    """Make a group, or match one that exists if the token may."""
    said = resources.Group.model_validate(
        body_of(request), scim_ctx=Context.RESOURCE_CREATION_REQUEST
    )
    matches = Scope.SCIM_MATCH in request.token.scopes
    row = manage_group(said=_said_of(said), actor=request.user, matches=matches)
    return resource_response(
        _group_resource(request, row), status=201, context=Context.RESOURCE_CREATION_RESPONSE
    )


def replace_group(request: TokenRequest, group_id: UUID) -> HttpResponse:
    """Replace what the provider says of a group, with its managed trainees."""
    row = get_object_or_404(_locked(request), pk=group_id)
    said = resources.Group.model_validate(
        body_of(request), scim_ctx=Context.RESOURCE_REPLACEMENT_REQUEST
    )
    change_group(row=row, said=_said_of(said), actor=request.user)
    return resource_response(
        _group_resource(request, row), context=Context.RESOURCE_REPLACEMENT_RESPONSE
    )


def patch_group(request: TokenRequest, group_id: UUID) -> HttpResponse:
    """Change the name of a group, or add and remove trainees."""
    row = get_object_or_404(_locked(request), pk=group_id)
    patch = patch_of(request, resources.Group)
    said = _group_resource(request, row)
    before = _said_of(said)
    said.members = None
    # The library copies all members for each operation: a minute for a large group.
    members, rest = _patched(before.members, patch)
    if rest:
        PatchOp[resources.Group](operations=rest).patch(said)
    change_group(row=row, said=replace(_said_of(said), members=members), actor=request.user)
    return resource_response(_group_resource(request, row), context=Context.RESOURCE_PATCH_RESPONSE)


def remove_group(request: TokenRequest, group_id: UUID) -> HttpResponse:
    """Archive the group; its members and their takes stay."""
    delete_group(row=get_object_or_404(_locked(request), pk=group_id), actor=request.user)
    return HttpResponse(status=204)


def _locked(request: TokenRequest) -> QuerySet[ProvisionedGroup]:
    return managed_groups_for(request.user).select_for_update(of=("self",))


def _group_resource(request: HttpRequest, row: ProvisionedGroup) -> resources.Group:
    return _group_resources(request, [row])[0]


def _group_resources(request: HttpRequest, rows: list[ProvisionedGroup]) -> list[resources.Group]:
    """Return groups as SCIM describes them; their members come in one query."""
    members: dict[int, list[resources.GroupMember]] = defaultdict(list)
    for cohort_id, person_id in managed_trainees(rows).values_list("cohort", "user__provisioned"):
        place = person_place(request, person_id)
        member = resources.GroupMember(value=str(person_id), ref=place, type="User")
        members[cohort_id].append(member)
    return [
        resources.Group(
            id=str(row.pk),
            external_id=row.external_id or None,
            display_name=row.cohort.name,
            members=members[row.cohort_id],
            meta=Meta(
                resource_type="Group",
                created=row.added_at,
                last_modified=row.changed_at,
                location=request.build_absolute_uri(reverse("scim-v2:group", args=[row.pk])),
            ),
        )
        for row in rows
    ]


def _said_of(said: resources.Group) -> SaidGroup:
    """Return what a valid resource says. Raises InvalidValueException."""
    name = one_line(said.display_name or "")
    external_id = one_line(said.external_id or "")
    if not name or len(external_id) > 255:
        raise InvalidValueException
    members = _ids_in([each.value for each in said.members or []])
    return SaidGroup(name=name, external_id=external_id, members=members)


def _patched(
    members: frozenset[UUID], patch: PatchOp[Any]
) -> tuple[frozenset[UUID], list[PatchOperation[Any]]]:
    """Return the members after a PATCH, and its operations about something else."""
    rest = []
    for each in patch.operations or []:
        found = _MEMBERS.fullmatch(str(each.path or ""))
        if found is None:
            rest.append(each)
            continue
        sent = each.value if isinstance(each.value, list) else [each.value or {}]
        named = [found[1]] if found[1] else [_value_of(one) for one in sent if one]
        keys = _ids_in(named)
        if each.op == "remove":
            members = members - keys if named else frozenset()
        elif found[1]:
            raise InvalidPathException(path=str(each.path))
        else:
            members = keys | (members if each.op == "add" else frozenset())
    return members, rest


def _value_of(member: Any) -> Any:
    return member.get("value") if isinstance(member, dict) else member


def _ids_in(values: Iterable[Any]) -> frozenset[UUID]:
    """Return ids of members. Raises InvalidValueException."""
    try:
        return frozenset(UUID(str(each)) for each in values)
    except ValueError as error:
        raise InvalidValueException(attribute="members") from error
