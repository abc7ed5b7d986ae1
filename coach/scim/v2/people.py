"""Views of people in SCIM: `/Users`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from scim2_models import Context, InvalidValueException, Meta

from coach.accounts.models import User
from coach.accounts.provisioned import ProvisionedPerson
from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.lib.pages.plain_text import one_line
from coach.scim.selectors import managed_people_for
from coach.scim.services import SaidPerson, change_person, delete_person, manage_person
from coach.scim.v2 import resources
from coach.scim.v2.filters import PEOPLE, condition_of
from coach.scim.v2.protocol import body_of, list_response, patch_of, query_of, resource_response


def list_people(request: TokenRequest) -> HttpResponse:
    """List the people whom the identity provider manages, in the order in which they came."""
    query = query_of(request, resources.User)
    found = managed_people_for(request.user)
    if query.filter is not None:
        found = found.filter(condition_of(str(query.filter), PEOPLE))

    def show(rows: Iterable[ProvisionedPerson]) -> list[Any]:
        return [person_resource(request, each) for each in rows]

    return list_response(resources.User, found, show, query)


def read_person(request: TokenRequest, person_id: UUID) -> HttpResponse:
    """Return a person."""
    row = get_object_or_404(managed_people_for(request.user), pk=person_id)
    query = query_of(request, resources.User)
    return resource_response(person_resource(request, row), query=query)


def create_person(request: TokenRequest) -> HttpResponse:
    """Make an account, or match one that exists if the token may."""
    said = resources.User.model_validate(
        _completed(body_of(request), is_active=True), scim_ctx=Context.RESOURCE_CREATION_REQUEST
    )
    row = manage_person(
        said=_said_of(said),
        actor=request.user,
        matches=Scope.SCIM_MATCH in request.token.scopes,
        invites=Scope.SCIM_INVITE in request.token.scopes,
    )
    return resource_response(
        person_resource(request, row), status=201, context=Context.RESOURCE_CREATION_RESPONSE
    )


def replace_person(request: TokenRequest, person_id: UUID) -> HttpResponse:
    """Replace what the provider says of a person; an account stays open or closed unless told."""
    row = _locked(request.user, person_id)
    body = _completed(body_of(request), is_active=row.user.is_active)
    said = resources.User.model_validate(body, scim_ctx=Context.RESOURCE_REPLACEMENT_REQUEST)
    change_person(row=row, said=_said_of(said), actor=request.user)
    return resource_response(
        person_resource(request, row), context=Context.RESOURCE_REPLACEMENT_RESPONSE
    )


def patch_person(request: TokenRequest, person_id: UUID) -> HttpResponse:
    """Change parts of what the provider says of a person."""
    row = _locked(request.user, person_id)
    said = person_resource(request, row)
    patch_of(request, resources.User).patch(said)
    change_person(row=row, said=_said_of(said), actor=request.user)
    return resource_response(person_resource(request, row), context=Context.RESOURCE_PATCH_RESPONSE)


def remove_person(request: TokenRequest, person_id: UUID) -> HttpResponse:
    """Close the account; nothing else is deleted."""
    delete_person(row=_locked(request.user, person_id), actor=request.user)
    return HttpResponse(status=204)


def _locked(user: User, person_id: UUID) -> ProvisionedPerson:
    people = managed_people_for(user).select_for_update(of=("self",))
    return get_object_or_404(people, pk=person_id)


def person_place(request: HttpRequest, person_id: UUID) -> str:
    """Return the address of a person in SCIM."""
    return request.build_absolute_uri(reverse("scim-v2:user", args=[person_id]))


def person_resource(request: HttpRequest, row: ProvisionedPerson) -> resources.User:
    """Return a person as SCIM describes them."""
    person = row.user
    return resources.User(
        id=str(row.pk),
        external_id=row.external_id or None,
        user_name=row.user_name,
        display_name=person.name or None,
        emails=[resources.Email(value=person.email, type="work")],
        active=person.is_active,
        preferred_language=row.preferred_language or None,
        meta=Meta(
            resource_type="User",
            created=row.added_at,
            last_modified=row.changed_at,
            location=person_place(request, row.pk),
        ),
    )


def _completed(body: dict[str, Any], *, is_active: bool) -> dict[str, Any]:
    """Return a person with the attributes that providers often leave out.

    Without an address, the user name is one; without a display name, its parts are used.
    """
    said = {name.lower(): value for name, value in body.items()}
    said.setdefault("active", is_active)
    if not said.get("emails"):
        said["emails"] = [{"value": said.get("username"), "type": "work"}]
    name = said.get("name")
    if not said.get("displayname") and isinstance(name, dict):
        parts = {part.lower(): value for part, value in name.items()}
        whole = [parts.get("formatted")] if parts.get("formatted") else []
        whole = whole or [parts.get("givenname"), parts.get("familyname")]
        said["displayname"] = " ".join(str(each) for each in whole if each)[:120]
    return said


def _said_of(said: resources.User) -> SaidPerson:
    """Return what a valid resource says. Raises InvalidValueException."""
    user_name = one_line(said.user_name or "")
    address = _address_of(said.emails or [])
    if not user_name or said.active is None:
        raise InvalidValueException
    external_id = one_line(said.external_id or "")
    if len(external_id) > 255:
        raise InvalidValueException(attribute="externalId")
    return SaidPerson(
        user_name=user_name,
        address=address,
        name=one_line(said.display_name or ""),
        external_id=external_id,
        preferred_language=one_line(said.preferred_language or ""),
        is_active=said.active,
    )


def _address_of(emails: list[resources.Email]) -> str:
    """Return the primary address, else the last one for work, else the last one."""
    primary = [each for each in emails if each.unknown_attributes.get("primary") is True]
    work = [each for each in emails if each.type == "work"]
    chosen = (primary or work or emails)[-1:]
    address = User.objects.normalize_email(chosen[0].value if chosen else "").lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise InvalidValueException(attribute="emails") from error
    return address
