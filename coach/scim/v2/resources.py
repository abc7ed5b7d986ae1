"""SCIM resources: which attributes of people and groups this site knows.

We do not know other attributes of the standard, and ignore them. A name is one piece here: the
display name.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    ChangePassword,
    ComplexAttribute,
    ETag,
    Filter,
    Mutability,
    Patch,
    Reference,
    Required,
    Resource,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)

MOST_LISTED: Final = 200
"""Resources on one page of a list (rule of thumb)."""

POLICY: Final = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    # As Microsoft Entra sends them.
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)


class Email(ComplexAttribute):
    """The one email address of a person."""

    value: Annotated[str | None, Required.true] = Field(None, max_length=254)
    type: str | None = Field(None, examples=["work"], max_length=40)


class User(Resource[Any]):
    """A person. Who is not active cannot sign in; nothing of theirs is deleted."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Required.true, Uniqueness.server] = Field(None, max_length=254)
    display_name: str | None = Field(None, max_length=120)
    emails: Annotated[list[Email] | None, Required.true] = None
    active: Annotated[bool | None, Required.true] = None
    preferred_language: str | None = Field(None, max_length=40)


class GroupMember(ComplexAttribute):
    """A trainee of a group."""

    value: Annotated[str | None, Mutability.immutable, Required.true] = None
    ref: Annotated[Reference[User] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    type: Annotated[str | None, Mutability.immutable] = Field(None, examples=["User"])


class Group(Resource[Any]):
    """A group with its trainees."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Required.true] = Field(None, max_length=120)
    members: list[GroupMember] | None = None


CONFIG: Final = ServiceProviderConfig(
    patch=Patch(supported=True),
    bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
    filter=Filter(supported=True, max_results=MOST_LISTED),
    change_password=ChangePassword(supported=False),
    sort=Sort(supported=False),
    etag=ETag(supported=False),
    authentication_schemes=[
        AuthenticationScheme(
            type="oauthbearertoken",
            name="Bearer token",
            description="A token that an administrator made for SCIM.",
            primary=True,
        )
    ],
)
PROVIDER: Final = ScimProvider(models=[User, Group], config=CONFIG, policy=POLICY)
